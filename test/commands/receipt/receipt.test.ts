import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { closeSync, constants, existsSync, openSync, writeSync } from 'node:fs';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { readReceipt, toSubject, toZoneFile, writeReceipt } from '../../../src/attest/receipt.ts';
import { hashBytes } from '../../../src/base/digest.ts';
import { toSigner } from '../../../src/signing/signer.ts';
import { openReceipts } from '../../../src/zone/receipts.ts';
import { toReceipt } from '../../kit/content/receipt.ts';
import { createSigner, type Signer } from '../../kit/content/signer.ts';
import { openTempFolder } from '../../kit/instance/temp-folder.ts';
import { runCommand, runInLanguage } from '../../kit/program/run-command.ts';
import { assertCliDocument } from '../../kit/result/cli-schema.ts';
import { createRegistryDouble } from '../../kit/result/registry-double.ts';
import { importCarried } from '../../kit/scene/import-carried.ts';
import { buildMedium, defaultRecipes } from '../../kit/scene/medium.ts';

const language = { LC_ALL: 'fr_FR.UTF-8' };

/** A zone that has imported a medium, and the source of its deliveries. */
async function openWorld(t: TestContext) {
  const medium = await buildMedium({ inMemory: true });
  t.after(() => medium[Symbol.asyncDispose]());
  const registry = await createRegistryDouble();
  t.after(() => registry.close());
  const folder = await openTempFolder('svc-receipt-');
  t.after(() => folder[Symbol.asyncDispose]());
  const path = (name: string): string => join(folder.path, name);
  const state = path('zone-state');
  await importCarried(medium.root, [medium.signer], registry, { state });
  const zoneKey = createSigner();
  await writeFile(path('zone-b.key'), zoneKey.privateKeyPem, { mode: 0o600 });
  await writeFile(path('zone-b.pub'), zoneKey.publicKeyPem);
  const zone = {
    zone: 'zone-b',
    state: { root: state },
    registries: { insecure: [registry.host] },
    destination: { registry: registry.host },
    trust: { roots: [{ name: 'release', key: medium.signer.publicKeyPem }] },
    signing: { keyFile: path('zone-b.key') },
  };
  const source = {
    state: { root: path('source-state') },
    peers: [{ name: 'zone-b', keyFile: path('zone-b.pub'), for: ['receipt'] }],
  };
  await mkdir(path('source-state'));
  let runs = 0;
  const run = async (config: object, args: readonly string[], env: Readonly<Record<string, string>> = {}) => {
    runs += 1;
    const file = path(`svc-${runs}.yaml`);
    await writeFile(file, JSON.stringify(config));
    const inLanguage = env.LC_ALL?.startsWith('fr') ? 'fr' : 'en';
    return runInLanguage([...args, '--config', file], inLanguage, env);
  };
  const json = async (config: object, args: readonly string[]) => {
    const result = await run(config, [...args, '--output', 'json']);
    assertCliDocument(`svc ${args[0]} ${args[1]}`, result.stdout);
    return { ...result, document: JSON.parse(result.stdout) };
  };
  return { medium, registry, path, zone, source, run, json, zoneKey };
}

const sign = (signer: Signer, receipt: Parameters<typeof toReceipt>[0], zone = 'zone-b'): Buffer =>
  writeReceipt(toReceipt(receipt), [toSubject(toZoneFile(zone))], toSigner(signer.privateKey));

