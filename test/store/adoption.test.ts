import assert from 'node:assert/strict';
import { cp } from 'node:fs/promises';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { test } from 'node:test';
import type { Digest } from '../../src/base/digest.ts';
import { silentReport } from '../../src/base/report.ts';
import { blobPath } from '../../src/oci/layout.ts';
import { adoptStore } from '../../src/store/adoption/adopt-store.ts';
import { collectGarbage } from '../../src/store/collect.ts';
import { isWhole } from '../../src/store/is-whole.ts';
import type { OpenStoreOptions, Store } from '../../src/store/model.ts';
import { openBlob } from '../../src/store/open-blob.ts';
import { openRepository } from '../../src/store/open-repository.ts';
import { putManifest } from '../../src/store/put-manifest.ts';
import { releaseHeld } from '../../src/store/put-tags.ts';
import { readStoredManifest } from '../../src/store/read-stored-manifest.ts';
import { checkContent } from '../../src/store/repair/check-content.ts';
import { repairStore } from '../../src/store/repair/repair-store.ts';
import { isSvcError } from '../../src/text/error.ts';
import {
  type Artifact,
  buildImage,
  buildIndex,
  buildReferrer,
  digestsOf,
  pushArtifact,
  toManifest,
} from '../kit/content/content.ts';
import { damageFile } from '../kit/hostile/damage-file.ts';
import { forgeLedgerAt } from '../kit/hostile/forge-ledger.ts';
import { openStoreAt } from '../kit/instance/open-store-at.ts';
import { openTempStore, type TempStore } from '../kit/instance/temp-store.ts';

const owner = { provenance: 'recipe', recipe: 'app@1.0.0', cookbook: 'x.io/c' } as const;
const push = { provenance: 'push' } as const;
const repository = 'docker.io/app';

const index = buildIndex('carried', ['linux/amd64', 'linux/arm64']);
const signature = buildReferrer(index.manifest.descriptor);
const stowaway = buildImage('stowaway');
const digestOf = ({ manifest }: Artifact): Digest => manifest.descriptor.digest;
const [amd64, arm64] = index.children.map(({ artifact }) => artifact) as [Artifact, Artifact];

interface CarriedStore extends AsyncDisposable {
  readonly root: string;
  /** As an instance that did not make it. */
  open(options?: Partial<OpenStoreOptions>): Promise<Store>;
}

/** The store of another maker with an index, its signature and an image that nothing else names. */
async function carry(
  forge: (records: any[]) => readonly unknown[] = (records) => records,
): Promise<CarriedStore> {
  const temp: TempStore = await openTempStore({ mode: 'mirror' });
  await pushArtifact(openRepository(temp.store, repository, { owner }), index, 'v1');
  await pushArtifact(openRepository(temp.store, repository, { owner }), signature);
  await pushArtifact(openRepository(temp.store, 'stowaway', { owner }), stowaway, 'v1');
  await temp.close();
  const root = join(temp.folder, 'carried');
  await cp(temp.root, root, { recursive: true });
  await forgeLedgerAt(root, 'content', forge);
  return {
    root,
    open: (options) => openStoreAt({ root, stateRoot: join(temp.folder, 'other') }, options),
    [Symbol.asyncDispose]: () => temp[Symbol.asyncDispose](),
  };
}

const bytesOf = async (store: Store, digest: Digest): Promise<Buffer> => {
  const { file } = await openBlob(store, digest);
  return buffer(file.createReadStream());
};

/** A later record on hashed bytes is believed before the bytes are read. */
const corrected = 'the truth twice, and a lie before';
const forgeries: Readonly<Record<string, (records: any[]) => readonly unknown[]>> = {
  'images without blobs': (records) =>
    records.map((one) => (one.op === 'manifest' && one.blobs ? { ...one, blobs: [] } : one)),
  'an image that reaches a stranger instead of its blobs': (records) =>
    records.map((one) =>
      one.op === 'manifest' && one.blobs && one.digest !== digestOf(stowaway)
        ? { ...one, blobs: [], manifests: [digestOf(stowaway)] }
        : one,
    ),
  'an index without children': (records) =>
    records.map((one) =>
      one.digest === digestOf(index) && one.op === 'manifest' ? { ...one, manifests: [] } : one,
    ),
  'no record of a child': (records) => records.filter((one) => one.digest !== digestOf(arm64)),
  'no record of any manifest': (records) => records.filter((one) => one.op !== 'manifest'),
  'a signature of something else': (records) =>
    records.map((one) =>
      one.op === 'manifest' && one.subject ? { ...one, subject: digestOf(stowaway) } : one,
    ),
  'other sizes': (records) =>
    records.map((one) =>
      one.op === 'manifest' && one.blobs
        ? { ...one, blobs: one.blobs.map((part: unknown) => (typeof part === 'number' ? 7 : part)) }
        : one,
    ),
  [corrected]: (records) =>
    records.flatMap((one) =>
      one.op === 'manifest' && one.blobs ? [{ ...one, blobs: [] }, one, one] : [one],
    ),
};

