import assert from 'node:assert/strict';
import { mkdirSync, readdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { hashBytes } from '../../src/base/digest.ts';
import { fingerprintTag } from '../../src/catalog/shown-tag.ts';
import { loadConfig } from '../../src/config/load-config.ts';
import type { Config } from '../../src/config/model.ts';
import { parseManifest } from '../../src/oci/manifest.ts';
import { type PackFilesetInput, type PackOutcome, packFileset } from '../../src/operation/pack-fileset.ts';
import { collectGarbage } from '../../src/store/collect.ts';
import { openBlob } from '../../src/store/open-blob.ts';
import { openRepository } from '../../src/store/open-repository.ts';
import { readStoredManifest } from '../../src/store/read-stored-manifest.ts';
import { isSvcError, type SvcError } from '../../src/text/error.ts';
import { buildImage, pushArtifact } from '../kit/content/content.ts';
import { packableTreeCounts, writePackableTree } from '../kit/content/packable-tree.ts';
import { createRecordingReport, type RecordingReport } from '../kit/instance/recording-report.ts';
import { openTempStore, type TempStore } from '../kit/instance/temp-store.ts';

interface Scene extends AsyncDisposable {
  readonly temp: TempStore;
  /** A tree that can be packed. */
  readonly tree: string;
  readonly report: RecordingReport;
  pack(input?: Partial<PackFilesetInput>, change?: (config: Config) => Config): Promise<PackOutcome>;
  refuse(input?: Partial<PackFilesetInput>, change?: (config: Config) => Config): Promise<SvcError>;
  /** Files in the making. */
  leftovers(): readonly string[];
  blobs(): readonly string[];
}

async function openScene(): Promise<Scene> {
  const temp = await openTempStore();
  const { config } = await loadConfig({ flags: { 'storage.root': temp.root, 'state.root': temp.stateRoot } });
  const tree = join(temp.folder, 'tree');
  writePackableTree(tree);
  const report = createRecordingReport();
  const pack: Scene['pack'] = (input = {}, change = (one) => one) =>
    packFileset(
      { config: change(config), report },
      {
        source: tree,
        name: 'debian',
        version: '12.1',
        store: async () => temp.store,
        actor: 'test',
        ...input,
      },
    );
  return {
    temp,
    tree,
    report,
    pack,
    refuse: (input, change) =>
      pack(input, change).then(
        () => assert.fail('it was packed'),
        (error: unknown) => {
          assert.ok(isSvcError(error), String(error));
          return error;
        },
      ),
    leftovers: () => readdirSync(join(temp.root, '_svc', 'tmp')),
    blobs: () => readdirSync(join(temp.root, 'blobs', 'sha256')).sort(),
    [Symbol.asyncDispose]: () => temp[Symbol.asyncDispose](),
  };
}

test('a folder becomes a tagged image of one plain layer, packed here and unsigned', async () => {
  await using scene = await openScene();
  const { fileset, previous } = await scene.pack();
  const { digest, layerDigest, bytes, ...rest } = fileset;
  assert.equal(previous, undefined);
  assert.deepEqual(rest, {
    reference: 'localhost/filesets/debian:12.1',
    repository: 'localhost/filesets/debian',
    name: 'debian',
    version: '12.1',
    ...packableTreeCounts,
    signed: false,
  });
  const { store } = scene.temp;
  const tag = store.index.tag('localhost/filesets/debian', '12.1')!;
  assert.equal(tag.digest, digest);
  assert.equal(tag.kind, 'FileSet');
  assert.deepEqual(tag.owners, [{ provenance: 'local-pack' }]);

  const manifest = parseManifest((await readStoredManifest(store, digest))!.bytes);
  assert.ok(manifest.kind === 'image');
  assert.deepEqual(
    manifest.layers.map(({ mediaType, digest, size }) => ({ mediaType, digest, size })),
    [{ mediaType: 'application/vnd.oci.image.layer.v1.tar', digest: layerDigest, size: bytes }],
  );
  const { file } = await openBlob(store, manifest.config.digest);
  const config = JSON.parse((await file.readFile()).toString());
  await file.close();
  assert.deepEqual(config.rootfs, { type: 'layers', diff_ids: [layerDigest] });
  assert.equal('created' in config, false);
  assert.deepEqual(scene.leftovers(), []);
  assert.equal(scene.blobs().length, 3);
  assert.deepEqual(
    scene.report.audits.map(({ actor, action, target, outcome }) => ({ actor, action, target, outcome })),
    [{ actor: 'test', action: 'fileset.pack', target: 'debian:12.1', outcome: 'success' }],
  );
});

test('the digest depends on the content alone: not on name, version, store or way to the folder', async () => {
  await using one = await openScene();
  await using two = await openScene();
  const { fileset } = await one.pack();
  assert.equal(fileset.digest, 'sha256:d4c84df17ca5c9f86263f6bdc2129f65afae6921155b49bedb4e49f691493e80');
  symlinkSync(two.tree, join(two.temp.folder, 'way'));
  const other = await two.pack({ source: join(two.temp.folder, 'way'), name: 'other', version: 'v2' });
  assert.equal(other.fileset.digest, fileset.digest);
});

test('packing the same folder again changes nothing', async () => {
  await using scene = await openScene();
  const first = await scene.pack();
  const { head } = scene.temp.store;
  const again = await scene.pack();
  assert.deepEqual(again, { ...first, previous: first.fileset.digest });
  assert.equal(scene.temp.store.head, head);
  assert.equal(scene.blobs().length, 3);
  assert.deepEqual(scene.leftovers(), []);
});

test('a version that was packed before is pointed at the new content, and the record says from where', async () => {
  await using scene = await openScene();
  const first = await scene.pack();
  writeFileSync(join(scene.tree, 'Release'), 'changed');
  const second = await scene.pack();
  assert.equal(second.previous, first.fileset.digest);
  assert.notEqual(second.fileset.digest, first.fileset.digest);
  const { index } = scene.temp.store;
  assert.equal(index.tag('localhost/filesets/debian', '12.1')?.digest, second.fileset.digest);
  assert.deepEqual(index.tag('localhost/filesets/debian', '12.1')?.owners, [{ provenance: 'local-pack' }]);
  assert.equal(scene.report.audits.at(-1)?.details?.replaced, first.fileset.digest);
});

test('a version that is no longer what was shown is not replaced', async () => {
  await using scene = await openScene();
  const place = { repository: 'localhost/filesets/debian', tag: '12.1' };
  const { index } = scene.temp.store;
  const absent = fingerprintTag(index, place);
  const first = await scene.pack({ replaces: absent });
  await scene.pack({ replaces: absent });
  writeFileSync(join(scene.tree, 'more'), 'more');
  const { code, params } = await scene.refuse({ replaces: absent });
  assert.deepEqual([code, params.subject], ['SVC-SRV-007', 'localhost/filesets/debian:12.1']);
  assert.equal(index.tag(place.repository, place.tag)?.digest, first.fileset.digest);
  const second = await scene.pack({ replaces: fingerprintTag(index, place) });
  assert.equal(second.previous, first.fileset.digest);
});

test('other versions stay, and share what is the same', async () => {
  await using scene = await openScene();
  await scene.pack();
  await scene.pack({ version: '12.2' });
  const tags = scene.temp.store.index.tags('localhost/filesets/debian').map(({ tag }) => tag);
  assert.deepEqual(tags, ['12.1', '12.2']);
  assert.equal(scene.blobs().length, 3);
});

test('the base prefix of the store comes before the repository, and is no part of the reference', async () => {
  await using scene = await openScene();
  const { fileset } = await scene.pack({}, (config) => ({
    ...config,
    storage: { ...config.storage, basePrefix: 'mirror/zone' },
  }));
  assert.equal(fileset.reference, 'localhost/filesets/debian:12.1');
  assert.equal(fileset.repository, 'mirror/zone/localhost/filesets/debian');
});

test('a tag of a recipe is not replaced', async () => {
  await using scene = await openScene();
  const owner = { provenance: 'recipe', recipe: 'shop@1.0.0', cookbook: 'localhost/cookbook' } as const;
  const image = buildImage('from a recipe');
  await pushArtifact(openRepository(scene.temp.store, 'localhost/filesets/debian', { owner }), image, '12.1');
  const error = await scene.refuse();
  assert.equal(error.code, 'SVC-POL-002');
  assert.deepEqual(error.params.recipes, ['shop@1.0.0']);
  const tag = scene.temp.store.index.tag('localhost/filesets/debian', '12.1');
  assert.equal(tag?.digest, image.manifest.descriptor.digest);
  assert.equal(scene.report.audits.at(-1)?.outcome, 'denied');
});

test('names and versions that a reference cannot hold are refused before anything is looked at', async () => {
  await using scene = await openScene();
  const names = ['', 'Debian', 'a/b', '../a', '.a', 'a b', 'a:b', 'a@b', '-a', 'a'.repeat(129), 'é'];
  for (const name of names) {
    const error = await scene.refuse({ name, source: '/missing' });
    assert.equal(error.code, 'SVC-FIL-001', name);
    assert.match(String(error.params.rule), /the name must be/);
  }
  for (const version of ['', '.1', '-1', 'a b', 'a/b', 'a:b', '1'.repeat(129), 'é']) {
    const error = await scene.refuse({ version, source: '/missing' });
    assert.equal(error.code, 'SVC-FIL-001', version);
    assert.match(String(error.params.rule), /the version must be/);
  }
  assert.equal(scene.blobs().length, 0);
});

test('neither the store nor the state is ever packed, from above, within or through a link', async () => {
  await using scene = await openScene();
  const { folder, root, stateRoot } = scene.temp;
  symlinkSync(stateRoot, join(folder, 'link'));
  const sources = [folder, root, join(root, 'blobs'), stateRoot, '/', join(folder, 'link')];
  for (const source of sources) {
    const error = await scene.refuse({ source });
    assert.equal(error.code, 'SVC-FIL-002', source);
  }
  assert.equal(scene.blobs().length, 0);
});

test('with pack roots, only a folder whose real path is below one of them is packed', async () => {
  await using scene = await openScene();
  const { folder } = scene.temp;
  const root = join(folder, 'root');
  mkdirSync(join(root, 'inner'), { recursive: true });
  writePackableTree(join(root, 'inner', 'tree'));
  writePackableTree(join(folder, 'root-beside'));
  symlinkSync(scene.tree, join(root, 'out'));
  symlinkSync(join(root, 'inner'), join(folder, 'in'));
  const outside = [
    scene.tree,
    join(root, 'out'),
    join(root, '..', 'tree'),
    join(folder, 'root-beside'),
    '/',
    '/etc',
    '/missing',
    join(folder, 'missing'),
    'inner',
    '.',
    '../root',
  ];
  for (const source of outside) {
    const error = await scene.refuse({ source, within: [root] });
    assert.equal(error.code, 'SVC-FIL-003', source);
    assert.equal(scene.report.audits.at(-1)?.outcome, 'denied');
  }
  assert.equal((await scene.refuse({ within: [] })).code, 'SVC-FIL-003');
  assert.equal((await scene.refuse({ source: join(root, 'missing'), within: [root] })).code, 'SVC-FIL-001');
  for (const source of [root, join(root, 'inner', 'tree'), join(folder, 'in', 'tree')]) {
    const { fileset } = await scene.pack({
      source: source === root ? join(root, 'inner') : source,
      within: [root],
    });
    assert.equal(fileset.files % packableTreeCounts.files, 0);
  }
  const through = join(folder, 'other-name');
  symlinkSync(root, through);
  const { fileset } = await scene.pack({ source: join(root, 'inner'), within: [through] });
  assert.equal(fileset.files, packableTreeCounts.files);
});

test('a tree that does not fit is refused before a byte is written, or logged when the gate is disabled', async () => {
  await using scene = await openScene();
  const huge = await open(join(scene.tree, 'huge'), 'w');
  await huge.truncate(2 ** 50).catch(() => huge.truncate(2 ** 43));
  await huge.close();
  const error = await scene.refuse();
  assert.equal(error.code, 'SVC-STO-004');
  assert.equal(error.params.margin, 10);
  assert.ok(Number(error.params.needed) >= 2 ** 43);
  assert.equal(scene.blobs().length, 0);
  // the disk itself cannot be argued with
  const config = (one: Config): Config => ({ ...one, preflight: { ...one.preflight, disabled: true } });
  assert.equal((await scene.refuse({}, config)).code, 'SVC-STO-004');
  assert.ok(scene.report.audits.some(({ action }) => action === 'preflight.override'));
  assert.deepEqual(scene.leftovers(), []);
});

test('a tree that must not be packed leaves nothing behind', async () => {
  await using scene = await openScene();
  symlinkSync('/etc/passwd', join(scene.tree, 'pool', 'link'));
  const error = await scene.refuse();
  assert.equal(error.code, 'SVC-FIL-002');
  assert.equal(error.params.path, 'pool/link');
  assert.equal(scene.blobs().length, 0);
  assert.deepEqual(scene.leftovers(), []);
  assert.equal(scene.report.audits.at(-1)?.outcome, 'denied');
});

test('a tree that changes while it is packed leaves nothing behind', async () => {
  await using scene = await openScene();
  const large = await open(join(scene.tree, 'large'), 'w');
  // far more than may wait between the thread that reads it and the one that writes
  await large.truncate(64 << 20);
  await large.close();
  let isChanged = false;
  const error = await scene.refuse({
    onBytes: () => {
      if (!isChanged) writeFileSync(join(scene.tree, 'Release'), 'other');
      isChanged = true;
    },
  });
  assert.equal(error.code, 'SVC-FIL-001');
  assert.equal(scene.blobs().length, 0);
  assert.deepEqual(scene.leftovers(), []);
});

test('an interruption leaves no files', async () => {
  await using scene = await openScene();
  const abort = new AbortController();
  const reason = new Error('enough');
  await assert.rejects(scene.pack({ signal: abort.signal, onBytes: () => abort.abort(reason) }), reason);
  assert.equal(scene.blobs().length, 0);
  assert.deepEqual(scene.leftovers(), []);
  assert.equal(scene.report.audits.at(-1)?.details?.interrupted, true);
});

test('a store that cannot be opened is the error, whatever the tree is like', async () => {
  await using scene = await openScene();
  const failure = new Error('no store today');
  await assert.rejects(scene.pack({ store: () => Promise.reject(failure) }), failure);
  assert.equal(scene.report.audits.at(-1)?.outcome, 'failure');
});

test('what is packed stays after the store was opened again, and after a collection', async () => {
  await using scene = await openScene();
  const { fileset } = await scene.pack();
  const store = await scene.temp.reopen();
  await collectGarbage(store);
  assert.equal(store.index.reach(fileset.digest).size, 3);
  const { file } = await openBlob(store, fileset.layerDigest);
  assert.equal(hashBytes(await file.readFile()), fileset.layerDigest);
  await file.close();
});