test('a zone writes a receipt, and the source of its deliveries adds it', async (t) => {
  const { medium, path, zone, source, run, json } = await openWorld(t);
  const out = path('r.sigstore.json');
  const { exitCode, stderr, document } = await json(zone, ['receipt', 'write', '--out', out]);
  assert.equal(exitCode, 0, stderr);
  assert.equal(document.file, out);
  assert.deepEqual(document.notPresent, []);
  assert.deepEqual(document.receipt.recipes, { present: 2, incomplete: 0, blocked: 0 });
  assert.equal(document.receipt.sequence, 1);
  const added = await json(source, ['receipt', 'add', out]);
  assert.equal(added.exitCode, 0, added.stderr);
  assert.deepEqual(
    added.document.receipts.map(({ file, isNew, receipt }: any) => [file, isNew, receipt.digest]),
    [[out, true, document.receipt.digest]],
  );
  assert.equal((await json(source, ['receipt', 'add', out])).document.receipts[0].isNew, false);
  const { receipts } = (await json(source, ['receipt', 'list'])).document;
  assert.deepEqual(
    receipts.map(({ zone: name, sequence, own, believed }: any) => [name, sequence, own, believed]),
    [['zone-b', 1, false, true]],
  );
  const shown = (await json(source, ['receipt', 'show', 'zone-b'])).document;
  assert.deepEqual(
    shown.statement.recipes.map(({ name, version, digest, state }: any) => [name, version, digest, state]),
    [...medium.records]
      .sort((a, b) => (a.name < b.name ? -1 : 1))
      .map(({ name, version, digest }) => [name, version, digest, 'present']),
  );
  // a file that anybody has: the manifest of the medium that was imported
  assert.deepEqual(shown.subjects, [
    { name: 'media.jsonl', digest: hashBytes(await readFile(join(medium.root, 'media.jsonl'))) },
  ]);
  assert.equal(shown.statement.freshness.resolvedAt, '2026-01-02T03:04:05.000Z');
  const own = (await json(zone, ['receipt', 'list'])).document.receipts;
  assert.deepEqual(
    own.map(({ own: isOwn, sequence }: any) => [isOwn, sequence]),
    [[true, 1]],
  );
  const text = await run(source, ['receipt', 'add', out]);
  assert.equal(text.stdout, 'receipt 1 of zone zone-b is known\n');
});

test('a zone whose registry has a name and not an address writes a receipt', async (t) => {
  const { registry, path, zone, json } = await openWorld(t);
  const host = `localhost:${registry.host.split(':').at(-1)}`;
  const named = { ...zone, registries: { insecure: [host] }, destination: { registry: host } };
  const { exitCode, stderr, document } = await json(named, ['receipt', 'write', '--out', path('r.json')]);
  assert.equal(exitCode, 0, stderr);
  assert.deepEqual(document.receipt.recipes, { present: 2, incomplete: 0, blocked: 0 });
});

test('a receipt that the registry does not answer for is not written, and can be written later', async (t) => {
  const { registry, zone, run } = await openWorld(t);
  registry.failNext(/./, 503, { times: 100 });
  const failed = await run(zone, ['receipt', 'write']);
  assert.equal(failed.exitCode, 1);
  assert.match(
    failed.stderr,
    /no receipt was written, and no number was used: when the registry answers, run svc receipt write again/,
  );
  assert.match(failed.stderr, /SVC-REG-002/);
});

test('receipts are shown to people in both languages', async (t) => {
  const { path, zone, source, run } = await openWorld(t);
  const written = await run(zone, ['receipt', 'write', '--out', path('1.json')]);
  assert.equal(written.exitCode, 0, written.stderr);
  assert.equal(written.stdout, `${path('1.json')}\n`);
  assert.match(written.stderr, /^svc: receipt 1 of zone zone-b: 2 present$/m);
  const french = await run(zone, ['receipt', 'write'], language);
  assert.match(french.stderr, /^svc: reçu 2 de la zone zone-b\s: 2 présentes$/m);
  assert.match(french.stdout, /zone-state\/receipts\/own\/zone-b\.sigstore\.json\n$/);
  assert.match((await run(source, ['receipt', 'list'])).stderr, /svc: no receipts in /);
  const unbelieved = await run({ ...source, peers: [] }, ['receipt', 'show', path('1.json')]);
  assert.equal(unbelieved.exitCode, 0);
  assert.match(unbelieved.stdout, /^receipt +1, not checked: no peer is configured for it$/m);
  const alone = await runCommand(['receipt', 'show', path('1.json')]);
  assert.match(alone.stdout, /^receipt +1, not checked: no peer is configured for it$/m, alone.stderr);
  const others = [{ name: 'zone-b', keyFile: path('other.pub'), for: ['receipt'] }];
  await writeFile(path('other.pub'), createSigner().publicKeyPem);
  const other = await run({ ...source, peers: others }, ['receipt', 'show', path('1.json')]);
  assert.match(other.stdout, /^receipt +1, not believed$/m, other.stderr);
  const absent = await runCommand(['receipt', 'show', 'zone-b']);
  assert.match(absent.stderr, /SVC-CFG-001: state\.root is not set/);
  const added = await run(source, ['receipt', 'add', path('1.json')]);
  assert.equal(added.stdout, 'receipt 1 of zone zone-b: 2 present\n');
  const listed = (await run(source, ['receipt', 'list'])).stdout;
  assert.match(listed, /^ZONE +SEQUENCE +ISSUED +CHECK MADE +RECIPES +STATE$/m);
  assert.match(listed, /^zone-b +1 .* each blob was \S+.* 2 present +believed$/m);
  assert.match((await run(source, ['receipt', 'list'], language)).stdout, /2 présentes +reconnu$/m);
  const shown = await run(source, ['receipt', 'show', 'zone-b']);
  assert.match(shown.stdout, /^ {2}shop 1\.4\.0: present$/m);
});

