import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { TaskRunner } from '../../src/task/queue.ts';
import { nothing, openQueue, request, untilAborted } from '../kit/instance/task-queue.ts';

/** A runner that settles one item, begins another, and never ends by itself; and the moment when it has begun. */
function openWork() {
  const begun = Promise.withResolvers<void>();
  const run: TaskRunner = async (_task, _request, journal, signal) => {
    journal.setItems([
      { name: 'a', status: 'pending', transferredBytes: 0 },
      { name: 'b', status: 'pending', transferredBytes: 0 },
      { name: 'c', status: 'pending', transferredBytes: 0 },
    ]);
    await journal.settleItems([{ name: 'a', status: 'done', transferredBytes: 1 }]);
    await journal.updateItem('b', { status: 'running' });
    begun.resolve();
    await untilAborted(signal);
  };
  return { run, begun: begun.promise };
}

test('a task that waits is cancelled before it starts, and the next one runs', async () => {
  let runs = 0;
  await using fixture = await openQueue(async () => {
    runs += 1;
  });
  const { tasks } = fixture;
  const first = await tasks.submit(request);
  const second = await tasks.submit(request);
  const cancelled = await tasks.cancel(first.id, 'bob');
  assert.equal(cancelled.status, 'cancelled');
  assert.equal(cancelled.cancelledBy, 'bob');
  assert.deepEqual([cancelled.error?.code, cancelled.error?.params], ['SVC-TSK-004', { actor: 'bob' }]);
  assert.equal(cancelled.principalCode, 'SVC-TSK-004');
  assert.equal(cancelled.startedAt, undefined);
  assert.equal(tasks.pending(), 1);
  tasks.start();
  assert.equal((await tasks.settled(second.id)).status, 'done');
  assert.equal(runs, 1);
  assert.deepEqual(await (await fixture.open(nothing)).get(first.id), cancelled);
});

test('a running task is stopped: what has settled stays, what was begun fails, the rest is skipped', async () => {
  const work = openWork();
  await using fixture = await openQueue(work.run);
  const { tasks } = fixture;
  tasks.start();
  const { id } = await tasks.submit(request);
  const next = await tasks.submit(request);
  await work.begun;
  const answer = await tasks.cancel(id, 'bob');
  assert.equal(answer.cancelledBy, 'bob');
  const ended = await tasks.settled(id);
  assert.deepEqual(
    ended.items.map(({ name, status, error }) => [name, status, error?.code]),
    [
      ['a', 'done', undefined],
      ['b', 'failed', 'SVC-TSK-004'],
      ['c', 'skipped', undefined],
    ],
  );
  assert.deepEqual([ended.status, ended.error?.code], ['cancelled', 'SVC-TSK-004']);
  const told = fixture.report.records.filter(({ message }) => message === 'Task ended');
  assert.deepEqual(
    told.map(({ level }) => level),
    ['info'],
  );
  await tasks.cancel(next.id, 'bob');
});

test('who cancels a task first is named, and a task that has ended is not cancelled', async () => {
  const release = Promise.withResolvers<void>();
  const begun = Promise.withResolvers<void>();
  await using fixture = await openQueue(async () => {
    begun.resolve();
    await release.promise;
  });
  const { tasks } = fixture;
  tasks.start();
  const { id } = await tasks.submit(request);
  await begun.promise;
  await tasks.cancel(id, 'bob');
  assert.equal((await tasks.cancel(id, 'eve')).cancelledBy, 'bob');
  release.resolve();
  // the work ended before it could be stopped
  assert.deepEqual([(await tasks.settled(id)).status, (await tasks.get(id)).cancelledBy], ['done', 'bob']);
  await assert.rejects(tasks.cancel(id, 'eve'), { code: 'SVC-TSK-005', params: { task: id } });
  await assert.rejects(tasks.cancel('tsk_000000000000', 'eve'), { code: 'SVC-TSK-001' });
});

test('a cancellation survives a restart: the task does not run again', async () => {
  const begun = Promise.withResolvers<void>();
  await using fixture = await openQueue(async () => {
    begun.resolve();
    await new Promise(() => {});
  });
  const { tasks } = fixture;
  tasks.start();
  const { id } = await tasks.submit(request);
  await begun.promise;
  await tasks.cancel(id, 'bob');
  // the process is killed before the work has stopped
  const again = await fixture.open(() => assert.fail('it runs again'));
  again.start();
  const ended = await again.settled(id);
  assert.deepEqual(
    [ended.status, ended.principalCode, ended.cancelledBy],
    ['cancelled', 'SVC-TSK-004', 'bob'],
  );
});

test('a drain while a task is being cancelled does not make it wait again', async () => {
  const work = openWork();
  await using fixture = await openQueue(work.run);
  const { tasks } = fixture;
  tasks.start();
  const { id } = await tasks.submit(request);
  await work.begun;
  const cancelled = tasks.cancel(id, 'bob');
  await tasks.drain(5000);
  await cancelled;
  assert.equal((await tasks.settled(id)).principalCode, 'SVC-TSK-004');
});

test('heads are listed like tasks, without what grows with the work', async () => {
  const work = openWork();
  await using fixture = await openQueue(work.run);
  const { tasks } = fixture;
  const waiting = await tasks.submit(request);
  await tasks.submit(request);
  tasks.start();
  await work.begun;
  const heads = tasks.listHeads({ status: 'running' });
  assert.deepEqual([heads.total, heads.tasks[0]?.id, heads.tasks[0]?.counts.total], [1, waiting.id, 3]);
  assert.ok(!('items' in heads.tasks[0]!));
  const { tasks: full, ...pageOf } = await tasks.list({ pageSize: 1 });
  const { tasks: summaries, ...same } = tasks.listHeads({ pageSize: 1 });
  assert.deepEqual([same, summaries[0]?.id], [pageOf, full[0]?.id]);
});
