import assert from 'node:assert/strict';
import { access, mkdir, open, readdir, readFile, rm, symlink, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { findSigner } from '../../../src/attest/own-statement.ts';
import { passportPath, readPassport } from '../../../src/attest/passport.ts';
import {
  readReceipt,
  type SubjectFile,
  toInventory,
  toSubject,
  toZoneFile,
  writeReceipt,
} from '../../../src/attest/receipt.ts';
import { type Digest, hashBytes } from '../../../src/base/digest.ts';
import type { ProofFinding } from '../../../src/contract/proof.ts';
import type { Receipt } from '../../../src/contract/receipt.ts';
import type { MediumWriting } from '../../../src/contract/write-medium.ts';
import { toSigner } from '../../../src/signing/signer.ts';
import { readMediumHeader } from '../../../src/store/rest/media-manifest.ts';
import { openReceipts } from '../../../src/zone/receipts.ts';
import { openSent } from '../../../src/zone/sent.ts';
import { toReceipt } from '../../kit/content/receipt.ts';
import { createSigner } from '../../kit/content/signer.ts';
import { runCommand } from '../../kit/program/run-command.ts';
import type { SvcResult } from '../../kit/program/svc.ts';
import { assertCliDocument } from '../../kit/result/cli-schema.ts';
import { listTree } from '../../kit/result/list-tree.ts';
import { type BuiltMedium, buildMedium } from '../../kit/scene/medium.ts';
import { trust, verifyCarried } from '../../kit/scene/verify-carried.ts';

/** A sender with two recipes in its store, which believes the receipts of zone-b. */
async function openSender() {
  const medium = await buildMedium();
  const zone = createSigner();
  const config = join(medium.folder, 'sender.json');
  const state = join(medium.folder, 'maker');
  const roots = [{ name: 'release', key: medium.signer.publicKeyPem }];
  await writeFile(join(medium.folder, 'zone-b.pub'), zone.publicKeyPem);
  const peers = [{ name: 'zone-b', keyFile: join(medium.folder, 'zone-b.pub'), for: ['receipt'] }];
  const zones = [{ name: 'zone-q', retriever: join(medium.folder, 'zone-q.yaml') }];
  const settings = { mode: 'mirror', storage: { root: medium.root }, state: { root: state } };
  await writeFile(config, JSON.stringify({ ...settings, trust: { roots }, peers, zones }));
  const at = (name: string): string => join(medium.folder, name);
  const write = (name: string, ...flags: string[]): Promise<SvcResult> => {
    const zone = flags.includes('--zone') ? [] : ['--zone', 'zone-b'];
    return runCommand(['media', 'write', at(name), ...zone, '--config', config, ...flags]);
  };
  /** A receipt that has these recipes. */
  const writeZoneReceipt = async (
    names: readonly string[],
    sequence = 1,
    pruned: readonly { readonly name: string; readonly version: string; readonly digest: Digest }[] = [],
    files: readonly SubjectFile[] = [],
    destination: Receipt['destination'] = { sparse: 'unknown' },
  ): Promise<string> => {
    const held = medium.records
      .filter(({ name }) => names.includes(name))
      .map(({ name, version, digest }) => ({ name, version, digest, state: 'present' as const }));
    const recipes = [...held, ...pruned.map((one) => ({ ...one, state: 'present' as const }))];
    const subjects = [toZoneFile('zone-b'), ...files].map(toSubject);
    const bytes = writeReceipt(
      toReceipt({ recipes, sequence, destination }),
      subjects,
      toSigner(zone.privateKey),
    );
    const path = at(`receipt-${sequence}.json`);
    await writeFile(path, bytes);
    return path;
  };
  return {
    medium,
    at,
    config,
    write,
    writeZoneReceipt,
    zoneKey: zone.publicKey,
    [Symbol.asyncDispose]: () => medium[Symbol.asyncDispose](),
  };
}

function toDocument(result: SvcResult): MediumWriting {
  assert.equal(result.stdout.slice(0, 1), '{', result.stderr);
  assertCliDocument('svc media write', result.stdout);
  return JSON.parse(result.stdout) as MediumWriting;
}

const verified = async (root: string, medium: BuiltMedium) =>
  (await verifyCarried(root, trust(medium.signer))).report;

test('everything is written where nothing is known of the zone, and the output says so', async () => {
  await using sender = await openSender();
  const result = await sender.write('disk');
  assert.equal(result.exitCode, 0, result.stderr);
  for (const word of [
    'dlv_',
    'shop@1.4.0',
    'depot@2.0.0',
    'nothing is known',
    'part 1 is complete',
    'proved:',
  ])
    assert.ok(result.stdout.includes(word), word);
  const report = await verified(sender.at('disk'), sender.medium);
  assert.deepEqual([report.verdict, report.findings], ['pushable', []]);
  const again = await sender.write('disk', '--output', 'json');
  assert.equal(again.exitCode, 0, again.stderr);
  assert.equal(toDocument(again).volumes[0]?.state, 'unchanged');
  assert.deepEqual(toDocument(again).proof, { ok: true, findings: [] });
  assert.equal(toDocument(again).volumes[0]?.damaged, undefined);
});

test('a disk that lost or changed files of its part since is mended, and is named as one that may fail', async () => {
  await using sender = await openSender();
  await sender.write('disk');
  const damage = () => truncate(join(sender.at('disk'), 'oci-layout'), 1);
  await damage();
  const { stdout, exitCode } = await sender.write('disk');
  assert.equal(exitCode, 0);
  assert.match(
    stdout,
    /part 1 is complete: .*\n {2}the disk had lost or changed it \(oci-layout\), and it is written again: the disk may be failing\n/,
  );
  await damage();
  const [volume] = toDocument(await sender.write('disk', '--output', 'json')).volumes;
  assert.deepEqual([volume?.state, volume?.damaged], ['written', ['oci-layout']]);
});

test('a disk that is not read back is the same disk, and its proof says so', async () => {
  await using sender = await openSender();
  const { stdout } = await sender.write('text', '--skip-read-back');
  assert.match(stdout, /^large files were not read back from their disk; svc media prove DIR reads them$/m);
  const result = await sender.write('believed', '--skip-read-back', '--output', 'json');
  assert.equal(result.exitCode, 0, result.stderr);
  assert.deepEqual(toDocument(result).proof, { ok: true, readBack: false, findings: [] });
  await sender.write('read-back');
  const withoutDates = (name: string) =>
    listTree(sender.at(name)).filter((one) => !/^(?:media\.jsonl|ledger\/)/.test(one));
  assert.deepEqual(withoutDates('believed'), withoutDates('read-back'));
});

test('a dry run writes nothing, exits 5, and its plan is the plan that runs', async () => {
  await using sender = await openSender();
  await mkdir(sender.at('disk'));
  const planned = await sender.write('disk', '--dry-run', '--output', 'json');
  assert.equal(planned.exitCode, 5, planned.stderr);
  assert.deepEqual(await readdir(sender.at('disk')), []);
  await assert.rejects(access(join(sender.medium.folder, 'maker', 'sent')));
  const plan = toDocument(planned);
  const written = toDocument(await sender.write('disk', '--output', 'json'));
  assert.deepEqual(written.delivery, plan.delivery);
  assert.deepEqual(written.recipes, plan.recipes);
  assert.ok(written.volumes[0]!.bytes <= plan.volumes[0]!.bytes);
});

test('a zone that nobody knows is warned of, and a base that is no word and no file is wrong usage', async () => {
  await using sender = await openSender();
  const other = await sender.write('disk', '--zone', 'zone-c', '--dry-run');
  assert.match(
    other.stderr.replace(/\s+/g, ' '),
    /resolved for the zone zone-b, and zone-c is neither under zones nor among the peers.*did you mean zone-b\?/,
  );
  const known = await sender.write('disk', '--zone', 'zone-q', '--dry-run');
  assert.doesNotMatch(known.stderr, /resolved for the zone/);
  const typo = await sender.write('disk', '--base', 'lastest');
  assert.equal(typo.exitCode, 2);
  assert.match(typo.stderr, /latest, none, sent or the file of a receipt/);
  const two = await sender.write('disk', '--zone', 'zone-b', '--zone', 'zone-q', '--dry-run');
  assert.equal(two.exitCode, 2);
  assert.match(two.stderr, /a disk is for one zone: name it once with --zone/);
});

test('the plan names the folders of disks that are not needed', async () => {
  await using sender = await openSender();
  const { stdout } = await sender.write('disk', sender.at('spare'), '--dry-run');
  assert.match(stdout, new RegExp(`part 1 of 1, ${sender.at('disk')}: `));
  assert.match(stdout, new RegExp(`^ +not needed: ${sender.at('spare')}$`, 'm'));
  const sized = await sender.write('discs', '--volume-size', '4.7GB', '--dry-run');
  assert.doesNotMatch(sized.stdout, /not needed/);
});

/** The digest of a receipt, as `svc receipt show` prints it: that of its statement. */
function digestOf(bytes: Buffer): Digest {
  const read = readReceipt(bytes);
  assert.ok(!('flaw' in read));
  return read.digest;
}

test('what the last receipt of the zone names is left out', async () => {
  await using sender = await openSender();
  const receipt = await sender.writeZoneReceipt(['shop'], 7);
  const keys = [{ name: 'zone-b', key: sender.zoneKey, for: ['receipt'] }];
  await openReceipts(sender.at('maker')).add(await readFile(receipt), { keys });
  const document = toDocument(await sender.write('disk', '--output', 'json'));
  assert.deepEqual(document.delivery.base, {
    zone: 'zone-b',
    receipt: digestOf(await readFile(receipt)),
    sequence: 7,
    from: 'receipt',
    issuedAt: toReceipt().issuedAt,
  });
  const { base, mediaFormat } = await readMediumHeader(sender.at('disk'));
  assert.equal(mediaFormat, 2);
  assert.equal(base?.sequence, 7);
  const [depot, shop] = document.recipes;
  assert.ok(shop!.absentBytes > 0 && depot!.writeBytes > 0);
  assert.deepEqual([depot!.inZone, shop!.inZone], [undefined, 'present']);
  const { totalBytes, writeBytes, absentBytes } = document.totals;
  assert.equal(totalBytes, writeBytes + absentBytes);
  const whole = toDocument(await sender.write('all', '--base', 'none', '--output', 'json'));
  assert.equal(whole.totals.absentBytes, 0);
  assert.equal(whole.totals.writeBytes, totalBytes);
});

test('a base that another receipt of its number contradicts is warned of', async () => {
  await using sender = await openSender();
  const keys = [{ name: 'zone-b', key: sender.zoneKey, for: ['receipt'] }];
  const receipts = openReceipts(sender.at('maker'));
  await receipts.add(await readFile(await sender.writeZoneReceipt(['shop'], 7)), { keys });
  const forked = await readFile(await sender.writeZoneReceipt(['depot'], 7));
  await assert.rejects(receipts.add(forked, { keys }), { code: 'SVC-RCP-003' });
  const { stdout } = await sender.write('disk', '--dry-run');
  assert.match(stdout, /warning: two different receipts of zone-b have number 7: .*SVC-RCP-003/);
  const { base } = toDocument(await sender.write('disk', '--dry-run', '--output', 'json')).delivery;
  assert.deepEqual([base?.fork?.sequence, base?.fork?.refused], [7, digestOf(forked)]);
});

test('a receipt by file must follow the known one of its zone', async () => {
  await using sender = await openSender();
  const keys = [{ name: 'zone-b', key: sender.zoneKey, for: ['receipt'] }];
  const known = await sender.writeZoneReceipt(['shop'], 7);
  await openReceipts(sender.at('maker')).add(await readFile(known), { keys });
  const same = await sender.write('disk', '--base', known, '--dry-run');
  assert.equal(same.exitCode, 5, same.stderr);
  const other = await sender.write('disk', '--base', known, '--zone', 'zone-q', '--dry-run');
  assert.equal(other.exitCode, 4);
  assert.match(other.stderr, /it is a receipt of zone zone-b/);
  assert.match(other.stderr, /What to do: Correct the zone, or name a receipt of it/);
  const older = await sender.write('disk', '--base', await sender.writeZoneReceipt(['shop'], 6));
  assert.equal(older.exitCode, 3);
  assert.match(older.stderr, /SVC-RCP-002/);
  const fork = await sender.write('disk', '--base', await sender.writeZoneReceipt(['depot'], 7));
  assert.equal(fork.exitCode, 4);
  assert.match(fork.stderr, /SVC-RCP-003/);
  const newer = await sender.write(
    'disk',
    '--base',
    await sender.writeZoneReceipt(['depot'], 9),
    '--dry-run',
  );
  assert.equal(newer.exitCode, 5, newer.stderr);
});

test('blobs that a zone lists beside its receipt are left out, and content of its recipes is remembered', async () => {
  await using sender = await openSender();
  const all = toDocument(await sender.write('all', '--base', 'none', '--output', 'json'));
  const record = sender.medium.records.find(({ name }) => name === 'depot')!;
  const blobs = [...(await openSent(sender.at('maker')).closure(record.digest))!.keys()];
  await rm(sender.at('maker/sent'), { recursive: true });
  const inventory = toInventory(blobs);
  const receipt = await sender.writeZoneReceipt(['shop'], 1, [], [inventory]);
  await writeFile(`${receipt}.inventory`, inventory.bytes);
  const byFile = toDocument(await sender.write('file', '--base', receipt, '--dry-run', '--output', 'json'));
  const add = () => runCommand(['receipt', 'add', receipt, '--config', sender.config]);
  const added = await add();
  assert.equal(added.exitCode, 0, added.stderr);
  assert.doesNotMatch(added.stderr, /inventory/);
  const [shop] = sender.medium.records.filter(({ name }) => name === 'shop');
  assert.ok(await openSent(sender.at('maker')).closure(shop!.digest));
  const latest = await sender.write('latest', '--output', 'json');
  const document = toDocument(latest);
  assert.deepEqual(document.totals, byFile.totals);
  assert.ok(document.totals.writeBytes < all.totals.writeBytes);
  assert.deepEqual(
    document.recipes.map(({ name, absentBytes }) => [name, absentBytes > 0]),
    [
      ['depot', true],
      ['shop', true],
    ],
  );
  assert.deepEqual(document.proof, { ok: true, findings: [] });
  const prove = () =>
    runCommand(['media', 'prove', sender.at('latest'), '--against', receipt, '--config', sender.config]);
  const proved = await prove();
  assert.equal(proved.exitCode, 0, proved.stdout);
  await writeFile(`${receipt}.inventory`, 'other\n');
  assert.match((await prove()).stdout, /SVC-MED-040/);
  const other = await add();
  assert.equal(other.exitCode, 0);
  assert.match(other.stderr.replace(/\s+/g, ' '), /is not the inventory of this receipt/);
});

test('a zone with less free space than the delivery needs is warned of', async () => {
  await using sender = await openSender();
  const receipt = await sender.writeZoneReceipt([], 1, [], [], { sparse: 'unknown', freeBytes: 1000 });
  const warned = await sender.write('disk', '--base', receipt, '--dry-run');
  assert.match(warned.stdout, /the zone had 1000 B free, and this needs/);
  await writeFile(sender.at('source.key'), createKey().privateKeyPem, { mode: 0o600 });
  const written = await sender.write(
    ...(['disk', '--base', receipt, '--sign-key', sender.at('source.key'), '--output', 'json'] as const),
  );
  assert.equal(written.exitCode, 4, written.stderr);
  const { proof, volumes } = toDocument(written);
  assert.equal(volumes[0]?.passport, false);
  const proved = await runCommand([
    ...['media', 'prove', sender.at('disk'), '--against', receipt, '--config', sender.config],
    ...['--output', 'json'],
  ]);
  const { findings } = JSON.parse(proved.stdout);
  assert.deepEqual(proof, { ok: false, findings });
  assert.deepEqual(
    findings.map(({ step, code, severity }: ProofFinding) => `${step} ${code} ${severity}`),
    ['capacity SVC-CLO-004 error'],
  );
  const roomy = await sender.writeZoneReceipt([], 2, [], [], { sparse: 'unknown', freeBytes: 1e12 });
  const result = await sender.write('disk', '--base', roomy, '--dry-run', '--output', 'json');
  assert.equal(toDocument(result).delivery.base?.freeBytes, 1e12);
  assert.doesNotMatch((await sender.write('disk', '--base', roomy, '--dry-run')).stdout, /free/);
});

test('a receipt by file must be of the zone and signed by its key', async () => {
  await using sender = await openSender();
  const receipt = await sender.writeZoneReceipt(['shop']);
  const good = await sender.write('disk', '--base', receipt, '--output', 'json');
  assert.equal(good.exitCode, 0, good.stderr);
  assert.equal(toDocument(good).delivery.base?.sequence, 1);
  const other = toSigner(createSigner().privateKey);
  await writeFile(receipt, writeReceipt(toReceipt(), [toSubject(toZoneFile('zone-b'))], other));
  const forged = await sender.write('other', '--base', receipt);
  assert.equal(forged.exitCode, 4);
  assert.match(forged.stderr, /SVC-RCP-001/);
});

test('a recipe of the zone that is unknown here is named, and contributes nothing', async () => {
  await using sender = await openSender();
  const unknown = hashBytes('pruned long ago');
  const zone = createSigner();
  await writeFile(sender.at('zone-b.pub'), zone.publicKeyPem);
  const recipes = [{ digest: unknown, state: 'present' as const }];
  const receipt = sender.at('r.json');
  const bytes = writeReceipt(
    toReceipt({ recipes }),
    [toSubject(toZoneFile('zone-b'))],
    toSigner(zone.privateKey),
  );
  await writeFile(receipt, bytes);
  const document = toDocument(await sender.write('disk', '--base', receipt, '--output', 'json'));
  assert.deepEqual(document.unknownRoots, [unknown]);
  assert.equal(document.totals.absentBytes, 0);
});

test('the record of what was sent is a base, from the last complete delivery of everything on', async () => {
  await using sender = await openSender();
  const first = toDocument(await sender.write('one', '--recipe', 'shop', '--output', 'json'));
  const second = toDocument(await sender.write('two', '--base', 'sent', '--output', 'json'));
  assert.equal(second.delivery.base?.from, 'sent');
  assert.equal(second.delivery.base?.sequence, 0);
  assert.equal(second.delivery.base?.receipt, first.volumes[0]!.manifest);
  assert.ok(second.totals.absentBytes > 0);
  assert.deepEqual(second.proof, { ok: true, findings: [] });
  const third = toDocument(await sender.write('three', '--base', 'sent', '--output', 'json'));
  assert.ok(third.totals.absentBytes > second.totals.absentBytes);
  assert.ok(third.totals.writeBytes < second.totals.writeBytes);
});

test('a delivery with everything begins the record of what was sent anew, and one of a chosen recipe does not', async () => {
  await using sender = await openSender();
  const old = hashBytes('a recipe that the store never had');
  await openSent(join(sender.medium.folder, 'maker')).keepDelivery({
    id: 'dlv_0123456789ab',
    zone: 'zone-b',
    sequence: 1,
    startedAt: '2026-01-01T00:00:00Z',
    recipes: [old],
    selected: true,
    parts: 1,
    written: [{ part: 1, manifest: hashBytes('media.jsonl') }],
  });
  const plan = async () =>
    toDocument(await sender.write('next', '--base', 'sent', '--dry-run', '--output', 'json'));
  await sender.write('shop', '--recipe', 'shop', '--base', 'none');
  const chosen = await plan();
  assert.deepEqual(chosen.unknownRoots, [old]);
  assert.ok(chosen.totals.absentBytes > 0);
  await sender.write('all', '--base', 'none');
  assert.deepEqual((await plan()).unknownRoots, []);
  await sender.write('depot', '--recipe', 'depot', '--base', 'none');
  const again = await plan();
  assert.deepEqual(again.unknownRoots, []);
  for (const { name, absentBytes } of again.recipes) assert.ok(absentBytes > 0, name);
});

test('a folder is made, and the folder above it never: its disk may not be mounted', async () => {
  await using sender = await openSender();
  for (const flags of [['--dry-run'], [], ['--volume-size', '4.7GB']]) {
    const { exitCode, stderr } = await sender.write('usb/delivery', ...flags);
    assert.equal(exitCode, 1, stderr);
    assert.match(stderr.replace(/\s+/g, ' '), /SVC-FIL-005: .*there is no folder \S+\/usb\..*not mounted/);
    await assert.rejects(access(sender.at('usb')));
  }
});

test('a folder that is named twice is refused, and folders on one volume are named', async () => {
  await using sender = await openSender();
  const twice = await sender.write('disk', sender.at('./disk'), '--dry-run');
  assert.equal(twice.exitCode, 2);
  assert.match(twice.stderr, /same folder is named twice/);
  const shared = await sender.write('disk', sender.at('other'), '--dry-run');
  assert.match(
    shared.stdout,
    /^ {2}warning: \S+\/disk: it shares one volume and its room with \S+\/other: .* mounted$/m,
  );
  const { checks } = toDocument(
    await sender.write('disk', sender.at('other'), '--dry-run', '--output', 'json'),
  );
  assert.deepEqual(
    checks.map(({ warnings }) => warnings.filter((one) => one.includes('shares one volume')).length),
    [1],
  );
  assert.doesNotMatch((await sender.write('disk', '--dry-run')).stdout, /one volume/);
});

test('parts for media of one size lie below one folder', async () => {
  await using sender = await openSender();
  const result = await sender.write('discs', '--volume-size', '600kB', '--output', 'json');
  assert.equal(result.exitCode, 0, result.stderr);
  const { volumes, delivery } = toDocument(result);
  assert.deepEqual(
    volumes.map(({ path }) => path),
    volumes.map((_, i) => sender.at(`discs/part-${i + 1}`)),
  );
  for (const { part, path } of volumes)
    assert.deepEqual((await readMediumHeader(path)).delivery, {
      id: delivery.id,
      part,
      parts: volumes.length,
    });
});

test('parts are made for disks of several sizes, in one flag or in several, and the last size repeats', async () => {
  await using sender = await openSender();
  const plan = async (...sizes: string[]) =>
    toDocument(
      await sender.write(
        'discs',
        ...sizes.flatMap((size) => ['--volume-size', size]),
        ...['--dry-run', '--output', 'json'],
      ),
    );
  const { delivery, volumes } = await plan('900kB,600kB');
  assert.ok(volumes.length > 0);
  for (const [i, { volumeBytes, bytes }] of volumes.entries()) {
    assert.equal(volumeBytes, i === 0 ? 900_000 : 600_000);
    assert.ok(bytes <= volumeBytes);
  }
  assert.deepEqual((await plan('900kB', '600kB')).delivery, delivery);
  const alone = await plan('600kB');
  assert.ok(alone.volumes.every(({ volumeBytes }) => volumeBytes === 600_000));
  const text = await sender.write('discs', '--volume-size', '900kB,600kB', '--dry-run');
  assert.match(text.stdout, /part 1 of \d+, \S+part-1: at most .*, for 879 KiB$/m);
  for (const wrong of ['900kB,', '900kB,huge', '4,7GB']) {
    const { exitCode, stderr } = await sender.write('discs', '--volume-size', wrong, '--dry-run');
    assert.equal(exitCode, 2, wrong);
    assert.match(stderr, /--volume-size takes a number/);
  }
});

test('with a key each medium gets a passport after its proof', async () => {
  await using sender = await openSender();
  const { privateKeyPem, publicKey } = createKey();
  await writeFile(sender.at('source.key'), privateKeyPem, { mode: 0o600 });
  const key = ['--sign-key', sender.at('source.key'), '--expires', '30d'];
  const result = await sender.write('disk', ...key, '--output', 'json');
  assert.equal(result.exitCode, 0, result.stderr);
  const document = toDocument(result);
  assert.equal(document.volumes[0]?.passport, true);
  const read = readPassport(await readFile(join(sender.at('disk'), passportPath)));
  assert.ok(!('flaw' in read));
  assert.ok(findSigner(read, [{ key: publicKey }]));
  assert.deepEqual(read.subjects, [
    { name: 'media.jsonl', digest: hashBytes(await readFile(join(sender.at('disk'), 'media.jsonl'))) },
  ]);
  const { passport } = read;
  assert.equal(passport.zone, 'zone-b');
  assert.equal(passport.sequence, 1);
  assert.equal(passport.delivery.id, document.delivery.id);
  assert.equal(Date.parse(passport.expiresAt!) - Date.parse(passport.issuedAt), 30 * 86_400_000);
  const report = await verified(sender.at('disk'), sender.medium);
  assert.deepEqual([report.verdict, report.findings], ['pushable', []]);
});

test('media that cannot be proved get no passport; without a key the result is told', async () => {
  await using sender = await openSender();
  const { privateKeyPem } = createKey();
  await writeFile(sender.at('source.key'), privateKeyPem, { mode: 0o600 });
  const config = JSON.parse(await readFile(sender.config, 'utf8'));
  config.trust.roots = [{ name: 'other', key: createSigner().publicKeyPem }];
  await writeFile(sender.config, JSON.stringify(config));
  const signed = ['--sign-key', sender.at('source.key')];
  const result = await sender.write('disk', ...signed, '--output', 'json');
  assert.equal(result.exitCode, 4, result.stderr);
  const { volumes, proof } = toDocument(result);
  assert.equal(volumes[0]?.passport, false);
  assert.equal(proof?.ok, false);
  assert.deepEqual(
    [...new Set(proof?.findings.map(({ step, code }) => `${step} ${code}`))],
    ['trust SVC-SIG-001'],
  );
  await assert.rejects(access(join(sender.at('disk'), passportPath)));
  const text = await sender.write('disk', ...signed);
  assert.match(text.stdout, /SVC-SIG-001[\s\S]*not proved[\s\S]*without a passport: part 1/);
  const unsigned = await sender.write('disk');
  assert.equal(unsigned.exitCode, 0, unsigned.stderr);
  assert.match(unsigned.stdout, /SVC-SIG-001[\s\S]*not proved/);
  assert.doesNotMatch(unsigned.stdout, /passport/);
});

test('damaged content of the store exits 4, and nothing is called media.jsonl', async () => {
  await using sender = await openSender();
  const record = sender.medium.records.find(({ name }) => name === 'shop')!;
  const manifest = JSON.parse(
    await readFile(join(sender.medium.root, 'blobs', ...record.ingredients[0]!.digest.split(':')), 'utf8'),
  );
  const layer = manifest.layers.at(-1).digest as string;
  const file = await open(join(sender.medium.root, 'blobs', ...layer.split(':')), 'r+');
  await file.write(Buffer.from('damaged'), 0, 7, 3);
  await file.close();
  const result = await sender.write('disk');
  assert.equal(result.exitCode, 4, result.stderr);
  assert.ok(!(await readdir(sender.at('disk'))).includes('media.jsonl'));
});

test('a folder with other files, of the store, or of another delivery is refused', async () => {
  await using sender = await openSender();
  await mkdir(sender.at('full'));
  await writeFile(sender.at('full/holiday.jpg'), 'x');
  const full = await sender.write('full');
  assert.equal(full.exitCode, 1);
  assert.match(full.stderr, /SVC-MED-045/);
  assert.ok(full.stderr.includes(`such as ${sender.at('full/delivery')}: its other files stay`), full.stderr);
  assert.doesNotMatch(full.stderr, /empty this one/);
  const inside = await sender.write('medium/blobs');
  assert.match(
    inside.stderr,
    /SVC-FIL-003.*A medium is never written into the store.*Name a folder of the disk/s,
  );
  assert.doesNotMatch(inside.stderr, /layout|Evidence/);
  await sender.write('disk', '--recipe', 'shop');
  const before = await listTree(sender.at('disk'));
  assert.match((await sender.write('disk')).stderr, /SVC-MED-045/);
  assert.deepEqual(await listTree(sender.at('disk')), before);
  const typo = await sender.write('none', '--recipe', 'shopp');
  assert.match(typo.stderr.replace(/\s+/g, ' '), /SVC-REG-005.*shopp.*\bshop\b/);
  await rm(sender.at('full'), { recursive: true });
});

test('flags that contradict each other are refused', async () => {
  await using sender = await openSender();
  for (const flags of [
    ['--expires', '30d'],
    ['--volume-size', 'huge'],
    ['--volume-size', '10'],
    ['--volume-size', '4.7GB', sender.at('second')],
  ]) {
    const result = await sender.write('disk', ...flags);
    assert.equal(result.exitCode, 2, flags.join(' '));
    await assert.rejects(access(sender.at('disk')));
  }
});

test('a size in French units is refused with the forms that are read, in both languages', async () => {
  await using sender = await openSender();
  const write = (env?: Record<string, string>) =>
    runCommand(
      ['media', 'write', sender.at('disk'), '--zone', 'zone-b', '--volume-size', '4,7Go'],
      env === undefined ? {} : { env },
    );
  const english = await write();
  assert.equal(english.exitCode, 2);
  assert.match(
    english.stderr.replace(/\s+/g, ' '),
    /--volume-size takes a number, with a point, and a unit, such as 4\.7GB, .*: 4,7Go is written 4\.7GB/,
  );
  const french = await write({ LC_ALL: 'fr_FR.UTF-8' });
  assert.match(
    french.stderr.replace(/\s+/g, ' '),
    /--volume-size prend un nombre, avec un point, et une unité, .*4,7Go s’écrit 4\.7GB/,
  );
});

function createKey() {
  const { privateKey, publicKey } = createSigner();
  return { privateKeyPem: privateKey.export({ type: 'pkcs8', format: 'pem' }), publicKey };
}

test('a link in place of _svc is refused, and nothing is written where it leads', async () => {
  await using sender = await openSender();
  await mkdir(sender.at('elsewhere'));
  await mkdir(sender.at('disk'));
  await symlink(sender.at('elsewhere'), join(sender.at('disk'), '_svc'));
  const refused = await sender.write('disk');
  assert.equal(refused.exitCode, 1);
  assert.match(refused.stderr, /SVC-MED-045/);
  assert.deepEqual(await readdir(sender.at('elsewhere')), []);
});

test('a link that leads to the folder of a disk is followed, also when the command is repeated', async () => {
  await using sender = await openSender();
  await mkdir(sender.at('disk'));
  await symlink(sender.at('disk'), sender.at('link'));
  for (const state of ['written', 'unchanged']) {
    const result = await sender.write('link', '--output', 'json');
    assert.equal(result.exitCode, 0, result.stderr);
    const [volume] = toDocument(result).volumes;
    assert.deepEqual([volume?.path, volume?.state], [sender.at('disk'), state]);
  }
});

test('a delta is proved and gets a passport although the store has pruned the recipe of its base', async () => {
  await using sender = await openSender();
  await writeFile(sender.at('source.key'), createKey().privateKeyPem, { mode: 0o600 });
  assert.equal((await sender.write('first')).exitCode, 0);
  // an older version that the zone has: its content is that of the present one
  const sent = openSent(sender.at('maker'));
  const shop = sender.medium.records.find(({ name }) => name === 'shop')!;
  const digest = hashBytes('shop 1.3.0');
  await sent.keepClosure(digest, (await sent.closure(shop.digest))!);
  const receipt = await sender.writeZoneReceipt([], 1, [{ name: 'shop', version: '1.3.0', digest }]);
  const flags = ['--base', receipt, '--sign-key', sender.at('source.key'), '--output', 'json'];
  const result = await sender.write('delta', ...flags);
  assert.equal(result.exitCode, 0, result.stderr + result.stdout);
  const document = toDocument(result);
  assert.ok(document.totals.absentBytes > 0);
  assert.equal(document.volumes[0]?.passport, true);
});
