import type { KeyObject } from 'node:crypto';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { KeyError, parsePublicKey, toFingerprint } from '../../attest/public-key.ts';
import { toCustodyFolder } from '../../custody/ledger-files.ts';
import { writeStateFile } from '../../disk/atomic-file.ts';
import { isAbsent } from '../../disk/is-absent.ts';
import { makeStateFolder } from '../../disk/make-folder.ts';
import { readPlain } from '../../disk/plain-file.ts';
import { toReadError } from '../../disk/read-error.ts';
import { removeStale } from '../../disk/remove-leftovers.ts';
import type { EvidenceKey } from '../../engine/evidence/model.ts';

/** The use of a key here: `site` signed a passport, `approver` an approval. */
type Role = 'site' | 'approver';

const toFolder = (stateRoot: string): string => join(toCustodyFolder(stateRoot), 'keys');

/**
 * Keeps the public key of a signer beside the ledger: it need not be in the configuration. A pack of evidence shows it, and
 * nothing believes it.
 *
 * @throws SVC-STO-002, SVC-STO-004
 */
export async function keepKey(stateRoot: string, role: Role, key: KeyObject): Promise<void> {
  const folder = toFolder(stateRoot);
  await makeStateFolder(folder);
  await removeStale(folder);
  const pem = key.export({ type: 'spki', format: 'pem' }) as string;
  await writeStateFile(join(folder, `${role}-${toFingerprint(key)}.pub`), pem);
}

/**
 * The kept keys, those of passports first.
 *
 * @param site name of the keys that signed as this site
 * @throws SVC-STO-001, SVC-STO-014
 */
export async function readKeptKeys(stateRoot: string, site: string): Promise<readonly EvidenceKey[]> {
  const folder = toFolder(stateRoot);
  const found: EvidenceKey[] = [];
  try {
    for (const file of (await readdir(folder)).sort().reverse()) {
      const [, role] = /^(site|approver)-[0-9a-f]{64}\.pub$/.exec(file) ?? [];
      if (role === undefined) continue;
      const key = parsePublicKey(await readPlain(join(folder, file)));
      found.push({ name: role === 'site' ? site : role, key, fingerprint: toFingerprint(key) });
    }
  } catch (error) {
    if (!isAbsent(error) && !(error instanceof KeyError)) throw toReadError(error, folder);
  }
  return found;
}
