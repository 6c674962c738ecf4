import { tmpdir } from 'node:os';
import type * as argon2 from '@node-rs/argon2';
import { readAsset } from './asset.ts';
import { loadAddon } from './load-addon.ts';

let loaded: typeof argon2 | undefined;

/** Loads the embedded addon, once. @throws SVC-SRV-008 */
function load(): typeof argon2 {
  loaded ??= loadAddon(readAsset('argon2.node'), [
    tmpdir(),
    process.env.XDG_RUNTIME_DIR,
    '/dev/shm',
    '/var/tmp',
  ]) as typeof argon2;
  return loaded;
}

export const hash: typeof argon2.hash = async (...given) => load().hash(...given);
export const verify: typeof argon2.verify = async (...given) => load().verify(...given);
