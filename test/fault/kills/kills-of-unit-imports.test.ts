import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Digest } from '../../../src/base/digest.ts';
import type { Task } from '../../../src/contract/task.ts';
import { openChartServer } from '../../kit/content/chart-server.ts';
import { type Artifact, buildIndex, digestsOf } from '../../kit/content/content.ts';
import { packSimpleChart } from '../../kit/content/helm-chart.ts';
import { putSignatures, toOrigin } from '../../kit/content/origin.ts';
import { listUnfinished, settleTask } from '../../kit/instance/settle-task.ts';
import { tlsPair } from '../../kit/program/tls-pair.ts';
import { listHeldAt } from '../../kit/result/held-at.ts';
import { openRehearsal } from '../../kit/scene/rehearsal.ts';
import { checkStoreAt } from '../rig/check-store.ts';
import { followTask, requireNothingAgain } from '../rig/follow-task.ts';
import { times } from '../rig/form.ts';
import { ask, conclude, listBlobs, plan, toPlace } from '../rig/place.ts';
import { type KillRig, runKills } from '../rig/run-kills.ts';
import { type FaultyInstance, startFaultyInstance } from '../rig/start-instance.ts';

/** An import as it is asked for, after it was inspected. */
interface Request {
  readonly reference: string;
  readonly platforms: readonly { readonly name: string; readonly digest: Digest }[];
  readonly vendorDependencies?: boolean;
}

async function inspect({ instance }: FaultyInstance, reference: string) {
  const query = `reference=${encodeURIComponent(reference)}`;
  const { status, body } = await instance.api('GET', `/import/inspect?${query}`);
  assert.equal(status, 200, JSON.stringify(body));
  return body;
}

const toRequest = ({ reference, platforms }: Request): Request => ({
  reference,
  platforms: platforms.map(({ name, digest }) => ({ name, digest })),
});

async function submit({ instance }: FaultyInstance, request: Request): Promise<Task | undefined> {
  const answer = await ask(`${instance.url}/api/v1/import`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(request),
  });
  if (answer === undefined) return undefined;
  const body = await answer.text();
  assert.equal(answer.status, 201, body);
  return (JSON.parse(body) as { task: Task }).task;
}

/**
 * Each round publishes another signed image under one tag, and another version of a chart without its dependency. An
 * instance that is killed meanwhile imports both.
 */
async function openImportRig(): Promise<KillRig> {
  const world = await openRehearsal();
  const double = await world.double();
  const charts = await openChartServer();
  const origin = toOrigin(double);
  const place = toPlace(world.path('instance'));
  const config = {
    mode: 'passthrough',
    registries: await world.registries([double.host]),
    network: { tls: { caFiles: [tlsPair.caFile] } },
    transfer: { resumeThreshold: '1KiB' },
  };
  const child = packSimpleChart('child', '1.0.0');
  let version = 0;
  let image: Artifact | undefined;
  /** Requests whose end was not seen. */
  let open: readonly Request[] = [];
  let arrived: ReadonlySet<string> = new Set();

  const publishNext = async (faulty: FaultyInstance): Promise<readonly Request[]> => {
    version += 1;
    image = buildIndex(`web ${version}`, ['linux/amd64', 'linux/arm64']);
    await origin.put('shop/web', image, 'current');
    await putSignatures(origin, 'shop/web', image.manifest.descriptor, [{ signer: world.signer }]);
    const dependencies = [{ name: 'child', version: '1.0.0', repository: charts.base }];
    const parent = packSimpleChart('parent', `1.0.${version}`, { dependencies });
    charts.list([
      { name: 'child', version: '1.0.0', archive: child },
      { name: 'parent', version: `1.0.${version}`, archive: parent },
    ]);
    return [
      toRequest(await inspect(faulty, `${double.host}/shop/web:current`)),
      { ...toRequest(await inspect(faulty, `${charts.base}/parent`)), vendorDependencies: true },
    ];
  };
  const resume = async (faulty: FaultyInstance): Promise<void> => {
    const waiting = await listUnfinished(faulty.instance);
    for (const request of open) {
      // a kill before the task was written: nobody was told of it
      const task =
        waiting.find(({ reference }) => reference === request.reference) ?? (await submit(faulty, request))!;
      const end = await settleTask(faulty.instance, task.id);
      assert.equal(end.status, 'done', JSON.stringify(end));
    }
    requireNothingAgain(double, arrived);
    open = [];
  };
  const requireServed = async ({ instance }: FaultyInstance): Promise<void> => {
    const repository = `${double.host.replace(':', '_')}/shop/web`;
    const held = await listHeldAt({ registry: instance.url, repository }, image!);
    assert.deepEqual(held, digestsOf(image!).sort());
    const { body } = await instance.api('GET', `/content/${repository}/-/tags/current`);
    assert.equal(body.digest, image!.manifest.descriptor.digest);
    assert.equal(body.signatures.length, 1);
    const parent = `${charts.host.replace(':', '_')}/charts/parent`;
    const chart = await instance.api('GET', `/content/${parent}/-/tags/1.0.${version}`);
    assert.match(chart.body.annotations['svc.vendored-dependencies'], /"child"/);
  };

  return {
    async run(kill) {
      const faulty = await startFaultyInstance(place.folder, config, plan(kill, place));
      if (open.length > 0) await resume(faulty);
      if (version > 0) await requireServed(faulty);
      open = await publishNext(faulty);
      double.requests.length = 0;
      await faulty.arm();
      for (const request of open) {
        const task = await submit(faulty, request);
        const end = task && (await followTask(faulty, task.id));
        if (end === undefined) break;
        assert.equal(end.status, 'done', JSON.stringify(end));
        open = open.filter((other) => other !== request);
      }
      return conclude(faulty, place);
    },
    async check(round) {
      await checkStoreAt(place.root, place.stateRoot, () => {}, {
        access: round % 2 === 0 ? 'read' : 'write',
        mode: 'passthrough',
      });
      arrived = new Set(listBlobs(place.root));
      double.requests.length = 0;
    },
    complete: async () => {},
    [Symbol.asyncDispose]: async () => {
      await charts[Symbol.asyncDispose]();
      await world[Symbol.asyncDispose]();
    },
  };
}

test('an import is resumed after a kill at any write, and its tag never stands before what it names', async (t) => {
  await runKills(t, 'import', openImportRig, times(3, 80));
});
