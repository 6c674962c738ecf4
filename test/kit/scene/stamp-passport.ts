import { generateKeyPairSync } from 'node:crypto';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { StatementSigner } from '../../../src/attest/own-statement.ts';
import { passportPath, writePassport } from '../../../src/attest/passport.ts';
import { type Digest, hashBytes } from '../../../src/base/digest.ts';
import type { Passport } from '../../../src/contract/passport.ts';
import { toSigner } from '../../../src/signing/signer.ts';
import type { CarriedMedium } from './carried-medium.ts';

/** Gives a medium a passport that is right for it. @param change statements that are others */
export async function stampPassport(
  { root }: Pick<CarriedMedium, 'root'>,
  by: StatementSigner,
  change: Partial<Passport> = {},
): Promise<void> {
  const manifest = await readFile(join(root, 'media.jsonl'));
  const {
    mediaId,
    delivery,
    base,
    zone,
    recipes,
    otherRecipes = [],
  } = JSON.parse(manifest.toString('utf8').split('\n')[0]!);
  const passport: Passport = {
    zone,
    mediaId,
    delivery,
    ...(base === undefined ? {} : { base }),
    recipes: [
      ...recipes.map(({ name, version, digest }: any) => ({ name, version, digest })),
      ...otherRecipes.map((digest: Digest) => ({ name: 'other', version: '1.0.0', digest })),
    ],
    sequence: 1,
    issuedAt: '2026-02-01T00:00:00Z',
    ...change,
  };
  await mkdir(dirname(join(root, passportPath)), { recursive: true });
  await writeFile(join(root, passportPath), writePassport(passport, hashBytes(manifest), by));
}

/** Two peers whose passports a zone accepts, and does not require. */
export function createPassportPeers() {
  const [sender, rival] = ['source', 'rival'].map(() =>
    toSigner(generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey),
  ) as [ReturnType<typeof toSigner>, ReturnType<typeof toSigner>];
  const keys = [
    { name: 'source', key: sender.publicKey },
    { name: 'rival', key: rival.publicKey },
  ];
  return { sender, rival, passports: { keys, required: false } };
}
