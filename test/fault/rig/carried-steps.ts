import assert from 'node:assert/strict';
import { readdir, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { openLayoutWriter } from '../../../src/archive/open-writer.ts';
import { type Digest, hashBytes } from '../../../src/base/digest.ts';
import { silentReport } from '../../../src/base/report.ts';
import { copyGraph } from '../../../src/engine/copy/copy-graph.ts';
import { releaseHeldTag } from '../../../src/engine/copy/release-held-tag.ts';
import { exportLayout } from '../../../src/engine/layout/export-layout.ts';
import { planExport } from '../../../src/engine/layout/plan-export.ts';
import { selectEntries } from '../../../src/engine/layout/select-entries.ts';
import { blobPath } from '../../../src/oci/layout.ts';
import { parsePlatform } from '../../../src/oci/platform.ts';
import { adoptStore } from '../../../src/store/adoption/adopt-store.ts';
import { collectGarbage } from '../../../src/store/collect.ts';
import { deleteTag, releaseOwners } from '../../../src/store/delete-content.ts';
import { isWhole } from '../../../src/store/is-whole.ts';
import { MissingBlobsError } from '../../../src/store/missing-blobs.ts';
import { openRepository } from '../../../src/store/open-repository.ts';
import { repairStore } from '../../../src/store/repair/repair-store.ts';
import { isSvcError } from '../../../src/text/error.ts';
import { type Artifact, digestsOf, pushArtifact, toManifest } from '../../kit/content/content.ts';
import { createMemoryTarget, type MemoryTarget } from '../../kit/instance/memory-target.ts';
import { type CarriedWorld, type Damage, type Forgery, repositoryOf, truth } from './carried-world.ts';
import type { Draw, Step } from './run-histories.ts';

const owner = { provenance: 'recipe', recipe: 'app@1.0.0', cookbook: 'origin.example/cookbook' } as const;
const digests = [...truth.bytes.keys()];
const repositories = [0, 1, 2, 3].map(repositoryOf);
/** Everything that there is, as the registry that a synchronization asks has it. */
const source: MemoryTarget = createMemoryTarget();
for (const artifact of truth.artifacts) await pushArtifact(source, artifact);

const forgeries: Readonly<Record<string, (draw: Draw) => Forgery>> = {
  // the checksums are redone, and no key is claimed
  truthful: () => (records) => records,
  emptied: (draw) => {
    const victim = draw.pick(digests);
    return (records) =>
      records.map((one) =>
        one.op === 'manifest' && (one.digest === victim || victim === digests[0])
          ? { ...one, ...(one.blobs ? { blobs: [] } : { manifests: [] }) }
          : one,
      );
  },
  stranger: (draw) => {
    const stranger = draw.pick([...truth.manifests.keys()]);
    return (records) =>
      records.map((one) => (one.op === 'manifest' ? { ...one, blobs: [], manifests: [stranger] } : one));
  },
  unrecorded: (draw) => {
    const victim = draw.pick([...truth.manifests.keys()]);
    return (records) => records.filter((one) => one.op !== 'manifest' || one.digest !== victim);
  },
  vouched: () => (records) => [...records, { op: 'verified', digests }],
  unheld: () => (records) => records.map(({ held, unverified, ...one }) => one),
};

/** Refusals are as good as silence: only announced work is held against the truth. */
async function attempt(work: () => Promise<unknown>): Promise<boolean> {
  try {
    await work();
    return true;
  } catch (error) {
    if (isSvcError(error) || error instanceof MissingBlobsError) return false;
    throw error;
  }
}

const step = (name: string, run: Step<CarriedWorld>['run']): Step<CarriedWorld> => ({ name, run });
const short = (digest: string): string => digest.slice(7, 15);

function drawCarry(draw: Draw): Step<CarriedWorld> {
  const isFresh = draw.chance(0.4);
  const damages = Array.from({ length: draw.below(6) }, () => ({
    digest: draw.pick(digests),
    how: draw.pick<Damage>(['flip', 'flip', 'cut', 'remove', 'exchange']),
  }));
  const forgery = draw.pick(Object.keys(forgeries));
  const forge = forgeries[forgery]!(draw);
  const opening = { instance: draw.pick(['one', 'two'] as const), zone: draw.chance(0.4) };
  const told = damages.map(({ digest, how }) => `${how}:${short(digest)}`).join(',');
  const name = `carry ${isFresh ? 'fresh' : 'on'} ${told} ${forgery} to ${opening.instance}${opening.zone ? ' in its zone' : ''}`;
  return step(name, async (world) => {
    await world.close();
    if (isFresh) await world.replace();
    for (const { digest, how } of damages) await world.damage(digest, how);
    await world.forge(forge);
    await world.open(opening);
  });
}

/** Mostly content of the repository, now and then of another. */
function drawPlace(draw: Draw): { readonly repository: string; readonly digest: Digest } {
  const at = draw.below(repositories.length);
  const repository = draw.chance(0.8) ? repositories[at]! : draw.pick(repositories);
  return { repository, digest: draw.pick(digestsOf(truth.artifacts[at]!)) };
}

function drawPull(draw: Draw): Step<CarriedWorld> {
  const { repository, digest } = drawPlace(draw);
  const kind = truth.manifests.has(digest) && draw.chance(0.8) ? 'manifests' : 'blobs';
  const mode = draw.pick(['GET', 'HEAD', 'range', 'tail'] as const);
  const reference = kind === 'manifests' && draw.chance(0.3) ? 'v1' : digest;
  return step(
    `pull ${mode} ${repository}/${kind}/${short(digest)} ${reference === 'v1' ? 'v1' : ''}`,
    async (world) => {
      const range = mode === 'range' ? 'bytes=0-9' : mode === 'tail' ? 'bytes=-7' : undefined;
      const ask = (method: string) =>
        fetch(`${world.url}/v2/${repository}/${kind}/${reference}`, {
          method,
          headers: range === undefined ? {} : { range },
        });
      const answer = await ask(mode === 'HEAD' ? 'HEAD' : 'GET');
      const got = answer.headers.get('docker-content-digest') as Digest;
      const bytes = await answer.arrayBuffer().then(Buffer.from, () => undefined);
      assert.ok(answer.status < 500, `${answer.status} ${bytes}`);
      if (answer.status >= 300 || bytes === undefined) return;
      const whole = truth.bytes.get(got);
      assert.ok(whole, `${got} was never made`);
      if (mode === 'HEAD') {
        assert.equal(answer.headers.get('content-length'), String(whole.length));
        assert.ok(world.isTrueOnDisk(got), `HEAD says that ${got} is there`);
      } else if (answer.status === 206)
        assert.ok(bytes.equals(mode === 'range' ? whole.subarray(0, 10) : whole.subarray(-7)));
      else assert.ok(bytes.equals(whole), `other bytes are served as ${got}`);
    },
  );
}

function drawPush(draw: Draw): Step<CarriedWorld> {
  const artifact = draw.pick(truth.artifacts);
  const repository = draw.pick(repositories);
  return step(`push ${short(artifact.manifest.descriptor.digest)} to ${repository}`, async (world) => {
    const put = async ({ children, blobs, manifest }: Artifact, reference: string): Promise<boolean> => {
      const base = `${world.url}/v2/${repository}`;
      for (const child of children)
        if (!(await put(child.artifact, child.artifact.manifest.descriptor.digest))) return false;
      for (const { descriptor, bytes } of blobs) {
        if ((await fetch(`${base}/blobs/${descriptor.digest}`, { method: 'HEAD' })).ok) continue;
        const url = `${base}/blobs/uploads/?digest=${descriptor.digest}`;
        const answer = await fetch(url, { method: 'POST', body: new Uint8Array(bytes) });
        await answer.arrayBuffer();
        if (answer.status !== 201) return false;
      }
      const answer = await fetch(`${base}/manifests/${reference}`, {
        method: 'PUT',
        headers: { 'content-type': manifest.descriptor.mediaType },
        body: new Uint8Array(manifest.bytes),
      });
      const text = await answer.text();
      assert.ok(answer.status < 500 && answer.status !== 400, `${answer.status} ${text}`);
      return answer.status === 201;
    };
    if (!(await put(artifact, 'v1'))) return;
    const { blobs } = truth.manifests.get(artifact.manifest.descriptor.digest)!;
    for (const digest of [artifact.manifest.descriptor.digest, ...blobs])
      assert.ok(world.isTrueOnDisk(digest), `${digest} was pushed`);
  });
}

function drawIndex(draw: Draw): Step<CarriedWorld> {
  const children = [...truth.manifests.keys()].filter(() => draw.chance(0.3));
  const repository = draw.pick(repositories);
  const manifests = children.map((digest) => ({
    mediaType: JSON.parse(truth.bytes.get(digest)!.toString()).mediaType,
    digest,
    size: truth.bytes.get(digest)!.length,
  }));
  const { bytes, descriptor } = toManifest({
    schemaVersion: 2,
    mediaType: 'application/vnd.oci.image.index.v1+json',
    manifests,
  });
  return step(`index ${children.map(short).join(',')} to ${repository}`, async (world) => {
    const answer = await fetch(`${world.url}/v2/${repository}/manifests/around`, {
      method: 'PUT',
      headers: { 'content-type': descriptor.mediaType },
      body: new Uint8Array(bytes),
    });
    assert.ok(answer.status < 500, `${answer.status} ${await answer.text()}`);
    await answer.arrayBuffer().catch(() => {});
    // content that an operator names is served like everything else: known to the truth
    await fetch(`${world.url}/v2/${repository}/manifests/around`, { method: 'DELETE' });
  });
}

/** As a recipe of a run brings it: content that is there is not fetched. */
function drawSync(draw: Draw): Step<CarriedWorld> {
  const at = draw.below(4);
  const artifact = truth.artifacts[at]!;
  const all = artifact.children.map(({ platform }) => platform);
  const platforms = draw.chance(0.6) ? all.filter(() => draw.chance(0.5)) : [];
  const { digest } = artifact.manifest.descriptor;
  return step(`sync ${short(digest)} ${platforms.join(' ')}`, async (world) => {
    await adoptStore(world.store);
    const name = repositoryOf(at);
    const target = openRepository(world.store, name, { owner });
    await copyGraph(source, target, artifact.manifest, {
      reference: name,
      platforms: platforms.map((text) => parsePlatform(text)!),
      tag: 'v1',
      beforeRoot: () => releaseHeldTag(world.store, name, 'v1', digest),
    });
    const asked = artifact.children.filter(
      ({ platform }) => platforms.length === 0 || platforms.includes(platform),
    );
    for (const { manifest, blobs } of [artifact, ...asked.map((one) => one.artifact)])
      for (const { descriptor } of [manifest, ...blobs])
        assert.ok(world.isTrueOnDisk(descriptor.digest), `${descriptor.digest} was synchronized`);
    await collectGarbage(world.store);
  });
}

function drawCount(draw: Draw): Step<CarriedWorld> {
  const { repository, digest } = drawPlace(draw);
  const descriptor = { mediaType: '', digest, size: truth.bytes.get(digest)!.length };
  return step(`count ${short(digest)} in ${repository}`, async (world) => {
    const local = openRepository(world.store, repository, { owner });
    const facts = truth.manifests.get(digest);
    const counted = [
      [digest, await isWhole(world.store, digest)],
      [digest, await local.hasBlob(descriptor)],
    ] as [Digest, boolean][];
    if (facts !== undefined && (await local.hasManifest(digest)))
      for (const one of [digest, ...facts.blobs]) counted.push([one, true]);
    for (const [one, isCounted] of counted)
      if (isCounted) assert.ok(world.isTrueOnDisk(one), `${one} counts as present`);
    await attempt(async () => {
      const bytes = await buffer(await local.fetchBlob(descriptor));
      if (world.store.standing === 'ours') assert.equal(hashBytes(bytes), digest);
    });
  });
}

function drawPromotion(draw: Draw): Step<CarriedWorld> {
  const at = draw.below(4);
  return step(`promote ${repositoryOf(at)}:v1`, async (world) => {
    if (world.store.standing === 'foreign') return;
    const local = openRepository(world.store, repositoryOf(at), { owner });
    const found = await local.fetchManifest('v1').catch(() => undefined);
    if (found === undefined) return;
    // a destination that checks nothing
    const received = new Map<Digest, Buffer>();
    await attempt(() =>
      copyGraph(
        local,
        {
          hasBlob: async ({ digest }) => received.has(digest),
          hasManifest: async (digest) => received.has(digest),
          pushBlob: async ({ digest }, from) => void received.set(digest, await buffer(from as Readable)),
          pushManifest: async (_, { descriptor, bytes }) => void received.set(descriptor.digest, bytes),
        },
        found,
        { reference: 'promoted', tag: 'v1', children: 'where-present', foreignLayers: 'where-present' },
      ),
    );
    for (const [digest, bytes] of received)
      assert.ok(truth.bytes.get(digest)?.equals(bytes), `${digest} was promoted with other bytes`);
  });
}

const exportStep = step('export', async (world) => {
  const path = join(world.folder, 'layout');
  const isDone = await attempt(async () => {
    const selected = await selectEntries(world.store, { recipes: [], repositories: [] }, undefined);
    const plan = await planExport(world.store, selected);
    await using writer = await openLayoutWriter(plan, 'directory', {
      path,
      overwrite: true,
      volume: { type: 'tmpfs' },
    });
    await exportLayout({ store: world.store, plan, writer });
  });
  if (isDone) await requireWholeLayout(path);
  await rm(path, { recursive: true, force: true });
});

/** Every file matches its name, and every image has its blobs. */
async function requireWholeLayout(path: string): Promise<void> {
  const names = (await readdir(join(path, 'blobs', 'sha256')).catch(() => [])).map(
    (name): Digest => `sha256:${name}`,
  );
  const there = new Set(names);
  for (const digest of names) {
    const bytes = await readFile(join(path, blobPath(digest)));
    assert.equal(hashBytes(bytes), digest, 'exported');
    for (const blob of truth.manifests.get(digest)?.blobs ?? [])
      assert.ok(there.has(blob), `${digest} was exported without ${blob}`);
  }
}

const drawRepair = (draw: Draw): Step<CarriedWorld> => {
  const adopt = draw.chance(0.5);
  return step(`repair${adopt ? ' and adopt' : ''}`, async (world) => {
    const { opening, root, folder: at } = world;
    await world.close();
    await attempt(() =>
      repairStore({
        root,
        stateRoot: join(at, opening.instance),
        zone: opening.zone ? 'zone-b' : undefined,
        adopt,
        report: silentReport,
        holder: 'test',
      }),
    );
    await world.open(opening);
  });
};

const restart = step('restart', async (world) => {
  const { opening } = world;
  await world.close();
  await world.open(opening);
});

const draws: readonly [weight: number, (draw: Draw) => Step<CarriedWorld>][] = [
  [4, drawCarry],
  [12, drawPull],
  [2, drawPush],
  [2, drawIndex],
  [3, drawSync],
  [3, drawCount],
  [2, drawPromotion],
  [1, () => exportStep],
  [1, drawRepair],
  [1, () => restart],
  [1, () => step('adopt', (world) => adoptStore(world.store))],
  [1, () => step('collect', async (world) => void (await attempt(() => collectGarbage(world.store))))],
  [
    1,
    (draw) => {
      const repository = draw.pick(repositories);
      return step(`prune ${repository}:v1`, async (world) => {
        await attempt(() => releaseOwners(world.store, [{ repository, tag: 'v1', owner }]));
      });
    },
  ],
  [
    1,
    (draw) => {
      const repository = draw.pick(repositories);
      return step(`delete ${repository}:v1`, async (world) => {
        await attempt(() => deleteTag(world.store, repository, 'v1'));
      });
    },
  ],
];
const bag = draws.flatMap(([weight, make]) => Array.from({ length: weight }, () => make));

/** Work of clients and tasks of one instance at the same time. */
const together = [drawPull, drawPush, drawIndex, drawSync, drawCount, drawPromotion] as const;

/** The next step of a history of carried media. */
export function drawCarriedStep(draw: Draw): Step<CarriedWorld> {
  if (!draw.chance(0.15)) return draw.pick(bag)(draw);
  const pair = [draw.pick(together)(draw), draw.pick(together)(draw)];
  return step(`at-once ${pair.map(({ name }) => name).join(' | ')}`, async (world) => {
    for (const ended of await Promise.allSettled(pair.map((one) => one.run(world))))
      if (ended.status === 'rejected') throw ended.reason;
  });
}
