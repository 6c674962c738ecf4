import assert from 'node:assert/strict';
import { mkdir, readdir, readFile, rm, utimes, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { test } from 'node:test';
import { damageFile } from '../kit/hostile/damage-file.ts';
import { needs } from '../kit/program/peers.ts';
import { runProgram } from '../kit/program/run-program.ts';
import { runSvc, type SvcResult } from '../kit/program/svc.ts';
import { folderPrint } from '../kit/result/folder-print.ts';
import { createRegistryDouble } from '../kit/result/registry-double.ts';
import { importCarried } from '../kit/scene/import-carried.ts';
import { openSyncScene, type SyncScene, toIngredient } from '../kit/scene/sync-scene.ts';

const page = join(import.meta.dirname, '../../docs/first-delivery.md');
const copies = {
  first: /^cp -r storage\/\. carried$/m,
  rsync: /^rsync .* carried$/m,
  cp: /(?<=`)cp -r [^`]+ carried(?=`)/,
} as const;
type Copy = keyof typeof copies;

/** The command of the page that copies a store; in this scene the store is `store`. */
async function readCopy(copy: Copy): Promise<string> {
  const [found] = copies[copy].exec(await readFile(page, 'utf8')) ?? [];
  assert.ok(found !== undefined, copy);
  return found.replace('storage/', 'store/');
}

async function deliver(scene: SyncScene, version: string, copy: Copy): Promise<string> {
  const image = scene.putImage('library/app', version);
  scene.publish('shop', version, [toIngredient('app', 'library/app', version, image)]);
  await scene.setRetriever([['shop', version]]);
  const { task } = await scene.run();
  assert.equal(task.counts.failed, 0);
  const carried = join(scene.folder, 'carried');
  const env = { PATH: process.env.PATH ?? '' };
  const copied = await runProgram('sh', ['-c', await readCopy(copy)], { env, cwd: scene.folder });
  assert.equal(copied.exitCode, 0, copied.stderr);
  return carried;
}

const blobsOf = async (root: string): Promise<readonly string[]> => readdir(join(root, 'blobs', 'sha256'));

/** A command on the carried folder as the zone gives it: with its zone, state and key. */
async function openZone(
  scene: SyncScene,
  root: string,
): Promise<(words: readonly string[], env?: Readonly<Record<string, string>>) => Promise<SvcResult>> {
  const config = join(scene.folder, 'zone.json');
  await writeFile(join(scene.folder, 'release.pub'), scene.signer.publicKeyPem);
  await writeFile(
    config,
    JSON.stringify({
      mode: 'mirror',
      zone: 'zone-a',
      storage: { root },
      state: { root: join(scene.folder, 'zone-state') },
      trust: { roots: [{ name: 'release', keyFile: join(scene.folder, 'release.pub') }] },
    }),
  );
  return (words, env = {}) => runSvc([...words, '--config', config], { env });
}

/** The entries of both sides in their operation logs since the first copy. @returns texts by path */
async function writeLogs(scene: SyncScene, carried: string): Promise<ReadonlyMap<string, string>> {
  const logs = new Map([
    [join(scene.storeRoot, '_svc/logs/operations.log'), 'the source synchronized\n'],
    [join(carried, '_svc/logs/operations.log'), 'the zone imported\n'],
    [join(carried, '_svc/logs/operations.log.1'), 'the zone imported before\n'],
  ]);
  for (const [path, text] of logs) {
    await mkdir(dirname(path), { recursive: true });
    await writeFile(path, text);
  }
  return logs;
}

async function requireLogs(logs: ReadonlyMap<string, string>): Promise<void> {
  for (const [path, text] of logs) assert.equal(await readFile(path, 'utf8'), text, path);
}

test('a second delivery by rsync keeps what the zone logged, removes what the first one left, and is imported', async (t) => {
  if (needs(t, 'rsync') === undefined) return;
  await using scene = await openSyncScene();
  const carried = await deliver(scene, '1.0.0', 'first');
  // rsync compares sizes and whole seconds, and deliveries are days apart
  for (const path of await readdir(carried, { recursive: true })) await utimes(join(carried, path), 1e9, 1e9);
  const logs = await writeLogs(scene, carried);
  await deliver(scene, '2.0.0', 'rsync');
  await requireLogs(logs);
  assert.deepEqual(new Set(await blobsOf(carried)), new Set(await blobsOf(scene.storeRoot)));
  await using destination = await createRegistryDouble();
  const state = join(scene.folder, 'import-state');
  const arrived = await importCarried(carried, [scene.signer], destination, { zone: 'zone-a', state });
  assert.equal(arrived.error, undefined, arrived.said);
  assert.equal(arrived.verification?.report.verdict, 'pushable');
});

test('a second delivery by cp -r keeps what the zone logged, is clean, verifies and is imported; what the first one left is counted and named', async () => {
  await using scene = await openSyncScene();
  const carried = await deliver(scene, '1.0.0', 'first');
  const first = await runSvc(['store', 'check', '--storage-root', carried]);
  assert.equal(first.exitCode, 0, first.stdout);
  assert.doesNotMatch(first.stdout, /SVC-/);
  const logs = await writeLogs(scene, carried);
  await deliver(scene, '2.0.0', 'cp');
  await requireLogs(logs);
  const source = await blobsOf(scene.storeRoot);
  const left = (await blobsOf(carried)).filter((name) => !source.includes(name));
  assert.ok(left.length > 1, 'the synchronization pruned the first version');
  const before = folderPrint(carried, (path) => path === '_svc');
  const zone = await openZone(scene, carried);

  const alone = (...words: string[]) => runSvc(['store', 'check', '--storage-root', carried, ...words]);
  for (const checked of [
    await alone(),
    await alone('--repair'),
    await zone(['store', 'check']),
    await zone(['store', 'check', '--repair']),
  ]) {
    assert.equal(checked.exitCode, 0, checked.stdout + checked.stderr);
    assert.match(checked.stdout, /^verdict +clean$/m);
    assert.ok(checked.stdout.includes(`neither the ledgers nor media.jsonl name: ${left.length} (`));
    assert.match(checked.stdout, /rsync -a --delete --exclude=\/_svc/);
    assert.doesNotMatch(checked.stdout + checked.stderr, /SVC-STO-011|SVC-MED-030|--adopt/);
  }
  const french = await zone(['store', 'check'], { LC_ALL: 'fr_FR.UTF-8' });
  assert.match(french.stdout, /Une copie antérieure dans ce dossier les a laissés/);
  const document = JSON.parse((await alone('--output', 'json')).stdout);
  assert.deepEqual(
    document.findings.map(({ code, params }: { code: string; params: unknown }) => [code, params]),
    [
      [
        'SVC-STO-012',
        {
          path: 'blobs',
          detail: 'left by an earlier copy',
          leftovers: left.length,
          bytes: (await sizesOf(carried, left)).reduce((sum, size) => sum + size, 0),
        },
      ],
    ],
  );

  const verified = await zone(['media', 'verify']);
  assert.equal(verified.exitCode, 0, verified.stdout + verified.stderr);
  assert.match(verified.stdout, /SVC-MED-020/);
  assert.match(verified.stdout, /An earlier copy into this folder leaves such files/);
  assert.match(verified.stdout, /rsync -a --delete --exclude=\/_svc/);
  assert.doesNotMatch(verified.stdout, /Operating systems create/);
  assert.deepEqual(
    folderPrint(carried, (path) => path === '_svc'),
    before,
  );

  await using destination = await createRegistryDouble();
  const arrived = await importCarried(carried, [scene.signer], destination, {
    zone: 'zone-a',
    state: join(scene.folder, 'import-state'),
  });
  assert.equal(arrived.error, undefined, arrived.said);
  assert.equal(arrived.verification?.report.verdict, 'pushable');
  const pushed = destination.requests.map(({ path }) => path).join('\n');
  for (const name of left)
    assert.doesNotMatch(pushed, new RegExp(name), 'no leftover reaches the destination');
});

const sizesOf = (root: string, names: readonly string[]): Promise<number[]> =>
  Promise.all(names.map(async (name) => (await readFile(join(root, 'blobs', 'sha256', name))).length));

test('a blob that the ledgers need and media.jsonl does not name stays damage, and the advice is no repair that repairs nothing', async () => {
  await using scene = await openSyncScene();
  const carried = await deliver(scene, '1.0.0', 'first');
  const manifest = join(carried, 'media.jsonl');
  const lines = (await readFile(manifest, 'utf8')).split('\n');
  const at = lines.findIndex((line) => line.includes('"blobs/'));
  await writeFile(manifest, lines.filter((_, index) => index !== at).join('\n'));
  for (const flags of [[], ['--repair']]) {
    const told = await runSvc(['store', 'check', '--storage-root', carried, ...flags]);
    assert.equal(told.exitCode, 4);
    assert.match(told.stdout, /SVC-STO-011 .*media\.jsonl/);
    assert.match(told.stdout, /does not rebuild this file.*copy all files again/s);
    assert.doesNotMatch(told.stdout, /Stop the instance and run svc store check --repair/);
  }
});

test('the repair of a medium with a damaged ledger is refused in a zone with the step that brings the medium back', async () => {
  await using scene = await openSyncScene();
  const carried = await deliver(scene, '1.0.0', 'first');
  const zone = await openZone(scene, carried);
  const [name] = (await readdir(join(carried, 'ledger'))).filter((file) => file.startsWith('content'));
  await damageFile(join(carried, 'ledger', name!), 40);
  const before = folderPrint(carried, (path) => path === '_svc');
  const told = await zone(['store', 'check']);
  assert.equal(told.exitCode, 4, told.stderr);
  assert.match(told.stdout, /Copy all files again from the store at the source/);
  const refused = await zone(['store', 'check', '--repair']);
  assert.equal(refused.exitCode, 3);
  assert.match(refused.stderr, /SVC-MED-030.*copy all files again from the store at the source/s);
  assert.deepEqual(
    folderPrint(carried, (path) => path === '_svc'),
    before,
  );
});

test('index.json and media.jsonl are whole again after the step that their finding names', async () => {
  await using scene = await openSyncScene();
  await deliver(scene, '1.0.0', 'first');
  const { storeRoot } = scene;
  const check = () =>
    runSvc(['store', 'check', '--storage-root', storeRoot, '--state-root', join(scene.folder, 'state')]);
  await damageFile(join(storeRoot, 'index.json'), 0);
  const told = await check();
  assert.equal(told.exitCode, 4, told.stderr);
  assert.match(told.stdout, /remove index\.json and media\.jsonl, start it and run svc sync --wait/);
  for (const file of ['index.json', 'media.jsonl']) await rm(join(storeRoot, file));
  await scene.run();
  const mended = await check();
  assert.equal(mended.exitCode, 0, mended.stdout);
  assert.ok((await readdir(storeRoot)).includes('media.jsonl'));
});