const expected = digestsOf(index).sort();

for (const [name, forge] of Object.entries(forgeries)) {
  test(`a forged content ledger never decides what a manifest reaches: ${name}`, async (t) => {
    const requireTrue = async (store: Store, state: 'held' | 'served' | 'signed'): Promise<void> => {
      assert.deepEqual([...store.index.reach(digestOf(index))].sort(), expected);
      if (state === 'held') return;
      for (const { descriptor } of [...amd64.blobs, ...arm64.blobs]) {
        assert.equal(store.index.isBlobIn(repository, descriptor.digest), true);
        assert.equal((await bytesOf(store, descriptor.digest)).length, descriptor.size);
      }
      assert.equal(store.index.isManifestIn(repository, digestOf(stowaway)), false);
      if (state === 'served') return;
      const referrers = store.index.referrers(repository, digestOf(index));
      assert.deepEqual(
        referrers.map(({ digest }) => digest),
        [digestOf(signature)],
      );
    };
    for (const zone of [undefined, 'ship']) {
      await t.test(zone === undefined ? 'without a zone' : 'in a zone', async () => {
        await using carried = await carry(forge);
        {
          await using store = await carried.open({ zone });
          assert.equal(store.standing, 'foreign');
          assert.equal(store.contradicted > 0, name !== corrected);
          assert.equal(
            /contradicts the bytes of \d+ manifests/.test(store.notices.join()),
            name !== corrected,
          );
          await requireTrue(store, 'signed');
          await adoptStore(store);
          assert.equal(store.contradicted, 0);
          await requireTrue(store, zone === undefined ? 'signed' : 'held');
          assert.equal((await collectGarbage(store)).blobs, 0);
          await releaseHeld(store, [{ repository, tag: 'v1' }]);
          await requireTrue(store, zone === undefined ? 'signed' : 'served');
        }
        await using again = await carried.open({ zone });
        assert.equal(again.standing, 'ours');
        await requireTrue(again, zone === undefined ? 'signed' : 'served');
        for await (const { problems } of checkContent(again)) assert.deepEqual(problems, []);
      });
    }
  });
}

test('a store whose ledger agrees with its manifests has no contradictions', async () => {
  await using carried = await carry();
  await using store = await carried.open();
  assert.equal(store.standing, 'foreign');
  assert.equal(store.contradicted, 0);
});

test('an adoption keeps no record of a manifest whose file is absent', async () => {
  await using carried = await carry();
  await damageFile(join(carried.root, blobPath(digestOf(arm64))), 5);
  await using store = await carried.open();
  await assert.rejects(readStoredManifest(store, digestOf(arm64)), (error) =>
    isSvcError(error, 'SVC-SIG-002'),
  );
  await adoptStore(store);
  assert.equal(store.index.manifest(digestOf(arm64)), undefined);
  assert.equal(store.index.isManifestIn(repository, digestOf(arm64)), false);
  await pushArtifact(openRepository(store, repository, { owner }), index, 'v1');
  assert.deepEqual([...store.index.reach(digestOf(index))].sort(), expected);
});

test('no blob of a foreign store counts as intact before it was hashed', async () => {
  await using carried = await carry();
  const layer = amd64.blobs[1]!.descriptor;
  await damageFile(join(carried.root, blobPath(layer.digest)), 5);
  await using store = await carried.open({ zone: 'ship', access: 'read' });
  assert.equal(await isWhole(store, layer.digest), false);
  assert.equal(await isWhole(store, amd64.blobs[0]!.descriptor.digest), true);
  assert.equal(await openRepository(store, repository, { owner }).hasManifest(digestOf(amd64)), false);
});

test('a blob of an adopted store is hashed before it is opened, once, and the ledger says so from then on', async () => {
  await using carried = await carry();
  const [good, bad] = [amd64.blobs[0]!.descriptor.digest, amd64.blobs[1]!.descriptor.digest];
  await damageFile(join(carried.root, blobPath(bad)), 5);
  {
    await using store = await carried.open();
    await adoptStore(store);
    assert.equal((await bytesOf(store, good)).length, amd64.blobs[0]!.descriptor.size);
    await assert.rejects(openBlob(store, bad), (error) => isSvcError(error, 'SVC-SIG-002'));
    const local = openRepository(store, repository, { owner });
    await assert.rejects(local.fetchBlob(amd64.blobs[1]!.descriptor), (error) =>
      isSvcError(error, 'SVC-STO-001'),
    );
    assert.equal(store.index.sizeOf(bad), undefined);
  }
  await using again = await carried.open();
  await (await openBlob(again, good)).file.close();
  // altered while the store is open: only a store that believes its own ledger opens it
  await damageFile(join(carried.root, blobPath(good)), 5);
  await (await openBlob(again, good)).file.close();
  await assert.rejects(openBlob(again, bad), (error) => isSvcError(error, 'SVC-SIG-002'));
});

