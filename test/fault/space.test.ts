import assert from 'node:assert/strict';
import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import type { Digest } from '../../src/base/digest.ts';
import { openRepository } from '../../src/store/open-repository.ts';
import { writeRest } from '../../src/store/rest/write-rest.ts';
import { createBlobWriter } from '../../src/store/write-blob.ts';
import { isSvcError } from '../../src/text/error.ts';
import {
  type Artifact,
  buildImage,
  buildIndex,
  digestsOf,
  pushArtifact,
  seededBytes,
} from '../kit/content/content.ts';
import { openStoreAt } from '../kit/instance/open-store-at.ts';
import { openTempFolder } from '../kit/instance/temp-folder.ts';
import { needs } from '../kit/program/peers.ts';
import { checkStoreAt, requireClean } from './rig/check-store.ts';
import { seed, times } from './rig/form.ts';
import { toRandom } from './rig/random.ts';
import { runStoreProgram } from './rig/run-program.ts';
import {
  limitQuota,
  mountImage,
  mountMemory,
  needsMount,
  needsVolume,
  type SmallVolume,
} from './rig/small-volume.ts';

const owner = { provenance: 'recipe', recipe: 'app@1.0.0' } as const;
const mib = 1 << 20;

const codes = {
  ENOSPC: ['SVC-STO-004', 'SVC-STO-005'],
  EDQUOT: ['SVC-STO-004'],
  EFBIG: ['SVC-STO-005'],
  EIO: ['SVC-STO-002', 'SVC-STO-014'],
  EROFS: ['SVC-STO-002'],
} as const;

for (const [code, expected] of Object.entries(codes)) {
  test(`${code} at any write leaves the store whole, and says so with its code`, async (t) => {
    await using folder = await openTempFolder('svc-space-');
    const world = { root: join(folder.path, 'store'), stateRoot: join(folder.path, 'state') };
    const pushed = new Map<string, Artifact>();
    const uploaded = new Set<Digest>();
    const hear = (said: readonly string[]) => {
      for (const line of said) {
        const [word, subject, name] = line.split(' ') as [string, string, string];
        const small = { layerSize: 300 };
        if (word === 'push') pushed.set(subject, buildIndex(name, ['linux/amd64', 'linux/arm64'], small));
        if (word === 'upload') uploaded.add(subject as Digest);
        if (word === 'delete') pushed.delete(subject);
      }
    };
    const first = await runStoreProgram('churn', world, 'first');
    hear(first.said);
    const { count } = first.report;
    const ops = code === 'EIO' ? '.*' : 'open|write|writev|writeFile|appendFile|mkdir|rename|link';
    let failed = 0;
    for (let round = 1; round <= times(4, 60); round += 1) {
      const random = toRandom(`${seed} ${code} ${round}`);
      const rule = { op: ops, code, skip: Math.floor(random() * count), times: 1 + Math.floor(random() * 3) };
      const { said } = await runStoreProgram('churn', world, `${round}`, { fail: [rule] });
      hear(said);
      const failure = said.find((line) => line.startsWith('failed'));
      if (failure !== undefined) {
        failed += 1;
        const got = failure.split(' ')[1]!;
        assert.ok((expected as readonly string[]).includes(got), `${JSON.stringify(rule)} ${failure}`);
      } else assert.equal(said.at(-1), 'end', said.join('\n'));
      await checkStoreAt(world.root, world.stateRoot, (store) => {
        for (const [name, image] of pushed) {
          const { digest } = image.manifest.descriptor;
          assert.equal(store.index.tag(name, 'v1')?.digest, digest, `${name} was acknowledged`);
          assert.deepEqual([...store.index.reach(digest)].sort(), digestsOf(image).sort());
        }
        for (const digest of uploaded) {
          const isThere = store.index.isBlobIn('uploads', digest);
          // before a manifest reaches it, a disk that fails to keep a blob takes it back
          assert.ok(isThere || (failure !== undefined && code === 'EIO'), `${digest} was acknowledged`);
          if (!isThere) uploaded.delete(digest);
        }
      });
    }
    assert.ok(failed > 0, 'no call failed');
    t.diagnostic(`${code}: ${failed} failures, lost: none`);
    const again = await runStoreProgram('churn', world, 'again');
    assert.equal(again.said.at(-1), 'end', again.said.join('\n'));
  });
}

