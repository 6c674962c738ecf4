import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { toSubject, toZoneFile, writeReceipt } from '../../../src/attest/receipt.ts';
import { hashBytes } from '../../../src/base/digest.ts';
import type { Config } from '../../../src/config/model.ts';
import type { Receipt } from '../../../src/contract/receipt.ts';
import { toSigner } from '../../../src/signing/signer.ts';
import { openReceipts } from '../../../src/zone/receipts.ts';
import { toReceipt } from '../content/receipt.ts';
import { createSigner } from '../content/signer.ts';
import { daysAgo } from './history.ts';

const toRecipes = (...states: Receipt['recipes'][number]['state'][]): Receipt['recipes'] =>
  states.map((state, i) => ({ digest: hashBytes(`recipe ${i}`), state }));

const told: readonly (Partial<Receipt> & { readonly zone: string })[] = [
  {
    zone: 'zone-c',
    sequence: 7,
    issuedAt: daysAgo(4),
    evidence: 'deep',
    recipes: toRecipes('present', 'present', 'incomplete', 'blocked'),
  },
  { zone: 'zone-d', sequence: 41, issuedAt: daysAgo(33), recipes: toRecipes('present') },
  { zone: 'zone-early', sequence: 2, issuedAt: daysAgo(-9), recipes: toRecipes('present', 'present') },
];

/**
 * Writes receipts of three zones into the state, one of them with a date of the future and a fork. The key of one zone is
 * no longer configured.
 *
 * @param folder that has the state
 * @returns the configured peers
 */
export async function writeReceipts(folder: string): Promise<Config['peers']> {
  const receipts = openReceipts(join(folder, 'state'));
  const peers: Config['peers'][number][] = [];
  for (const members of told) {
    const { zone: name } = members;
    const { privateKey, publicKeyPem } = createSigner();
    const signer = toSigner(privateKey);
    const keys = [{ name, key: signer.publicKey, for: ['receipt'] }];
    const add = (receipt: Parameters<typeof toReceipt>[0]) =>
      receipts.add(writeReceipt(toReceipt(receipt), [toSubject(toZoneFile(name))], signer), { keys });
    await add(members);
    // refused, and remembered
    if (name === 'zone-early') await add({ ...members, recipes: [] }).catch(() => {});
    const keyFile = join(folder, `${name}.pub`);
    await writeFile(keyFile, publicKeyPem);
    if (name !== 'zone-d') peers.push({ name, keyFile, for: ['receipt'] });
  }
  return peers;
}
