import assert from 'node:assert/strict';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { test } from 'node:test';
import { openTasks, type TaskRunner } from '../../src/task/queue.ts';
import { svcError } from '../../src/text/error.ts';
import { nothing, openQueue, request, untilAborted } from '../kit/instance/task-queue.ts';
import { openTempFolder } from '../kit/instance/temp-folder.ts';

test('a submitted task is kept before it is answered, and run when the queue starts', async () => {
  await using fixture = await openQueue(nothing);
  const { tasks } = fixture;
  const task = await tasks.submit({ ...request, prune: false });
  assert.match(task.id, /^tsk_[0-9a-f]{12}$/);
  assert.match(task.runId, /^[0-9a-f-]{36}$/);
  const { status, resumed, prune, type, reference, actor } = task;
  assert.deepEqual(
    { status, resumed, prune, type, reference, actor },
    { status: 'pending', resumed: false, prune: false, type: 'sync', reference: 'zone-a', actor: 'ana' },
  );
  assert.deepEqual(await readdir(fixture.folder), [`${task.id}.json`]);
  tasks.start();
  const ended = await tasks.settled(task.id);
  assert.equal(ended.status, 'done');
  assert.ok(ended.startedAt! <= ended.finishedAt!);
  assert.equal(ended.error, undefined);
  assert.equal(ended.principalCode, undefined);
});

test('tasks run one at a time, in the order in which they were submitted', async () => {
  const seen: string[] = [];
  let atOnce = 0;
  await using fixture = await openQueue(async (task) => {
    atOnce += 1;
    assert.equal(atOnce, 1);
    await new Promise(setImmediate);
    seen.push(task.reference);
    atOnce -= 1;
  });
  const { tasks } = fixture;
  const names = Array.from({ length: 10 }, (_, i) => `zone-${i}`);
  await Promise.all(names.map((reference) => tasks.submit({ ...request, reference })));
  tasks.start();
  await tasks.idle();
  assert.deepEqual(seen, names);
});

test('the tasks of one account do not delay those of another: accounts take turns', async () => {
  const seen: string[] = [];
  await using fixture = await openQueue(async ({ actor, reference }) => {
    seen.push(`${actor} ${reference}`);
    // submitted while the others wait
    if (actor === 'ben' && reference === '1') await tasks.submit({ ...request, actor, reference: '2' });
  });
  const { tasks } = fixture;
  for (const reference of ['1', '2', '3', '4']) await tasks.submit({ ...request, actor: 'ana', reference });
  await tasks.submit({ ...request, actor: 'ben', reference: '1' });
  await tasks.submit({ ...request, actor: 'cid', reference: '1' });
  const places = tasks
    .listHeads()
    .tasks.map(({ id, actor, reference }) => `${tasks.placeOf(id)} ${actor} ${reference}`);
  assert.deepEqual(places.sort(), ['1 ana 1', '2 ben 1', '3 cid 1', '4 ana 2', '5 ana 3', '6 ana 4']);
  tasks.start();
  await tasks.idle();
  assert.deepEqual(seen, ['ana 1', 'ben 1', 'cid 1', 'ana 2', 'ben 2', 'ana 3', 'ana 4']);
});

test('a full queue refuses before anything is stored', async () => {
  await using fixture = await openQueue(nothing, { stateRoot: undefined });
  const { tasks } = fixture;
  const results = await Promise.allSettled(Array.from({ length: 261 }, () => tasks.submit(request)));
  const refused = results.filter((result) => result.status === 'rejected');
  assert.equal(refused.length, 5);
  for (const { reason } of refused)
    assert.deepEqual([reason.code, reason.params], ['SVC-TSK-002', { limit: 256 }]);
  assert.equal((await tasks.list()).total, 256);
});

test('one account has no more than its share of the queue, and administrators have a reserve', async () => {
  await using fixture = await openQueue(nothing, { stateRoot: undefined });
  const { tasks } = fixture;
  const fill = async (actor: string): Promise<readonly unknown[]> => {
    const all = await Promise.allSettled(
      Array.from({ length: 80 }, () => tasks.submit({ ...request, actor }, 'account')),
    );
    return all.flatMap((each) => (each.status === 'rejected' ? [each.reason.params] : []));
  };
  assert.deepEqual(await fill('ana'), Array(16).fill({ limit: 64, actor: 'ana' }));
  for (const actor of ['ben', 'cleo', 'dora']) await fill(actor);
  assert.equal(tasks.pending(), 224);
  assert.deepEqual(new Set(await fill('eve')).size > 0 && tasks.pending(), 224);
  await tasks.submit({ ...request, actor: 'root' }, 'admin');
  const [first] = (await tasks.list({ q: 'ana' })).tasks;
  await tasks.cancel(first!.id, 'root');
  await tasks.submit({ ...request, actor: 'root' }, 'admin');
  assert.equal(tasks.pending(), 225, 'what leaves the queue is free again');
});

