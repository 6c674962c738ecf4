import assert from 'node:assert/strict';
import { mkdir, readdir, rm } from 'node:fs/promises';
import { test } from 'node:test';
import { type Digest, hashBytes } from '../../../src/base/digest.ts';
import type { Task } from '../../../src/contract/task.ts';
import { type Artifact, buildImage, buildIndex, digestsOf } from '../../kit/content/content.ts';
import { publishRecipe, toOrigin } from '../../kit/content/origin.ts';
import { listUnfinished, settleTask } from '../../kit/instance/settle-task.ts';
import { listHeldAt } from '../../kit/result/held-at.ts';
import type { RegistryDouble } from '../../kit/result/registry-double.ts';
import { openRehearsal, type Rehearsal } from '../../kit/scene/rehearsal.ts';
import { checkStoreAt } from '../rig/check-store.ts';
import { followTask, requireNothingAgain } from '../rig/follow-task.ts';
import { times } from '../rig/form.ts';
import { readFaultReport } from '../rig/instrumented.ts';
import { ask, conclude, listBlobs, plan, toPlace } from '../rig/place.ts';
import { type KillRig, runKills } from '../rig/run-kills.ts';
import { type FaultyInstance, startFaultyInstance } from '../rig/start-instance.ts';

const roundsOfAWorld = 40;

class Pushes {
  readonly blobs: Map<Digest, string> = new Map();
  readonly images: Map<string, Artifact> = new Map();

  /** Pushes as clients do: asks for each blob first, sends the absent ones. False: the instance is gone. */
  async push(
    instance: FaultyInstance['instance'],
    repository: string,
    artifact: Artifact,
    tag?: string,
  ): Promise<boolean> {
    for (const { artifact: child } of artifact.children)
      if (!(await this.push(instance, repository, child))) return false;
    const base = `${instance.url}/v2/${repository}`;
    for (const { descriptor, bytes } of artifact.blobs) {
      const { digest } = descriptor;
      const head = await ask(`${base}/blobs/${digest}`, { method: 'HEAD' });
      if (head === undefined) return false;
      const wasPromised = this.blobs.get(digest) === repository;
      if (wasPromised) assert.equal(head.status, 200, `${digest} was acknowledged and would be sent again`);
      if (head.status === 200) continue;
      const begun = await ask(`${base}/blobs/uploads/`, { method: 'POST' });
      if (begun === undefined) return false;
      assert.equal(begun.status, 202);
      let location = new URL(begun.headers.get('location')!, instance.url);
      if (bytes.length > 1000) {
        const body = new Uint8Array(bytes.subarray(0, 500));
        const part = await ask(location.href, { method: 'PATCH', body });
        if (part === undefined) return false;
        assert.equal(part.status, 202);
        location = new URL(part.headers.get('location')!, instance.url);
      }
      location.searchParams.set('digest', digest);
      const body = new Uint8Array(bytes.length > 1000 ? bytes.subarray(500) : bytes);
      const put = await ask(location.href, { method: 'PUT', body });
      if (put === undefined) return false;
      assert.equal(put.status, 201, await put.text());
      this.blobs.set(digest, repository);
    }
    const { descriptor, bytes } = artifact.manifest;
    const put = await ask(`${base}/manifests/${tag ?? descriptor.digest}`, {
      method: 'PUT',
      body: new Uint8Array(bytes),
      headers: { 'content-type': descriptor.mediaType },
    });
    if (put === undefined) return false;
    assert.equal(put.status, 201, await put.text());
    if (tag !== undefined) this.images.set(repository, artifact);
    return true;
  }
}