test('a receipt tells recipes that lack content, and those that are refused', async (t) => {
  const { registry, zone, run, json } = await openWorld(t);
  const { digest, size } =
    defaultRecipes()[1]!.ingredients[0]!.artifact.children[0]!.artifact.blobs[1]!.descriptor;
  registry.corrupt('origin.example_5000/depot/worker', digest, Buffer.alloc(size - 1));
  for (const tag of registry.tags('cookbook/shop'))
    if (tag.endsWith('.sig')) registry.untag('cookbook/shop', tag);
  const { document, exitCode } = await json(zone, ['receipt', 'write']);
  assert.equal(exitCode, 0);
  assert.deepEqual(document.receipt.recipes, { present: 0, incomplete: 1, blocked: 1 });
  assert.deepEqual(
    document.notPresent.map(({ name, version, state, missing, code }: any) => [
      name,
      version,
      state,
      missing,
      code,
    ]),
    [
      ['depot', '2.0.0', 'incomplete', { files: 1, bytes: size }, undefined],
      ['shop', '1.4.0', 'blocked', undefined, 'SVC-SIG-001'],
    ],
  );
  const { stderr } = await run(zone, ['receipt', 'write']);
  assert.match(stderr, /^ {2}depot 2\.0\.0: incomplete \(1 file, [\d.]+\s.?i?B\)$/m);
  assert.match(stderr, /^ {2}shop 1\.4\.0: blocked \(SVC-SIG-001\)$/m);
});

test('the file of a receipt is shown in its own zone as its own, and an absent manifest without a size', async (t) => {
  const world = await openWorld(t);
  const { digest } = defaultRecipes()[1]!.ingredients[0]!.artifact.manifest.descriptor;
  world.registry.remove('origin.example_5000/depot/worker', digest);
  const file = world.path('receipt.json');
  const { stderr } = await world.run(world.zone, ['receipt', 'write', '--out', file]);
  assert.match(stderr, /^ {2}depot 2\.0\.0: incomplete \(1 file\)$/m);
  const shown = await world.run(world.zone, ['receipt', 'show', file]);
  assert.match(shown.stdout, /^receipt +1, own$/m);
  const elsewhere = await world.run(world.source, ['receipt', 'show', file]);
  assert.match(elsewhere.stdout, /^receipt +1, believed$/m);
});

test('the mistyped name of a zone is no file that is absent, and the zone that was meant is named', async (t) => {
  const folder = await openTempFolder('svc-receipt-');
  t.after(() => folder[Symbol.asyncDispose]());
  const { privateKey, publicKey } = createSigner();
  const bytes = writeReceipt(
    toReceipt({ zone: 'zone-b' }),
    [toSubject(toZoneFile('zone-b'))],
    toSigner(privateKey),
  );
  await openReceipts(folder.path).add(bytes, {
    keys: [{ name: 'zone-b', key: publicKey, for: ['receipt'] }],
  });
  const show = (subject: string) => runCommand(['receipt', 'show', subject, '--state-root', folder.path]);
  const typo = await show('zone-bb');
  assert.equal(typo.exitCode, 1);
  assert.match(typo.stderr, /SVC-REG-005: zone-bb was not found/);
  assert.match(typo.stderr, /svc receipt list names the zones.* Did you mean zone-b\?/);
  assert.match((await show('zone-bb.json')).stderr, /SVC-FIL-005: zone-bb\.json cannot be read/);
});

