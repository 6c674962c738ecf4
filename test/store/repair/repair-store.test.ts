import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdir, readdir, readFile, rm, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { test } from 'node:test';
import { silentReport } from '../../../src/base/report.ts';
import type { RecipeRecord } from '../../../src/catalog/model.ts';
import { collectGarbage } from '../../../src/store/collect.ts';
import type { OpenStoreOptions, Store } from '../../../src/store/model.ts';
import { openRepository } from '../../../src/store/open-repository.ts';
import { quarantine } from '../../../src/store/quarantine.ts';
import { recordSync } from '../../../src/store/record-sync.ts';
import { recordUpload } from '../../../src/store/record-upload.ts';
import { checkContent } from '../../../src/store/repair/check-content.ts';
import { recoveredRepository } from '../../../src/store/repair/recover-content.ts';
import { type RepairOptions, repairStore, type StoreRepair } from '../../../src/store/repair/repair-store.ts';
import { createBlobWriter } from '../../../src/store/write-blob.ts';
import { isSvcError } from '../../../src/text/error.ts';
import {
  buildImage,
  buildIndex,
  buildReferrer,
  digestsOf,
  pushArtifact,
  seededBytes,
} from '../../kit/content/content.ts';
import { damageFile } from '../../kit/hostile/damage-file.ts';
import { forgeLedgerAt } from '../../kit/hostile/forge-ledger.ts';
import { openStoreAt } from '../../kit/instance/open-store-at.ts';
import { openTempStore, type TempStore } from '../../kit/instance/temp-store.ts';
import { folderPrint } from '../../kit/result/folder-print.ts';

const owner = { provenance: 'recipe', recipe: 'shop@1.0.0', cookbook: 'reg.example/cookbook' } as const;
const small = { layerSize: 300 };
const app = buildIndex('app', ['linux/amd64', 'linux/arm64'], small);
const recipe = buildImage('recipe', small);
const tool = buildImage('tool', small);
const loose = buildImage('loose', small);
const signature = buildReferrer(app.manifest.descriptor);
const everything = [app, recipe, tool, loose, signature].flatMap(digestsOf);

const record: RecipeRecord = {
  name: 'shop',
  version: '1.0.0',
  cookbook: owner.cookbook,
  repository: 'reg.example/cookbook/shop',
  tag: '1.0.0',
  digest: recipe.manifest.descriptor.digest,
  documentDigest: recipe.blobs[0]!.descriptor.digest,
  runId: 'run',
  zone: 'zone-a',
  resolvedAt: '2026-01-01T00:00:00Z',
  verified: true,
  ingredients: [
    {
      name: 'app',
      kind: 'ContainerImage',
      ref: 'reg.example/app',
      repository: 'reg.example/app',
      tag: 'v1',
      digest: app.manifest.descriptor.digest,
    },
  ],
};

/** A store with a recipe, its content with a signature, an import, a push without a tag, an upload. */
async function openFilled(options: Partial<OpenStoreOptions> = {}): Promise<TempStore> {
  const temp = await openTempStore({ mode: 'mirror', ...options });
  const { store } = temp;
  await pushArtifact(openRepository(store, 'reg.example/app', { owner }), app, 'v1');
  await pushArtifact(openRepository(store, 'reg.example/app', { owner }), signature);
  await pushArtifact(openRepository(store, 'reg.example/cookbook/shop', { owner }), recipe, '1.0.0');
  await pushArtifact(openRepository(store, 'tools/tool', { owner: { provenance: 'import' } }), tool, '2');
  const pushed = openRepository(store, 'pushed', { owner: { provenance: 'push' } });
  for (const { descriptor, bytes } of loose.blobs) {
    await pushed.pushBlob(descriptor, Readable.from([bytes]));
    await recordUpload(store, 'pushed', descriptor.digest, 'alice');
  }
  await pushed.pushManifest(loose.manifest.descriptor.digest, loose.manifest);
  const writer = await createBlobWriter(store);
  await writer.write(seededBytes('upload', 400));
  const { digest } = await writer.commit();
  await recordUpload(store, 'pushed', digest, 'alice');
  await recordSync(store, { zone: 'zone-a', runId: 'run', resolvedAt: '2026-01-01T00:00:00Z' }, [record]);
  await temp.close();
  return temp;
}

