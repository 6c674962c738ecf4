import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { appendFile, cp, mkdir, readFile, rm, symlink, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { hashBytes } from '../../../src/base/digest.ts';
import { type CustodySites, nameLine, openCustodySites, readCustody } from '../../kit/scene/custody-sites.ts';

test('both sites keep who wrote, proved, received, verified, imported, and exchanged receipts', async () => {
  await using sites = await openCustodySites();
  const { run, path, source, zone, sourceState, zoneState } = sites;
  await run([
    'media',
    'write',
    path('first'),
    '--zone',
    'zone-b',
    '--config',
    source,
    '--sign-key',
    sites.sourceKey,
  ]);
  await run(['media', 'import', path('first'), '--config', zone]);
  const receipt = join(path('first'), '_svc', 'receipts', 'zone-b.sigstore.json');
  await run(['receipt', 'add', receipt, '--config', source]);

  const sent = await readCustody(sourceState);
  assert.deepEqual(sent.map(nameLine), [
    'roots-changed event',
    'written intent',
    'proved success',
    'written success',
    'receipt-accepted intent',
    'receipt-accepted success',
  ]);
  const [roots, begun, proved, written] = sent;
  assert.equal(roots?.subjects[0]?.name, 'release');
  const manifest = hashBytes(await readFile(join(path('first'), 'media.jsonl')));
  assert.deepEqual(
    begun?.subjects.map(({ name }) => name),
    sites.medium.records.map(({ name, version }) => `${name}@${version}`).sort(),
  );
  assert.deepEqual(written?.subjects, [{ name: 'media.jsonl', digest: manifest }]);
  assert.deepEqual(proved?.subjects[0], { name: 'media.jsonl', digest: manifest });
  assert.equal(proved?.subjects[1]?.name, 'passport.sigstore.json');

  const received = await readCustody(zoneState);
  assert.deepEqual(received.map(nameLine), [
    'roots-changed event',
    'imported intent',
    'verified intent',
    'verified success',
    'received event',
    'imported success',
    'receipt-issued intent',
    'receipt-issued success',
  ]);
  assert.deepEqual(
    received[5]?.subjects.map(({ digest }) => digest).sort(),
    sites.medium.records.map(({ digest }) => digest).sort(),
  );
  assert.deepEqual(received[4]?.subjects, proved?.subjects, 'the passport that left is the one that arrived');
  // a killed import may leave no outcome
  assert.deepEqual(
    received[3]?.subjects.map(({ name }) => name).sort(),
    ['media.jsonl', ...received[5]!.subjects.map(({ name }) => name)].sort(),
  );
  assert.equal(received[4]?.details.delivery, begun?.details.delivery);
  for (const line of [sent[5], received[6], received[7]])
    assert.equal(line?.details.delivery, begun?.details.delivery);
  // the receipt that left is the one that arrived
  assert.deepEqual(sent[5]?.subjects, received[7]?.subjects);
});

test('an import with a waiver, and one of a spoiled medium, say so', async () => {
  await using sites = await openCustodySites();
  const { run, path, source, zone, zoneState } = sites;
  await run(['media', 'write', path('first'), '--zone', 'zone-c', '--config', source]);
  await run(['media', 'import', path('first'), '--config', zone], 3);
  await run(['media', 'import', path('first'), '--allow-zone-mismatch', '--config', zone]);
  const lines = await readCustody(zoneState);
  assert.deepEqual(lines.slice(1).map(nameLine), [
    'imported intent',
    'verified intent',
    'verified failure',
    'received event',
    'imported denied',
    'imported intent',
    'verified intent',
    'waived event',
    'verified success',
    'received event',
    'imported success',
    'receipt-issued intent',
    'receipt-issued success',
  ]);
  assert.deepEqual(lines[8]?.details.guards, ['SVC-MED-006']);
  await appendFile(join(path('first'), 'media.jsonl'), '{}\n');
  await run(['media', 'verify', '--storage-root', path('first'), '--config', zone], 4);
  assert.deepEqual((await readCustody(zoneState)).slice(-2).map(nameLine), [
    'verified intent',
    'verified failure',
  ]);
});

test('a ledger that cannot be continued stops a delivery and an import before they change anything', async () => {
  await using sites = await openCustodySites();
  const { run, path, source, zone, sourceState, zoneState } = sites;
  await run(['media', 'write', path('first'), '--zone', 'zone-b', '--config', source]);
  await run(['media', 'verify', '--storage-root', path('first'), '--config', zone]);
  for (const state of [sourceState, zoneState])
    await appendFile(join(state, 'custody', `${new Date().getUTCFullYear()}.jsonl`), 'x\n');
  const refused = await run(['media', 'write', path('second'), '--zone', 'zone-b', '--config', source], 4);
  assert.equal(refused.error.code, 'SVC-CUS-001');
  assert.equal(existsSync(path('second')), false);
  const { task } = await run(['media', 'import', path('first'), '--config', zone], 4);
  assert.equal(task.error.code, 'SVC-CUS-001');
  assert.deepEqual(sites.registry.repositories(), []);
});

test('without a ledger, no file of one is made', async () => {
  await using sites = await openCustodySites(false);
  const { run, path, source, zone, sourceState, zoneState } = sites;
  await run(['media', 'write', path('first'), '--zone', 'zone-b', '--config', source]);
  await run(['media', 'import', path('first'), '--config', zone]);
  for (const state of [sourceState, zoneState]) assert.equal(existsSync(join(state, 'custody')), false);
});

/** A delivery goes to the zone, and its receipt comes back. */
async function exchange(sites: CustodySites, name: string): Promise<void> {
  const { run, path, source, zone } = sites;
  const write = ['media', 'write', path(name), '--zone', 'zone-b', '--base', 'none'];
  await run([...write, '--config', source, '--sign-key', sites.sourceKey]);
  await run(['media', 'import', path(name), '--config', zone]);
  const receipt = join(path(name), '_svc', 'receipts', 'zone-b.sigstore.json');
  await run(['receipt', 'add', receipt, '--config', source]);
}

/** Cuts the last lines of a ledger off. */
async function cut(stateRoot: string, lines: number): Promise<void> {
  const path = join(stateRoot, 'custody', `${new Date().getUTCFullYear()}.jsonl`);
  const all = (await readFile(path, 'utf8')).split(/(?<=\n)/);
  await writeFile(path, all.slice(0, -lines).join(''));
}

test('each site finds that the ledger of the other one, and its own, was cut', async () => {
  await using sites = await openCustodySites();
  const { run, source, zone, sourceState, zoneState } = sites;
  await exchange(sites, 'first');
  const arrival = (await readCustody(zoneState)).find(({ type }) => type === 'received');
  const sent = await readCustody(sourceState);
  const named = sent.find(({ seq }) => seq === arrival?.details.peerSeq);
  assert.deepEqual([arrival?.details.peerSite, named?.type], ['zone-a', 'proved']);
  // the lines about the delivery travelled
  assert.equal(arrival?.details.peerLines, 2);
  const accepted = sent.at(-1);
  const answered = (await readCustody(zoneState)).find(({ seq }) => seq === accepted?.details.peerSeq);
  assert.equal(`${answered?.type} ${answered?.step}`, 'receipt-issued intent');

  const copy = (state: string): string => join(state, 'custody');
  const whole = await run(['custody', 'verify', '--peer-ledger', copy(zoneState), '--config', source]);
  assert.deepEqual([whole.error, whole.peer.error], [undefined, undefined]);
  assert.equal(whole.known.length, 1);
  assert.equal(whole.peer.known.length, 1);
  await cut(zoneState, 2);
  const atSource = await run(['custody', 'verify', '--peer-ledger', copy(zoneState), '--config', source], 4);
  assert.match(
    atSource.peer.error.params.rule,
    /it ends with line 6, and receipt 1 of zone zone-b names line 7/,
  );
  await cut(sourceState, 4);
  const own = await run(['custody', 'verify', '--config', source], 4);
  assert.match(own.error.params.rule, /receipt 1 of zone zone-b names line 3/);
  const atZone = await run(['custody', 'verify', '--peer-ledger', copy(sourceState), '--config', zone], 4);
  assert.match(atZone.peer.error.params.rule, /part [0-9a-f]{12} of site zone-a names line 3/);
});

test('a ledger that was written anew from an earlier line is another one', async () => {
  await using sites = await openCustodySites();
  await exchange(sites, 'first');
  await cut(sites.sourceState, 4);
  // the new lines have the numbers of the old ones
  await sites.run([
    'media',
    'write',
    sites.path('new'),
    '--zone',
    'zone-b',
    '--base',
    'none',
    '--config',
    sites.source,
  ]);
  const checked = await sites.run(['custody', 'verify', '--config', sites.source], 4);
  assert.match(checked.error.params.rule, /line 3 is another one than receipt 1 of zone zone-b names/);
});

test('lines on a medium that nobody believes are named, and stop no import', async () => {
  await using sites = await openCustodySites();
  const { run, path, source, zone, zoneState } = sites;
  await run([
    'media',
    'write',
    path('first'),
    '--zone',
    'zone-b',
    '--config',
    source,
    '--sign-key',
    sites.sourceKey,
  ]);
  const folder = join(path('first'), '_svc', 'custody');
  const [lines, checkpoint] = [join(folder, 'ledger.jsonl'), join(folder, 'checkpoint.sigstore.json')];
  const [bytes, signed] = [await readFile(lines), await readFile(checkpoint)];
  const spoils: readonly (readonly [() => Promise<unknown>, RegExp])[] = [
    [() => appendFile(lines, bytes), /not those that were signed/],
    [() => writeFile(lines, Buffer.alloc(2 << 20, 'x')), /not those that were signed/],
    [() => writeFile(checkpoint, '{}'), /./],
    [() => writeFile(checkpoint, Buffer.alloc(1 << 20, 'x')), /larger than 64 KiB/],
    [() => rm(checkpoint), /their checkpoint is absent/],
    [() => rm(lines), /their checkpoint is there without them/],
    [() => rm(lines).then(() => symlink('/etc/passwd', lines)), /cannot be read/],
    [() => rm(lines).then(() => mkdir(lines)), /cannot be read/],
  ];
  for (const [spoil, expected] of spoils) {
    await spoil();
    await run(['media', 'import', path('first'), '--config', zone]);
    const arrival = (await readCustody(zoneState)).findLast(({ type }) => type === 'received');
    assert.match(String(arrival?.details.peerFlaw), expected);
    await rm(folder, { recursive: true });
    await mkdir(folder);
    await writeFile(lines, bytes);
    await writeFile(checkpoint, signed);
  }
  assert.equal(existsSync(join(zoneState, 'custody', 'peers')), false);
  await run(['media', 'import', path('first'), '--config', zone]);
  const kept = join(zoneState, 'custody', 'peers', 'zone-a');
  assert.equal(existsSync(kept), true);
  // what a killed import left, and what another one may be writing
  const [left, written] = ['a', 'b'].map((one) => join(kept, `${one.repeat(64)}.jsonl.0123456789ab.tmp`));
  for (const file of [left!, written!]) await writeFile(file, '');
  await utimes(left!, 0, 0);
  await run(['media', 'import', path('first'), '--config', zone]);
  assert.deepEqual([existsSync(left!), existsSync(written!)], [false, true]);
  await rm(folder, { recursive: true });
  await run(['media', 'import', path('first'), '--config', zone]);
  const last = (await readCustody(zoneState)).findLast(({ type }) => type === 'received');
  assert.deepEqual([last?.details.peerSite, last?.details.peerFlaw], [undefined, undefined]);
});

test('the lines of another delivery, copied onto a medium, are not taken for its own', async () => {
  await using sites = await openCustodySites();
  const { run, path, source, zone, zoneState } = sites;
  const write = ['media', 'write', '--zone', 'zone-b', '--base', 'none', '--config', source];
  const sign = ['--sign-key', sites.sourceKey];
  await run([...write, ...sign, path('first')]);
  // its lines also name the first delivery, which has the same recipe
  await run([...write, ...sign, '--recipe', 'depot', path('second')]);
  const folderOf = (name: string): string => join(path(name), '_svc', 'custody');
  await rm(folderOf('first'), { recursive: true });
  await cp(folderOf('second'), folderOf('first'), { recursive: true });
  await run(['media', 'import', path('first'), '--config', zone]);
  const lastOf = async () => (await readCustody(zoneState)).findLast(({ type }) => type === 'received');
  const copied = await lastOf();
  assert.match(String(copied?.details.peerFlaw), /about another delivery/);
  assert.equal(copied?.details.peerHead, undefined);
  assert.equal(existsSync(join(zoneState, 'custody', 'peers')), false);
  await run(['media', 'import', path('second'), '--config', zone]);
  const own = await lastOf();
  assert.deepEqual([own?.details.peerSite, own?.details.peerFlaw], ['zone-a', undefined]);
});

test('a medium that arrives in another zone has its own zone and recipes in the evidence', async () => {
  await using sites = await openCustodySites();
  const { run, path, source, zone, zoneState, sourceKey } = sites;
  const write = ['media', 'write', path('first'), '--zone', 'zone-c', '--config', source];
  const { delivery } = await run([...write, '--sign-key', sourceKey]);
  await run(['media', 'import', path('first'), '--config', zone], 3);
  const { details } = (await readCustody(zoneState)).find(({ type }) => type === 'received')!;
  assert.deepEqual([details.zone, details.ownZone], ['zone-c', 'zone-b']);
  await run(['evidence', 'pack', '--delivery', delivery.id, '--out', path('pack'), '--config', zone]);
  const { deliveries, recipes } = JSON.parse(await readFile(join(path('pack'), 'evidence.json'), 'utf8'));
  assert.deepEqual(
    deliveries.map((one: any) => [one.id, one.zone]),
    [[delivery.id, 'zone-c']],
  );
  assert.deepEqual(
    recipes.map(({ name, sites: named }: any) => [name, named]),
    [
      ['depot', ['zone-a']],
      ['shop', ['zone-a']],
    ],
  );
});