test('waiting tasks of a removed account are cancelled and never run', async () => {
  const seen: string[] = [];
  const gone = new Set<string>();
  await using fixture = await openQueue(async ({ actor }) => void seen.push(actor), {
    isGone: (actor) => gone.has(actor),
  });
  const { tasks } = fixture;
  const { id } = await tasks.submit({ ...request, actor: 'eve' }, 'account');
  const other = await tasks.submit({ ...request, actor: 'mallory' }, 'account');
  await tasks.submit({ ...request, actor: 'ana' }, 'account');
  const cancelled = await tasks.cancelWaitingOf((actor) => actor === 'mallory', 'root');
  assert.deepEqual(
    cancelled.map((task) => [task.id, task.cancelledBy]),
    [[other.id, 'root']],
  );
  gone.add('eve');
  tasks.start();
  await tasks.idle();
  assert.deepEqual(seen, ['ana']);
  const { principalCode, cancelledBy } = await tasks.settled(id);
  assert.deepEqual([principalCode, cancelledBy], ['SVC-TSK-004', 'system']);
});

test('a list is in the order that is asked for, and equal tasks stay the newest first', async () => {
  await using fixture = await openQueue(nothing, { stateRoot: undefined });
  const { tasks } = fixture;
  for (const actor of ['cid', 'ana', 'ben', 'ana']) await tasks.submit({ ...request, actor });
  const actors = (query: Parameters<typeof tasks.listHeads>[0]): string =>
    tasks
      .listHeads(query)
      .tasks.map(({ actor }) => actor)
      .join(' ');
  assert.equal(actors({}), 'ana ben ana cid');
  assert.equal(actors({ order: 'asc' }), 'cid ana ben ana');
  assert.equal(actors({ sort: 'actor' }), 'ana ana ben cid');
  assert.equal(actors({ sort: 'actor', order: 'desc', pageSize: 2 }), 'cid ben');
  for (const sort of ['type', 'status', 'bytes', 'duration'] as const)
    assert.equal(actors({ sort }), actors({}), sort);
});

test('a task that cannot be stored is not taken', async () => {
  await using fixture = await openQueue(nothing);
  await using blocked = await openTempFolder();
  await writeFile(join(blocked.path, 'tasks'), 'in the way');
  await assert.rejects(
    openTasks({ stateRoot: blocked.path, keepFinished: 0, report: fixture.report, run: nothing }),
    {
      code: 'SVC-STO-002',
    },
  );
});

test('an invalid id is never used in a path', async () => {
  await using fixture = await openQueue(nothing);
  const { tasks } = fixture;
  await writeFile(join(fixture.folder, '../secret.json'), '{}');
  for (const id of ['../secret', 'tsk_', 'tsk_000000000000', 'x'.repeat(1000), '']) {
    const missing = { code: 'SVC-TSK-001', params: { id: id.slice(0, 64) } };
    await assert.rejects(tasks.get(id), missing);
    await assert.rejects(tasks.log(id), missing);
    await assert.rejects(tasks.settled(id), missing);
    assert.throws(() => tasks.rawLog(id), missing);
  }
});

test('an unexpected exception ends its task as internal and leaves the queue running', async () => {
  await using fixture = await openQueue(async (task) => {
    if (task.reference === 'bad') throw new TypeError('boom');
  });
  const { tasks, report } = fixture;
  const bad = await tasks.submit({ ...request, reference: 'bad' });
  const good = await tasks.submit(request);
  tasks.start();
  const ended = await tasks.settled(bad.id);
  assert.equal(ended.status, 'failed');
  assert.equal(ended.error?.code, 'SVC-SRV-001');
  assert.equal(ended.principalCode, 'SVC-SRV-001');
  assert.equal((await tasks.settled(good.id)).status, 'done');
  const told = report.records.find((record) => record.message.includes('unexpected'));
  assert.equal(told?.fields.taskId, bad.id);
  assert.equal(told?.fields.runId, bad.runId);
  const again = await fixture.open();
  assert.equal(again.pending(), 0);
});

test('a runner that throws synchronously fails its task only', async () => {
  await using fixture = await openQueue((() => {
    throw new Error('at once');
  }) as TaskRunner);
  const task = await fixture.tasks.submit(request);
  fixture.tasks.start();
  assert.equal((await fixture.tasks.settled(task.id)).error?.code, 'SVC-SRV-001');
});

