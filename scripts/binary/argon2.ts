import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type * as argon2 from '@node-rs/argon2';
import { readAsset } from './asset.ts';

let loaded: typeof argon2 | undefined;

/**
 * Loads the embedded addon. The loader needs a file, so a file that only this user can read exists while it
 * loads.
 */
function load(): typeof argon2 {
  if (loaded !== undefined) return loaded;
  let cause: unknown;
  for (const place of [tmpdir(), process.env.XDG_RUNTIME_DIR, '/dev/shm', '/var/tmp']) {
    if (!place) continue;
    let folder: string | undefined;
    try {
      folder = mkdtempSync(join(place, 'svc-'));
      const file = join(folder, 'argon2.node');
      writeFileSync(file, readAsset('argon2.node'), { mode: 0o700 });
      const module: { exports: unknown } = { exports: {} };
      process.dlopen(module, file);
      loaded = module.exports as typeof argon2;
      return loaded;
    } catch (error) {
      cause = error;
    } finally {
      if (folder !== undefined) rmSync(folder, { recursive: true, force: true });
    }
  }
  throw new Error('passwords need a folder for temporary files that code may be loaded from: set TMPDIR', {
    cause,
  });
}

export const hash: typeof argon2.hash = async (...given) => load().hash(...given);
export const verify: typeof argon2.verify = async (...given) => load().verify(...given);
