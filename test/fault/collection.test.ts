import assert from 'node:assert/strict';
import { Readable } from 'node:stream';
import { test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { hashBytes } from '../../src/base/digest.ts';
import { collectGarbage } from '../../src/store/collect.ts';
import { deleteTag, releaseOwners } from '../../src/store/delete-content.ts';
import { openRepository } from '../../src/store/open-repository.ts';
import {
  type Artifact,
  buildImage,
  buildIndex,
  digestsOf,
  pushArtifact,
  seededBytes,
  toBlob,
} from '../kit/content/content.ts';
import { pushArtifactOverHttp } from '../kit/content/push-artifact.ts';
import { startTestServer } from '../kit/instance/server.ts';
import { openTempFolder } from '../kit/instance/temp-folder.ts';
import { listHeldAt } from '../kit/result/held-at.ts';
import { requireClean } from './rig/check-store.ts';
import { seed, times } from './rig/form.ts';
import { toRandom } from './rig/random.ts';

const owner = { provenance: 'recipe', recipe: 'app@1.0.0' } as const;

test('collections beside pushes, pulls and deletes lose nothing and serve nothing half', async (t) => {
  await using folder = await openTempFolder('svc-collection-');
  await using server = await startTestServer({ folder: folder.path });
  const { store, url } = server;
  const start = performance.now();
  const end = start + times(4, 60) * 1000;
  // a busy machine gets the time that it takes to have done anything at all
  const isOver = (): boolean =>
    performance.now() > end &&
    (required.every((key) => counts[key] > 3) || performance.now() > start + 90_000);
  const authorization = server.as.admin;
  // layers that images share and lose again: a layer released by one push is wanted by the next
  const shared = Array.from({ length: 6 }, (_, n) =>
    toBlob(seededBytes(`shared ${n}`, 200_000), 'application/vnd.oci.image.layer.v1.tar'),
  );
  const standing = new Map<string, Artifact>();
  const counts = { pushes: 0, pulls: 0, deletes: 0, collections: 0, removed: 0, whole: 0 };
  // not the removals of collections: the changes beside them remove most of it
  const required = ['pushes', 'pulls', 'deletes', 'collections', 'whole'] as const;

  async function push(lane: number): Promise<void> {
    const random = toRandom(`${seed} push ${lane}`);
    for (let n = 0; !isOver(); n += 1) {
      const layers = shared.filter(() => random() < 0.5);
      const name = `pushed/${lane}`;
      const image =
        n % 3 === 0
          ? buildIndex(`${lane} ${n}`, ['linux/amd64', 'linux/arm64'], { layers })
          : buildImage(`${lane} ${n}`, { layers });
      for (const { artifact } of image.children)
        await pushArtifactOverHttp({ registry: url, repository: name, authorization }, artifact);
      await pushArtifactOverHttp({ registry: url, repository: name, authorization }, image, `v${n}`);
      standing.set(`${name}:v${n}`, image);
      counts.pushes += 1;
      if (n >= 3) {
        const tag = `v${n - 3}`;
        const gone = standing.get(`${name}:${tag}`)!;
        standing.delete(`${name}:${tag}`);
        const { digest } = gone.manifest.descriptor;
        const answer = await server.fetch(`/v2/${name}/manifests/${digest}`, { method: 'DELETE' });
        assert.equal(answer.status, 202, await answer.text());
        counts.deletes += 1;
      }
    }
  }

  /** As a synchronization writes: blobs first, nothing tells of them until the tag. */
  async function take(): Promise<void> {
    for (let n = 0; !isOver(); n += 1) {
      const layers = shared.filter((_, i) => (n + i) % 2 === 0);
      const image = buildImage(`taken ${n}`, { layers });
      const target = openRepository(store, 'taken', { owner });
      for (const { descriptor, bytes } of image.blobs) {
        await target.pushBlob(descriptor, Readable.from([bytes]));
        await pause(2);
      }
      await target.pushManifest('latest', image.manifest);
      standing.set('taken:latest', image);
      assert.deepEqual(
        [...store.index.reach(image.manifest.descriptor.digest)].sort(),
        digestsOf(image).sort(),
      );
      await releaseOwners(store, [{ repository: 'taken', tag: 'latest', owner }]);
      standing.delete('taken:latest');
    }
  }

  async function pull(lane: number): Promise<void> {
    const random = toRandom(`${seed} pull ${lane}`);
    while (!isOver()) {
      const all = [...standing];
      const [name, image] = all[Math.floor(random() * all.length)] ?? [];
      if (name === undefined || image === undefined || name.startsWith('taken')) {
        await pause(5);
        continue;
      }
      const [repository, tag] = name.split(':') as [string, string];
      const { digest } = image.manifest.descriptor;
      const wasThere = standing.has(name);
      // every arrival is whole: this throws on a digest that differs
      const held = await listHeldAt({ registry: url, repository, authorization }, image);
      counts.pulls += 1;
      if (!wasThere || !standing.has(name)) continue;
      counts.whole += 1;
      assert.deepEqual(held, digestsOf(image).sort(), `${name} stood before and after, and was not whole`);
      assert.equal(store.index.tag(repository, tag)?.digest, digest);
    }
  }

  async function collect(): Promise<void> {
    while (!isOver()) {
      const { blobs } = await collectGarbage(store);
      counts.collections += 1;
      counts.removed += blobs;
      await pause(10);
    }
  }

  /** A slow reader: its image is removed meanwhile, and still it gets all of it or an error. */
  async function readSlowly(): Promise<void> {
    for (let n = 0; !isOver(); n += 1) {
      const image = buildImage(`slow ${n}`, { layerSize: 3_000_000 });
      const target = openRepository(store, 'slow', { owner });
      await pushArtifact(target, image, 'v');
      const layer = image.blobs[1]!.descriptor;
      const answer = await server.fetch(`/v2/slow/blobs/${layer.digest}`);
      assert.equal(answer.status, 200);
      await deleteTag(store, 'slow', 'v');
      await collectGarbage(store);
      const bytes = Buffer.from(await answer.arrayBuffer());
      assert.equal(hashBytes(bytes), layer.digest, 'a pull that had begun got all of it');
      await pause(50);
    }
  }

  await Promise.all([push(0), push(1), take(), pull(0), pull(1), collect(), readSlowly()]);
  for (const [name, image] of standing) {
    const [repository] = name.split(':') as [string];
    assert.deepEqual(
      await listHeldAt({ registry: url, repository, authorization }, image),
      digestsOf(image).sort(),
    );
  }
  await requireClean(store);
  for (const key of required) assert.ok(counts[key] > 3, `${key}: ${counts[key]}`);
  t.diagnostic(`${JSON.stringify(counts)}, lost: none`);
});