test('names are withheld, and the blobs are listed, on request', async (t) => {
  const { path, zone, source, run, json } = await openWorld(t);
  const out = path('r.json');
  const { document } = await json(zone, [
    'receipt',
    'write',
    '--redact',
    'names',
    '--inventory',
    '--out',
    out,
  ]);
  assert.equal(document.inventory, `${out}.inventory`);
  const shown = (await json(zone, ['receipt', 'show', out])).document;
  assert.ok(shown.statement.recipes.length === 2);
  for (const recipe of shown.statement.recipes)
    assert.deepEqual([recipe.name, recipe.version], [undefined, undefined]);
  const inventory = await readFile(document.inventory);
  assert.equal(shown.subjects[1].digest, hashBytes(inventory));
  const lines = inventory.toString().trimEnd().split('\n');
  assert.deepEqual(lines, [...new Set(lines)].sort());
  const blobs = defaultRecipes()[0]!.ingredients.flatMap(({ artifact }) => artifact.blobs);
  for (const { descriptor } of blobs) assert.ok(lines.includes(descriptor.digest));
  assert.equal((await run(zone, ['receipt', 'write', '--inventory'])).exitCode, 2);

  // the source is told of one that did not come along, and not once it has it
  const alone = path('alone.json');
  await writeFile(alone, await readFile(out));
  const lacking = await run(source, ['receipt', 'add', alone]);
  assert.equal(lacking.exitCode, 0, lacking.stderr);
  assert.match(lacking.stderr, /alone\.json\.inventory is absent, and the receipt signs it/);
  for (const file of [out, alone])
    assert.doesNotMatch((await run(source, ['receipt', 'add', file])).stderr, /warning/);
});

test('a receipt behind others that the source does not know is accepted with a warning that names them', async (t) => {
  const { path, source, run, json, zoneKey } = await openWorld(t);
  const add = async (sequence: number) => {
    const file = path(`${sequence}.json`);
    const issuedAt = new Date(Date.UTC(2026, 0, sequence)).toISOString();
    await writeFile(file, sign(zoneKey, { sequence, issuedAt }));
    return json(source, ['receipt', 'add', file]);
  };
  const first = await add(4);
  assert.doesNotMatch(first.stderr, /warning/);
  assert.equal(first.document.receipts[0].unseen, undefined);
  const { exitCode, stderr, document } = await add(8);
  assert.equal(exitCode, 0, stderr);
  assert.match(stderr, /receipt 8 of zone zone-b follows receipt 4, and receipts 5 to 7 are not known/);
  assert.deepEqual(document.receipts[0].unseen, { from: 5, to: 7 });
  assert.match((await add(10)).stderr, /follows receipt 8, and receipt 9 is not known/);
  const again = await run(source, ['receipt', 'add', path('10.json')]);
  assert.equal(again.exitCode, 0);
  assert.doesNotMatch(again.stderr, /warning/);
});

test('a receipt that cannot be written uses no number', async (t) => {
  const { path, zone, registry, run, json } = await openWorld(t);
  const out = path('r.json');
  await writeFile(out, 'mine');
  const taken = await run(zone, ['receipt', 'write', '--out', out]);
  assert.equal(taken.exitCode, 1);
  assert.match(taken.stderr, /SVC-FIL-006/);
  assert.equal(await readFile(out, 'utf8'), 'mine');
  const { signing: _, ...keyless } = zone;
  assert.equal((await run(keyless, ['receipt', 'write'])).exitCode, 2);
  assert.match((await run(zone, ['receipt', 'write', '--key', path('none')])).stderr, /SVC-FIL-005/);
  const stop = registry.intercept((_request, response) => {
    response.writeHead(403);
    response.end();
    return true;
  });
  assert.match((await run(zone, ['receipt', 'write'])).stderr, /SVC-REG-003/);
  stop();
  for (const setting of ['zone', 'state', 'destination'] as const) {
    const { [setting]: _gone, ...rest } = zone;
    const { exitCode, stderr } = await run(rest, ['receipt', 'write']);
    assert.equal(exitCode, 1, setting);
    assert.match(stderr, /SVC-CFG-001/);
  }
  assert.equal((await json(zone, ['receipt', 'write'])).document.receipt.sequence, 1);
});