const repair = (temp: TempStore, more: Partial<RepairOptions> = {}): Promise<StoreRepair | undefined> =>
  repairStore({
    root: temp.root,
    stateRoot: temp.stateRoot,
    adopt: false,
    report: silentReport,
    holder: 'test',
    ...more,
  });

const open = (temp: TempStore, more: Partial<OpenStoreOptions> = {}): Promise<Store> =>
  openStoreAt(temp, more);

/** Every tag with its owners, and the lost content. */
function describe(store: Store): { tags: string[]; absent: string[] } {
  const tags = store.index
    .repositories()
    .flatMap((name) => store.index.tags(name))
    .map(({ repository, tag, owners }) => `${repository}:${tag} ${owners.map((one) => one.provenance)}`);
  return { tags, absent: everything.filter((digest) => store.index.sizeOf(digest) === undefined) };
}

/** Opens it as the next process would, and holds it to be ours, whole, and unwilling to release anything. */
async function requireWhole(temp: TempStore, more: Partial<OpenStoreOptions> = {}): Promise<string[]> {
  await using store = await open(temp, more);
  assert.deepEqual([store.standing, store.readOnly, store.damage], ['ours', undefined, []]);
  const { tags, absent } = describe(store);
  assert.deepEqual(absent, []);
  for await (const { name, problems } of checkContent(store)) assert.deepEqual(problems, [], name);
  assert.deepEqual(await collectGarbage(store), { blobs: 0, bytes: 0 });
  assert.deepEqual(
    store.index.referrers('reg.example/app', app.manifest.descriptor.digest).length,
    more.zone ? 0 : 1,
  );
  return tags;
}

const ledgerOf = async (temp: TempStore, name: 'content' | 'recipes'): Promise<string> => {
  const files = await readdir(join(temp.root, 'ledger'));
  return join(temp.root, 'ledger', files.find((file) => file.startsWith(name))!);
};