async function openPushRig(): Promise<KillRig> {
  const world = await openRehearsal();
  let place = toPlace(world.path('0'));
  let pushes = new Pushes();
  const toImages = (round: number): readonly [string, Artifact][] => [
    [`a/${round}`, buildIndex(`a ${round}`, ['linux/amd64', 'linux/arm64'])],
    [`b/${round}`, buildImage(`b ${round}`)],
  ];
  const pushAll = async (instance: FaultyInstance['instance'], round: number): Promise<boolean> => {
    for (const [name, image] of toImages(round))
      if (!(await pushes.push(instance, name, image, 'v1'))) return false;
    return true;
  };
  const requireServed = async (instance: FaultyInstance['instance']) => {
    for (const [repository, image] of pushes.images)
      assert.deepEqual(
        await listHeldAt({ registry: instance.url, repository }, image),
        digestsOf(image).sort(),
      );
  };
  let unfinished: number | undefined;
  return {
    async run(kill, round) {
      if (round > 0 && round % roundsOfAWorld === 0) {
        await rm(place.folder, { recursive: true });
        [place, pushes, unfinished] = [toPlace(world.path(`${round}`)), new Pushes(), undefined];
      }
      const faulty = await startFaultyInstance(place.folder, {}, plan(kill, place));
      const { instance } = faulty;
      // the next run of the killed push: it completes before the next kill
      if (unfinished !== undefined) assert.ok(await pushAll(instance, unfinished));
      await requireServed(instance);
      pushes.images.clear();
      await faulty.arm();
      const isDone = await pushAll(instance, round);
      unfinished = isDone ? undefined : round;
      return conclude(faulty, place);
    },
    async check(round) {
      await checkStoreAt(
        place.root,
        place.stateRoot,
        (store) => {
          for (const [repository, image] of pushes.images) {
            const { digest } = image.manifest.descriptor;
            assert.equal(store.index.tag(repository, 'v1')?.digest, digest, `${repository} was acknowledged`);
            assert.deepEqual([...store.index.reach(digest)].sort(), digestsOf(image).sort());
          }
          for (const [digest, repository] of pushes.blobs)
            assert.ok(store.index.isBlobIn(repository, digest), `${digest} was acknowledged`);
        },
        { access: round % 2 === 0 ? 'read' : 'write', mode: 'passthrough' },
      );
    },
    complete: async () => {},
    [Symbol.asyncDispose]: () => world[Symbol.asyncDispose](),
  };
}

interface SyncWorld {
  readonly world: Rehearsal;
  readonly origin: RegistryDouble;
  readonly images: Map<string, Artifact>;
  readonly config: Readonly<Record<string, unknown>>;
  publish(name: string, version: string, images: readonly (readonly [string, Artifact])[]): Promise<void>;
}

async function openSyncWorld(
  more: (world: Rehearsal) => Promise<Record<string, unknown>>,
): Promise<SyncWorld> {
  const world = await openRehearsal();
  const double = await world.double();
  const origin = toOrigin(double);
  const images = new Map<string, Artifact>();
  const { hosts = [], ...rest } = (await more(world)) as { hosts?: string[] };
  return {
    world,
    origin: double,
    images,
    config: {
      mode: 'mirror',
      registries: await world.registries([double.host, ...hosts]),
      trust: world.trust,
      sync: { parallelism: 2, interval: '0' },
      ...rest,
    },
    async publish(name, version, content) {
      const ingredients = [];
      for (const [repository, image] of content) {
        await origin.put(repository, image, version);
        images.set(`${repository}:${version}`, image);
        const { digest } = image.manifest.descriptor;
        ingredients.push({ name: repository.replace('/', '-'), repository, version, digest });
      }
      const layout = name.length % 2 ? 'classic' : 'bundle';
      await publishRecipe(origin, {
        name,
        version,
        ingredients,
        signatures: [{ signer: world.signer, layout }],
      });
    },
  };
}

/**
 * Each round publishes a version of a recipe, and brings it in with a synchronization that is killed. The same run prunes
 * the content that only the version before had.
 */