test('a receipt of another zone than that of the configuration is refused, and uses no number', async (t) => {
  const { zone, run, json } = await openWorld(t);
  const other = await run(zone, ['receipt', 'write', '--zone', 'zone-c']);
  assert.equal(other.exitCode, 3, other.stderr);
  const said = other.stderr.replaceAll(/\s+/g, ' ');
  assert.match(said, /SVC-RCP-004: The configuration is of zone zone-b, .* no receipt of zone zone-c/);
  assert.match(said, /Leave out --zone for a receipt of zone zone-b/);
  const french = await run(zone, ['receipt', 'write', '--zone', 'zone-c'], { LC_ALL: 'fr_FR.UTF-8' });
  assert.match(french.stderr.replaceAll(/\s+/g, ' '), /SVC-RCP-004.*Omettez --zone/);
  const same = await json(zone, ['receipt', 'write', '--zone', 'zone-b']);
  assert.deepEqual([same.exitCode, same.document.receipt.sequence], [0, 1]);
  const { zone: _, ...unnamed } = zone;
  const free = await json(unnamed, ['receipt', 'write', '--zone', 'zone-c']);
  assert.deepEqual([free.exitCode, free.document.receipt.zone], [0, 'zone-c']);
});

test('a deep receipt finds a blob with other bytes', async (t) => {
  const { registry, zone, json } = await openWorld(t);
  const { digest, size } = defaultRecipes()[0]!.ingredients[0]!.artifact.blobs[2]!.descriptor;
  registry.corrupt('origin.example_5000/shop/web', digest, Buffer.alloc(size));
  assert.equal((await json(zone, ['receipt', 'write'])).document.receipt.recipes.present, 2);
  const { document } = await json(zone, ['receipt', 'write', '--deep']);
  assert.equal(document.receipt.evidence, 'deep');
  assert.deepEqual(
    document.notPresent.map(({ code }: any) => code),
    ['SVC-SIG-002'],
  );
});