/** Offsets at which the batches of a ledger begin. */
async function batchesOf(path: string): Promise<number[]> {
  const text = await readFile(path, 'latin1');
  return [...text.matchAll(/^\{"batch":/gm)].map(({ index }) => index);
}

const before = ['reg.example/app:v1 recipe', 'reg.example/cookbook/shop:1.0.0 recipe', 'tools/tool:2 import'];

test('a store whose ledgers are undamaged is not changed', async () => {
  await using temp = await openFilled();
  const print = folderPrint(temp.root);
  assert.equal(await repair(temp), undefined);
  assert.deepEqual(folderPrint(temp.root), print);
  assert.deepEqual(await requireWhole(temp), before);
});

test('whichever batch of the content ledger is damaged, every tag is recovered and no content is released', async () => {
  await using temp = await openFilled();
  const path = await ledgerOf(temp, 'content');
  const bytes = await readFile(path);
  const index = await readFile(join(temp.root, 'index.json'));
  const remembered = await readFile(join(temp.stateRoot, 'ledgers'));
  for (const at of (await batchesOf(path)).slice(1)) {
    await rm(join(temp.root, 'ledger'), { recursive: true });
    await rm(join(temp.root, 'media.jsonl'), { force: true });
    await mkdir(join(temp.root, 'ledger'));
    await writeFile(path, bytes);
    await writeFile(join(temp.root, 'index.json'), index);
    await writeFile(join(temp.stateRoot, 'ledgers'), remembered);
    await damageFile(path, at + 300);
    {
      await using store = await open(temp);
      assert.notEqual(store.readOnly ?? store.reason, undefined);
    }
    const done = await repair(temp);
    assert.ok(done, `batch at ${at}`);
    assert.ok(
      done.lost.some(({ offset }) => offset <= at + 300),
      JSON.stringify(done.lost),
    );
    const tags = await requireWhole(temp);
    for (const one of before) {
      const [name] = one.split(' ');
      assert.ok(
        tags.some((tag) => tag.startsWith(`${name} `)),
        `${name} after damage at ${at}: ${tags}`,
      );
    }
    assert.equal(await repair(temp), undefined, 'once is enough');
  }
});

test('without the last index, recipes name their tags, and the rest is listed under its digests', async () => {
  await using temp = await openFilled();
  await rm(join(temp.root, 'index.json'));
  await rm(await ledgerOf(temp, 'content'));
  const done = await repair(temp);
  assert.deepEqual(
    done?.tags.map(({ repository, tag, from }) => `${repository}:${tag} ${from}`).sort(),
    [
      ...[loose, tool].map(
        ({ manifest }) => `${recoveredRepository}:${manifest.descriptor.digest.slice(7)} manifests`,
      ),
      'reg.example/app:v1 recipes',
      'reg.example/cookbook/shop:1.0.0 recipes',
    ].sort(),
  );
  assert.equal(done?.blobs, 1, 'the upload');
  const tags = await requireWhole(temp);
  assert.deepEqual(
    tags.filter((tag) => tag.startsWith('reg.')),
    ['reg.example/app:v1 recipe', 'reg.example/cookbook/shop:1.0.0 recipe'],
  );
});

test('with all records lost, what the index names is an import under its name', async () => {
  await using temp = await openFilled();
  const { mediaId } = JSON.parse((await readFile(join(temp.root, 'media.jsonl'), 'utf8')).split('\n')[0]!);
  await rm(join(temp.root, 'ledger'), { recursive: true });
  await assert.rejects(open(temp), (error) => isSvcError(error, 'SVC-STO-013'));
  const done = await repair(temp);
  assert.equal(done?.mediaId, mediaId, 'the inventory names the medium');
  assert.deepEqual(await requireWhole(temp), [
    `${recoveredRepository}:${loose.manifest.descriptor.digest.slice(7)} import`,
    ...before.map((one) => one.replace(/ .*/, ' import')),
  ]);
});

test('a tag whose manifest is lost as well is named', async () => {
  await using temp = await openFilled();
  const { digest } = tool.manifest.descriptor;
  await rm(await ledgerOf(temp, 'content'));
  await rm(join(temp.root, 'blobs', ...digest.split(':')));
  const done = await repair(temp);
  assert.deepEqual(done?.gone, [{ repository: 'tools/tool', tag: '2', digest, from: 'index' }]);
  assert.deepEqual(
    done?.lost.map(({ path, offset }) => [path, offset]),
    [['ledger/content-00000001.jsonl', 0]],
  );
  assert.ok(done.lost[0]!.bytes > 0, 'as many as are remembered');
});

test('with nothing but blobs, every manifest gets a name', async () => {
  await using temp = await openFilled();
  await rm(join(temp.root, 'ledger'), { recursive: true });
  await rm(join(temp.root, 'index.json'));
  await rm(join(temp.root, 'media.jsonl'));
  const done = await repair(temp);
  const roots = [app, recipe, tool, loose].map(({ manifest }) => manifest.descriptor.digest.slice(7));
  assert.deepEqual(done?.tags.map(({ tag }) => tag).sort(), roots.sort());
  await using store = await open(temp);
  assert.deepEqual(describe(store).absent, []);
  assert.equal(store.index.referrers(recoveredRepository, app.manifest.descriptor.digest).length, 1);
  for await (const { name, problems } of checkContent(store)) assert.deepEqual(problems, [], name);
});

test('pipes in the place of inventory and index keep no repair waiting', { timeout: 60_000 }, async () => {
  await using temp = await openFilled();
  await rm(join(temp.root, 'ledger'), { recursive: true });
  for (const name of ['index.json', 'media.jsonl']) {
    await rm(join(temp.root, name));
    execFileSync('mkfifo', [join(temp.root, name)]);
  }
  const done = await repair(temp);
  assert.ok(done!.tags.every(({ from }) => from === 'manifests'));
  await using store = await open(temp);
  assert.deepEqual(describe(store).absent, []);
});

test('a truncated ledger is detected by its remembered state', async () => {
  await using temp = await openFilled();
  for (const name of ['content', 'recipes'] as const) {
    const path = await ledgerOf(temp, name);
    const whole = (await readFile(path)).length;
    const cut = (await batchesOf(path)).at(-1)!;
    await truncate(path, cut);
    {
      await using store = await open(temp, { access: 'read' });
      assert.equal(store.reason, 'older');
      assert.match(store.notices.join(), /svc store check --repair/);
    }
    const done = await repair(temp);
    assert.deepEqual(done?.lost, [
      { path: path.slice(temp.root.length + 1), offset: cut, bytes: whole - cut },
    ]);
    await requireWhole(temp);
  }
});

test('a damaged recipe ledger loses no content', async () => {
  await using temp = await openFilled();
  const path = await ledgerOf(temp, 'recipes');
  await damageFile(path, (await readFile(path)).length - 10);
  const done = await repair(temp);
  assert.deepEqual(done?.tags, []);
  assert.deepEqual(await requireWhole(temp), before);
  await using store = await open(temp);
  assert.deepEqual(store.index.recipes(), []);
});

test('damaged blobs stay damaged: a repair vouches for no blob that it has not read', async () => {
  await using temp = await openFilled();
  const { digest } = tool.blobs[0]!.descriptor;
  await damageFile(join(temp.root, 'blobs', ...digest.split(':')), 3);
  await rm(join(temp.root, 'ledger'), { recursive: true });
  await repair(temp);
  await using store = await open(temp);
  const told: string[] = [];
  for await (const { problems } of checkContent(store))
    told.push(...problems.map((one) => `${one.kind} ${one.digest}`));
  assert.deepEqual(told, [`damaged ${digest}`]);
  assert.equal((await quarantine(store, [{ digest }])).length, 1);
  assert.equal(store.index.sizeOf(digest), undefined);
});

test('in a zone, what has no record is not served before a verified recipe reaches it', async () => {
  await using temp = await openFilled({ zone: 'zone-a' });
  const path = await ledgerOf(temp, 'content');
  await damageFile(path, (await batchesOf(path))[1]! + 300);
  const done = await repair(temp, { zone: 'zone-a' });
  assert.equal(done?.held, true);
  await using store = await open(temp, { zone: 'zone-a' });
  assert.equal(store.standing, 'ours');
  for (const { repository, tag, from } of done!.tags)
    assert.equal(store.index.tag(repository, tag)?.held, from !== 'recipes', `${repository}:${tag} ${from}`);
});

test('the store of another maker is repaired in a zone only when it is adopted as well', async () => {
  await using temp = await openFilled();
  const path = await ledgerOf(temp, 'content');
  await damageFile(path, (await batchesOf(path))[2]! + 300);
  const other = { stateRoot: join(temp.folder, 'other'), zone: 'zone-b' };
  const print = folderPrint(temp.root, (name) => name === '_svc');
  await assert.rejects(repair(temp, other), (error) => isSvcError(error, 'SVC-MED-030'));
  assert.deepEqual(
    folderPrint(temp.root, (name) => name === '_svc'),
    print,
  );
  const done = await repair(temp, { ...other, adopt: true });
  assert.equal(done?.held, true);
  await using store = await open(temp, other);
  assert.equal(store.standing, 'ours');
  const tags = store.index.repositories().flatMap((name) => store.index.tags(name));
  assert.ok(tags.length >= before.length);
  for (const { held, owners } of tags) assert.deepEqual([held, owners], [true, [{ provenance: 'import' }]]);
  assert.deepEqual(describe(store).absent, []);
});

test('a repair is refused beside a writer or a reader, and where there is no store', async () => {
  await using temp = await openFilled();
  const path = await ledgerOf(temp, 'content');
  await damageFile(path, (await batchesOf(path))[1]! + 300);
  {
    await using _reader = await open(temp, { access: 'read' });
    await assert.rejects(repair(temp), (error) => isSvcError(error, 'SVC-STO-007'));
  }
  await assert.rejects(repair(temp, { root: temp.folder }), (error) => isSvcError(error, 'SVC-STO-001'));
});

test('a repair restores unreadable records from the manifests on disk', async () => {
  await using temp = await openFilled({ stateRoot: undefined });
  const digest = app.children[0]!.artifact.manifest.descriptor.digest;
  await forgeLedgerAt(temp.root, 'content', (records) =>
    records.map((one) =>
      one.op === 'manifest' && one.digest === digest
        ? { ...one, blobs: one.blobs.map((part: unknown) => (typeof part === 'number' ? -1 : part)) }
        : one,
    ),
  );
  {
    await using store = await openStoreAt({ root: temp.root, stateRoot: undefined });
    assert.match(store.notices.join(), /1 records are not understood/);
    assert.equal(store.standing, 'ours');
  }
  const done = await repair(temp, { stateRoot: undefined });
  assert.ok(done);
  assert.deepEqual([done.tags, done.gone], [[], []]);
  await using store = await openStoreAt({ root: temp.root, stateRoot: undefined });
  assert.deepEqual(store.notices, []);
  assert.equal(store.index.tag('reg.example/app', 'v1')?.owners[0]?.provenance, 'recipe');
  assert.deepEqual([...store.index.reach(app.manifest.descriptor.digest)].sort(), digestsOf(app).sort());
  for await (const { problems } of checkContent(store)) assert.deepEqual(problems, []);
  assert.equal(await repair(temp, { stateRoot: undefined }), undefined);
});
