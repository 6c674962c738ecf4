import assert from 'node:assert/strict';
import { test } from 'node:test';
import { buildImage } from '../kit/content/content.ts';
import { demand } from '../kit/content/demand.ts';
import { toOrigin } from '../kit/content/origin.ts';
import { eventually } from '../kit/instance/eventually.ts';
import { openRehearsal } from '../kit/scene/rehearsal.ts';

/** Milliseconds in which a loaded machine answers too; its own waits are 100 ms, and 2 s for a preview. */
const atOnce = 1_000;
const preview = 2_000;

test('a synchronization is triggered at once while its source is silent, and the preview that is asked for is waited for', async (t) => {
  await using world = await openRehearsal();
  const double = await world.double();
  const origin = toOrigin(double);
  const mirror = await world.start('mirror', {
    mode: 'mirror',
    retriever: { source: await demand(world, origin, { shop: { web: buildImage('trigger') } }) },
    registries: await world.registries([origin.host]),
    trust: world.trust,
  });
  const { result } = await world.sync(mirror);
  assert.equal(result.exitCode, 0, result.stderr);
  const { fingerprint } = (await mirror.api('GET', '/sync/prune-preview')).body;
  const trigger = async (body: unknown, headers: Record<string, string> = {}) => {
    const started = performance.now();
    const response = await fetch(`${mirror.url}/api/v1/sync`, {
      method: 'POST',
      headers: { authorization: mirror.authorization, 'content-type': 'application/json', ...headers },
      body: JSON.stringify(body),
    });
    return {
      status: response.status,
      body: (await response.json()) as any,
      milliseconds: performance.now() - started,
    };
  };
  /** Cancels a task, which may wait for the source. */
  const end = (id: string) => mirror.api('POST', `/tasks/${id}/cancel`);

  await t.test('a source that answers: the preview is in the answer', async () => {
    const { status, body } = await trigger({}, { prefer: 'wait=10' });
    assert.deepEqual([status, body.prunePreview?.count], [201, 0]);
  });

  let silenced = 0;
  const stop = double.intercept(() => {
    silenced += 1;
    return true;
  });
  for (const [name, body] of Object.entries({
    'with the default prune': {},
    'with a confirmed prune': { prune: true, fingerprint },
    'without a prune': { prune: false },
  }))
    await t.test(name, async () => {
      const { status, body: answer, milliseconds } = await trigger(body);
      assert.equal(status, 201, JSON.stringify(answer));
      const allowed = name === 'with the default prune' ? preview + atOnce : atOnce;
      assert.ok(milliseconds < allowed, `${milliseconds} ms`);
      t.diagnostic(`${name}: ${milliseconds.toFixed(0)} ms`);
      const error = answer.prunePreview?.error;
      if (name === 'with the default prune')
        assert.deepEqual(
          [error?.code, error?.params.detail],
          ['SVC-REG-002', 'its answer took longer than 2s'],
        );
      else assert.equal(error, undefined);
      await end(answer.task.id);
    });
  await t.test('as long as the client prefers to wait', async () => {
    const { body, milliseconds } = await trigger({}, { prefer: 'respond-async, wait=1' });
    assert.equal(body.prunePreview.error.params.detail, 'its answer took longer than 1s');
    assert.ok(milliseconds >= 1_000, `${milliseconds} ms`);
    await end(body.task.id);
  });
  await t.test('no task is recorded for a client that has left before', async () => {
    const before = (await mirror.api('GET', '/tasks')).body.tasks.length;
    const left = new AbortController();
    const asked = silenced;
    const abandoned = fetch(`${mirror.url}/api/v1/sync`, {
      method: 'POST',
      headers: {
        authorization: mirror.authorization,
        'content-type': 'application/json',
        prefer: 'wait=1',
        'x-request-id': 'abandoned',
      },
      body: '{}',
      signal: left.signal,
    });
    await eventually('the question at the source', async () => silenced > asked);
    left.abort();
    await assert.rejects(abandoned, { name: 'AbortError' });
    const record = await eventually('the end of the request', async () =>
      mirror
        .log()
        .split('\n')
        .find((line) => /"action":"sync.create"/.test(line) && line.includes('abandoned')),
    );
    assert.match(record, /"outcome":"failure".*"reason":"the client disconnected before the answer"/);
    assert.equal((await mirror.api('GET', '/tasks')).body.tasks.length, before);
  });
  assert.ok(silenced > 0, 'the source was asked');
  stop();
});
