import assert from 'node:assert/strict';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { openAccounts } from '../../src/account/accounts.ts';
import { silentReport } from '../../src/base/report.ts';
import type { Task } from '../../src/contract/task.ts';
import { openTasks } from '../../src/task/queue.ts';
import { type Artifact, buildImage, buildIndex, digestsOf } from '../kit/content/content.ts';
import { publishRecipe, toOrigin } from '../kit/content/origin.ts';
import { pushArtifactOverHttp } from '../kit/content/push-artifact.ts';
import { startInstance } from '../kit/instance/instance.ts';
import { openMemoryFolder } from '../kit/instance/memory-folder.ts';
import { openStoreAt } from '../kit/instance/open-store-at.ts';
import { settleTask } from '../kit/instance/settle-task.ts';
import { openRehearsal } from '../kit/scene/rehearsal.ts';
import { cutEverywhere, type RecordedLife } from './rig/cut-everywhere.ts';
import { readDiskRecord } from './rig/disk-record.ts';
import { only, times } from './rig/form.ts';
import { toFaultEnvironment } from './rig/instrumented.ts';
import { requireSound } from './rig/require-sound.ts';

interface Life extends RecordedLife {
  /** The answers to clients, and the line of the record from which on they knew each. */
  readonly tags: readonly { readonly repository: string; readonly image: Artifact; readonly from: number }[];
  readonly tasks: readonly { readonly id: string; readonly from: number; readonly doneFrom: number }[];
  readonly tokens: readonly { readonly secret: string; readonly from: number }[];
}

const moment = (): number => Number(process.hrtime.bigint() / 1000n);

/** A first start, a token, two pushes and two synchronizations, from the first write to the last. */
async function recordLife(folder: string): Promise<Life> {
  await using world = await openRehearsal();
  const double = await world.double();
  const taken = buildIndex('taken', ['linux/amd64', 'linux/arm64']);
  const publish = async (version: string, image: Artifact) => {
    await toOrigin(double).put('shop/taken', image, version);
    const { digest } = image.manifest.descriptor;
    await publishRecipe(toOrigin(double), {
      name: 'app',
      version,
      ingredients: [{ name: 'taken', repository: 'shop/taken', version, digest }],
      signatures: [{ signer: world.signer }],
    });
  };
  await publish('1.0.0', taken);
  const root = join(folder, 'world');
  await mkdir(root);
  const path = join(folder, 'record.jsonl');
  const source = await world.retriever('zone', {
    cookbook: `${double.host}/cookbook`,
    recipes: [{ name: 'app', version: '^1' }],
  });
  const instance = await startInstance({
    folder: root,
    config: {
      mode: 'mirror',
      retriever: { source },
      registries: await world.registries([double.host]),
      trust: world.trust,
      transfer: { resumeThreshold: '1KiB' },
    },
    env: toFaultEnvironment({ roots: [root], record: path }),
  });
  const moments: {
    tags: [string, Artifact, number][];
    tasks: [string, number, number][];
    tokens: [string, number][];
  } = { tags: [], tasks: [], tokens: [] };
  try {
    moments.tokens.push([await instance.createToken('operator'), moment()]);
    const { authorization, url } = instance;
    for (const name of ['a', 'b']) {
      const image = buildImage(name, { ownLayers: 2 });
      await pushArtifactOverHttp({ registry: url, repository: name, authorization }, image, 'v1');
      moments.tags.push([name, image, moment()]);
    }
    for (const version of ['1.0.0', '1.1.0']) {
      const image = version === '1.0.0' ? taken : buildImage('later');
      if (image !== taken) await publish(version, image);
      const { status, body } = await instance.api('POST', '/sync', {});
      const asked = moment();
      assert.equal(status, 201, JSON.stringify(body));
      const task: Task = await settleTask(instance, body.task.id);
      assert.equal(task.status, 'done', JSON.stringify(task));
      moments.tasks.push([task.id, asked, moment()]);
      if (image !== taken)
        moments.tags.push([`${double.host.replace(':', '_')}/shop/taken`, image, moment()]);
    }
  } finally {
    await instance.stop();
  }
  const record = readDiskRecord(path, root);
  const at = (time: number): number => record.lineAfter(time);
  return {
    record,
    root,
    tags: moments.tags.map(([repository, image, from]) => ({ repository, image, from: at(from) })),
    tasks: moments.tasks.map(([id, from, done]) => ({ id, from: at(from), doneFrom: at(done) })),
    tokens: moments.tokens.map(([secret, from]) => ({ secret, from: at(from) })),
  };
}

test('no power cut in the life of an instance takes a tag, a task or a token that was acknowledged', async (t) => {
  const part = 'power-instance';
  if (only !== undefined && only !== part) return t.skip(`not run: only ${only} was asked for`);
  await using folder = await openMemoryFolder('svc-power-');
  const life = await recordLife(folder.path);
  await cutEverywhere(t, part, times(12, 1000), life, folder.path, async (target, cut) => {
    const stateRoot = join(target, 'state');
    await using store = await openStoreAt({ root: join(target, 'store'), stateRoot }, { access: 'serve' });
    await requireSound(store);
    for (const { repository, image, from } of life.tags) {
      if (cut < from) continue;
      const { digest } = image.manifest.descriptor;
      assert.ok(
        store.index.tags(repository).some((tag) => tag.digest === digest),
        `${repository} was acknowledged`,
      );
      assert.deepEqual([...store.index.reach(digest)].sort(), digestsOf(image).sort());
    }
    await using accounts = openAccounts({ stateRoot });
    for (const { secret, from } of life.tokens)
      if (cut >= from) assert.ok(accounts.findToken(secret), 'the token was handed out');
    await using tasks = await openTasks({
      stateRoot,
      keepFinished: 0,
      report: silentReport,
      run: async () => {},
    });
    for (const { id, from, doneFrom } of life.tasks) {
      if (cut < from) continue;
      const task = await tasks.get(id);
      if (cut >= doneFrom) assert.equal(task.status, 'done', `${id} had ended`);
      else assert.match(task.status, /^(pending|done)$/);
    }
  });
});