test('receipts that are not believed, early or forked are refused, and the others are added', async (t) => {
  const { path, source, zoneKey, run, json } = await openWorld(t);
  const stranger = createSigner();
  const first = sign(zoneKey, { sequence: 1 });
  const files: Readonly<Record<string, Buffer>> = {
    '10.json': sign(zoneKey, { sequence: 10 }),
    '1.json': first,
    '2.json': sign(zoneKey, { sequence: 2 }),
    'forged.json': sign(stranger, { sequence: 11 }),
    'other-zone.json': sign(zoneKey, { sequence: 1, zone: 'zone-c' }),
    'forked.json': sign(zoneKey, { sequence: 10, recipes: 1 }),
    'future.json': sign(zoneKey, { sequence: 12, issuedAt: '2999-01-01T00:00:00Z' }),
    'large.json': Buffer.concat([first, Buffer.alloc(8 << 20, ' ')]),
    'none.json': Buffer.from('{}'),
  };
  for (const [name, bytes] of Object.entries(files)) await writeFile(path(name), bytes);
  const add = (...names: string[]) => json(source, ['receipt', 'add', ...names.map(path)]);
  const codes = ({ document }: Awaited<ReturnType<typeof add>>) =>
    (document.unread ?? [document]).map(({ error }: any) => error?.code);
  const both = await add('10.json', '1.json', 'forged.json', '2.json', 'none.json');
  assert.equal(both.exitCode, 4);
  assert.deepEqual(
    both.document.receipts.map(({ receipt }: any) => receipt.sequence),
    [1, 2, 10],
  );
  assert.deepEqual(codes(both), ['SVC-RCP-001', 'SVC-RCP-001']);
  const alone = async (name: string, ...flags: string[]) => {
    const { exitCode, stderr } = await run(source, ['receipt', 'add', path(name), ...flags]);
    return [exitCode, /SVC-[A-Z]+-\d+/.exec(stderr)?.[0]];
  };
  assert.deepEqual(await alone('1.json'), [3, 'SVC-RCP-002']);
  assert.deepEqual(await alone('forked.json'), [4, 'SVC-RCP-003']);
  assert.deepEqual(await alone('forked.json', '--allow-older'), [4, 'SVC-RCP-003']);
  assert.deepEqual(await alone('other-zone.json'), [4, 'SVC-RCP-001']);
  assert.deepEqual(await alone('large.json'), [1, 'SVC-VAL-002']);
  assert.deepEqual(await alone('absent.json'), [1, 'SVC-FIL-005']);
  const away = await run(source, ['receipt', 'add', path('away/_svc/receipts/*.sigstore.json')]);
  assert.match(away.stderr, /away\/_svc\/receipts does not exist: the disk is not mounted there/);
  const digestOf = (name: string): string => {
    const read = readReceipt(files[name]!);
    return 'flaw' in read ? '' : read.digest;
  };
  const list = async () => (await json(source, ['receipt', 'list'])).document.receipts;
  assert.deepEqual(
    (await list()).map(({ sequence }: any) => sequence),
    [10],
  );
  const [{ fork }] = await list();
  assert.deepEqual([fork.sequence, fork.known], [10, digestOf('10.json')]);
  assert.equal(fork.refused, digestOf('forked.json'));
  assert.match(
    (await run(source, ['receipt', 'list'])).stdout,
    / \d recipes? that do(?:es)? not count +not believed, contradicted \(SVC-RCP-003\)/,
  );
  assert.match(
    (await run(source, ['receipt', 'show', 'zone-b'])).stdout,
    new RegExp(`contradicted by +${fork.refused}`),
  );
  const future = await run(source, ['receipt', 'add', path('future.json')]);
  assert.equal(future.exitCode, 0);
  assert.match(future.stderr, /dated 2999-01-01T00:00:00Z, more than a day ahead/);
  assert.equal((await list())[0].fromTheFuture, true);
  assert.deepEqual(await alone('2.json', '--allow-older'), [0, undefined]);
  assert.deepEqual(
    (await list()).map(({ sequence }: any) => sequence),
    [2],
  );
  assert.deepEqual(await alone('forked.json'), [4, 'SVC-RCP-003'], 'also after a lower number');
  assert.deepEqual(await alone('10.json'), [0, undefined]);
});

test('a key that is also a trust root is refused, before a receipt is read', async (t) => {
  const { path, source, zoneKey, run } = await openWorld(t);
  await writeFile(path('r.json'), sign(zoneKey, {}));
  const trust = { roots: [{ name: 'release', keyFile: path('zone-b.pub') }] };
  for (const args of [['add', path('r.json')], ['list'], ['show', path('r.json')]]) {
    const { exitCode, stderr } = await run({ ...source, trust }, ['receipt', ...args]);
    assert.equal(exitCode, 1, args[0]);
    assert.match(stderr, /SVC-CFG-001.*\n?.*peer never approves/s);
  }
});

test('a receipt with names for a terminal is shown without its control characters', async (t) => {
  const { path, source, zoneKey, run } = await openWorld(t);
  const recipes = [
    { name: 'a\u001b[31m\nb', version: '\u202e1', digest: hashBytes('x'), state: 'present' as const },
  ];
  await writeFile(path('r.json'), sign(zoneKey, { recipes }));
  for (const args of [
    ['add', path('r.json')],
    ['show', path('r.json')],
    ['show', 'zone-b'],
  ]) {
    const { stdout, stderr } = await run(source, ['receipt', ...args]);
    assert.doesNotMatch(stdout + stderr, /[\u0000-\u0009\u001b\u202e]/);
  }
});