test('a tag never appears over a blob whose sync fails late', async () => {
  await using folder = await openTempFolder('svc-space-');
  const world = { root: join(folder.path, 'store'), stateRoot: join(folder.path, 'state') };
  for (const delay of [1, 3, 10, 30]) {
    const fail = [{ op: 'sync', path: '_svc/tmp/', code: 'EIO', skip: 1, times: 1, delay }];
    const { said } = await runStoreProgram('churn', world, `${delay}`, { fail });
    assert.match(said.at(-1)!, /^failed SVC-STO-002/, said.join('\n'));
    assert.ok(!said.some((line) => line.startsWith(`push r/${delay}.1`)), said.join('\n'));
  }
});

/** Pushes blobs until the volume is full; acknowledged content stays, and room makes it work again. */
async function fill(root: string, stateRoot: string, volume: SmallVolume): Promise<void> {
  const ballast = join(volume.path, 'ballast');
  const kept = buildImage('kept', { layerSize: 100_000 });
  {
    await using store = await openStoreAt({ root, stateRoot });
    await pushArtifact(openRepository(store, 'kept', { owner }), kept, 'v1');
    await writeFile(ballast, Buffer.alloc(2 * mib));
    const bytes = seededBytes('filling', mib);
    const writer = await createBlobWriter(store);
    let error: unknown;
    try {
      for (let i = 0; i < 64; i += 1) await writer.write(bytes);
      await writer.commit();
    } catch (caught) {
      error = caught;
      await writer.abort();
    }
    assert.ok(isSvcError(error, 'SVC-STO-004'), String(error));
    // now with no room at all: not even a ledger line
    const rest = join(volume.path, 'rest');
    await writeFile(rest, Buffer.alloc(64 * mib)).catch(() => {});
    await assert.rejects(
      pushArtifact(
        openRepository(store, 'lost', { owner }),
        buildImage('lost', { layerSize: 100_000 }),
        'v1',
      ),
      (caught) => isSvcError(caught, 'SVC-STO-004') || isSvcError(caught, 'SVC-STO-005'),
    );
    assert.equal(store.index.tag('lost', 'v1'), undefined);
    await rm(rest, { force: true });
    await rm(ballast);
    await pushArtifact(openRepository(store, 'later', { owner }), buildImage('later'), 'v1');
    await requireClean(store);
  }
  await checkStoreAt(root, stateRoot, (store) => {
    const { digest } = kept.manifest.descriptor;
    assert.equal(store.index.tag('kept', 'v1')?.digest, digest);
    assert.ok(store.index.tag('later', 'v1'));
    assert.equal(store.index.sizeOf(kept.blobs[1]!.descriptor.digest), 100_000);
  });
}

test('a full tmpfs refuses, loses nothing, and works again when there is room', async (t) => {
  await using folder = await openTempFolder('svc-space-');
  if (!needsMount(t, folder.path)) return;
  await using volume = mountMemory(join(folder.path, 'volume'), '24m');
  await fill(join(volume.path, 'store'), join(folder.path, 'state'), volume);
});

test('a full ext4 refuses, loses nothing, and works again when there is room', async (t) => {
  await using folder = await openTempFolder('svc-space-');
  if (!needsVolume(t, 'ext4', folder.path)) return;
  await using volume = mountImage(join(folder.path, 'volume'), 'ext4', 24 * mib);
  await fill(join(volume.path, 'store'), join(folder.path, 'state'), volume);
});

