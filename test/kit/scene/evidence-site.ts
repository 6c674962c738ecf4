import assert from 'node:assert/strict';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { readCheckpoint, writeCheckpoint } from '../../../src/attest/checkpoint.ts';
import { readPassport, writePassport } from '../../../src/attest/passport.ts';
import {
  readReceipt,
  toInventory,
  toSubject,
  toZoneFile,
  writeReceipt,
} from '../../../src/attest/receipt.ts';
import { type Digest, digestHex, hashBytes } from '../../../src/base/digest.ts';
import { selectLines } from '../../../src/custody/carried-lines.ts';
import { openCustody } from '../../../src/custody/custody.ts';
import { toCustodyFolder } from '../../../src/custody/ledger-files.ts';
import { statementNames } from '../../../src/custody/statement-names.ts';
import { keepStatement } from '../../../src/operation/custody/kept-statements.ts';
import { type Signer, toSigner } from '../../../src/signing/signer.ts';
import { toReceipt } from '../content/receipt.ts';
import { createSigner } from '../content/signer.ts';
import { runCommand } from '../program/run-command.ts';
import { buildMedium } from './medium.ts';

export const delivery = 'dlv_0123456789ab';

/** Members of a receipt, and the blobs of its inventory. */
type ReceiptFacts = Parameters<typeof toReceipt>[0] & { readonly inventory?: readonly Digest[] };

const gone = hashBytes('a recipe that the site does not have any more');
const goneRecipe = { name: 'gone', version: '1.0.0', digest: gone };

/** A site with a store of two signed recipes, and a ledger about them, about a third one, and about something else. */
export async function openEvidenceSite(options: Parameters<typeof buildMedium>[0] = {}) {
  const medium = await buildMedium(options);
  const path = (name: string): string => join(medium.folder, name);
  await mkdir(path('state'));
  const custody = openCustody({ stateRoot: path('state'), site: 'zone-a' });
  const subjects = [
    ...medium.records.map(({ name, version, digest }) => ({ name: `${name}@${version}`, digest })),
    { name: 'gone@1.0.0', digest: gone },
  ];
  const other = { delivery: 'dlv_ffffffffffff' };
  await custody.record({ type: 'fetched', actor: 'alice', subjects, details: { bytes: 12 } });
  await custody.during(
    { type: 'written', actor: 'alice', subjects, details: { delivery, zone: 'zone-b', parts: 1 } },
    async () => 0,
    () => ({ subjects: [{ name: 'media.jsonl', digest: hashBytes('disk') }], details: { delivery } }),
  );
  await custody.record({ type: 'written', actor: 'dora', subjects, details: other });
  await custody.record({
    type: 'waived',
    actor: 'bob <b>',
    details: { delivery, origin: '192.0.2.7', text: '<script>alert(1)</script>\u202e' },
  });
  await custody.record({
    type: 'received',
    actor: 'alice',
    subjects: [{ name: 'media.jsonl', digest: hashBytes('disk') }],
    details: { delivery, zone: 'zone-b', part: 1, parts: 1 },
  });
  await custody.begin({ type: 'proved', actor: 'alice', details: { delivery } });
  await custody.record({ type: 'reset', actor: 'carol', details: { folder: '/store' } });
  const trust = { roots: [{ name: 'release', key: medium.signer.publicKeyPem }] };
  const settings = { zone: 'zone-a', storage: { root: medium.root }, state: { root: path('state') }, trust };
  await writeFile(path('svc.json'), JSON.stringify(settings));
  await writeFile(path('release.pub'), medium.signer.publicKeyPem);
  const pack = (...flags: string[]) =>
    runCommand(['evidence', 'pack', '--config', path('svc.json'), ...flags]);
  return {
    medium,
    path,
    pack,
    /** Packs the delivery. @returns the folder */
    packDelivery: async (name = 'evidence', ...flags: string[]): Promise<string> => {
      const { exitCode, stderr } = await pack('--delivery', delivery, '--out', path(name), ...flags);
      assert.equal(exitCode, 0, stderr);
      return path(name);
    },
    verify: (folder: string, ...flags: string[]) =>
      runCommand(['evidence', 'verify', folder, '--key', path('release.pub'), ...flags]),
    [Symbol.asyncDispose]: () => medium[Symbol.asyncDispose](),
  };
}

