import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { cp, mkdir, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { test } from 'node:test';
import { silentReport } from '../../../src/base/report.ts';
import type { Owner } from '../../../src/contract/content.ts';
import { adoptStore } from '../../../src/store/adoption/adopt-store.ts';
import { collectGarbage } from '../../../src/store/collect.ts';
import { deleteTag, releaseOwners } from '../../../src/store/delete-content.ts';
import { emptyStore } from '../../../src/store/empty-store.ts';
import { leaseBlob } from '../../../src/store/lease-blob.ts';
import type { OpenStoreOptions, Store } from '../../../src/store/model.ts';
import { occupancyOf } from '../../../src/store/occupancy.ts';
import { openBlob } from '../../../src/store/open-blob.ts';
import { openRepository } from '../../../src/store/open-repository.ts';
import { openStore, peekStore } from '../../../src/store/opening/open-store.ts';
import { putManifest } from '../../../src/store/put-manifest.ts';
import { putTags, releaseHeld } from '../../../src/store/put-tags.ts';
import { readStoredManifest } from '../../../src/store/read-stored-manifest.ts';
import { recordSync } from '../../../src/store/record-sync.ts';
import { recordUpload } from '../../../src/store/record-upload.ts';
import { checkContent } from '../../../src/store/repair/check-content.ts';
import { createBlobWriter } from '../../../src/store/write-blob.ts';
import { isSvcError } from '../../../src/text/error.ts';
import { buildImage, buildIndex, buildReferrer, digestsOf, pushArtifact } from '../../kit/content/content.ts';
import { openTempFolder } from '../../kit/instance/temp-folder.ts';
import { openTempStore, type TempStore } from '../../kit/instance/temp-store.ts';
import { folderPrint } from '../../kit/result/folder-print.ts';

const owner: Owner = { provenance: 'recipe', recipe: 'app@1.0.0', cookbook: 'x.io/c' };
const sync = { zone: 'ship', runId: 'run_1', resolvedAt: '2026-01-02T03:04:05Z' };
const base = { producer: { version: '0.0.0' }, report: silentReport } as const;

/** Every file below a folder with its content, but the lock's holder text. */
async function snapshot(root: string): Promise<Map<string, string>> {
  const names = await readdir(root, { recursive: true, withFileTypes: true });
  const files = names.filter((entry) => entry.isFile());
  return new Map(
    await Promise.all(
      files.map(async (entry): Promise<[string, string]> => {
        const path = join(entry.parentPath, entry.name);
        return [path.slice(root.length), (await readFile(path)).toString('hex')];
      }),
    ),
  );
}

/** A medium made elsewhere, as it arrives: a copy of its folder. */
async function carry(temp: TempStore, to: string): Promise<string> {
  await temp.close();
  const root = join(to, 'medium');
  await cp(temp.root, root, { recursive: true });
  return root;
}

async function makeMedium(): Promise<TempStore & { readonly image: ReturnType<typeof buildIndex> }> {
  const temp = await openTempStore({ mode: 'mirror' });
  const image = buildIndex('carried', ['linux/amd64', 'linux/arm64']);
  await pushArtifact(openRepository(temp.store, 'docker.io/app', { owner }), image, 'v1');
  await recordSync(temp.store, sync, []);
  return Object.assign(temp, { image });
}

const other = (folder: string, root: string, more: Partial<OpenStoreOptions> = {}): OpenStoreOptions => ({
  ...base,
  root,
  stateRoot: join(folder, 'other-state'),
  access: 'write',
  ...more,
});

test('a store is created once and keeps its medium id, which differs from that of another store', async () => {
  await using one = await openTempStore();
  await using two = await openTempStore();
  const { mediaId } = one.store;
  assert.notEqual(mediaId, two.store.mediaId);
  const again = await one.reopen();
  assert.equal(again.mediaId, mediaId);
  assert.equal(again.standing, 'ours');
  assert.equal(again.readOnly, undefined);
  assert.deepEqual(again.notices, []);
});

test('reading and peeking never make a store', async () => {
  await using folder = await openTempFolder();
  for (const root of [join(folder.path, 'absent'), folder.path]) {
    assert.equal(await peekStore({ ...base, root }), undefined);
    await assert.rejects(openStore({ ...base, root, access: 'read' }), (e) => isSvcError(e, 'SVC-STO-001'));
  }
  assert.deepEqual(await readdir(folder.path), []);
});

test('a folder with other content does not become a store, and nothing is created in it', async () => {
  for (const [path, found] of [
    ['blobs/sha256/aa', 'blobs/sha256'],
    ['ledger/mine.jsonl', 'ledger'],
    ['index.json', 'index.json'],
    ['holiday.jpg', 'holiday.jpg'],
    ['.git/config', '.git'],
  ] as const) {
    await using folder = await openTempFolder();
    await mkdir(dirname(join(folder.path, path)), { recursive: true });
    await writeFile(join(folder.path, path), 'x');
    const before = folderPrint(folder.path);
    for (const access of ['write', 'serve'] as const)
      await assert.rejects(openStore({ ...base, root: folder.path, access }), (error) => {
        assert.ok(isSvcError(error, 'SVC-STO-013'), path);
        assert.deepEqual(error.params, { path: folder.path, found: [found] });
        return true;
      });
    assert.deepEqual(folderPrint(folder.path), before);
  }
});

test('files of the operating system and of an interrupted first start do not prevent a store', async () => {
  await using folder = await openTempFolder();
  for (const name of ['lost+found', 'System Volume Information', '.Trash-1000', '_svc/tmp', 'blobs/sha512'])
    await mkdir(join(folder.path, name), { recursive: true });
  await writeFile(join(folder.path, '.DS_Store'), '');
  await writeFile(join(folder.path, 'oci-layout.0123456789ab.tmp'), '');
  await using store = await openStore({ ...base, root: folder.path, access: 'write' });
  assert.equal(store.standing, 'ours');
});

test('a second writer is refused, and so is a reader beside a writer; a peek sees the last whole batch', async () => {
  await using temp = await openTempStore({ holder: 'svc serve' });
  const image = buildImage('seen');
  const options = { ...base, root: temp.root, stateRoot: temp.stateRoot } as const;
  for (const access of ['write', 'serve', 'read'] as const)
    await assert.rejects(openStore({ ...options, access }), (e) => isSvcError(e, 'SVC-STO-007'));
  await pushArtifact(openRepository(temp.store, 'a', { owner }), image, 'v1');
  await using peeked = (await peekStore(options))!;
  assert.equal(peeked.index.tag('a', 'v1')?.digest, image.manifest.descriptor.digest);
  await assert.rejects(deleteTag(peeked, 'a', 'v1'), (e) => isSvcError(e, 'SVC-STO-002'));
});

test('peeking leaves the store byte for byte as it is', async () => {
  await using temp = await makeMedium();
  await temp.close();
  const before = await snapshot(temp.root);
  const peeked = (await peekStore({ ...base, root: temp.root, stateRoot: temp.stateRoot, zone: 'ship' }))!;
  assert.equal(peeked.index.tags('docker.io/app').length, 1);
  await peeked[Symbol.asyncDispose]();
  assert.deepEqual(await snapshot(temp.root), before);
});

test('readers of one store work beside each other and keep a writer out', async () => {
  await using temp = await makeMedium();
  await temp.close();
  const options = { ...base, root: temp.root, stateRoot: temp.stateRoot } as const;
  await using one = await openStore({ ...options, access: 'read' });
  await using two = await openStore({ ...options, access: 'read' });
  assert.deepEqual(one.index.repositories(), two.index.repositories());
  await assert.rejects(openStore({ ...options, access: 'write' }), (e) => isSvcError(e, 'SVC-STO-007'));
});

test('a store of another format is refused', async () => {
  await using temp = await openTempStore({ stateRoot: undefined });
  await temp.close();
  await rm(join(temp.root, 'ledger'), { recursive: true });
  const { openLedger } = await import('../../../src/ledger/ledger.ts');
  const ledger = await openLedger<{ op: string; id: string; format: number }>({
    root: temp.root,
    folder: 'ledger',
    name: 'content',
    writable: true,
    parse: (value) => value as { op: string; id: string; format: number },
    onRecord: () => {},
    report: silentReport,
  });
  await ledger.append([{ op: 'medium', id: temp.store.mediaId, format: 7 }]);
  await ledger.close();
  await assert.rejects(temp.reopen(), (error) => {
    assert.ok(isSvcError(error, 'SVC-STO-008'));
    assert.deepEqual(error.params, { found: 7, supported: 1 });
    return true;
  });
});

test('a medium of another instance is foreign: read, and with a zone not changed by anything but adoption', async () => {
  await using temp = await makeMedium();
  const root = await carry(temp, temp.folder);
  const before = await snapshot(root);
  const { digest } = temp.image.manifest.descriptor;
  for (const access of ['serve', 'write'] as const) {
    const store = await openStore(other(temp.folder, root, { zone: 'ship', access }));
    assert.equal(store.standing, 'foreign');
    assert.equal(store.mediaId, temp.store.mediaId);
    assert.equal(store.index.tag('docker.io/app', 'v1')?.digest, digest);
    assert.deepEqual(store.lastSync, sync);
    const refused: Record<string, () => Promise<unknown>> = {
      write: () => createBlobWriter(store),
      put: () => putManifest(store, 'x', temp.image.manifest, { owner, tag: 'v1' }),
      tag: () => deleteTag(store, 'docker.io/app', 'v1'),
      collect: () => collectGarbage(store),
      upload: () => recordUpload(store, 'x', digest, 'a'),
      sync: () => recordSync(store, sync, []),
    };
    for (const [name, change] of Object.entries(refused))
      await assert.rejects(change, (e) => isSvcError(e, 'SVC-MED-030'), name);
    await store[Symbol.asyncDispose]();
  }
  assert.deepEqual(await snapshot(root), before);
});

test('two visitors of a foreign store work beside each other', async () => {
  await using temp = await makeMedium();
  const root = await carry(temp, temp.folder);
  await using one = await openStore(other(temp.folder, root, { zone: 'ship', access: 'serve' }));
  await using two = await openStore(other(temp.folder, root, { zone: 'ship', access: 'read' }));
  assert.equal(one.standing, two.standing);
});

test('a foreign store with an unusable lock file is opened without a lock, with a notice', async () => {
  await using temp = await makeMedium();
  const root = await carry(temp, temp.folder);
  await writeFile(join(root, '_svc/lock'), 'not empty');
  await using store = await openStore(other(temp.folder, root, { zone: 'ship', access: 'serve' }));
  assert.match(store.notices.join('\n'), /no lock is taken/);
});

/** Whether the store shows everything of the carried image. */
function isServed(store: Store, image: ReturnType<typeof buildIndex>): boolean {
  return (
    store.index.isManifestIn('docker.io/app', image.manifest.descriptor.digest) &&
    image.children.every(({ artifact }) =>
      artifact.blobs.every(({ descriptor }) => store.index.isBlobIn('docker.io/app', descriptor.digest)),
    )
  );
}

test('without a zone the first change adopts: same medium id, imports, and no blob is used before it was hashed', async () => {
  await using temp = await makeMedium();
  const root = await carry(temp, temp.folder);
  const damaged = temp.image.children[1]!.artifact.blobs[2]!.descriptor.digest;
  const path = join(root, 'blobs/sha256', damaged.slice(7));
  await writeFile(path, Buffer.alloc((await readFile(path)).length));
  const options = other(temp.folder, root);
  const store = await openStore(options);
  assert.equal(store.standing, 'foreign');
  assert.ok(isServed(store, temp.image));
  await pushArtifact(openRepository(store, 'mine', { owner }), buildImage('mine'), 'v1');
  assert.equal(store.standing, 'ours');
  assert.equal(store.mediaId, temp.store.mediaId);
  assert.deepEqual(store.index.tag('docker.io/app', 'v1')?.owners, [{ provenance: 'import' }]);
  assert.equal(store.index.tag('docker.io/app', 'v1')?.held, false);
  await store[Symbol.asyncDispose]();
  await using again = await openStore(options);
  assert.equal(again.standing, 'ours');
  const repository = openRepository(again, 'docker.io/app', { owner });
  const [good, bad] = temp.image.children;
  assert.equal(await repository.hasManifest(good!.artifact.manifest.descriptor.digest), true);
  assert.equal(await repository.hasManifest(bad!.artifact.manifest.descriptor.digest), false);
});

test('with a zone adoption holds every tag: listed, not served, not collected, until it is released', async () => {
  await using temp = await makeMedium();
  const signature = buildReferrer(temp.image.manifest.descriptor);
  await pushArtifact(openRepository(temp.store, 'docker.io/app', { owner }), signature);
  const root = await carry(temp, temp.folder);
  const options = other(temp.folder, root, { zone: 'ship', mode: 'mirror' });
  let store = await openStore(options);
  await adoptStore(store);
  await adoptStore(store);
  const check = async () => {
    assert.equal(store.standing, 'ours');
    assert.equal(store.lastSync, undefined);
    assert.deepEqual(store.index.repositories(), ['docker.io/app']);
    const [tag] = store.index.tags('docker.io/app');
    assert.equal(tag?.held, true);
    assert.deepEqual(tag?.owners, [{ provenance: 'import' }]);
    assert.equal(isServed(store, temp.image), false);
    assert.equal(await openRepository(store, 'docker.io/app', { owner }).resolve('v1'), undefined);
    assert.equal((await collectGarbage(store)).blobs, 0);
  };
  await check();
  await store[Symbol.asyncDispose]();
  assert.deepEqual(JSON.parse(await readFile(join(root, 'index.json'), 'utf8')).manifests, []);
  store = await openStore(options);
  await check();
  await releaseHeld(store, [{ repository: 'docker.io/app', tag: 'v1' }]);
  assert.ok(isServed(store, temp.image));
  await store[Symbol.asyncDispose]();
  store = await openStore(options);
  assert.ok(isServed(store, temp.image));
  assert.equal(store.index.tag('docker.io/app', 'v1')?.held, false);
  for await (const { name, problems } of checkContent(store)) assert.deepEqual(problems, [], name);
  await store[Symbol.asyncDispose]();
});

test('a held tag that a recipe reaches belongs to the recipe alone', async () => {
  await using temp = await makeMedium();
  const root = await carry(temp, temp.folder);
  await using store = await openStore(other(temp.folder, root, { zone: 'ship' }));
  await adoptStore(store);
  const { digest } = temp.image.manifest.descriptor;
  await putTags(store, [{ repository: 'docker.io/app', tag: 'v1', digest, kind: 'ContainerImage', owner }]);
  assert.deepEqual(store.index.tag('docker.io/app', 'v1')?.owners, [owner]);
  assert.ok(isServed(store, temp.image));
  const { blobs } = await releaseOwners(store, [{ repository: 'docker.io/app', tag: 'v1', owner }]);
  assert.equal(blobs, digestsOf(temp.image).length);
});

test('a held tag is not released over altered bytes', async () => {
  await using temp = await makeMedium();
  const image = buildImage('one');
  await pushArtifact(openRepository(temp.store, 'docker.io/one', { owner }), image, 'v1');
  const root = await carry(temp, temp.folder);
  const damaged = image.blobs[0]!.descriptor.digest;
  const path = join(root, 'blobs/sha256', damaged.slice(7));
  await writeFile(path, Buffer.alloc((await readFile(path)).length));
  await using store = await openStore(other(temp.folder, root, { zone: 'ship' }));
  await adoptStore(store);
  await assert.rejects(releaseHeld(store, [{ repository: 'docker.io/one', tag: 'v1' }]), /blobs are missing/);
  assert.equal(store.index.tag('docker.io/one', 'v1')?.held, true);
});

test('a store of this instance that is older or altered is foreign', async () => {
  await using temp = await makeMedium();
  await temp.close();
  await cp(temp.root, join(temp.folder, 'older'), { recursive: true });
  const changed = await temp.reopen();
  await pushArtifact(openRepository(changed, 'more', { owner }), buildImage('more'), 'v1');
  await temp.close();
  await rm(temp.root, { recursive: true });
  await cp(join(temp.folder, 'older'), temp.root, { recursive: true });
  const store = await temp.reopen();
  assert.equal(store.standing, 'foreign');
});

test('a keyed store is changed only by who has a state root; an unkeyed one is ours without', async () => {
  await using temp = await makeMedium();
  await temp.close();
  const keyed = await openStore({ ...base, root: temp.root, access: 'write' });
  assert.equal(keyed.standing, 'foreign');
  await assert.rejects(deleteTag(keyed, 'docker.io/app', 'v1'), (e) => isSvcError(e, 'SVC-CFG-001'));
  await keyed[Symbol.asyncDispose]();
  await using unkeyed = await openTempStore({ stateRoot: undefined });
  await pushArtifact(openRepository(unkeyed.store, 'a', { owner }), buildImage('a'), 'v1');
  const again = await unkeyed.reopen();
  assert.equal(again.standing, 'ours');
  assert.ok(await deleteTag(again, 'a', 'v1'));
});

test('a reset leaves no blob, a new medium id, no sync, and a store that works', async () => {
  await using temp = await makeMedium();
  const { store } = temp;
  const { mediaId } = store;
  const { bytes } = occupancyOf(store);
  const late = await createBlobWriter(store);
  await late.write(Buffer.from('late'));
  leaseBlob(store, temp.image.manifest.descriptor.digest);
  assert.deepEqual(await emptyStore(store), { repositories: 1, bytes });
  await assert.rejects(late.commit(), (e) => isSvcError(e, 'SVC-STO-002'));
  assert.notEqual(store.mediaId, mediaId);
  assert.equal(store.lastSync, undefined);
  assert.deepEqual(await readdir(join(temp.root, 'blobs/sha256')), []);
  assert.deepEqual(await readdir(join(temp.root, '_svc/tmp')), []);
  assert.equal(occupancyOf(store).bytes, 0);
  await pushArtifact(openRepository(store, 'a', { owner }), temp.image, 'v1');
  const again = await temp.reopen();
  assert.equal(again.standing, 'ours');
  assert.deepEqual(again.index.repositories(), ['a']);
  assert.equal(existsSync(join(temp.root, 'media.jsonl')), false);
  for await (const { name, problems } of checkContent(again)) assert.deepEqual(problems, [], name);
});

test('a reset that was interrupted between the two ledgers is not damage, and the next writer completes it', async () => {
  await using temp = await makeMedium();
  const ledgers = join(temp.root, 'ledger');
  const recipes = temp.store.ledgers.recipes;
  const before = await readFile(join(temp.root, recipes));
  await emptyStore(temp.store);
  const { mediaId } = temp.store;
  await temp.close();
  for (const name of await readdir(ledgers)) if (name.startsWith('recipes')) await rm(join(ledgers, name));
  await writeFile(join(temp.root, recipes), before);
  for (const access of ['read', 'write', 'read'] as const) {
    await using store = await temp.reopen({ access });
    assert.equal(store.standing, 'ours', access);
    assert.deepEqual(store.damage, [], access);
    assert.equal(store.mediaId, mediaId);
    assert.deepEqual(store.index.recipes(), []);
    assert.equal(store.lastSync, undefined);
    for await (const { name, problems } of checkContent(store)) assert.deepEqual(problems, [], name);
  }
});

test('a folder of the store that is a link refuses the store', async () => {
  await using temp = await makeMedium();
  const root = await carry(temp, temp.folder);
  await cp(join(root, 'blobs/sha256'), join(temp.folder, 'elsewhere'), { recursive: true });
  await rm(join(root, 'blobs/sha256'), { recursive: true });
  await symlink(join(temp.folder, 'elsewhere'), join(root, 'blobs/sha256'));
  await assert.rejects(openStore(other(temp.folder, root, { access: 'read' })), (e) =>
    isSvcError(e, 'SVC-STO-001'),
  );
});

test('entries among the blobs that are not blobs are reported and never served', async () => {
  await using temp = await makeMedium();
  await temp.close();
  await writeFile(join(temp.root, 'blobs/sha256/README'), 'x');
  const { digest } = temp.image.manifest.descriptor;
  const path = join(temp.root, 'blobs/sha256', digest.slice(7));
  await cp(path, join(temp.folder, 'kept'));
  await rm(path);
  await symlink(join(temp.folder, 'kept'), path);
  const store = await temp.reopen();
  assert.match(store.notices.join(), /no blobs/);
  await assert.rejects(openBlob(store, digest), (e) => isSvcError(e, 'SVC-STO-001'));
  assert.equal(await readStoredManifest(store, digest), undefined);
});

test('content that does not fit is refused before a byte is written', async () => {
  await using temp = await openTempStore();
  await assert.rejects(createBlobWriter(temp.store, { size: 2 ** 52 }), (error) => {
    assert.ok(isSvcError(error, 'SVC-STO-004'));
    assert.ok(Number(error.params.shortfall) > 0);
    return true;
  });
  assert.deepEqual(await readdir(join(temp.root, '_svc/tmp')), []);
});

test('leftovers of a killed process are cleared by the next writer', async () => {
  await using temp = await openTempStore();
  await temp.close();
  await writeFile(join(temp.root, '_svc/tmp/1.part'), 'half');
  await temp.reopen();
  assert.deepEqual(await readdir(join(temp.root, '_svc/tmp')), []);
});
