import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Task } from '../../src/contract/task.ts';
import { buildImage } from '../kit/content/content.ts';
import { demand } from '../kit/content/demand.ts';
import { toOrigin } from '../kit/content/origin.ts';
import { eventually } from '../kit/instance/eventually.ts';
import { openRehearsal } from '../kit/scene/rehearsal.ts';

test('a mirror prunes no list that nobody saw: its source is slow, or one of its recipes is blocked', async (t) => {
  await using world = await openRehearsal({ inProcess: true });
  const double = await world.double();
  const origin = toOrigin(double);
  const [shop, tool] = ['shop', 'tool'].map((name) => ({ web: buildImage(name) }));
  const source = await demand(world, origin, { shop: shop!, tool: tool! });
  const mirror = await world.start('mirror', {
    mode: 'mirror',
    retriever: { source },
    registries: await world.registries([origin.host]),
    trust: world.trust,
  });
  const { result } = await world.sync(mirror);
  assert.equal(result.exitCode, 0, result.stderr);
  /** The Retriever no longer lists one of the recipes. */
  const want = (...names: string[]) =>
    world.retriever('zone', {
      cookbook: `${origin.host}/cookbook`,
      recipes: names.map((name) => ({ name, version: '1.0.0' })),
    });
  assert.equal(await want('shop'), source, 'the same Retriever');
  const settled = (id: string): Promise<Task> =>
    eventually('the end of the task', async () => {
      const { task } = (await mirror.api('GET', `/tasks/${id}`)).body as { task: Task };
      return task.status === 'done' || task.status === 'failed' ? task : undefined;
    });
  const linesOf = async (id: string): Promise<string> =>
    (await mirror.api('GET', `/tasks/${id}/logs`)).body.chunk;

  await t.test('a preview that is late removes nothing, and the run says why', async () => {
    const { promise, resolve } = Promise.withResolvers<boolean>();
    const stop = double.intercept(() => promise);
    const answer = await fetch(`${mirror.url}/api/v1/sync`, {
      method: 'POST',
      headers: {
        authorization: mirror.authorization,
        'content-type': 'application/json',
        prefer: 'wait=1',
      },
      body: '{}',
    });
    const { task: created, prunePreview } = (await answer.json()) as any;
    assert.deepEqual([answer.status, prunePreview.error?.code, created.prune], [201, 'SVC-REG-002', false]);
    resolve(false);
    stop();
    const task = await settled(created.id);
    assert.deepEqual([task.status, task.pruned ?? []], ['done', []]);
    assert.match(await linesOf(task.id), /nothing is pruned: the list could not be shown/);
  });

  await t.test(
    'a blocked recipe stops neither the others nor the trigger, and nothing is removed',
    async () => {
      await want('shop', 'absent');
      const { result: blocked, task } = await world.sync(mirror);
      assert.equal(blocked.exitCode, 1);
      assert.match(blocked.stderr, /^Prune: nothing will be removed, because/m);
      assert.deepEqual([task.counts.done > 0, task.pruned ?? []], [true, []]);
      assert.match(await linesOf(task.id), /nothing is pruned: a recipe failed/);
      await want('shop');
    },
  );

  await t.test('asked for by name, the prune needs no list', async () => {
    const { result: pruned, task } = await world.sync(mirror, '--prune');
    assert.equal(pruned.exitCode, 0, pruned.stderr);
    assert.ok((task.pruned ?? []).some(({ recipe }) => recipe === 'tool@1.0.0'));
  });
});