/**
 * A site whose pack of the delivery has a statement of each kind: recipes that `release` signed, an approval by `board`, a
 * receipt of `zone-b` and lines of its ledger with their checkpoint. Each key is in a file of that name.
 */
export async function openSignedEvidence() {
  const site = await openEvidenceSite();
  const { path } = site;
  const signers: Record<string, Signer> = {};
  for (const name of ['zone-a', 'zone-b', 'board']) {
    const { privateKey, publicKeyPem, privateKeyPem } = createSigner();
    signers[name] = toSigner(privateKey);
    await writeFile(path(`${name}.key`), privateKeyPem, { mode: 0o600 });
    await writeFile(path(`${name}.pub`), publicKeyPem);
  }
  const settings = JSON.parse(await readFile(path('svc.json'), 'utf8'));
  await writeFile(
    path('svc.json'),
    JSON.stringify({
      ...settings,
      custody: { enabled: true },
      signing: { keyFile: path('zone-a.key') },
      peers: [{ name: 'zone-b', keyFile: path('zone-b.pub'), for: ['receipt', 'checkpoint'] }],
    }),
  );
  const approve = ['custody', 'approve', 'shop@1.4.0', '--key', path('board.key')];
  const { exitCode, stderr } = await runCommand([...approve, '--config', path('svc.json')]);
  assert.equal(exitCode, 0, stderr);

  /** Keeps lines of zone-b with their checkpoint, as an import does. @returns the first line @param folder of its state */
  const addPart = async (folder: string, actor: string) => {
    const custody = openCustody({ stateRoot: path(folder), site: 'zone-b' });
    const first = await custody.record({
      type: 'received',
      actor,
      subjects: [{ name: 'media.jsonl', digest: hashBytes('disk') }],
      details: { delivery, zone: 'zone-b', part: 1, parts: 1 },
    });
    const carried = await selectLines(toCustodyFolder(path(folder)), { delivery, digests: new Set() });
    assert.ok(carried);
    const checkpoint = writeCheckpoint(carried.point, hashBytes(carried.bytes), signers['zone-b']!);
    const read = readCheckpoint(checkpoint);
    assert.ok(!('flaw' in read));
    const kept = join(path('state'), 'custody', 'peers', 'zone-b');
    await mkdir(kept, { recursive: true });
    await writeFile(join(kept, `${digestHex(read.digest)}.jsonl`), carried.bytes);
    await writeFile(join(kept, `${digestHex(read.digest)}.sigstore.json`), checkpoint);
    return first;
  };
  const head = await addPart('peer', 'erin');

  const [own] = (await selectLines(toCustodyFolder(path('state')), { delivery, digests: new Set() }))!.bytes
    .toString()
    .split(/(?<=\n)/);
  /** The digest of the receipt before. */
  let previous: Digest | undefined;
  const makeReceipt = (sequence: number, facts: ReceiptFacts = {}): Buffer => {
    const { inventory, ...members } = facts;
    const receipt = toReceipt({
      ...members,
      ...(previous === undefined ? {} : { previous }),
      sequence,
      lastDelivery: {
        ...{ id: sequence === 1 ? delivery : 'dlv_ffffffffffff', part: 1 },
        manifest: hashBytes(sequence === 1 ? 'disk' : 'another disk'),
      },
      custody: {
        ...{ site: 'zone-b', seq: 1, head: head!.digest },
        peers: [{ site: 'zone-a', seq: JSON.parse(own!).seq, head: hashBytes(own!) }],
      },
    });
    const subjects = [toZoneFile('zone-b'), ...(inventory ? [toInventory(inventory)] : [])].map(toSubject);
    const bytes = writeReceipt(receipt, subjects, signers['zone-b']!);
    const read = readReceipt(bytes);
    assert.ok(!('flaw' in read));
    previous = read.digest;
    return bytes;
  };

  const { records } = site.medium;
  const recipes = [...records.map(({ name, version, digest }) => ({ name, version, digest })), goneRecipe];
  const passport = writePassport(
    {
      ...{ zone: 'zone-b', from: 'zone-a', mediaId: 'dlv-0123456789ab-1', recipes, sequence: 1 },
      delivery: { id: delivery, part: 1, parts: 1 },
      issuedAt: new Date().toISOString(),
    },
    hashBytes('disk'),
    signers['zone-a']!,
  );
  const read = readPassport(passport);
  assert.ok(!('flaw' in read));
  await keepStatement(path('state'), 'passports', { digest: read.digest, bytes: passport });
  const ledger = openCustody({ stateRoot: path('state'), site: 'zone-a' });
  await ledger.record({
    type: 'proved',
    actor: 'alice',
    subjects: [
      { name: 'media.jsonl', digest: hashBytes('disk') },
      { name: statementNames.passport, digest: read.digest },
    ],
    details: { delivery, zone: 'zone-b', part: 1, parts: 1 },
  });
  /** Adds a receipt of zone-b as `svc receipt add` does. @param sequence of the second one on, about another delivery */
  const addReceipt = async (sequence: number, facts?: ReceiptFacts) => {
    await writeFile(path('receipt.json'), makeReceipt(sequence, facts));
    const added = await runCommand(['receipt', 'add', path('receipt.json'), '--config', path('svc.json')]);
    assert.equal(added.exitCode, 0, added.stderr);
  };
  await addReceipt(1);
  /** Signs a receipt of zone-a about its own ledger, as a zone that is a sender too. @returns the line that it names */
  const issueReceipt = async (): Promise<number> => {
    const { seq, digest } = (await openCustody({ stateRoot: path('state'), site: 'zone-a' }).record({
      type: 'verified',
      actor: 'alice',
      details: { delivery },
    }))!;
    const bytes = writeReceipt(
      toReceipt({ zone: 'zone-a', custody: { site: 'zone-a', seq, head: digest } }),
      [toSubject(toZoneFile('zone-a'))],
      signers['zone-a']!,
    );
    const issued = readReceipt(bytes);
    assert.ok(!('flaw' in issued));
    await mkdir(path('state/receipts/own'), { recursive: true });
    await writeFile(path('state/receipts/own/zone-a.sigstore.json'), bytes);
    await openCustody({ stateRoot: path('state'), site: 'zone-a' }).record({
      type: 'receipt-issued',
      actor: 'alice',
      subjects: [{ name: 'receipt 1 of zone-a', digest: issued.digest }],
      details: { zone: 'zone-a', delivery, sequence: 1 },
    });
    return seq;
  };
  const keys = ['release.pub', 'approver:board.pub', 'zone-a=zone-a.pub', 'zone-b=zone-b.pub'];
  const toFlags = (names: readonly string[]): string[] =>
    names.flatMap((name) => {
      const [, flag = 'key', key = ''] = /^(?:(approver):)?(.*)$/.exec(name) ?? [];
      return [`--${flag}`, key.replace(/[^=]+$/, (file) => path(file))];
    });
  return {
    ...site,
    signers,
    keys,
    addPart,
    addReceipt,
    issueReceipt,
    /** Verifies a pack. @param names of keys, of an approver behind `approver:`; default: all, each in its role */
    verify: (folder: string, names: readonly string[] = keys, ...flags: string[]) =>
      runCommand(['evidence', 'verify', folder, ...toFlags(names), ...flags]),
  };
}

/** The blocks of commands of a guide. */
export const blocksOf = (guide: string): string[] =>
  [...guide.matchAll(/```sh\n([\s\S]*?)\n```/g)].map(([, text]) => text!);