test('a receipt is read once, also from a pipe, and a file with more lines than zones is none', async (t) => {
  const { path, zone, source, run, json } = await openWorld(t);
  const written = await run(zone, ['receipt', 'write', '--out', path('one.json')]);
  assert.equal(written.exitCode, 0, written.stderr);
  const pipe = path('pipe');
  assert.equal(spawnSync('mkfifo', [pipe]).status, 0);
  const reader = openSync(pipe, constants.O_RDONLY | constants.O_NONBLOCK);
  const writer = openSync(pipe, constants.O_WRONLY);
  writeSync(writer, await readFile(path('one.json')));
  closeSync(writer);
  const added = await json(source, ['receipt', 'add', `/proc/self/fd/${reader}`]);
  closeSync(reader);
  assert.equal(added.exitCode, 0, added.stderr);
  assert.equal(added.document.receipts[0].receipt.zone, 'zone-b');
  await writeFile(path('many.json'), '{}\n'.repeat(100_000));
  const many = await run(source, ['receipt', 'add', path('many.json')]);
  assert.equal(many.exitCode, 4, many.stderr);
  assert.match(many.stderr, /SVC-RCP-001.*many\.json/s);
});

test('a middle zone forwards the receipts of deeper zones, and the source believes each under its own key', async (t) => {
  const { path, zone, source, run, json } = await openWorld(t);
  const deeper = ['zone-c', 'zone-d', 'zone-e'].map((name) => ({ name, signer: createSigner() }));
  for (const { name, signer } of deeper) {
    await writeFile(path(`${name}.pub`), signer.publicKeyPem);
    const receipt = { zone: name, sequence: 3, recipes: 2 };
    await writeFile(path(`${name}.json`), sign(signer, receipt, name));
  }
  const peersOf = (...names: string[]) =>
    names.map((name) => ({ name, keyFile: path(`${name}.pub`), for: ['receipt'] }));
  const middle = { ...zone, peers: peersOf('zone-c', 'zone-d', 'zone-e') };
  const received = await run(middle, ['receipt', 'add', ...deeper.map(({ name }) => path(`${name}.json`))]);
  assert.equal(received.exitCode, 0, received.stderr);
  const alone = await run(middle, ['receipt', 'write', '--forward']);
  assert.match(alone.stderr, /--forward adds to the file of --out: use both/);
  const written = await run(middle, ['receipt', 'write', '--forward', '--out', path('all.json')]);
  assert.equal(written.exitCode, 0, written.stderr);
  // the source has no key of zone-e, and another one for zone-d
  await writeFile(path('zone-d.pub'), createSigner().publicKeyPem);
  const zones = [{ name: 'zone-c', retriever: path('zone-c.yaml') }];
  const top = { ...source, zones, peers: [...source.peers, ...peersOf('zone-c', 'zone-d')] };
  const added = await json(top, ['receipt', 'add', path('all.json')]);
  assert.equal(added.exitCode, 4, added.stderr);
  assert.deepEqual(
    added.document.receipts.map(({ file, receipt }: any) => [file, receipt.zone, receipt.sequence]).sort(),
    [
      [path('all.json:1'), 'zone-b', 1],
      [path('all.json:2'), 'zone-c', 3],
    ],
  );
  assert.deepEqual(
    added.document.unread.map(({ file, error }: any) => [file, error.code]),
    [
      [path('all.json:3'), 'SVC-RCP-001'],
      [path('all.json:4'), 'SVC-RCP-001'],
    ],
  );
  const { receipts } = (await json(top, ['receipt', 'list'])).document;
  assert.deepEqual(
    receipts.map(({ zone: name, believed }: any) => [name, believed]),
    [
      ['zone-b', true],
      ['zone-c', true],
    ],
  );
  // the Retriever of the zone is absent
  const { stdout } = await run(top, ['zones', 'zone-c']);
  assert.match(stdout, /^receipt +3, of .*, through zone-b/m);
});

test('a receipt for a pipe goes to standard output alone, and no file has the name of a dash', async (t) => {
  const { run, zone } = await openWorld(t);
  const piped = await run(zone, ['receipt', 'write', '--out', '-']);
  assert.equal(piped.exitCode, 0, piped.stderr);
  assert.ok('receipt' in readReceipt(Buffer.from(piped.stdout)), piped.stdout);
  assert.equal(existsSync('-'), false);
  for (const flags of [['--inventory'], ['--output', 'json']])
    assert.equal((await run(zone, ['receipt', 'write', '--out', '-', ...flags])).exitCode, 2);
});
