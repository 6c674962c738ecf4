import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import type { Task } from '../../src/contract/task.ts';
import { type Artifact, buildImage, buildIndex, digestsOf } from '../kit/content/content.ts';
import { publishRecipe, toOrigin } from '../kit/content/origin.ts';
import { pushArtifactOverHttp } from '../kit/content/push-artifact.ts';
import { settleTask } from '../kit/instance/settle-task.ts';
import { listHeldAt } from '../kit/result/held-at.ts';
import type { RegistryDouble } from '../kit/result/registry-double.ts';
import { openRehearsal, type Rehearsal } from '../kit/scene/rehearsal.ts';
import { checkStoreAt } from './rig/check-store.ts';
import type { FailureRule } from './rig/fault-plan.ts';
import { only, onlyRound, seed, times } from './rig/form.ts';
import { toRandom } from './rig/random.ts';
import { repeatable } from './rig/repeatable.ts';
import { endFaultyInstances, type FaultyInstance, startFaultyInstance } from './rig/start-instance.ts';

/** The codes for a client, an item or a task, by the error of the disk. */
const codes = {
  ENOSPC: /^SVC-STO-00[45]$/,
  EDQUOT: /^SVC-STO-004$/,
  EFBIG: /^SVC-STO-005$/,
  EIO: /^SVC-STO-(?:00[23]|014)$/,
  EROFS: /^SVC-STO-00[23]$/,
} as const;
/** Lack of room fails calls that add bytes; a broken disk fails any call. */
const adding = 'open|write|writev|writeFile|appendFile|mkdir|rename|link|copyFile';
const anything = `${adding}|sync|truncate|unlink|rm`;

const part = 'failing-writes';

interface Told {
  readonly by: string;
  readonly code: string | undefined;
}

/** The codes of a task that failed; of one that is done, none. */
function listErrors(task: Task): readonly Told[] {
  const errors = [task.error, ...task.items.map(({ error }) => error)].filter((error) => error !== undefined);
  if (task.status === 'failed') assert.ok(errors.length > 0, JSON.stringify(task));
  return errors.map((error) => ({ by: `task ${JSON.stringify(error)}`, code: error.code }));
}

/** A zone that synchronizes one recipe, whose next version is published on demand, and is pushed to beside that. */
class Zone {
  readonly folder: string;
  readonly #world: Rehearsal;
  readonly #double: RegistryDouble;
  readonly #config: Readonly<Record<string, unknown>>;
  readonly #pushed = new Map<string, Artifact>();
  #version = 0;

  private constructor(world: Rehearsal, double: RegistryDouble, config: Readonly<Record<string, unknown>>) {
    this.folder = world.path('instance');
    this.#world = world;
    this.#double = double;
    this.#config = config;
  }

  static async open(world: Rehearsal): Promise<Zone> {
    const double = await world.double();
    const source = await world.retriever('zone', {
      cookbook: `${double.host}/cookbook`,
      recipes: [{ name: 'app', version: '^1' }],
    });
    return new Zone(world, double, {
      mode: 'mirror',
      retriever: { source },
      registries: await world.registries([double.host]),
      trust: world.trust,
      sync: { interval: '0', retries: 0 },
      transfer: { resumeThreshold: '1KiB' },
    });
  }