test('a quota that is used up refuses, loses nothing, and works again when there is room', async (t) => {
  await using folder = await openTempFolder('svc-space-');
  if (!needs(t, 'btrfs') || !needsVolume(t, 'btrfs', folder.path)) return;
  await using volume = mountImage(join(folder.path, 'volume'), 'btrfs', 192 * mib);
  limitQuota(volume, 24 * mib);
  await fill(join(volume.path, 'store'), join(folder.path, 'state'), volume);
});

test('a volume that becomes read-only refuses changes, still reads, and works again', async (t) => {
  await using folder = await openTempFolder('svc-space-');
  if (!needsVolume(t, 'ext4', folder.path)) return;
  await using volume = mountImage(join(folder.path, 'volume'), 'ext4', 24 * mib);
  const [root, stateRoot] = [join(volume.path, 'store'), join(folder.path, 'state')];
  const kept = buildImage('kept');
  {
    await using store = await openStoreAt({ root, stateRoot });
    await pushArtifact(openRepository(store, 'kept', { owner }), kept, 'v1');
    await writeRest(store);
  }
  volume.remount('ro');
  {
    await using writer = await openStoreAt({ root, stateRoot });
    assert.ok(writer.readOnly !== undefined);
    await assert.rejects(
      pushArtifact(openRepository(writer, 'more', { owner }), buildImage('more'), 'v1'),
      (error) => isSvcError(error, 'SVC-STO-002'),
    );
  }
  {
    await using reader = await openStoreAt({ root, stateRoot }, { access: 'read' });
    assert.equal(reader.index.tag('kept', 'v1')?.digest, kept.manifest.descriptor.digest);
    await requireClean(reader);
  }
  volume.remount('rw');
  await checkStoreAt(root, stateRoot);
});

test('a disk that fails to keep what it took never gets a tag acknowledged, and the store says why', async (t) => {
  await using folder = await openTempFolder('svc-space-');
  if (!needsVolume(t, 'ext4', folder.path)) return;
  await using volume = mountImage(join(folder.path, 'volume'), 'ext4', 64 * mib, { backing: 12 * mib });
  const [root, stateRoot] = [join(volume.path, 'store'), join(folder.path, 'state')];
  const acknowledged: Artifact[] = [];
  let failure: unknown;
  {
    await using store = await openStoreAt({ root, stateRoot });
    for (let n = 0; n < 24 && failure === undefined; n += 1) {
      const image = buildImage(`image ${n}`, { layerSize: mib });
      try {
        await pushArtifact(openRepository(store, `r/${n}`, { owner }), image, 'v1');
        acknowledged.push(image);
      } catch (error) {
        failure = error;
      }
    }
    assert.ok(isSvcError(failure), String(failure));
    assert.match(failure.code, /^SVC-STO-00[12]$/);
    assert.ok(acknowledged.length > 0);
    for (const [n, { manifest }] of acknowledged.entries())
      assert.equal(store.index.tag(`r/${n}`, 'v1')?.digest, manifest.descriptor.digest);
    assert.equal(store.index.tag(`r/${acknowledged.length}`, 'v1'), undefined);
  }
});

test('a file size limit of the process is a limit of the volume to it, and leaves the store whole', async (t) => {
  const prlimit = needs(t, 'prlimit');
  if (!prlimit) return;
  await using folder = await openTempFolder('svc-space-');
  const world = { root: join(folder.path, 'store'), stateRoot: join(folder.path, 'state') };
  const wrap = [prlimit, `--fsize=${4000}`];
  const { said } = await runStoreProgram('churn', world, 'limited', {}, wrap);
  assert.match(said.at(-1)!, /^failed SVC-STO-005/, said.join('\n'));
  await checkStoreAt(world.root, world.stateRoot);
  const again = await runStoreProgram('churn', world, 'again');
  assert.equal(again.said.at(-1), 'end');
});
