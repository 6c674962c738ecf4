import { mkdirSync } from 'node:fs';
import { runTool } from './run-tool.ts';

/**
 * Unpacks a tar archive, compressed or not, into a folder. The archive, not the umask, sets permissions; owners are not
 * kept.
 *
 * @param more flags of tar
 */
export function unpack(
  archive: Buffer,
  into: string,
  compression: '--gzip' | '--xz' | '--no-auto-compress',
  more: readonly string[] = [],
): void {
  mkdirSync(into, { recursive: true });
  const flags = [
    '--extract',
    compression,
    '--preserve-permissions',
    '--no-same-owner',
    ...more,
    '--file',
    '-',
  ];
  runTool('tar', [...flags, '--directory', into], { input: archive });
}
