import { statSync } from 'node:fs';
import { fr } from '../text/language.ts';
import { type Rule, rule } from '../text/rule.ts';
import { toSystemCode } from './system-code.ts';

/** Error codes of `open(2)` for a socket, a pipe, a node without a device, and for a removed device. */
const ambiguous: ReadonlySet<string | undefined> = new Set(['ENXIO', 'ENODEV']);

/**
 * Returns whether `open(2)` failed because the name is a socket, a pipe or a device node, which is permanent. False
 * when the device below a file is unavailable, which may be transient. Inspects the name again.
 */
export function isSpecialFile(error: unknown): boolean {
  const { syscall, path } = (error ?? {}) as NodeJS.ErrnoException;
  if (!ambiguous.has(toSystemCode(error)) || syscall !== 'open' || path === undefined) return false;
  try {
    const found = statSync(path);
    return found.isSocket() || found.isFIFO() || found.isCharacterDevice() || found.isBlockDevice();
  } catch {
    return false;
  }
}

/** Describes a failed open by the code of the system, or a rule, in a form that can be sent to other threads. */
export function describeFailedOpen(error: unknown): {
  readonly problem: 'missing' | 'unreadable';
  readonly detail: string | Rule;
} {
  const code = toSystemCode(error) ?? 'unknown';
  if (code === 'ENOENT' || code === 'ENOTDIR') return { problem: 'missing', detail: code };
  return { problem: 'unreadable', detail: isSpecialFile(error) ? notRegular : code };
}

export const notRegular = rule(['not a regular file', fr`pas un fichier ordinaire`]);
