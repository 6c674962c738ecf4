import assert from 'node:assert/strict';
import { mkdir, readdir, rm, symlink, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import type { StoreCheckReport } from '../../src/contract/store.ts';
import { type CheckStoreOptions, checkStore } from '../../src/operation/check-store.ts';
import { isSvcError } from '../../src/text/error.ts';
import { damageFile } from '../kit/hostile/damage-file.ts';
import { folderPrint } from '../kit/result/folder-print.ts';
import { openSyncScene, type SyncScene, toIngredient } from '../kit/scene/sync-scene.ts';

type Asked = Partial<CheckStoreOptions>;

const check = (
  scene: SyncScene,
  asked: Asked = {},
  change: Parameters<SyncScene['config']>[0] = {},
): Promise<StoreCheckReport> =>
  checkStore(scene.config(change), {
    report: scene.report,
    version: '0.0.0-test',
    actor: 'local:0',
    ...asked,
  });

/** Codes and paths of the findings of a check. */
const told = ({ findings }: StoreCheckReport): string[] =>
  findings.map(({ code, path }) => `${code} ${path}`).sort();

async function openFilledScene(): Promise<SyncScene> {
  const scene = await openSyncScene();
  const image = scene.putImage('library/app', '1.0', { platforms: ['linux/amd64', 'linux/arm64'] });
  scene.pushSignature('library/app', scene.signer.sign(image, 'bundle'));
  scene.publish('shop', '1.0.0', [toIngredient('app', 'library/app', '1.0', image)]);
  await scene.setRetriever([['shop', '1.0.0']]);
  const { task } = await scene.run();
  assert.equal(task.counts.failed, 0);
  return scene;
}

const blobsOf = async ({ storeRoot }: SyncScene): Promise<string[]> =>
  (await readdir(join(storeRoot, 'blobs', 'sha256'))).sort();

/** Names of the blobs that signatures consist of. */
const signatureBlobsOf = (scene: SyncScene): Promise<ReadonlySet<string>> =>
  scene.peek(({ index }) => {
    const homes = index
      .repositories()
      .flatMap((name) => index.tags(name).map(({ digest, tag }) => ({ name, digest, tag })));
    const found = homes.flatMap(({ name, digest, tag }) => [
      ...(tag.endsWith('.sig') ? [index.manifest(digest)!] : []),
      ...index.referrers(name, digest),
    ]);
    return new Set(found.flatMap(({ blobs }) => blobs.map((blob) => blob.digest.slice(7))));
  });

const isOwn = (path: string): boolean => path === '_svc';

test('a whole store is clean, and its check changes nothing', async () => {
  await using scene = await openFilledScene();
  const before = folderPrint(scene.storeRoot, isOwn);
  const report = await check(scene);
  assert.deepEqual([report.verdict, report.findings, report.omitted], ['clean', [], 0]);
  assert.equal(report.checked.files, (await blobsOf(scene)).length);
  assert.ok(report.checked.bytes > 0);
  assert.equal((await check(scene, { quarantine: true })).verdict, 'clean');
  assert.deepEqual(folderPrint(scene.storeRoot, isOwn), before);
});

test('one flipped byte of any blob is named with what needs it, taken out, and fetched anew alone', async () => {
  await using scene = await openFilledScene();
  const names = await blobsOf(scene);
  const signatures = await signatureBlobsOf(scene);
  for (const name of names) {
    const path = `blobs/sha256/${name}`;
    await damageFile(join(scene.storeRoot, path), 1);
    const taken = await check(scene, { quarantine: true });
    assert.equal(taken.verdict, 'damaged');
    assert.deepEqual(told(taken), [`SVC-STO-009 ${path}`]);
    const [{ affects, quarantined }] = taken.findings as [StoreCheckReport['findings'][number]];
    assert.ok(affects.length > 0, `${name} is needed by something`);
    for (const { tag, recipes } of affects) if (tag !== undefined) assert.deepEqual(recipes, ['shop@1.0.0']);
    assert.equal(quarantined, `_svc/quarantine/sha256-${name}`);
    assert.ok((await readdir(join(scene.storeRoot, '_svc/quarantine'))).includes(`sha256-${name}`));
    assert.equal((await blobsOf(scene)).includes(name), false);

    scene.origin.requests.length = 0;
    const { task } = await scene.run();
    assert.equal(task.counts.failed, 0, JSON.stringify(task.items));
    const fetched = scene.origin.requests.filter(
      ({ method, path: at }) => method === 'GET' && at.includes('sha256:'),
    );
    const blobs = fetched.filter(({ path: at }) => at.includes('/blobs/'));
    // signatures of new content are read from their source to be judged
    for (const { path: at } of blobs)
      assert.ok(at.endsWith(name) || signatures.has(at.slice(-64)), `${at} was there`);
    assert.deepEqual(await blobsOf(scene), names);
    assert.deepEqual(told(await check(scene)), [], name);
  }
  assert.equal(
    scene.report.audits.filter(({ action }) => action === 'store.quarantine').length,
    names.length,
  );
});

test('a check without options reports damage and moves nothing; quarantined content is reported as missing', async () => {
  await using scene = await openFilledScene();
  const path = `blobs/sha256/${(await blobsOf(scene))[0]}`;
  await damageFile(join(scene.storeRoot, path), 1);
  const before = folderPrint(scene.storeRoot, isOwn);
  assert.deepEqual(told(await check(scene)), [`SVC-STO-009 ${path}`]);
  assert.deepEqual(folderPrint(scene.storeRoot, isOwn), before);
  await check(scene, { quarantine: true });
  assert.deepEqual(told(await check(scene)), [`SVC-STO-010 ${path}`]);
});

test('anything else at the path of a blob is damage, and a lost blob is missing', async () => {
  await using scene = await openFilledScene();
  const [cut, grown, link, folder, gone] = await blobsOf(scene);
  const at = (name: string | undefined): string => join(scene.storeRoot, 'blobs/sha256', name!);
  // sparse: told by its size, and never read
  await truncate(at(cut), 2 ** 36);
  await writeFile(at(grown), 'more', { flag: 'a' });
  for (const name of [link, folder, gone]) await rm(at(name));
  await symlink('/etc/hostname', at(link));
  await mkdir(at(folder));
  const expected = [
    ...[cut, grown, link, folder].map((name) => `SVC-STO-009 blobs/sha256/${name}`),
    `SVC-STO-010 blobs/sha256/${gone}`,
  ].sort();
  assert.deepEqual(told(await check(scene)), expected);
  const taken = await check(scene, { quarantine: true });
  assert.equal(taken.quarantine.added, 4);
  const { task } = await scene.run();
  assert.equal(task.counts.failed, 0, JSON.stringify(task.items));
  assert.equal((await check(scene)).verdict, 'clean');
});

test('damage that comes back is kept beside what was kept before', async () => {
  await using scene = await openFilledScene();
  const [name] = await blobsOf(scene);
  for (let time = 0; time < 3; time += 1) {
    await damageFile(join(scene.storeRoot, 'blobs/sha256', name!), 0);
    assert.equal((await check(scene, { quarantine: true })).quarantine.added, 1);
    await scene.run();
  }
  const held = await readdir(join(scene.storeRoot, '_svc/quarantine'));
  assert.deepEqual(
    held.sort(),
    ['', '.1', '.2'].map((copy) => `sha256-${name}${copy}`),
  );
  assert.equal((await check(scene)).quarantine.files, 3);
});

test('unknown files, leftovers and unneeded damaged content are listed, and the store is clean', async () => {
  await using scene = await openFilledScene();
  const alone = `sha256/${'a'.repeat(64)}`;
  await writeFile(join(scene.storeRoot, 'notes.txt'), 'mine');
  await mkdir(join(scene.storeRoot, 'lost+found'));
  await writeFile(join(scene.storeRoot, 'blobs/sha256/readme'), 'x');
  await writeFile(join(scene.storeRoot, '_svc/tmp/9.part'), 'x');
  await writeFile(join(scene.storeRoot, 'blobs', alone), 'no such digest');
  const report = await check(scene);
  assert.equal(report.verdict, 'clean');
  // the blob that neither ledgers nor media.jsonl name is counted as a leftover in `blobs`
  assert.deepEqual(
    told(report),
    ['blobs', `blobs/${alone}`, '_svc/tmp/9.part', 'blobs/sha256/readme', 'lost+found', 'notes.txt']
      .map((path) => `SVC-STO-012 ${path}`)
      .sort(),
  );
  const taken = await check(scene, { quarantine: true });
  assert.equal(taken.quarantine.added, 1);
  const after = await check(scene);
  assert.equal(after.verdict, 'clean');
  assert.deepEqual(
    told(after),
    ['blobs/sha256/readme', 'lost+found', 'notes.txt'].map((path) => `SVC-STO-012 ${path}`),
  );
});

test('files of the rest that do not agree with the ledger are named', async () => {
  await using scene = await openFilledScene();
  await damageFile(join(scene.storeRoot, 'index.json'), 0);
  assert.deepEqual(told(await check(scene)), ['SVC-STO-011 index.json', 'SVC-STO-011 media.jsonl']);
  await writeFile(join(scene.storeRoot, 'index.json'), '{"manifests":[]}');
  const { findings } = await check(scene);
  assert.ok(findings.some(({ params }) => String(params.detail).startsWith('tags are not in it: ')));
  await writeFile(join(scene.storeRoot, 'oci-layout'), '{}');
  assert.ok(told(await check(scene)).includes('SVC-STO-011 oci-layout'));
});

test('a check works beside a reader, and neither beside a writer', async () => {
  await using scene = await openFilledScene();
  {
    await using _reader = await scene.openStore({ access: 'read' });
    assert.equal((await check(scene)).verdict, 'clean');
    await assert.rejects(check(scene, { quarantine: true }), (error) => isSvcError(error, 'SVC-STO-007'));
  }
  await using _writer = await scene.openStore();
  await assert.rejects(check(scene), (error) => isSvcError(error, 'SVC-STO-007'));
});

test('of a medium made elsewhere everything is read and nothing is moved', async () => {
  await using scene = await openFilledScene();
  const [name] = await blobsOf(scene);
  await damageFile(join(scene.storeRoot, 'blobs/sha256', name!), 0);
  const zone = { zone: 'zone-b', state: { root: join(scene.folder, 'other-state') } };
  const before = folderPrint(scene.storeRoot);
  const report = await check(scene, {}, zone);
  assert.deepEqual([report.standing, report.verdict], ['foreign', 'damaged']);
  assert.deepEqual(told(report), [`SVC-STO-009 blobs/sha256/${name}`]);
  await assert.rejects(check(scene, { quarantine: true }, zone), (error) => isSvcError(error, 'SVC-MED-030'));
  assert.deepEqual(folderPrint(scene.storeRoot), before);
});

test('where there is no store there is nothing to check, and nothing is made', async () => {
  await using scene = await openSyncScene();
  for (const asked of [{}, { quarantine: true }])
    await assert.rejects(check(scene, asked), (error) => isSvcError(error, 'SVC-STO-001'));
  assert.deepEqual(await readdir(scene.storeRoot).catch(() => 'absent'), 'absent');
});

test('a check that is interrupted ends with the reason and changes nothing', async () => {
  await using scene = await openFilledScene();
  const stop = new AbortController();
  const before = folderPrint(scene.storeRoot, isOwn);
  const asked = { quarantine: true, signal: stop.signal, onProgress: () => stop.abort(new Error('enough')) };
  await assert.rejects(check(scene, asked), /enough/);
  assert.deepEqual(folderPrint(scene.storeRoot, isOwn), before);
});