async function openSyncRig(isPruning: boolean, hasDestination: boolean): Promise<KillRig> {
  let destination: RegistryDouble | undefined;
  const sync = await openSyncWorld(async (world) => {
    if (hasDestination) destination = await world.double();
    return destination
      ? { mode: 'passthrough', destination: { registry: destination.host }, hosts: [destination.host] }
      : { transfer: { resumeThreshold: '1KiB' } };
  });
  const { world, origin } = sync;
  const retriever = { cookbook: `${origin.host}/cookbook`, recipes: [{ name: 'app', version: '^1' }] };
  const base = buildImage('base', { ownLayers: 3 });
  const [source, place] = [await world.retriever('zone', retriever), toPlace(world.path('instance'))];
  let version = 0;
  let unfinished = false;
  /** The required content after the latest run. */
  let expected: readonly (readonly [string, Artifact])[] = [];
  const held = new Map<string, Set<string>>();
  const isPromoted = (): void => {
    for (const tag of destination!.tags('cookbook/app'))
      requirePromoted(destination!, origin.host, tag, sync.images);
  };
  const publishNext = async (): Promise<void> => {
    version += 1;
    const layers = [base.blobs[1]!];
    const small = version % 2 === 0 && isPruning;
    expected = small
      ? [['shop/base', base]]
      : [
          ['shop/base', base],
          ['shop/web', buildIndex(`web ${version}`, ['linux/amd64', 'linux/arm64'], { layers })],
          ['shop/job', buildImage(`job ${version}`, { layers })],
        ];
    await sync.publish('app', `1.0.${version}`, expected);
  };
  const trigger = async (faulty: FaultyInstance): Promise<Task | undefined> => {
    const answer = await ask(`${faulty.instance.url}/api/v1/sync`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ prune: true }),
    });
    if (answer === undefined) return undefined;
    const body = await answer.text();
    assert.equal(answer.status, 201, body);
    return (JSON.parse(body) as { task: Task }).task;
  };
  const requireServed = async (faulty: FaultyInstance): Promise<void> => {
    const { url } = faulty.instance;
    for (const [name, image] of expected) {
      const repository = `${origin.host.replace(':', '_')}/${name}`;
      assert.deepEqual(await listHeldAt({ registry: url, repository }, image), digestsOf(image).sort(), name);
    }
    const tags = await ask(`${url}/v2/${origin.host.replace(':', '_')}/cookbook/app/tags/list`);
    const listed = (JSON.parse(await tags!.text()) as { tags: string[] }).tags.filter((tag) =>
      tag.startsWith('1.'),
    );
    assert.deepEqual(listed, [`1.0.${version}`], 'what no recipe wants any more was pruned');
  };
  const resume = async (faulty: FaultyInstance): Promise<void> => {
    let tasks = await listUnfinished(faulty.instance);
    // a kill before the task was written: nobody was told of it
    if (tasks.length === 0) tasks = [(await trigger(faulty))!];
    const { body } = await faulty.instance.api('GET', '/tasks?pageSize=200');
    for (const { id } of tasks) {
      const task = await settleTask(faulty.instance, id);
      assert.equal(task.status, 'done', JSON.stringify(task));
      assert.equal(task.counts.failed, 0, JSON.stringify(body));
    }
  };
  return {
    async run(kill) {
      const faulty = await startFaultyInstance(
        place.folder,
        { ...sync.config, retriever: { source } },
        plan(kill, place),
      );
      if (unfinished) await resume(faulty);
      if (unfinished) requireNothingAgain(origin, held.get('store')!);
      if (unfinished && destination) requireNothingPushedAgain(destination, held);
      if (version > 0) await requireServed(faulty);
      if (destination && version > 0) isPromoted();
      await publishNext();
      origin.requests.length = 0;
      await faulty.arm();
      const task = await trigger(faulty);
      const settled = task && (await followTask(faulty, task.id));
      if (settled) assert.equal(settled.status, 'done', JSON.stringify(settled));
      const report = await conclude(faulty, place);
      unfinished = settled === undefined;
      return report;
    },
    async check(round) {
      await checkStoreAt(place.root, place.stateRoot, () => {}, {
        access: round % 2 === 0 ? 'read' : 'write',
        mode: hasDestination ? 'passthrough' : 'mirror',
      });
      held.clear();
      held.set('store', new Set(listBlobs(place.root)));
      origin.requests.length = 0;
      if (!destination) return;
      // the recipe crosses last: where its tag stands, all that it names stands
      isPromoted();
      for (const name of destination.repositories())
        held.set(name, new Set(listDestinationBlobs(destination, name, sync.images)));
      destination.requests.length = 0;
    },
    complete: async () => {},
    [Symbol.asyncDispose]: () => world[Symbol.asyncDispose](),
  };
}