  start(fail: readonly FailureRule[]): Promise<FaultyInstance> {
    return startFaultyInstance(this.folder, this.#config, { report: join(this.folder, 'calls.json'), fail });
  }

  /** How many calls the instance made that has ended. */
  async count(): Promise<number> {
    return JSON.parse(await readFile(join(this.folder, 'calls.json'), 'utf8')).count;
  }

  async publish(): Promise<void> {
    this.#version += 1;
    const version = `1.0.${this.#version}`;
    const origin = toOrigin(this.#double);
    const wanted = buildIndex(version, ['linux/amd64', 'linux/arm64'], { layerSize: 20_000 });
    await origin.put('shop/wanted', wanted, version);
    const { digest } = wanted.manifest.descriptor;
    await publishRecipe(origin, {
      name: 'app',
      version,
      ingredients: [{ name: 'wanted', repository: 'shop/wanted', version, digest }],
      signatures: [{ signer: this.#world.signer }],
    });
  }

  /** Synchronizes and pushes at once. @returns the reported failures */
  async work(faulty: FaultyInstance): Promise<readonly Told[]> {
    const told = (await Promise.all([this.#sync(faulty), this.#push(faulty)])).flat();
    assert.ok(faulty.isAlive(), faulty.instance.log());
    assert.equal((await fetch(`${faulty.instance.url}/healthz`)).status, 200);
    // acknowledged content is there at once, failing disk or not
    for (const [repository, image] of this.#pushed)
      assert.deepEqual(
        await listHeldAt({ registry: faulty.instance.url, repository }, image),
        digestsOf(image).sort(),
      );
    return told;
  }

  async #sync({ instance }: FaultyInstance): Promise<readonly Told[]> {
    const { status, body } = await instance.api('POST', '/sync', {});
    if (status !== 201) return [{ by: `POST /sync ${status}`, code: body.code }];
    return listErrors(await settleTask(instance, body.task.id));
  }

  async #push({ instance }: FaultyInstance): Promise<readonly Told[]> {
    const repository = `pushed/${this.#version}`;
    const image = buildImage(repository);
    try {
      await pushArtifactOverHttp({ registry: instance.url, repository }, image, 'v1');
      this.#pushed.set(repository, image);
      return [];
    } catch (error) {
      const [, status, reply] = /: (\d+) (.*)$/s.exec((error as Error).message) ?? [];
      assert.ok(reply, String(error));
      return [{ by: `push ${status} ${reply}`, code: /SVC-[A-Z]+-\d+/.exec(reply)?.[0] }];
    }
  }

  /** Opens the store as its next process would. */
  check(): Promise<void> {
    return checkStoreAt(join(this.folder, 'store'), join(this.folder, 'state'), (store) => {
      for (const [repository, { manifest }] of this.#pushed)
        assert.equal(store.index.tag(repository, 'v1')?.digest, manifest.descriptor.digest);
    });
  }
}

test('a failure of any write of an instance is told with its code, and the next run completes', async (t) => {
  if (only !== undefined && only !== part) return t.skip(`not run: only ${only} was asked for`);
  await using world = await openRehearsal();
  await using cleanup = new AsyncDisposableStack();
  cleanup.defer(endFaultyInstances);
  const zone = await Zone.open(world);
  const run = async (fail: readonly FailureRule[]): Promise<readonly Told[]> => {
    const faulty = await zone.start(fail);
    // work that failed in an earlier round is done first: the rule counts from the arming on
    if (fail.length > 0) assert.deepEqual(await zone.work(faulty), []);
    await zone.publish();
    await faulty.arm();
    const told = await zone.work(faulty);
    await faulty.instance.stop();
    return told;
  };
  await zone.publish();
  assert.deepEqual(await run([]), []);
  const count = await zone.count();
  const failures = new Map<string, number>();
  const rounds = times(5, 200);
  for (let round = onlyRound ?? 0; round < (onlyRound ?? rounds - 1) + 1; round += 1) {
    const [code, expected] = Object.entries(codes)[round % 5]!;
    const random = toRandom(`${seed} ${part} ${round}`);
    const rule = {
      op: code === 'EIO' ? anything : adding,
      code,
      skip: Math.floor(random() * count * 0.8),
      times: 1 + Math.floor(random() * 4),
    };
    await repeatable(part, round, JSON.stringify(rule), async () => {
      const told = await run([rule]);
      for (const one of told) assert.match(one.code ?? '', expected, JSON.stringify(one));
      if (told.length > 0) failures.set(code, (failures.get(code) ?? 0) + 1);
      await zone.check();
    });
  }
  assert.deepEqual(await run([]), []);
  await zone.check();
  t.diagnostic(`${rounds} rounds, told: ${JSON.stringify(Object.fromEntries(failures))}, lost: none`);
});
