import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import type { Task } from '../../src/task/model.ts';
import { type Artifact, buildImage, buildIndex, digestsOf } from '../kit/content.ts';
import { listHeldAt } from '../kit/held-at.ts';
import { publishRecipe, toOrigin } from '../kit/origin.ts';
import { pushArtifactOverHttp } from '../kit/push-artifact.ts';
import { openRehearsal } from '../kit/rehearsal.ts';
import { checkStoreAt } from './rig/check-store.ts';
import type { FailureRule } from './rig/fault-plan.ts';
import { only, onlyRound, seed, times } from './rig/form.ts';
import { toRandom } from './rig/random.ts';
import { settleTask } from './rig/settle-task.ts';
import { endFaultyInstances, type FaultyInstance, startFaultyInstance } from './rig/start-instance.ts';

/** What a client, an item or a task may be told, by what the disk answered. */
const codes = {
  ENOSPC: /^SVC-STO-00[45]$/,
  EDQUOT: /^SVC-STO-004$/,
  EFBIG: /^SVC-STO-005$/,
  EIO: /^SVC-STO-00[123]$/,
  EROFS: /^SVC-STO-00[23]$/,
} as const;
/** What fails for want of room fails where something is added; a broken disk fails anywhere. */
const adding = 'open|write|writev|writeFile|appendFile|mkdir|rename|link|copyFile';
const anything = `${adding}|sync|truncate|unlink|rm`;

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

async function trigger({ instance }: FaultyInstance): Promise<{ task?: Task; told: readonly Told[] }> {
  const { status, body } = await instance.api('POST', '/sync', {});
  if (status === 201) {
    const task = await settleTask(instance, body.task.id);
    return { task, told: listErrors(task) };
  }
  return { told: [{ by: `POST /sync ${status}`, code: body.code }] };
}

for (const [code, expected] of Object.entries(codes)) {
  const part = `failing-${code}`;
  test(`${code} at any write of an instance is told with its code, and when it is over the next run completes`, async (t) => {
    if (only !== undefined && only !== part) return t.skip(`not run: only ${only} was asked for`);
    await using world = await openRehearsal();
    await using cleanup = new AsyncDisposableStack();
    cleanup.defer(endFaultyInstances);
    const double = await world.double();
    const origin = toOrigin(double);
    const source = await world.retriever('zone', {
      cookbook: `${double.host}/cookbook`,
      recipes: [{ name: 'app', version: '^1' }],
    });
    const folder = world.path('instance');
    const config = {
      mode: 'mirror',
      retriever: { source },
      registries: await world.registries([double.host]),
      trust: world.trust,
      sync: { interval: '0', retries: 0 },
      transfer: { resumeThreshold: '1KiB' },
    };
    const report = join(folder, 'calls.json');
    const pushed = new Map<string, Artifact>();
    const work = async (round: number, fail: readonly FailureRule[]): Promise<readonly Told[]> => {
      const wanted = buildIndex(`wanted ${round}`, ['linux/amd64', 'linux/arm64'], { layerSize: 20_000 });
      await origin.put('shop/wanted', wanted, `1.0.${round}`);
      const { digest } = wanted.manifest.descriptor;
      await publishRecipe(origin, {
        name: 'app',
        version: `1.0.${round}`,
        ingredients: [{ name: 'wanted', repository: 'shop/wanted', version: `1.0.${round}`, digest }],
        signatures: [{ signer: world.signer }],
      });
      const faulty = await startFaultyInstance(folder, config, { report, fail });
      const { instance } = faulty;
      await faulty.arm();
      const image = buildImage(`pushed ${round}`);
      const at = { registry: instance.url, repository: `pushed/${round}` };
      const [{ task, told }, push] = await Promise.all([
        trigger(faulty),
        pushArtifactOverHttp(at, image, 'v1').then(
          () => pushed.set(at.repository, image),
          (error: Error) => error,
        ),
      ]);
      const all = [...told];
      if (push instanceof Error) {
        const [, status, reply] = /: (\d+) (.*)$/s.exec(push.message) ?? [];
        assert.ok(reply, String(push));
        all.push({ by: `push ${status} ${reply}`, code: /SVC-[A-Z]+-\d+/.exec(reply)?.[0] });
      }
      assert.ok(faulty.isAlive(), instance.log());
      assert.equal((await fetch(`${instance.url}/healthz`)).status, 200);
      if (fail.length === 0) assert.equal(task?.status, 'done', JSON.stringify(task));
      // what was acknowledged is there at once, failing disk or not
      for (const [repository, held] of pushed)
        assert.deepEqual(
          await listHeldAt({ registry: instance.url, repository }, held),
          digestsOf(held).sort(),
        );
      await instance.stop();
      return all;
    };
    assert.deepEqual(await work(0, []), []);
    const { count } = JSON.parse(await readFile(report, 'utf8'));
    let failures = 0;
    const rounds = times(3, 40);
    for (let round = onlyRound ?? 1; round < (onlyRound ?? rounds) + 1; round += 1) {
      const random = toRandom(`${seed} ${part} ${round}`);
      const rule = {
        op: code === 'EIO' ? anything : adding,
        code,
        skip: Math.floor(random() * count * 0.8),
        times: 1 + Math.floor(random() * 4),
      };
      try {
        const told = await work(2 * round - 1, [rule]);
        for (const one of told) assert.match(one.code ?? '', expected, JSON.stringify(one));
        failures += told.length > 0 ? 1 : 0;
        assert.deepEqual(await work(2 * round, []), []);
      } catch (error) {
        const again = `npm run test:fault -- --seed ${seed} --round ${round} --only ${part}`;
        throw new Error(`${JSON.stringify(rule)}; repeat with: ${again}\n${(error as Error).stack}`);
      }
    }
    await checkStoreAt(join(folder, 'store'), join(folder, 'state'), (store) => {
      for (const [repository, { manifest }] of pushed)
        assert.equal(store.index.tag(repository, 'v1')?.digest, manifest.descriptor.digest);
    });
    t.diagnostic(`${code}: ${rounds} rounds, ${failures} told, lost: none`);
  });
}
