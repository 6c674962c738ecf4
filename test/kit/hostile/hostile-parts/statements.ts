import { execFileSync } from 'node:child_process';
import { generateKeyPairSync } from 'node:crypto';
import { lstatSync } from 'node:fs';
import { copyFile, mkdir, rename, symlink, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { passportPath } from '../../../../src/attest/passport.ts';
import { toSubject, toZoneFile, writeReceipt } from '../../../../src/attest/receipt.ts';
import { proofPath, signProof } from '../../../../src/operation/prove/sign-proof.ts';
import { toSigner } from '../../../../src/signing/signer.ts';
import { toReceipt } from '../../content/receipt.ts';
import { splitBase, splitId } from '../../scene/split-delivery.ts';
import { stampPassport } from '../../scene/stamp-passport.ts';
import { at, editHeader, type HostilePart } from './hostile-part.ts';

const newSigner = () => toSigner(generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey);
/** The sender, whose passports the zone believes; the zone; and somebody else. */
const [sender, zone, stranger] = [newSigner(), newSigner(), newSigner()];

const keys = [{ name: 'source', key: sender.publicKey }];
const believed = { passports: { keys, required: false } } as const;
const required = { passports: { keys, required: true } } as const;
const wrong = { blocks: ['SVC-MED-042'] } as const;

type Spoil = NonNullable<HostilePart['spoil']>;
/** A passport that the zone looks at, whether it wants one or not. */
const passport = (name: string, spoil: Spoil, expected: Partial<HostilePart> = wrong): HostilePart => ({
  name: `a passport ${name}`,
  spoil,
  options: believed,
  ...expected,
});

/** Copies a statement of one medium onto another one. */
async function bring(path: string, from: { readonly root: string }, to: { readonly root: string }) {
  await mkdir(dirname(join(to.root, path)), { recursive: true });
  await copyFile(join(from.root, path), join(to.root, path));
}

/** Signs the proof of a medium, as the sender does. */
const prove = ({ root }: { readonly root: string }): Promise<void> =>
  signProof(
    [
      {
        root,
        mediaId: '00000000-0000-4000-8000-000000000000',
        manifest: lstatSync(join(root, 'media.jsonl'), { bigint: true }),
      },
    ],
    {
      signer: sender,
      version: '0.0.0-test',
      verifiedAt: Date.parse('2026-02-01T00:00:00Z'),
      policy: {},
    },
  );

const passports: readonly HostilePart[] = [
  passport('that is right', (part) => stampPassport(part, sender), {}),
  passport('that is right and asked for', (part) => stampPassport(part, sender), { options: required }),
  passport('that is asked for and absent', () => {}, { options: required, ...wrong }),
  passport('of part 2 on part 1', async (part, { delivery }) => {
    const other = await delivery.carry(2);
    await stampPassport(other, sender);
    await bring(passportPath, other, part);
  }),
  passport(
    'of part 1 on part 2',
    async (part, { delivery }) => {
      const other = await delivery.carry(1);
      await stampPassport(other, sender);
      await bring(passportPath, other, part);
    },
    { part: 2, before: [1], ...wrong },
  ),
  passport('of another delivery', async (part, { other }) => {
    const medium = await other.carry(1);
    await stampPassport(medium, sender);
    await bring(passportPath, medium, part);
  }),
  passport('of the same part, which was written again', async (part, { delivery }) => {
    const again = await delivery.carry(1);
    await editHeader(again, (header) => Object.assign(header.producedBy, { runId: 'another-run' }));
    await stampPassport(again, sender);
    await bring(passportPath, again, part);
  }),
  passport('that names another delivery', (part) =>
    stampPassport(part, sender, { delivery: { id: 'dlv_ffffffffffff', part: 1, parts: 2 } }),
  ),
  passport('that names the other part', (part) =>
    stampPassport(part, sender, { delivery: { id: splitId, part: 2, parts: 2 } }),
  ),
  passport('that names another medium', (part) =>
    stampPassport(part, sender, { mediaId: '00000000-0000-4000-8000-000000000000' }),
  ),
  passport('that names another base', (part) =>
    stampPassport(part, sender, { base: { ...splitBase, sequence: 8 } }),
  ),
  passport('for another zone', (part) => stampPassport(part, sender, { zone: 'zone-c' })),
  passport('of another signer', (part) => stampPassport(part, stranger)),
  passport('in whose place is a receipt', async (part) => {
    await mkdir(dirname(at(part, passportPath)), { recursive: true });
    await writeFile(
      at(part, passportPath),
      writeReceipt(toReceipt(), [toSubject(toZoneFile('zone-b'))], sender),
    );
  }),
  passport('in whose place is a proof', async (part) => {
    await prove(part);
    await rename(at(part, proofPath), at(part, passportPath));
  }),
  passport('that leads to the right one', async (part) => {
    await stampPassport(part, sender);
    await rename(at(part, passportPath), at(part, '_svc/right.json'));
    await symlink('right.json', at(part, passportPath));
  }),
  passport('that leads out of the medium', async (part, { canary }) => {
    await mkdir(dirname(at(part, passportPath)), { recursive: true });
    await symlink(canary.file, at(part, passportPath));
  }),
  passport('that is a pipe', async (part) => {
    await mkdir(dirname(at(part, passportPath)), { recursive: true });
    execFileSync('mkfifo', [at(part, passportPath)]);
  }),
  passport('that expired', (part) => stampPassport(part, sender, { expiresAt: '2026-02-02T00:00:00Z' }), {
    blocks: ['SVC-MED-043'],
  }),
  passport(
    'that expired, and is waived',
    (part) => stampPassport(part, sender, { expiresAt: '2026-02-02T00:00:00Z' }),
    { options: { ...believed, waive: { zoneMismatch: false, stale: true } } },
  ),
  passport('of another signer, which no waiver helps', (part) => stampPassport(part, stranger), {
    options: { ...believed, waive: { zoneMismatch: true, stale: true } },
    ...wrong,
  }),
  passport('of another signer, where nobody is believed', (part) => stampPassport(part, stranger), {
    options: { passports: { keys: [], required: false } },
  }),
];

const ownReceipt = 'zone-b.sigstore.json';
const onMedium = join('_svc/receipts', ownReceipt);
const receiptOf = (of: string, issuedAt?: string): Buffer =>
  writeReceipt(
    toReceipt({ zone: of, sequence: 41, ...(issuedAt === undefined ? {} : { issuedAt }) }),
    [toSubject(toZoneFile(of))],
    zone,
  );
const tomorrow = (): string => new Date(Date.now() + 86_400_000).toISOString();

/** A receipt on the medium, which a zone that signs replaces by its own. */
const receipt = (name: string, spoil: Spoil): readonly HostilePart[] =>
  ([false, true] as const).map((signs) => ({
    name: `a receipt on the medium ${name}, in a zone that ${signs ? 'signs' : 'does not sign'}`,
    spoil,
    signs,
  }));

/** The last own receipt in the state. */
const ownState = (name: string, change: (path: string) => unknown): HostilePart => ({
  name: `an own receipt in the state ${name}`,
  before: [1],
  part: 2,
  spoil: async (_part, { state }) => {
    const path = join(state, 'receipts/own', ownReceipt);
    await mkdir(dirname(path), { recursive: true });
    await change(path);
  },
  signs: true,
});

const receipts: readonly HostilePart[] = [
  ...receipt('of another zone under the name of this one', async (part) => {
    await mkdir(dirname(at(part, onMedium)), { recursive: true });
    await writeFile(at(part, onMedium), receiptOf('zone-c'));
  }),
  ...receipt('from tomorrow', async (part) => {
    await mkdir(dirname(at(part, onMedium)), { recursive: true });
    await writeFile(at(part, onMedium), receiptOf('zone-b', tomorrow()));
  }),
  ...receipt('that leads out of the medium', async (part, { canary }) => {
    await mkdir(dirname(at(part, onMedium)), { recursive: true });
    await symlink(canary.file, at(part, onMedium));
  }),
  ...receipt('whose folder leads out of the medium', async (part, { canary }) => {
    await mkdir(at(part, '_svc'), { recursive: true });
    await symlink(canary.folder, at(part, '_svc/receipts'));
  }),
  ...receipt('whose folder is a file', async (part) => {
    await mkdir(at(part, '_svc'), { recursive: true });
    await writeFile(at(part, '_svc/receipts'), 'x');
  }),
  ownState('of another zone under the name of this one', (path) => writeFile(path, receiptOf('zone-c'))),
  ownState('from tomorrow', (path) => writeFile(path, receiptOf('zone-b', tomorrow()))),
  ownState('that is damaged', (path) => writeFile(path, 'receipt')),
  ownState('that is a folder', (path) => mkdir(path)),
  {
    name: 'a proof of another medium',
    spoil: async (part, { other }) => {
      const medium = await other.carry(1);
      await prove(medium);
      await bring(proofPath, medium, part);
    },
  },
  {
    name: 'a proof that is a folder',
    spoil: (part) => mkdir(at(part, proofPath), { recursive: true }),
  },
];

export const statements: readonly HostilePart[] = [...passports, ...receipts];
