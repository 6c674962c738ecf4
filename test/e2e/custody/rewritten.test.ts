import assert from 'node:assert/strict';
import { cp, mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { hashBytes } from '../../../src/base/digest.ts';
import type { CustodyLine } from '../../../src/contract/custody.ts';
import { toPeerClaim } from '../../../src/custody/claims.ts';
import { openCustody } from '../../../src/custody/custody.ts';
import { beginning, type CustodyHead, writeLine } from '../../../src/custody/line.ts';
import { verifyCustody } from '../../../src/operation/custody/verify-custody.ts';
import { openTempFolder } from '../../kit/instance/temp-folder.ts';
import { runSvc } from '../../kit/program/svc.ts';
import { type CustodySites, openCustodySites, readCustody } from '../../kit/scene/custody-sites.ts';

const toFile = (state: string): string => join(state, 'custody', `${new Date().getUTCFullYear()}.jsonl`);

/** Writes all lines of a ledger anew, as its keeper can: the chain is whole afterwards. */
async function rewrite(state: string, change: (line: CustodyLine) => CustodyLine): Promise<void> {
  let head: CustodyHead = beginning;
  const bytes: Buffer[] = [];
  for (const line of await readCustody(state)) {
    const written = writeLine(change(line), head);
    head = written;
    bytes.push(written.bytes);
  }
  await writeFile(toFile(state), Buffer.concat(bytes));
}

const anew = (number: number) => (line: CustodyLine) =>
  line.seq === number ? { ...line, actor: 'somebody else' } : line;

async function deliver({ run, path, source, zone, sourceKey }: CustodySites, name: string): Promise<string> {
  const write = ['media', 'write', path(name), '--zone', 'zone-b', '--base', 'none'];
  await run([...write, '--config', source, '--sign-key', sourceKey]);
  await run(['media', 'import', path(name), '--config', zone]);
  return join(path(name), '_svc', 'receipts', 'zone-b.sigstore.json');
}

const verify = ({ run, source }: CustodySites, more: readonly string[], exitCode: number) =>
  run(['custody', 'verify', ...more, '--config', source], exitCode);

test('a later receipt does not hide a line that was written anew', async () => {
  await using sites = await openCustodySites();
  const { run, source, zoneState } = sites;
  await run(['receipt', 'add', await deliver(sites, 'first'), '--config', source]);
  const peer = ['--peer-ledger', join(zoneState, 'custody')];
  await verify(sites, peer, 0);
  await rewrite(zoneState, anew(7));
  await verify(sites, peer, 4);
  await run(['receipt', 'add', await deliver(sites, 'second'), '--config', source]);
  const { peer: judged, contradictions } = await verify(sites, peer, 4);
  assert.match(judged.error.params.rule, /line 7 is another one than line 6 of this ledger names/);
  // the statements name different lines, and only the ledger shows it
  assert.equal(contradictions, undefined);
  // a part that begins behind the line names it as the one before
  const text = await readFile(toFile(zoneState), 'utf8');
  const part = sites.path('part.jsonl');
  await writeFile(
    part,
    text
      .split(/(?<=\n)/)
      .slice(7)
      .join(''),
  );
  const { peer: ofPart } = await verify(sites, ['--peer-ledger', part], 4);
  assert.match(ofPart.error.params.rule, /line 7 is another one/);
});

test('a receipt that contradicts the one before is told when it is added, and as long as both are known', async () => {
  await using sites = await openCustodySites();
  const { run, path, source, zone, zoneState } = sites;
  await run(['receipt', 'add', await deliver(sites, 'first'), '--config', source]);
  // a ledger that begins anew names earlier lines
  await rm(join(zoneState, 'custody'), { recursive: true });
  await run(['receipt', 'write', '--out', path('next'), '--config', zone]);
  const { stderr, stdout, exitCode } = await runSvc([
    ...['receipt', 'add', path('next'), '--config', source, '--output', 'json'],
  ]);
  assert.equal(exitCode, 0, stderr);
  assert.match(stderr, /receipt 1 of zone zone-b names line 7, and receipt 2 of zone zone-b names line 2/);
  assert.match(stderr, /SVC-CUS-005/);
  assert.equal(JSON.parse(stdout).receipts[0].contradictions[0].code, 'SVC-CUS-005');
  const { details } = (await readCustody(sites.sourceState)).at(-1)!;
  assert.equal(details.code, 'SVC-CUS-005');
  await run(['receipt', 'add', path('next'), '--config', source]);
  const { contradictions, error } = await verify(sites, [], 4);
  assert.equal(error, undefined);
  assert.match(
    contradictions[0].params.rule,
    /receipt 2 of zone zone-b names line 2, and line 6 of this ledger names line 7/,
  );
});

test('what a receipt says of a sender stays known after a receipt that says nothing of it', async () => {
  await using sites = await openCustodySites();
  const { run, path, source, zone, zoneState, sourceState } = sites;
  await run(['receipt', 'add', await deliver(sites, 'first'), '--config', source]);
  const accepted = (await readCustody(sourceState)).at(-1)!;
  const [claim] = accepted.details.peerClaims as string[];
  assert.match(claim!, /^[0-9]+ sha256:[0-9a-f]{64} zone-a$/);
  await rm(join(zoneState, 'custody', 'peers'), { recursive: true });
  await run(['receipt', 'write', '--out', path('next'), '--config', zone]);
  await run(['receipt', 'add', path('next'), '--config', source]);
  assert.equal((await readCustody(sourceState)).at(-1)!.details.peerClaims, undefined);
  await verify(sites, [], 0);
  const copy = path('copy');
  await cp(join(sourceState, 'custody'), join(copy, 'custody'), { recursive: true });
  await rewrite(copy, anew(1));
  const { peer } = await verify(sites, ['--peer-ledger', join(copy, 'custody')], 4);
  const line = Number(claim!.split(' ')[0]);
  assert.equal(
    peer.error.params.rule,
    `line ${line} is another one than line ${accepted.seq} of this ledger names`,
  );
});

test('two receipts that are gone contradict each other by what they said of a third site', async () => {
  await using folder = await openTempFolder();
  const custody = openCustody({ stateRoot: folder.path, site: 'zone-a' });
  const accept = (zone: string, head: string) =>
    custody.record({
      type: 'receipt-accepted',
      actor: 'ana',
      details: {
        zone,
        sequence: 1,
        peerClaims: [toPeerClaim({ site: 'zone-c', seq: 5, head: hashBytes(head) })],
      },
    });
  const check = () =>
    verifyCustody({ state: { root: folder.path }, custody: { enabled: true, site: 'zone-a' } });
  await accept('zone-b', 'one');
  await accept('zone-d', 'one');
  assert.equal((await check()).contradictions, undefined);
  await accept('zone-e', 'two');
  const [found, ...more] = (await check()).contradictions!;
  assert.deepEqual([found!.code, found!.params.site, more], ['SVC-CUS-005', 'zone-c', []]);
});

test('what is no ledger of another site is named so, and not called broken', async () => {
  await using sites = await openCustodySites();
  const { run, path, source, sourceKey } = sites;
  const args = ['media', 'write', path('disk'), '--zone', 'zone-b', '--base', 'none'];
  await run([...args, '--config', source, '--sign-key', sourceKey]);
  const carried = join(path('disk'), '_svc', 'custody');
  for (const [wrong, reason] of [
    [path('disk'), /the folder has no file of a ledger/],
    [carried, /a medium carries these lines/],
    [join(carried, 'ledger.jsonl'), /a medium carries these lines/],
  ] as const) {
    const { error } = await verify(sites, ['--peer-ledger', wrong], 1);
    assert.deepEqual([error.code, error.params.file], ['SVC-VAL-001', wrong]);
    assert.match(error.params.rule, reason);
  }
});

test('a ledger of another site that is empty, or has another name, is not whole', async () => {
  await using sites = await openCustodySites();
  const { run, path, source, zoneState } = sites;
  const empty = path('empty');
  await mkdir(empty);
  await writeFile(join(empty, '2026.jsonl'), '');
  const judge = async (peer: string, more: readonly string[], exitCode: number) =>
    (await verify(sites, ['--peer-ledger', peer, ...more], exitCode)).peer.error?.params.rule;
  // nothing is known about the site yet
  assert.match(await judge(empty, [], 4), /--peer-site/);
  assert.equal(await judge(empty, ['--peer-site', 'zone-b'], 0), undefined);
  await run(['receipt', 'add', await deliver(sites, 'first'), '--config', source]);
  await writeFile(path('empty.jsonl'), '');
  for (const peer of [empty, path('empty.jsonl')])
    for (const more of [[], ['--peer-site', 'zone-b']])
      assert.match(await judge(peer, more, 4), /ends with line 0, and receipt 1 of zone zone-b names line 7/);
  const copy = path('state-copy');
  await cp(join(zoneState, 'custody'), join(copy, 'custody'), { recursive: true });
  await rewrite(copy, (line) => ({ ...line, site: 'zone-c' }));
  assert.match(await judge(join(copy, 'custody'), [], 4), /no statement names a line of site zone-c/);
  assert.match(await judge(join(copy, 'custody'), ['--peer-site', 'zone-b'], 4), /line 7 is another one/);
  assert.equal(await judge(join(copy, 'custody'), ['--peer-site', 'zone-c'], 0), undefined);
  // the name changes where the statement names a line
  await rewrite(copy, (line) => ({ ...line, site: line.seq === 7 ? 'zone-c' : 'zone-b' }));
  assert.match(await judge(join(copy, 'custody'), [], 4), /line 7 is another one/);
});

test('two checkpoints of one line with different heads are told at the import, and found later', async () => {
  await using sites = await openCustodySites();
  const { run, path, source, zone, zoneState, sourceState, sourceKey } = sites;
  const write = async (name: string): Promise<void> => {
    const args = ['media', 'write', path(name), '--zone', 'zone-b', '--base', 'none'];
    await run([...args, '--config', source, '--sign-key', sourceKey]);
  };
  await write('first');
  await rm(join(sourceState, 'custody'), { recursive: true });
  await write('second');
  await run(['media', 'import', path('first'), '--config', zone]);
  await run(['custody', 'verify', '--config', zone]);
  const { task } = await run(['media', 'import', path('second'), '--config', zone]);
  const tasks = join(zoneState, 'commands');
  const logs = (await readdir(tasks, { recursive: true })).filter((name) => name.endsWith(`${task.id}.log`));
  assert.match(await readFile(join(tasks, logs[0]!), 'utf8'), /SVC-CUS-005.*zone-a/);
  const arrival = (await readCustody(zoneState)).findLast(({ type }) => type === 'received');
  assert.equal(arrival?.details.code, 'SVC-CUS-005');
  const { contradictions } = await run(['custody', 'verify', '--config', zone], 4);
  assert.match(
    contradictions[0].params.rule,
    /part [0-9a-f]{12} of site zone-a and part [0-9a-f]{12} of site zone-a name two different lines 1/,
  );
});

test('a flag that names another zone does not change the site of the lines', async () => {
  await using sites = await openCustodySites();
  const { run, path, source, zone, zoneState } = sites;
  await run(['media', 'write', path('first'), '--zone', 'zone-c', '--config', source]);
  for (const command of ['verify', 'import'])
    await run(['media', command, '--storage-root', path('first'), '--zone', 'zone-c', '--config', zone]);
  const lines = await readCustody(zoneState);
  assert.deepEqual([...new Set(lines.map(({ site }) => site))], ['zone-b']);
  assert.equal(lines.find(({ type }) => type === 'received')?.details.zone, 'zone-c');
});

test('a later delivery and receipt do not hide lines that the sender wrote anew', async () => {
  await using sites = await openCustodySites();
  const { run, source, zone, zoneState, sourceState, sourceKey } = sites;
  await run(['custody', 'approve', 'shop@1.4.0', '--key', sourceKey, '--config', source]);
  await run(['receipt', 'add', await deliver(sites, 'first'), '--config', source]);
  const accepted = (await readCustody(sourceState)).at(-1)!;
  const [claim] = accepted.details.peerClaims as string[];
  const line = Number(claim!.split(' ')[0]);
  await rewrite(sourceState, anew(2));
  const before = await verify(sites, [], 4);
  assert.match(before.error.params.rule, /is another one than receipt 1 of zone zone-b names/);
  const receipt = await deliver(sites, 'second');
  // the zone has two parts of the ledger that differ in the approval
  const arrival = (await readCustody(zoneState)).findLast(({ type }) => type === 'received')!;
  assert.equal(arrival.details.code, 'SVC-CUS-005');
  const { contradictions } = await run(['custody', 'verify', '--config', zone], 4);
  assert.equal(contradictions[0].params.site, 'zone-a');
  assert.match(contradictions[0].params.rule, /name two different lines [12]$/);
  const { records } = await run(['history', '--subject', 'SVC-CUS-005', '--config', zone]);
  assert.deepEqual(
    records.map(({ action }: { action: string }) => action),
    ['custody.received'],
  );
  // the source replaced the receipt that named its old line
  for (const from of ['receipt 1 of zone zone-b', `line ${accepted.seq} of this ledger`]) {
    const added = await run(['receipt', 'add', receipt, '--config', source]);
    assert.equal(
      added.receipts[0].contradictions[0].params.rule,
      `the ledger itself and ${from} name two different lines ${line}`,
    );
  }
  const { error } = await verify(sites, [], 4);
  assert.equal(
    error.params.rule,
    `line ${line} is another one than line ${accepted.seq} of this ledger names`,
  );
});

test('the ledger of a zone that ends before its own receipt was cut', async () => {
  await using sites = await openCustodySites();
  const { run, zone, zoneState } = sites;
  await deliver(sites, 'first');
  await run(['custody', 'verify', '--config', zone]);
  const text = await readFile(toFile(zoneState), 'utf8');
  await writeFile(
    toFile(zoneState),
    text
      .split(/(?<=\n)/)
      .slice(0, 3)
      .join(''),
  );
  const { error } = await run(['custody', 'verify', '--config', zone], 4);
  assert.match(error.params.rule, /ends with line 3, and the own receipt 1 of zone zone-b names line 7/);
});

test('an import does not heal a ledger that was cut: it warns, and no later receipt hides it', async () => {
  for (const lines of [3, 6]) {
    await using sites = await openCustodySites();
    const { run, path, zone, zoneState } = sites;
    await deliver(sites, 'first');
    const text = await readFile(toFile(zoneState), 'utf8');
    const kept = text.split(/(?<=\n)/).slice(0, lines);
    await writeFile(toFile(zoneState), kept.join(''));
    const imported = await runSvc(['media', 'import', path('first'), '--config', zone]);
    assert.equal(imported.exitCode, 0, imported.stderr);
    assert.match(imported.stdout + imported.stderr, /SVC-CUS-005/);
    for (const name of ['next', 'later']) {
      await run(['receipt', 'write', '--out', path(name), '--config', zone]);
      const { error } = await run(['custody', 'verify', '--config', zone], 4);
      assert.match(error.params.rule, /line 7 is another one than the own receipt 1 of zone zone-b names/);
    }
    const pack = ['evidence', 'pack', '--recipe', 'shop', '--out', path('packed'), '--config', zone];
    const packed = await runSvc(pack);
    assert.equal(packed.exitCode, 4, packed.stderr);
    assert.match(packed.stderr, /SVC-CUS-001/);
  }
});

for (const hasZone of [true, false])
  test(`a new ledger under another name is believed beside the old one, of a source ${hasZone ? 'with' : 'without'} a zone`, async () => {
    await using sites = await openCustodySites();
    const { run, path, source, zone, zoneState, sourceState } = sites;
    const change = async (file: string, make: (config: any) => object): Promise<void> =>
      writeFile(file, JSON.stringify(make(JSON.parse(await readFile(file, 'utf8')))));
    if (!hasZone)
      await change(source, ({ zone: site, ...config }) => ({ ...config, custody: { enabled: true, site } }));
    await run(['receipt', 'add', await deliver(sites, 'first'), '--config', source]);
    // as custody.md says
    const folder = join(sourceState, 'custody');
    await rename(folder, path('until-2026'));
    await mkdir(folder, { mode: 0o700 });
    await cp(join(path('until-2026'), 'peers'), join(folder, 'peers'), { recursive: true }).catch(() => {});
    await change(source, (config) => ({ ...config, custody: { enabled: true, site: 'zone-a-2' } }));
    const again = { name: 'zone-a-2', keyFile: path('zone-a.pub'), for: ['checkpoint'] };
    await change(zone, (config) => ({ ...config, peers: [...config.peers, again] }));
    await run(['receipt', 'add', await deliver(sites, 'second'), '--config', source]);
    await verify(sites, [], 0);
    const arrival = (await readCustody(zoneState)).findLast(({ type }) => type === 'received')!;
    assert.deepEqual(
      [arrival.details.peerSite, arrival.details.peerFlaw, arrival.details.code],
      ['zone-a-2', undefined, undefined],
    );
    for (const ledger of [folder, path('until-2026')]) {
      const { peer } = await run(['custody', 'verify', '--peer-ledger', ledger, '--config', zone]);
      assert.ok(peer.known.length > 0);
    }
    await writeFile(path('release.pub'), sites.medium.signer.publicKeyPem);
    const both = [`zone-a=${path('zone-a.pub')}`, `zone-a-2=${path('zone-a.pub')}`];
    const keys = ['release.pub', 'zone-b=zone-b.pub'].map((one) => one.replace(/[^=]+$/, path));
    const flags = [...keys, ...both].flatMap((one) => ['--key', one]);
    for (const [config, scope] of [
      [zone, ['--delivery', arrival.details.delivery as string]],
      [zone, ['--since', '2020-01-01']],
      [source, ['--since', '2020-01-01']],
    ] as const) {
      const pack = path(`pack-${scope[0]}-${config === zone ? 'zone' : 'source'}`);
      await run(['evidence', 'pack', ...scope, '--out', pack, '--config', config]);
      const { witnessed, signatures } = await run(['evidence', 'verify', pack, ...flags]);
      assert.deepEqual(
        witnessed.others.map(({ site }: any) => site),
        config === zone ? [] : ['zone-b'],
      );
      assert.ok(signatures.some(({ site }: any) => site === 'zone-a-2'));
    }
  });
