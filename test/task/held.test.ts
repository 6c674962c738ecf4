import assert from 'node:assert/strict';
import { test } from 'node:test';
import { systemClock } from '../../src/base/clock.ts';
import { Waits } from '../../src/base/link/waits.ts';
import type { Task, TaskWait } from '../../src/contract/task.ts';
import type { TaskJournal } from '../../src/task/model.ts';
import type { Tasks } from '../../src/task/queue.ts';
import type { LayoutExportRequest } from '../../src/task/request.ts';
import { nothing, openQueue, request, untilAborted } from '../kit/instance/task-queue.ts';

const wait: TaskWait = { reason: 'window', until: '2026-01-01T22:00:00.000Z' };
const layout = {
  type: 'layout-export',
  reference: '/srv/out.tar',
  actor: 'ana',
  parameters: { format: 'tar', recipes: [], repositories: [], overwrite: false },
} as unknown as LayoutExportRequest;

/** The answer of `holds` for a sync; nothing holds other tasks. */
function createHold() {
  const hold: { now: TaskWait | undefined } = { now: wait };
  return { hold, holds: (type: string) => (type === 'sync' ? hold.now : undefined) };
}

const begun = (tasks: Tasks, id: string): Promise<void> =>
  new Promise((resolve) => {
    tasks.onChange((task) => task().id === id && task().status === 'running' && resolve());
  });

test('a task that is held waits with its reason, others overtake it, and it starts when nothing holds it', async () => {
  const { hold, holds } = createHold();
  const ran: string[] = [];
  await using fixture = await openQueue(
    async ({ type }) => {
      ran.push(type);
    },
    { holds },
  );
  const { tasks, report } = fixture;
  tasks.start();
  const held = await tasks.submit(request);
  const free = await tasks.submit(layout);
  await tasks.settled(free.id);
  const shown = await tasks.get(held.id);
  assert.deepEqual([shown.status, shown.waiting], ['pending', wait]);
  assert.deepEqual(tasks.listHeads({ status: 'pending' }).tasks[0]?.waiting, wait);
  // nothing will start by itself
  await tasks.idle();

  hold.now = { ...wait, until: '2026-01-01T23:00:00.000Z' };
  tasks.review();
  assert.deepEqual((await tasks.get(held.id)).waiting, hold.now);
  hold.now = undefined;
  tasks.review();
  const ended = await tasks.settled(held.id);
  assert.deepEqual([ended.status, ended.waiting, ran], ['done', undefined, ['layout-export', 'sync']]);
  const { chunk } = await tasks.log(held.id);
  assert.equal(chunk.match(/waiting for the next window, which opens at 2026-01-01T22:00/g)?.length, 1);
  assert.equal(chunk.match(/the window is open/g)?.length, 1);
  const told = report.records.filter(({ message }) => message === 'Task waits for the next window');
  assert.deepEqual(
    told.map(({ fields }) => fields.until),
    [wait.until],
  );
});

test('a held task can be cancelled', async () => {
  const { holds } = createHold();
  await using fixture = await openQueue(nothing, { holds });
  const { tasks } = fixture;
  tasks.start();
  const { id } = await tasks.submit(request);
  const ended = await tasks.cancel(id, 'ana');
  assert.deepEqual(
    [ended.status, ended.principalCode, ended.waiting, ended.cancelledBy],
    ['cancelled', 'SVC-TSK-004', undefined, 'ana'],
  );
});

test('a running task shows why it does not go on, and can be cancelled', async () => {
  await using fixture = await openQueue(async (_task, _request, _journal, signal) => untilAborted(signal));
  const { tasks } = fixture;
  tasks.start();
  const { id } = await tasks.submit(request);
  if (tasks.running === undefined) await begun(tasks, id);
  tasks.review(wait);
  assert.deepEqual([tasks.running?.status, tasks.running?.waiting], ['running', wait]);
  tasks.review();
  assert.equal(tasks.running?.waiting, undefined);
  tasks.review(wait);
  await tasks.cancel(id, 'ana');
  const ended = await tasks.settled(id);
  assert.deepEqual(
    [ended.status, ended.principalCode, ended.waiting],
    ['cancelled', 'SVC-TSK-004', undefined],
  );
});

