import { randomBytes } from 'node:crypto';
import { constants } from 'node:fs';
import { link, open, unlink } from 'node:fs/promises';
import { join } from 'node:path';
import { isAbsent } from '../../disk/is-absent.ts';
import { makeFolder, syncName } from '../../disk/make-folder.ts';
import { readPlainText } from '../../disk/plain-file.ts';
import { toReadError } from '../../disk/read-error.ts';
import { removeLeftovers } from '../../disk/remove-leftovers.ts';
import { syncFolder } from '../../disk/sync-folder.ts';
import { toWriteError } from '../../disk/write-error.ts';
import { svcError } from '../../text/error.ts';
import { fr } from '../../text/language.ts';
import { rule } from '../../text/rule.ts';

const keyBytes = 32;

/**
 * Reads the key under which this instance writes ledgers: a file of the state root that only its owner can
 * read. Without this key every existing store is foreign.
 *
 * @returns undefined when there is none yet
 * @throws SVC-STO-001 when it cannot be read or is not a key
 */
export async function readStoreKey(stateRoot: string): Promise<Buffer | undefined> {
  const path = toKeyPath(stateRoot);
  let text: string;
  try {
    text = await readPlainText(path);
  } catch (cause) {
    if (isAbsent(cause)) return undefined;
    throw toReadError(cause, path);
  }
  if (!/^[0-9a-f]{64}\n$/.test(text))
    throw svcError('SVC-STO-001', { path, detail: rule(['not a store key', fr`pas une clé de stockage`]) });
  return Buffer.from(text, 'hex');
}

/**
 * Reads the key, or creates it. Concurrent processes get the same key.
 *
 * @throws SVC-STO-001, SVC-STO-002, SVC-STO-004
 */
export async function openStoreKey(stateRoot: string): Promise<Buffer> {
  const path = toKeyPath(stateRoot);
  const key = (await readStoreKey(stateRoot)) ?? (await makeStoreKey(stateRoot, path));
  // temporary copies are not used; a process that is creating a key now reads this one
  await removeLeftovers(path);
  return key;
}

async function makeStoreKey(stateRoot: string, path: string): Promise<Buffer> {
  const temporary = `${path}.${randomBytes(6).toString('hex')}.tmp`;
  try {
    await makeFolder(stateRoot, 0o700);
    await writeKey(temporary);
    try {
      // a link is created atomically, and never replaces a key of another process
      await link(temporary, path);
    } catch (error) {
      const code = (error as NodeJS.ErrnoException).code;
      // a filesystem without links; there, a kill during the write leaves a file that is rejected as a key
      if (code !== 'EEXIST') await writeKey(path);
    } finally {
      await unlink(temporary).catch(() => {});
    }
    await syncFolder(stateRoot);
    // another process may have created the folder and been killed before its name was durable
    await syncName(stateRoot);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST')
      throw toWriteError(error, path, { place: 'state' });
  }
  const made = await readStoreKey(stateRoot);
  if (!made)
    throw svcError('SVC-STO-002', {
      path,
      detail: rule([
        'the key was removed while it was created',
        fr`la clé a été supprimée pendant sa création`,
      ]),
    });
  return made;
}

async function writeKey(path: string): Promise<void> {
  const flags = constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | constants.O_NOFOLLOW;
  const file = await open(path, flags, 0o600);
  try {
    await file.writeFile(`${randomBytes(keyBytes).toString('hex')}\n`);
    await file.sync();
  } finally {
    await file.close();
  }
}

function toKeyPath(stateRoot: string): string {
  return join(stateRoot, 'store.key');
}