function listDestinationBlobs(
  destination: RegistryDouble,
  repository: string,
  images: ReadonlyMap<string, Artifact>,
): readonly Digest[] {
  const all = [...images.values()].flatMap(digestsOf);
  return all.filter((digest) => destination.blob(repository, digest) !== undefined);
}

/** Blobs whose upload was ended by their digest although they stood there. */
function requireNothingPushedAgain(
  destination: RegistryDouble,
  held: ReadonlyMap<string, ReadonlySet<string>>,
): void {
  for (const { method, path } of destination.requests) {
    const match = /^\/v2\/(.+)\/blobs\/uploads\/.*digest=(sha256(?::|%3A)[0-9a-f]+)/.exec(path);
    if (method !== 'PUT' || match === null) continue;
    const digest = decodeURIComponent(match[2]!);
    assert.ok(!held.get(match[1]!)?.has(digest), `${digest} stood at the destination and was pushed again`);
  }
}

function requirePromoted(
  destination: RegistryDouble,
  host: string,
  tag: string,
  images: ReadonlyMap<string, Artifact>,
): void {
  if (!tag.startsWith('1.')) return;
  for (const [reference, image] of images) {
    const [name, version] = reference.split(':') as [string, string];
    if (version !== tag) continue;
    const repository = `${host.replace(':', '_')}/${name}`;
    assert.equal(destination.manifest(repository, tag)?.digest, image.manifest.descriptor.digest, repository);
    for (const digest of digestsOf(image)) {
      const bytes = destination.blob(repository, digest) ?? destination.manifest(repository, digest)?.bytes;
      assert.ok(
        bytes !== undefined && hashBytes(bytes) === digest,
        `${repository} ${digest} at the destination`,
      );
    }
  }
}

async function openFirstStartRig(): Promise<KillRig> {
  const world = await openRehearsal();
  let place = toPlace(world.path('0'));
  return {
    async run(kill, round) {
      await rm(place.folder, { recursive: true, force: true });
      place = toPlace(world.path(`${round}`));
      await mkdir(place.folder);
      const config = { mode: 'mirror', auth: { disabled: true } };
      const configPath = await world.configure(`${round}`, config);
      const { toFaultEnvironment } = await import('../rig/instrumented.ts');
      const env = toFaultEnvironment({ ...plan(kill, place), roots: [place.root, place.stateRoot] });
      const { spawnServe } = await import('../rig/spawn-serve.ts');
      await spawnServe(configPath, env);
      return readFaultReport(place.report);
    },
    check: async () => {},
    async complete() {
      const faulty = await startFaultyInstance(place.folder, { mode: 'mirror' }, plan(undefined, place));
      const pushes = new Pushes();
      assert.ok(await pushes.push(faulty.instance, 'a', buildImage('a'), 'v1'));
      await conclude(faulty, place);
      await checkStoreAt(place.root, place.stateRoot);
      const strays = (await readdir(place.stateRoot)).filter((name) => name.endsWith('.tmp'));
      assert.deepEqual(strays, []);
    },
    [Symbol.asyncDispose]: () => world[Symbol.asyncDispose](),
  };
}

test('a push is whole after a kill at any write, and what was acknowledged is not sent again', async (t) => {
  await runKills(t, 'push', openPushRig, times(3, 130));
});

test('a synchronization with its prune is resumed after a kill at any write', async (t) => {
  await runKills(t, 'sync', () => openSyncRig(true, false), times(3, 120));
});

test('a promotion is resumed after a kill at any write, and a recipe never stands before what it names', async (t) => {
  await runKills(t, 'promotion', () => openSyncRig(false, true), times(3, 80));
});

test('a first start that was killed at any write is carried on by the next', async (t) => {
  await runKills(t, 'first-start', openFirstStartRig, times(3, 40));
});