test('a paused task keeps the time that was left, and a running one names the host that it waits for', async () => {
  let at = 0;
  const attempt = { host: 'zone-a.example', attempt: 2, attempts: 5 };
  const waits: { attempt: typeof attempt | undefined } = { attempt: undefined };
  const begun = Promise.withResolvers<TaskJournal>();
  await using fixture = await openQueue(
    async (_task, _request, journal, signal) => {
      begun.resolve(journal);
      return untilAborted(signal);
    },
    {
      now: () => at,
      waits: {
        get attempt() {
          return waits.attempt;
        },
        isWaiting: false,
        onWait: () => () => true,
        onLine: () => () => true,
      },
    },
  );
  const { tasks } = fixture;
  tasks.start();
  const { id } = await tasks.submit(request);
  const journal = await begun.promise;
  journal.setTotalBytes(1000);
  for (let i = 1; i <= 4; i += 1) {
    at += 1000;
    journal.addBytes(100);
  }
  const progressOf = (): Task['progress'] | undefined => tasks.running?.progress;
  assert.deepEqual([progressOf()?.secondsLeft, progressOf()?.retry], [6, undefined]);
  waits.attempt = attempt;
  assert.deepEqual(progressOf()?.retry, attempt);
  waits.attempt = undefined;
  tasks.review(wait);
  at += 3_600_000;
  assert.deepEqual(progressOf(), { bytesDone: 400, bytesTotal: 1000, secondsLeft: 6 });
  tasks.review();
  assert.equal(progressOf()?.secondsLeft, undefined, 'measured anew');
  await tasks.cancel(id, 'ana');
});

test('a task behind one that is paused shows that it waits for the same window', async () => {
  const { hold, holds } = createHold();
  hold.now = undefined;
  await using fixture = await openQueue(async (_task, _request, _journal, signal) => untilAborted(signal), {
    holds,
  });
  const { tasks } = fixture;
  tasks.start();
  const { id } = await tasks.submit(request);
  if (tasks.running === undefined) await begun(tasks, id);
  const earlier = await tasks.submit(request);
  assert.equal((await tasks.get(earlier.id)).waiting, undefined);
  hold.now = wait;
  tasks.review(wait);
  assert.deepEqual((await tasks.get(earlier.id)).waiting, wait);
  const later = await tasks.submit(request);
  assert.deepEqual(later.waiting, wait);
  hold.now = undefined;
  tasks.review();
  assert.deepEqual(
    [(await tasks.get(earlier.id)).waiting, (await tasks.get(later.id)).waiting],
    [undefined, undefined],
  );
  await tasks.cancel(later.id, 'ana');
  await tasks.cancel(earlier.id, 'ana');
  await tasks.cancel(id, 'ana');
});

test('a drain ends a task that waits for a window at once, and the next process resumes it', async () => {
  const minutes = 10 * 60_000;
  await using fixture = await openQueue(async (_task, _request, journal, signal) => {
    journal.setItems([{ name: 'a', status: 'pending', transferredBytes: 0 }]);
    await untilAborted(signal);
  });
  const { tasks } = fixture;
  tasks.start();
  const { id } = await tasks.submit(request);
  if (tasks.running === undefined) await begun(tasks, id);
  tasks.review(wait);
  const before = performance.now();
  await tasks.drain(minutes);
  assert.ok(performance.now() - before < 5000);
  const parked = await tasks.get(id);
  assert.deepEqual([parked.status, parked.resumed, parked.waiting], ['pending', true, undefined]);
});

test('the log of the running task has the lines about its peers, and that of no other task', async () => {
  const waits = new Waits();
  await using fixture = await openQueue(async (task) => waits.tell(`attempt of ${task.actor}`), { waits });
  const { tasks } = fixture;
  tasks.start();
  for (const actor of ['ana', 'bob']) {
    const { id } = await tasks.submit({ ...request, actor });
    await tasks.settled(id);
    waits.tell('nothing runs');
    const { chunk } = await tasks.log(id);
    assert.match(chunk, new RegExp(`^\\S+ attempt of ${actor}\n$`));
  }
});

for (const when of ['before', 'after'] as const)
  test(`a drain ends a task whose work waits for a peer at once, also where the wait begins ${when} the drain`, async () => {
    const waits = new Waits();
    const waiting = Promise.withResolvers<void>();
    const mayWait = Promise.withResolvers<void>();
    await using fixture = await openQueue(
      async (_task, _request, journal, signal) => {
        journal.setItems([{ name: 'a', status: 'pending', transferredBytes: 0 }]);
        waiting.resolve();
        await mayWait.promise;
        // a short one is let end
        await waits.pause(1, systemClock, signal);
        await waits.pause(30 * 60_000, systemClock, signal);
      },
      { waits },
    );
    const { tasks } = fixture;
    tasks.start();
    const { id } = await tasks.submit(request);
    await waiting.promise;
    if (when === 'before') {
      const begins = new Promise<void>((resolve) => void waits.onWait(resolve));
      mayWait.resolve();
      await begins;
    }
    const before = performance.now();
    const drained = tasks.drain(10 * 60_000);
    mayWait.resolve();
    await drained;
    assert.ok(performance.now() - before < 5000);
    const parked = await tasks.get(id);
    assert.deepEqual([parked.status, parked.resumed], ['pending', true]);
    assert.equal(waits.isWaiting, false);
  });
