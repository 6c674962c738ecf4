import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { svcError } from '../../src/text/error.ts';

/**
 * Loads an addon from memory. The loader needs a file, so a file that only this user can read exists while it loads.
 *
 * @param places folders for that file, in the order in which they are tried; those that are not set are left out
 * @throws SVC-SRV-008 when code can be loaded from none of them
 */
export function loadAddon(bytes: Buffer, places: readonly (string | undefined)[]): unknown {
  let cause: unknown;
  for (const place of places) {
    if (!place) continue;
    let folder: string | undefined;
    try {
      folder = mkdtempSync(join(place, 'svc-'));
      const file = join(folder, 'argon2.node');
      writeFileSync(file, bytes, { mode: 0o700 });
      const module: { exports: unknown } = { exports: {} };
      process.dlopen(module, file);
      return module.exports;
    } catch (error) {
      cause = error;
    } finally {
      if (folder !== undefined) rmSync(folder, { recursive: true, force: true });
    }
  }
  throw svcError('SVC-SRV-008', {}, { detail: toReason(cause), cause });
}

/** Why the last folder was of no use, without its path: a client may read this before it has signed in. */
function toReason(error: unknown): string {
  const { code = '', message = '' } = error as Partial<NodeJS.ErrnoException>;
  if (code !== '' && code !== 'ERR_DLOPEN_FAILED') return code;
  return message.replace(/^\S*\//, '').slice(0, 200);
}