test('failed items fail the task with their principal code', async () => {
  await using fixture = await openQueue(async (_task, _request, journal) => {
    const fail = (
      name: string,
      code: 'SVC-REG-002' | 'SVC-SIG-001' | 'SVC-POL-001',
      kind: 'failure' | 'verification' | 'policy',
    ) => journal.updateItem(name, { status: 'failed', error: { code, class: kind, params: {} } });
    await journal.updateItem('a', { status: 'done' });
    await fail('b', 'SVC-REG-002', 'failure');
    await fail('c', 'SVC-SIG-001', 'verification');
    await fail('d', 'SVC-POL-001', 'policy');
    await fail('e', 'SVC-REG-002', 'failure');
    await journal.updateItem('f', { status: 'skipped' });
  });
  const task = await fixture.tasks.submit(request);
  fixture.tasks.start();
  const ended = await fixture.tasks.settled(task.id);
  assert.equal(ended.status, 'failed');
  assert.equal(ended.error, undefined);
  assert.equal(ended.principalCode, 'SVC-SIG-001');
  assert.deepEqual(ended.counts, { total: 6, done: 1, failed: 4, skipped: 1 });
});

test('items left open by a task that failed are failed or skipped', async () => {
  await using fixture = await openQueue(async (_task, _request, journal) => {
    journal.setItems(
      ['running', 'waiting', 'done'].map((name) => ({ name, status: 'pending', transferredBytes: 0 })),
    );
    await journal.updateItem('running', { status: 'running' });
    await journal.updateItem('done', { status: 'done' });
    throw svcError('SVC-STO-002', { path: '/store' });
  });
  const task = await fixture.tasks.submit(request);
  fixture.tasks.start();
  const { items, startedAt, finishedAt } = await fixture.tasks.settled(task.id);
  assert.deepEqual(
    items.map(({ name, status, error }) => [name, status, error?.code]),
    [
      ['running', 'failed', 'SVC-STO-002'],
      ['waiting', 'skipped', undefined],
      ['done', 'done', undefined],
    ],
  );
  const [failed, waiting, done] = items.map((item) => item.finishedAt);
  assert.deepEqual([failed, waiting], [finishedAt, undefined]);
  assert.ok(startedAt! <= done! && done! <= finishedAt!, done);
});

test('the end of a task is reported after its record is durable, and a failing listener does not stop the queue', async () => {
  const settled: string[] = [];
  const { promise: folderKnown, resolve: tellFolder } = Promise.withResolvers<string>();
  await using fixture = await openQueue(nothing, {
    onSettled: async (task) => {
      assert.match(await readFile(join(await folderKnown, `${task.id}.json`), 'utf8'), /"status":"done"/);
      settled.push(task.id);
      throw new Error('of the listener');
    },
  });
  tellFolder(fixture.folder);
  const { tasks } = fixture;
  const statuses: string[] = [];
  const stop = tasks.onChange((task): void => {
    statuses.push(task().status);
    throw new Error('of another listener');
  });
  const { id } = await tasks.submit(request);
  tasks.start();
  await tasks.idle();
  assert.deepEqual(settled, [id]);
  assert.deepEqual(statuses, ['pending', 'running', 'done']);
  stop();
  await tasks.submit(request);
  await tasks.idle();
  assert.equal(statuses.length, 3);
});

test('many items settle in one line of the journal', async () => {
  const settled = Promise.withResolvers<void>();
  await using fixture = await openQueue(async (_task, _request, journal, signal) => {
    await journal.settleItems(
      Array.from({ length: 500 }, (_, i) => ({ name: `i${i}`, status: 'done', transferredBytes: 0 })),
    );
    settled.resolve();
    await untilAborted(signal);
  });
  const { id } = await fixture.tasks.submit(request);
  fixture.tasks.start();
  await settled.promise;
  const lines = (await readFile(join(fixture.folder, `${id}.journal`), 'utf8'))
    .split('\n')
    .filter((line) => line.includes('items'));
  assert.equal(lines.length, 1);
  const again = await fixture.open();
  assert.equal((await again.get(id)).counts.done, 500);
});

test('without a state root tasks work the same and are gone with the process', async () => {
  await using fixture = await openQueue(
    async (_task, _request, journal) => {
      journal.line('hello');
      await journal.updateItem('a', { status: 'done' });
    },
    { stateRoot: undefined },
  );
  const { tasks } = fixture;
  const { id } = await tasks.submit(request);
  tasks.start();
  const ended = await tasks.settled(id);
  assert.deepEqual([ended.status, ended.counts.done], ['done', 1]);
  const { chunk, next } = await tasks.log(id);
  assert.match(chunk, /hello\n$/);
  assert.deepEqual(await tasks.log(id, next), { chunk: '', next });
  assert.equal(await text(tasks.rawLog(id)), chunk);
  assert.equal((await (await fixture.open()).list()).total, 0);
});
