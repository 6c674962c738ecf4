import { execFileSync } from 'node:child_process';
import { mkdirSync } from 'node:fs';

/**
 * Unpacks a tar archive, compressed or not, into a folder. Permissions are those of the archive, whatever the umask;
 * owners are not kept.
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
  execFileSync('tar', [...flags, '--directory', into], { input: archive, stdio: ['pipe', 'ignore', 'pipe'] });
}