test('children of an index are hashed before the index makes them visible, and damaged ones count as absent', async () => {
  await using carried = await carry();
  const [good, bad] = [arm64.blobs[0]!.descriptor.digest, arm64.blobs.at(-1)!.descriptor.digest];
  await damageFile(join(carried.root, blobPath(bad)), 5);
  await using store = await carried.open();
  await pushArtifact(openRepository(store, 'mine', { owner }), buildImage('mine'), 'v1');
  assert.equal(store.standing, 'ours');
  await putManifest(store, 'copies', index.manifest, { owner: push, tag: 'v1' });
  assert.equal(store.index.isBlobIn('copies', good), true);
  assert.equal(store.index.isBlobIn('copies', bad), false);
});

test('a push of an index does not make held content visible', async () => {
  await using carried = await carry();
  await using store = await carried.open({ zone: 'ship' });
  await adoptStore(store);
  const around = toManifest({
    schemaVersion: 2,
    mediaType: index.manifest.descriptor.mediaType,
    manifests: [amd64.manifest.descriptor],
  });
  for (const one of [around, index.manifest]) {
    await assert.rejects(putManifest(store, 'copies', one, { owner: push, tag: 'v1' }), (error) =>
      isSvcError(error, 'SVC-MED-030'),
    );
  }
  assert.equal(store.index.isManifestIn('copies', digestOf(amd64)), false);
  await putManifest(store, 'copies', around, { owner, tag: 'v1' });
  assert.equal(store.index.isManifestIn('copies', digestOf(amd64)), true);
});

test('a hold is lifted although a child of the index is altered, which counts as absent', async () => {
  await using carried = await carry();
  const bad = arm64.blobs.at(-1)!.descriptor.digest;
  await damageFile(join(carried.root, blobPath(bad)), 5);
  await using store = await carried.open({ zone: 'ship' });
  await adoptStore(store);
  await releaseHeld(store, [{ repository, tag: 'v1' }]);
  assert.equal(store.index.tag(repository, 'v1')?.held, false);
  const local = openRepository(store, repository, { owner });
  assert.equal(await local.hasManifest(digestOf(amd64)), true);
  assert.equal(await local.hasManifest(digestOf(arm64)), false);
});

test('a repair corrects a ledger of this instance by the bytes of the manifests', async () => {
  await using temp = await openTempStore({ stateRoot: undefined });
  await pushArtifact(openRepository(temp.store, repository, { owner }), index, 'v1');
  await pushArtifact(openRepository(temp.store, 'stowaway', { owner }), stowaway, 'v1');
  await temp.close();
  await forgeLedgerAt(
    temp.root,
    'content',
    forgeries['an image that reaches a stranger instead of its blobs']!,
  );
  const options = { root: temp.root, adopt: false, report: silentReport, holder: 'test' };
  const problems = async (store: Store): Promise<string[]> => {
    const found: string[] = [];
    for await (const step of checkContent(store))
      found.push(...step.problems.map(({ problem }) => String(problem)));
    return found;
  };
  {
    await using store = await temp.reopen();
    assert.equal(store.standing, 'ours');
    assert.ok((await problems(store)).includes('the ledger names other blobs'));
  }
  const done = await repairStore(options);
  assert.equal(done?.manifests, 2);
  assert.equal(await repairStore(options), undefined);
  await using store = await temp.reopen();
  assert.deepEqual(await problems(store), []);
  assert.deepEqual([...store.index.reach(digestOf(index))].sort(), expected);
});

test('an adoption after a blob or manifest was found altered writes only records that are read back', async () => {
  const layer = amd64.blobs[1]!.descriptor.digest;
  for (const altered of [layer, digestOf(arm64), digestOf(index)]) {
    await using carried = await carry();
    await damageFile(join(carried.root, blobPath(altered)), 5);
    {
      await using store = await carried.open();
      assert.equal(await isWhole(store, altered), false);
      await adoptStore(store);
      assert.deepEqual((await checkLedgers(store)).problems, []);
    }
    await using again = await carried.open();
    assert.equal(again.standing, 'ours');
    assert.deepEqual((await checkLedgers(again)).problems, []);
    assert.doesNotMatch(again.notices.join(), /not understood/);
  }
});

async function checkLedgers(store: Store) {
  for await (const step of checkContent(store)) if (step.name === 'ledgers') return step;
  throw new Error('the check has no step for the ledgers');
}
