import assert from 'node:assert/strict';
import { mkdir, readdir, readFile, rename, rm, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import type { Digest } from '../../../src/base/digest.ts';
import type { MediumReport, RecipeVerdict } from '../../../src/contract/medium.ts';
import type { MediumProof } from '../../../src/contract/proof.ts';
import { buildImage } from '../../kit/content/content.ts';
import { runCommand } from '../../kit/program/run-command.ts';
import { assertCliDocument } from '../../kit/result/cli-schema.ts';
import { createRegistryDouble } from '../../kit/result/registry-double.ts';
import { buildMedium } from '../../kit/scene/medium.ts';
import { carryPart } from '../../kit/scene/partial-medium.ts';

const id = 'dlv_0123456789ab';

/** The configuration of a zone, and two disks of a delivery: a recipe needs both, another one the first only. */
async function openZone() {
  const [shop, depot] = ['shop', 'depot'].map((name) => buildImage(name, { ownLayers: 2 }));
  const toRecipe = (name: string, artifact: typeof shop) => ({
    name,
    version: '1.0.0',
    layout: 'bundle' as const,
    ingredients: [
      {
        name: 'image',
        kind: 'ContainerImage' as const,
        ref: `origin.example/${name}/image`,
        tag: '1.0',
        artifact: artifact!,
      },
    ],
  });
  const medium = await buildMedium({ recipes: [toRecipe('shop', shop), toRecipe('depot', depot)] });
  const zone = await createRegistryDouble();
  const layer = (artifact: typeof shop, i: number): Digest => artifact!.blobs[i]!.descriptor.digest;
  const [first, second] = [
    await carryPart(medium, {
      delivery: { id, part: 1, parts: 2 },
      absent: new Map([[layer(shop, 1), [2]]]),
    }),
    await carryPart(medium, {
      delivery: { id, part: 2, parts: 2 },
      absent: new Map([layer(shop, 2), layer(depot, 1), layer(depot, 2)].map((one) => [one, [1]])),
    }),
  ];
  const state = join(medium.folder, 'state');
  await mkdir(state);
  const config = join(medium.folder, 'zone.json');
  const settings = {
    zone: 'zone-b',
    state: { root: state },
    destination: { registry: zone.host },
    registries: { insecure: [zone.host] },
    trust: { roots: [{ name: 'release', key: medium.signer.publicKeyPem }] },
  };
  const configure = (more: object) => writeFile(config, JSON.stringify({ ...settings, ...more }));
  await configure({});
  return {
    medium,
    layer: layer(shop, 1),
    other: layer(depot, 1),
    first: first.root,
    second: second.root,
    registry: zone,
    state,
    /** Writes the configuration again, with further settings. */
    configure,
    run: (...args: string[]) => runCommand([...args, '--config', config]),
    [Symbol.asyncDispose]: async () => {
      await zone[Symbol.asyncDispose]();
      await medium[Symbol.asyncDispose]();
    },
  };
}

test('disks are imported one after the other; the status names the missing one until all arrived', async () => {
  await using zone = await openZone();
  const none = await zone.run('media', 'status');
  assert.deepEqual([none.exitCode, none.stdout], [0, 'no delivery is recorded here\n']);

  const alone = await zone.run('media', 'verify', '--storage-root', zone.first);
  assert.match(alone.stdout, /2 of 2 recipes pushable; of this disk alone\n/);

  const first = await zone.run('media', 'import', zone.first);
  assert.equal(first.exitCode, 0, first.stderr);
  assert.match(first.stdout, /^dlv_0123456789ab \(zone-b\): incomplete$/m);
  assert.match(first.stdout, /^tsk_\w+ done: 4 items \(2 done, 2 waiting for other disks\), /m);
  assert.match(first.stdout, /^ {2}still needed: part 2$/m);
  assert.match(first.stdout, /^ {2}shop@1\.0\.0: waits for part 2$/m);
  assert.match(first.stdout, /^ {2}depot@1\.0\.0 -> /m);

  const status = await zone.run('media', 'status', '--output', 'json');
  assert.equal(status.exitCode, 5);
  const { deliveries } = JSON.parse(status.stdout);
  assert.deepEqual(
    deliveries.map((one: { id: string; needed: number[] }) => [one.id, one.needed]),
    [[id, [2]]],
  );
  await assertCliDocument('svc media status', status.stdout);

  const statusOf = (disk: string) => zone.run('status', '--storage-root', disk);
  const waits = await statusOf(zone.first);
  assert.equal(waits.exitCode, 5);
  assert.match(waits.stdout, /^1 of 2 delivered recipes is not here: import part 2 of the delivery$/m);
  assert.doesNotMatch(waits.stdout, /media verify/);

  const verified = await zone.run('media', 'verify', '--storage-root', zone.second);
  assert.equal(verified.exitCode, 0, verified.stderr);
  assert.match(
    verified.stdout,
    /part 2 of 2\n +part 1 of 2 imported, on .*; 1 of 2 recipes in the zone; still needed: part 2\n.*\nresolved .*, no complete import/,
  );
  assert.match(verified.stdout, /shop@1\.0\.0: .* from part 1 of the delivery, imported before\n/);
  assert.match(verified.stdout, /2 of 2 recipes pushable\n/);
  const again = await zone.run('media', 'verify', '--storage-root', zone.first);
  assert.match(again.stdout, /shop@1\.0\.0: .* from part 2 of the delivery\n/);
  assert.match(again.stdout, /2 of 2 recipes pushable; 1 recipe waits for part 2\n/);
  const report = await zone.run('media', 'verify', '--storage-root', zone.second, '--output', 'json');
  assertCliDocument('svc media verify', report.stdout);
  const { received } = JSON.parse(report.stdout);
  assert.deepEqual([received.landed, received.needed, received.complete], [[1], [2], false]);

  const second = await zone.run('media', 'import', zone.second);
  for (const disk of [zone.first, zone.second]) {
    const done = await statusOf(disk);
    assert.match(
      done.stdout,
      /^The delivery dlv_0123456789ab is complete: 2 recipes are in the zone$/m,
      disk,
    );
    assert.equal(done.exitCode, 0, done.stdout);
  }
  assert.equal(second.exitCode, 0, second.stderr);
  assert.match(second.stdout, /^dlv_0123456789ab \(zone-b\): complete$/m);
  const complete = await zone.run('media', 'status');
  assert.equal(complete.exitCode, 0);
  assert.match(complete.stdout, /parts 1 and 2 of 2 imported/);
});

test('disks of one command share the answers of the registry', async () => {
  await using zone = await openZone();
  const imported = await zone.run('media', 'import', zone.first, zone.second);
  assert.equal(imported.exitCode, 0, imported.stderr);
  const asked = zone.registry.requests.filter(
    ({ method, path }) => method === 'HEAD' && path.includes('/blobs/'),
  );
  const times = Map.groupBy(asked, ({ path }) => path);
  // for each disk until it is there, and after its push
  for (const [path, requests] of times) assert.ok(requests.length <= 3, `${path}: ${requests.length}`);
});

test('a delivery on one disk is incomplete while its base is gone, and complete when another medium brought its recipes', async () => {
  await using zone = await openZone();
  const alone = 'dlv_ba9876543210';
  const disk = await carryPart(zone.medium, {
    delivery: { id: alone, part: 1, parts: 1 },
    base: { zone: 'zone-b', receipt: zone.layer, sequence: 7 },
    absent: new Map([[zone.layer, 'base']]),
  });
  const held = await zone.run('media', 'import', disk.root);
  assert.equal(held.exitCode, 1, held.stderr);
  const status = await zone.run('media', 'status');
  assert.equal(status.exitCode, 5);
  assert.match(
    status.stdout,
    /^dlv_ba9876543210 \(zone-b\): incomplete\n {2}imported on .*\n {2}shop@1\.0\.0: needs content that the registry lacks: import the earlier deliveries, or have the recipe written with --base none\n$/,
  );
  await zone.run('media', 'import', zone.first);
  assert.equal((await zone.run('media', 'status')).exitCode, 5);
  await zone.run('media', 'import', zone.second);
  const complete = await zone.run('media', 'status');
  assert.equal(complete.exitCode, 0, complete.stdout);
  assert.match(complete.stdout, /^dlv_ba9876543210 \(zone-b\): complete$/m);
});

test('several folders are imported in one command, with one document', async () => {
  await using zone = await openZone();
  const both = await zone.run('media', 'import', zone.second, zone.first, '--output', 'json');
  assert.equal(both.exitCode, 0, both.stderr);
  const { tasks } = JSON.parse(both.stdout);
  assert.deepEqual(
    tasks.map(({ delivery }: { delivery: { complete: boolean } }) => delivery.complete),
    [false, true],
  );
  await assertCliDocument('svc media import', both.stdout);
});

test('a delivery whose disk is lost is forgotten, once, and its disks can come again', async () => {
  await using zone = await openZone();
  await zone.run('media', 'import', zone.first);
  const typo = await zone.run('media', 'forget', id.replace('ab', 'ac'));
  assert.equal(typo.exitCode, 1);
  assert.match(typo.stderr, new RegExp(`SVC-REG-005[\\s\\S]*svc media status[\\s\\S]*${id}`));
  assert.doesNotMatch(typo.stderr, /svc content list/);
  const forgotten = await zone.run('media', 'forget', id, '--output', 'json');
  assert.equal(forgotten.exitCode, 0, forgotten.stderr);
  assert.equal(JSON.parse(forgotten.stdout).delivery.id, id);
  await assertCliDocument('svc media forget', forgotten.stdout);
  assert.match(forgotten.stderr, /media\.forget/);
  assert.equal((await zone.run('media', 'status')).exitCode, 0);
  assert.equal((await zone.run('media', 'forget', id)).exitCode, 1);
  const again = await zone.run('media', 'import', zone.second);
  assert.match(again.stdout, / incomplete\n {2}part 2 of 2 imported/);
  assert.match((await zone.run('media', 'import', zone.first)).stdout, / complete\n/);
  const complete = await zone.run('media', 'forget', id);
  assert.equal(complete.stdout, `${id}: forgotten, although it was complete\n`);
});

test('a disk that is named twice, by one path or by two, is imported once, and the command says so', async () => {
  await using zone = await openZone();
  const link = join(zone.medium.folder, 'link');
  await symlink(zone.first, link);
  const { exitCode, stdout, stderr } = await zone.run(
    'media',
    'import',
    zone.first,
    link,
    zone.first,
    zone.second,
  );
  assert.equal(exitCode, 0, stderr);
  assert.equal(stdout.match(/^tsk_\w+ done/gm)?.length, 2);
  assert.match(
    stderr.replace(/\s+/g, ' '),
    /link is the folder \S+, which is named already: it is imported once/,
  );
  assert.ok(
    stderr.replace(/\s+/g, ' ').includes(`${zone.first} is named twice: it is imported once`),
    stderr,
  );
  assert.match(stdout, /^dlv_0123456789ab \(zone-b\): complete$/m);
});

test('a folder beside --storage-root is wrong usage', async () => {
  await using zone = await openZone();
  const both = await zone.run('media', 'import', zone.first, '--storage-root', zone.second);
  assert.equal(both.exitCode, 2);
  assert.match(both.stderr, /name the media in one way/);
});

test('the verification of a disk says where the rest of its recipes is', async () => {
  await using zone = await openZone();
  const { exitCode, stdout } = await zone.run('media', 'verify', '--storage-root', zone.first);
  assert.equal(exitCode, 0, stdout);
  assert.match(stdout, /^not on this medium:\n {2}shop@1\.0\.0: 1 file, .*, from part 2 of the delivery$/m);
  assert.match(stdout, /^delivery +dlv_0123456789ab, part 1 of 2$/m);
});

/** The answers of the zone in the report of `svc media verify`, by the names of the recipes. */
const listAnswers = (stdout: string) =>
  new Map<string, RecipeVerdict['atDestination']>(
    (JSON.parse(stdout) as MediumReport).recipes.map(({ name, atDestination }) => [name, atDestination]),
  );

test('the registry of the zone is asked for what a disk lacks: the disk to bring is named, and nothing moves', async () => {
  await using zone = await openZone();
  const cut = zone.layer;
  const delivery = { id: 'dlv_ba9876543210', parts: 3 } as const;
  const disk = async (part: 1 | 2, from: number, to: number): Promise<string> => {
    const absent = new Map([[cut, [1, 2] as const]]);
    const own = { delivery: { ...delivery, part }, absent, cut: new Map([[cut, [[from, to] as const]]]) };
    return (await carryPart(zone.medium, own)).root;
  };
  const bytes = await readFile(join(zone.medium.root, 'blobs', ...cut.split(':')));
  const [one, two] = [await disk(1, 0, 10), await disk(2, 10, bytes.length)];
  const ask = (root: string, ...args: string[]) =>
    zone.run('media', 'verify', '--storage-root', root, '--with-destination', ...args);

  const waits = await ask(one, '--output', 'json');
  assert.equal(waits.exitCode, 0, waits.stderr);
  await assertCliDocument('svc media verify', waits.stdout);
  const none = { files: 0, bytes: 0 };
  const { error, ...answer } = listAnswers(waits.stdout).get('shop')!;
  assert.deepEqual(answer, {
    ...none,
    ...{ missing: { files: 1, bytes: bytes.length }, parts: [2], landed: false },
  });
  assert.equal(error?.code, 'SVC-MED-041');
  assert.deepEqual(listAnswers(waits.stdout).get('depot'), {
    ...none,
    missing: none,
    parts: [],
    landed: false,
  });
  const shown = await ask(one);
  assert.match(
    shown.stdout,
    /^in the zone:\n {2}shop@1\.0\.0: found 0 files, 0 B; missing 1 file, .*; to import: part 2$/m,
  );
  assert.match(
    shown.stdout,
    /^an import would not push now:\nshop@1\.0\.0: SVC-MED-041 .* part 2 of delivery/m,
  );
  assert.ok(zone.registry.requests.length > 0);
  assert.ok(zone.registry.requests.every(({ method }) => method === 'HEAD' || method === 'GET'));
  assert.deepEqual(await readdir(zone.state), ['audit']);

  assert.equal((await zone.run('media', 'import', one)).exitCode, 0);
  const lands = await ask(two, '--output', 'json');
  assert.equal(lands.exitCode, 0, lands.stderr);
  assert.deepEqual(listAnswers(lands.stdout).get('shop'), {
    ...{ files: 1, bytes: bytes.length, missing: none, parts: [], landed: false },
  });
  const whole = await ask(await zone.medium.carry());
  assert.match(whole.stdout, /^in the zone:\n {2}no recipe needs content from it$/m);
});

test('the answer of the zone changes the exit code only where the disk passed', async () => {
  await using zone = await openZone();
  const disk = await carryPart(zone.medium, {
    delivery: { id: 'dlv_ba9876543210', part: 1, parts: 1 },
    base: { zone: 'zone-b', receipt: zone.layer, sequence: 7 },
    absent: new Map([[zone.layer, 'base']]),
  });
  const ask = (...args: string[]) =>
    zone.run('media', 'verify', '--storage-root', disk.root, '--with-destination', ...args);
  const gone = await ask();
  assert.equal(gone.exitCode, 1, gone.stderr);
  assert.match(gone.stdout, /^shop@1\.0\.0: SVC-MED-040 .* receipt 7 of zone zone-b/m);
  assert.match(
    gone.stdout,
    /^ +What to do: Import the earlier delivery once more, .* svc media import DIR --allow-stale\. /m,
  );
  assert.match(gone.stdout, /^verdict +pushable, 2 of 2 recipes pushable$/m);
  assert.equal((await zone.run('media', 'verify', '--storage-root', disk.root)).exitCode, 0);
  assert.equal((await ask('--zone', 'zone-c')).exitCode, 3);

  await zone.run('media', 'import', await zone.medium.carry());
  const back = await ask('--output', 'json');
  assert.equal(back.exitCode, 0, back.stderr);
  const { missing, parts, files } = listAnswers(back.stdout).get('shop')!;
  assert.deepEqual([missing.files, parts, files], [0, [], 1]);

  await zone.configure({ sync: { retries: 0 } });
  await zone.registry[Symbol.asyncDispose]();
  const away = await ask('--output', 'json');
  assert.equal(away.exitCode, 1, away.stderr);
  assert.match(away.stderr, /SVC-REG-/);
  assert.equal(listAnswers(away.stdout).get('shop'), undefined);
  const offline = await ask();
  assert.match(offline.stdout, /^not on this medium:$/m);
  assert.doesNotMatch(offline.stdout, /^in the zone:$/m);
  await zone.configure({ destination: {} });
  const unset = await ask();
  assert.equal(unset.exitCode, 1);
  assert.match(unset.stderr, /SVC-CFG-001: destination\.registry is not set/);
  const damaged = join(disk.root, 'blobs', ...zone.other.split(':'));
  await writeFile(damaged, Buffer.alloc((await readFile(damaged)).length));
  await zone.configure({ sync: { retries: 0 } });
  const broken = await ask();
  assert.equal(broken.exitCode, 4, broken.stderr);
});

test('another disk under the name of a part that was imported is reported to the person', async () => {
  await using zone = await openZone();
  await zone.run('media', 'import', zone.first);
  const path = join(zone.first, 'media.jsonl');
  const text = await readFile(path, 'utf8');
  await writeFile(path, text.replace(/"writtenAt":"[^"]+"/, '"writtenAt":"2026-05-05T00:00:00.000Z"'));
  const { exitCode, stderr } = await zone.run('media', 'import', zone.first);
  assert.equal(exitCode, 0, stderr);
  assert.match(
    stderr,
    /SVC-MED-044 +This medium .* differs from the one that was imported before as part 1 of delivery/,
  );
  const explained = await runCommand(['explain', 'SVC-MED-044']);
  assert.match(explained.stdout, /^SVC-MED-044 {2}failure, exit code 1/);
  assert.match(explained.stdout, /a finding: .* keeps its exit code/s);
});

test('a disk that contradicts another one of its delivery is found: both are named, and what is signed lands', async () => {
  await using zone = await openZone();
  await zone.run('media', 'import', zone.first);
  const odd = await carryPart(zone.medium, {
    delivery: { id, part: 15, parts: 20 },
    absent: new Map([[zone.layer, [19]]]),
  });
  const disagreement =
    /SVC-MED-049 +Part 15 of delivery dlv_0123456789ab \(medium [\w-]+\) contradicts part 1 \(medium [\w-]+\), which arrived earlier: this disk names 20 parts, the earlier one 2\./;
  const verified = await zone.run('media', 'verify', '--storage-root', odd.root);
  assert.equal(verified.exitCode, 0, verified.stderr);
  assert.match(verified.stdout, disagreement);
  const imported = await zone.run('media', 'import', odd.root);
  assert.equal(imported.exitCode, 0, imported.stderr);
  assert.match(imported.stderr, disagreement);
  assert.match(imported.stderr, /put the wrong disk aside\. Bring the parts that svc media status lists/);
  assert.match(imported.stdout, /^ {2}depot@1\.0\.0 -> /m);
  const status = await zone.run('media', 'status');
  assert.match(status.stdout, /part 1 of 2 imported/);
  assert.match(status.stdout, /still needed: part 2$/m);
  const last = await zone.run('media', 'import', zone.second);
  assert.equal(last.exitCode, 0, last.stderr);
  assert.match(last.stdout, /^dlv_0123456789ab \(zone-b\): complete$/m);
});

test('a wrong disk that came first is named as the wrong one when two others contradict it', async () => {
  await using zone = await openZone();
  const odd = await carryPart(zone.medium, {
    delivery: { id, part: 15, parts: 20 },
    absent: new Map([[zone.layer, [19]]]),
  });
  await zone.run('media', 'import', odd.root);
  await zone.run('media', 'import', zone.first);
  const last = await zone.run('media', 'import', zone.second);
  assert.equal(last.exitCode, 0, last.stderr);
  assert.match(
    last.stderr,
    /Put the earlier disk \(part 15\) aside: most disks of the delivery contradict it/,
  );
  assert.match(last.stdout, /complete\n {2}parts 1 and 2 of 2 imported/);
});

test('the proof of several disks names the one that contradicts another', async () => {
  await using zone = await openZone();
  const odd = await carryPart(zone.medium, { delivery: { id, part: 15, parts: 20 }, absent: new Map() });
  const { stdout } = await zone.run('media', 'prove', zone.first, zone.second, odd.root, '--output', 'json');
  const found = JSON.parse(stdout).findings.filter(({ code }: { code: string }) => code === 'SVC-MED-049');
  assert.deepEqual(
    found.map(({ severity, subject, params }: MediumProof['findings'][number]) => [
      severity,
      subject,
      params.part,
      params.otherPart,
      params.odd,
    ]),
    [['warning', odd.root, 15, 1, 'this']],
  );
});

test('a folder that is no disk, or is absent, hides no other disk of the command', async () => {
  await using zone = await openZone();
  await zone.configure({ storage: { create: false } });
  const blank = join(zone.medium.folder, 'blank');
  await mkdir(blank);
  const absent = join(zone.medium.folder, 'absent');
  const { exitCode, stdout, stderr } = await zone.run(
    'media',
    'import',
    zone.first,
    blank,
    absent,
    zone.second,
  );
  assert.equal(exitCode, 4, stderr);
  assert.match(stderr, /SVC-MED-001.*blank/);
  assert.match(stderr, /SVC-FIL-005.*absent/);
  assert.match(stdout, /^dlv_0123456789ab \(zone-b\): complete$/m);
  const noFolder = await zone.run('media', 'import', '/dev/null', zone.first);
  assert.equal(noFolder.exitCode, 1, noFolder.stderr);
  assert.match(noFolder.stderr, /SVC-FIL-005.*\/dev\/null/);
  assert.match(noFolder.stdout, /^dlv_0123456789ab \(zone-b\): complete$/m);
  const again = await zone.run('media', 'import', absent, zone.first, '--output', 'json');
  assert.equal(again.exitCode, 1, again.stderr);
  const { tasks, errors } = JSON.parse(again.stdout);
  assert.equal(tasks.length, 1);
  assert.deepEqual(
    errors.map((one: { folder: string; error: { code: string } }) => [one.folder, one.error.code]),
    [[absent, 'SVC-FIL-005']],
  );
  await assertCliDocument('svc media import', again.stdout);
  const none = await zone.run('media', 'import', absent, '/dev/null', '--output', 'json');
  assert.equal(none.exitCode, 1, none.stderr);
  const document = JSON.parse(none.stdout);
  assert.deepEqual([document.error.code, document.tasks], ['SVC-FIL-005', []]);
  assert.deepEqual(
    document.errors.map((one: { folder: string; error: { code: string } }) => [one.folder, one.error.code]),
    [
      [absent, 'SVC-FIL-005'],
      ['/dev/null', 'SVC-FIL-005'],
    ],
  );
  await assertCliDocument('svc media import', none.stdout);
});

test('the document names the folder of each task, and lists an empty and a damaged disk in its errors', async () => {
  await using zone = await openZone();
  const blank = join(zone.medium.folder, 'blank');
  await mkdir(blank);
  await writeFile(join(zone.second, 'media.jsonl'), 'no manifest\n');
  const { exitCode, stdout, stderr } = await zone.run(
    'media',
    'import',
    blank,
    zone.second,
    zone.first,
    '--output',
    'json',
  );
  assert.equal(exitCode, 4, stderr);
  const { error, tasks, errors } = JSON.parse(stdout);
  assert.deepEqual(
    [error, tasks.map((one: { folder: string; status: string }) => [one.folder, one.status])],
    [
      undefined,
      [
        [blank, 'failed'],
        [zone.second, 'failed'],
        [zone.first, 'done'],
      ],
    ],
  );
  assert.deepEqual(
    errors.map((one: { folder: string; error: { code: string } }) => [one.folder, one.error.code]),
    [
      [blank, 'SVC-MED-001'],
      [zone.second, 'SVC-MED-002'],
    ],
  );
  await assertCliDocument('svc media import', stdout);
});

test('a file in the place of a folder is named, and no setting', async () => {
  await using zone = await openZone();
  const file = join(zone.first, 'media.jsonl');
  const { exitCode, stdout, stderr } = await zone.run('media', 'import', file, '--output', 'json');
  assert.equal(exitCode, 1, stderr);
  assert.doesNotMatch(stderr, /storage\.root must/);
  const { error } = JSON.parse(stdout);
  assert.deepEqual([error.code, error.params.path, error.params.file], ['SVC-FIL-005', file, file]);
  assert.equal(error.action, `Name a folder, not the file ${file}.`);
});

test('the folder above the disk is named, also where no store may be created', async () => {
  await using zone = await openZone();
  await zone.configure({ storage: { create: false } });
  const above = join(zone.medium.folder, 'mnt');
  const disk = join(above, 'd1');
  await mkdir(above);
  await rename(zone.first, disk);
  for (const args of [
    ['import', above],
    ['verify', '--storage-root', above],
  ]) {
    const { exitCode, stdout, stderr } = await zone.run('media', ...args);
    assert.equal(exitCode, 4, stderr);
    assert.match(stdout + stderr, /SVC-MED-001/);
    assert.match(stdout + stderr, new RegExp(`above the medium, which is ${disk}`));
  }
});

test('removed and altered ledgers of a disk block it, also where no store may be created', async () => {
  await using zone = await openZone();
  const folder = join(zone.first, 'ledger');
  const names = await readdir(folder);
  const link = join(zone.medium.folder, 'link');
  await symlink(zone.first, link);
  const spoil = {
    altered: async () => {
      for (const name of names) await writeFile(join(folder, name), '{"op":"none"}\n');
    },
    emptied: async () => {
      for (const name of names) await writeFile(join(folder, name), '');
    },
    removed: () => rm(folder, { recursive: true }),
  };
  for (const [name, change] of Object.entries(spoil)) {
    await change();
    for (const create of [true, false]) {
      await zone.configure({ storage: { create } });
      const { exitCode, stderr } = await zone.run('media', 'import', create ? zone.first : link);
      assert.equal(exitCode, 4, `${name}, create ${create}: ${stderr}`);
      assert.match(stderr, /SVC-MED-005/, `${name}, create ${create}`);
    }
  }
});
