import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { test } from 'node:test';
import { svcError } from '../../src/base/error.ts';
import type { Task, TaskRequest } from '../../src/task/model.ts';
import {
  openTasks,
  queueLimit,
  type TaskRunner,
  type Tasks,
  type TasksOptions,
} from '../../src/task/queue.ts';
import { createRecordingReport } from '../kit/recording-report.ts';
import { openTempFolder } from '../kit/temp-folder.ts';

const request: TaskRequest = { type: 'sync', reference: 'zone-a', actor: 'ana' };
const nothing: TaskRunner = async () => {};
const untilAborted = (signal: AbortSignal) =>
  signal.aborted
    ? Promise.reject(signal.reason)
    : once(signal, 'abort').then(() => Promise.reject(signal.reason));

async function openFixture(run: TaskRunner, options: Partial<TasksOptions> = {}) {
  const folder = await openTempFolder();
  const report = createRecordingReport();
  const opened: Tasks[] = [];
  const open = async (runner = run) => {
    const tasks = await openTasks({
      stateRoot: folder.path,
      keepFinished: 500,
      report,
      run: runner,
      ...options,
    });
    opened.push(tasks);
    return tasks;
  };
  return {
    folder: join(folder.path, 'tasks'),
    report,
    open,
    tasks: await open(),
    [Symbol.asyncDispose]: async () => {
      for (const tasks of opened) await tasks[Symbol.asyncDispose]();
      await folder[Symbol.asyncDispose]();
    },
  };
}

test('a submitted task is kept before it is answered, and run when the queue starts', async () => {
  await using fixture = await openFixture(nothing);
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
  await using fixture = await openFixture(async (task) => {
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

test('a full queue refuses before anything is stored', async () => {
  await using fixture = await openFixture(nothing, { stateRoot: undefined });
  const { tasks } = fixture;
  const results = await Promise.allSettled(
    Array.from({ length: queueLimit + 5 }, () => tasks.submit(request)),
  );
  const refused = results.filter((result) => result.status === 'rejected');
  assert.equal(refused.length, 5);
  for (const { reason } of refused)
    assert.deepEqual([reason.code, reason.params], ['SVC-TSK-002', { limit: 256 }]);
  assert.equal((await tasks.list()).total, 256);
});

test('a task that cannot be stored is not taken', async () => {
  await using fixture = await openFixture(nothing);
  await using blocked = await openTempFolder();
  await writeFile(join(blocked.path, 'tasks'), 'in the way');
  await assert.rejects(
    openTasks({ stateRoot: blocked.path, keepFinished: 0, report: fixture.report, run: nothing }),
    {
      code: 'SVC-STO-002',
    },
  );
});

test('an id that is none never reaches a path', async () => {
  await using fixture = await openFixture(nothing);
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
  await using fixture = await openFixture(async (task) => {
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

test('a runner that throws before it returns a promise is held by the barrier too', async () => {
  await using fixture = await openFixture((() => {
    throw new Error('at once');
  }) as TaskRunner);
  const task = await fixture.tasks.submit(request);
  fixture.tasks.start();
  assert.equal((await fixture.tasks.settled(task.id)).error?.code, 'SVC-SRV-001');
});

test('failed items fail the task under their principal code', async () => {
  await using fixture = await openFixture(async (_task, _request, journal) => {
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
  await using fixture = await openFixture(async (_task, _request, journal) => {
    journal.setItems(
      ['running', 'waiting', 'done'].map((name) => ({ name, status: 'pending', transferredBytes: 0 })),
    );
    await journal.updateItem('running', { status: 'running' });
    await journal.updateItem('done', { status: 'done' });
    throw svcError('SVC-STO-002', { path: '/store' });
  });
  const task = await fixture.tasks.submit(request);
  fixture.tasks.start();
  const { items } = await fixture.tasks.settled(task.id);
  assert.deepEqual(
    items.map(({ name, status, error }) => [name, status, error?.code]),
    [
      ['running', 'failed', 'SVC-STO-002'],
      ['waiting', 'skipped', undefined],
      ['done', 'done', undefined],
    ],
  );
});

test('a finished task is the same after a restart', async () => {
  await using fixture = await openFixture(async (_task, _request, journal) => {
    journal.setTotalBytes(10);
    journal.addBytes(4);
    journal.addBytes(6);
    journal.setSourceRunId('run-of-the-medium');
    journal.setPruned([{ repository: 'r', tag: 't', digest: `sha256:${'0'.repeat(64)}`, recipe: 'x' }]);
    await journal.settleItems([{ name: 'a', status: 'done', transferredBytes: 10 }]);
  });
  const task = await fixture.tasks.submit(request);
  fixture.tasks.start();
  const ended = await fixture.tasks.settled(task.id);
  assert.deepEqual(ended.progress, { bytesDone: 10, bytesTotal: 10 });
  assert.equal(ended.sourceRunId, 'run-of-the-medium');
  assert.deepEqual((await readdir(fixture.folder)).sort(), [`${task.id}.json`]);
  const again = await fixture.open();
  assert.deepEqual(await again.get(task.id), ended);
  assert.deepEqual((await again.list()).tasks, [ended]);
});

test('a drain gives the running task time to end', async () => {
  let release = () => {};
  const held = new Promise<void>((resolve) => {
    release = resolve;
  });
  await using fixture = await openFixture(() => held);
  const { tasks } = fixture;
  const first = await tasks.submit(request);
  const second = await tasks.submit(request);
  tasks.start();
  const drained = tasks.drain(60_000);
  await assert.rejects(tasks.submit(request), { code: 'SVC-SRV-006' });
  release();
  await drained;
  assert.equal((await tasks.get(first.id)).status, 'done');
  assert.equal((await tasks.get(second.id)).status, 'pending');
  await tasks.idle();
});

test('a drained task waits again, and the next start takes it up with what has settled', async () => {
  const started = Promise.withResolvers<void>();
  await using fixture = await openFixture(async (_task, _request, journal, signal) => {
    journal.setItems(['a', 'b', 'c'].map((name) => ({ name, status: 'pending', transferredBytes: 0 })));
    await journal.updateItem('a', { status: 'done', transferredBytes: 5 });
    await journal.updateItem('b', { status: 'running', transferredBytes: 1 });
    started.resolve();
    try {
      await untilAborted(signal);
    } catch (error) {
      // what a runner does that takes the interruption for a failure of its items
      await journal.updateItem('b', {
        status: 'failed',
        error: { code: 'SVC-SRV-006', class: 'failure', params: {} },
      });
      throw error;
    }
  });
  const { tasks } = fixture;
  const submitted = await tasks.submit({ ...request, parameters: { deep: ['x'] } });
  tasks.start();
  await started.promise;
  await tasks.drain(0);
  const parked = await tasks.get(submitted.id);
  assert.deepEqual([parked.status, parked.resumed], ['pending', true]);
  assert.deepEqual(
    parked.items.map((item) => item.status),
    ['done', 'pending', 'pending'],
  );
  await tasks[Symbol.asyncDispose]();

  let seen: { task: Task; parameters: unknown } | undefined;
  const again = await fixture.open(async (task, { parameters }, journal) => {
    seen = { task, parameters };
    journal.setItems(['a', 'b', 'c'].map((name) => ({ name, status: 'pending', transferredBytes: 0 })));
    await journal.updateItem('b', { status: 'done' });
    await journal.updateItem('c', { status: 'done' });
  });
  again.start();
  const ended = await again.settled(submitted.id);
  assert.deepEqual(seen?.parameters, { deep: ['x'] });
  assert.deepEqual([seen?.task.status, seen?.task.resumed], ['running', true]);
  assert.deepEqual(seen?.task.items, [{ name: 'a', status: 'done', transferredBytes: 5 }]);
  assert.deepEqual([ended.status, ended.resumed, ended.runId], ['done', true, submitted.runId]);
  assert.deepEqual(
    ended.items.map(({ name, status, transferredBytes }) => [name, status, transferredBytes]),
    [
      ['a', 'done', 5],
      ['b', 'done', 0],
      ['c', 'done', 0],
    ],
  );
});

test('work that ignores its signal does not hold the drain', async () => {
  const started = Promise.withResolvers<void>();
  await using fixture = await openFixture(() => {
    started.resolve();
    return new Promise(() => {});
  });
  const task = await fixture.tasks.submit(request);
  fixture.tasks.start();
  await started.promise;
  await fixture.tasks.drain(0);
  assert.ok(fixture.report.records.some((record) => record.message.includes('ignores')));
  const again = await fixture.open(nothing);
  again.start();
  assert.equal((await again.settled(task.id)).status, 'done');
});

test('a process killed in the middle resumes from what was settled, whatever the last line looks like', async () => {
  await using fixture = await openFixture(nothing);
  const task = await fixture.tasks.submit(request);
  const waiting = await fixture.tasks.submit(request);
  const item = { name: 'a', status: 'done', transferredBytes: 1 };
  const journal = [{ startedAt: '2026-01-01T00:00:00.000Z' }, { items: [item] }].map(
    (line) => `${JSON.stringify(line)}\n`,
  );
  await writeFile(join(fixture.folder, `${task.id}.journal`), `${journal.join('')}{"items":[{"name":"torn`);

  const again = await fixture.open(async (_task, _request, log) => {
    await log.updateItem('b', { status: 'done' });
    throw svcError('SVC-TSK-003', {});
  });
  const resumed = await again.get(task.id);
  assert.deepEqual([resumed.status, resumed.resumed, resumed.items], ['pending', true, [item]]);
  assert.equal((await again.get(waiting.id)).resumed, false);
  again.start();
  const ended = await again.settled(task.id);
  assert.equal(ended.startedAt, '2026-01-01T00:00:00.000Z');
  assert.deepEqual(
    ended.items.map(({ name }) => name),
    ['a', 'b'],
  );
});

test('a killed process leaves its task to the next one, with all that was answered as settled', async () => {
  await using fixture = await openFixture(nothing);
  const queue = new URL('../../src/task/queue.ts', import.meta.url).href;
  const program = `
    import { openTasks } from ${JSON.stringify(queue)};
    const tasks = await openTasks({
      stateRoot: process.argv[1],
      keepFinished: 0,
      report: { log() {}, audit() {}, child() { return this; } },
      run: async (task, request, journal) => {
        for (let i = 0; ; i += 1) {
          await journal.updateItem('item' + i, { status: 'done' });
          process.stdout.write('.');
        }
      },
    });
    await tasks.submit(${JSON.stringify(request)});
    tasks.start();
  `;
  const child = spawn(process.execPath, ['--input-type=module', '-e', program, join(fixture.folder, '..')], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let answered = 0;
  for await (const chunk of child.stdout) {
    answered += chunk.length;
    if (answered > 20) child.kill('SIGKILL');
  }
  const again = await fixture.open();
  const [task] = (await again.list()).tasks;
  assert.deepEqual([task?.status, task?.resumed], ['pending', true]);
  assert.ok(task!.counts.done >= answered, `${task!.counts.done} of ${answered}`);
});

test('what settles after a torn line is not lost with it', async () => {
  await using fixture = await openFixture(nothing);
  const task = await fixture.tasks.submit(request);
  await writeFile(join(fixture.folder, `${task.id}.journal`), '{"startedAt":"x"}\n{"items":[{"na');
  const started = Promise.withResolvers<void>();
  const second = await fixture.open(async (_task, _request, journal, signal) => {
    await journal.settleItems([{ name: 'b', status: 'done', transferredBytes: 2 }]);
    started.resolve();
    await untilAborted(signal);
  });
  second.start();
  await started.promise;
  await second[Symbol.asyncDispose]();
  const third = await fixture.open();
  assert.deepEqual((await third.get(task.id)).items, [{ name: 'b', status: 'done', transferredBytes: 2 }]);
});

test('a damaged document is left out, named and left alone', async () => {
  await using fixture = await openFixture(nothing);
  const good = await fixture.tasks.submit(request);
  const other = good.id.replace(/.$/, (digit) => (digit === '0' ? '1' : '0'));
  const damaged: Record<string, string> = {
    'tsk_aaaaaaaaaaaa.json': '',
    'tsk_bbbbbbbbbbbb.json': '{"format":1}\n{}\n',
    'tsk_cccccccccccc.json': await readFile(join(fixture.folder, `${good.id}.json`), 'utf8'),
    'tsk_dddddddddddd.json': '{"format":9,"sequence":1}\n',
    [`${other}.log`]: 'of a task that is gone',
    README: 'a stranger',
  };
  for (const [name, content] of Object.entries(damaged)) await writeFile(join(fixture.folder, name), content);
  await mkdir(join(fixture.folder, 'tsk_eeeeeeeeeeee.json'));
  const again = await fixture.open();
  assert.deepEqual(
    (await again.list()).tasks.map((task) => task.id),
    [good.id],
  );
  assert.equal(fixture.report.records.filter((record) => record.level === 'error').length, 5);
  const names = await readdir(fixture.folder);
  assert.ok(names.includes('README') && names.includes('tsk_aaaaaaaaaaaa.json'));
  assert.ok(!names.includes(`${other}.log`));
});

test('finished tasks beyond those to keep go with their logs, newest stay, waiting ones are never touched', async () => {
  await using fixture = await openFixture(
    async (_task, _request, journal) => {
      journal.line('worked');
    },
    { keepFinished: 2 },
  );
  const { tasks } = fixture;
  tasks.start();
  const ids: string[] = [];
  for (let i = 0; i < 5; i += 1) {
    ids.push((await tasks.submit(request)).id);
    await tasks.idle();
  }
  assert.deepEqual(
    (await tasks.list()).tasks.map((task) => task.id),
    [ids[4], ids[3]],
  );
  const kept = [ids[3], ids[4]].flatMap((id) => [`${id}.json`, `${id}.log`]);
  assert.deepEqual((await readdir(fixture.folder)).sort(), kept.sort());
  await assert.rejects(tasks.get(ids[0]!), { code: 'SVC-TSK-001' });
  await tasks.drain(0);
  const later = await fixture.open();
  const waiting = [await later.submit(request), await later.submit(request), await later.submit(request)];
  const last = await openTasks({
    stateRoot: join(fixture.folder, '..'),
    keepFinished: 1,
    report: fixture.report,
    run: nothing,
  });
  assert.deepEqual(
    (await last.list()).tasks.map((task) => task.id),
    [...waiting.map((task) => task.id).reverse(), ids[4]],
  );
});

test('a purge at zero keeps all', async () => {
  await using fixture = await openFixture(nothing, { keepFinished: 0 });
  fixture.tasks.start();
  for (let i = 0; i < 5; i += 1) await fixture.tasks.submit(request);
  await fixture.tasks.idle();
  assert.equal((await (await fixture.open()).list()).total, 5);
});

test('the log is read by byte cursor in whole lines, and as a whole', async () => {
  const written = Promise.withResolvers<void>();
  const more = Promise.withResolvers<void>();
  await using fixture = await openFixture(async (_task, _request, journal) => {
    journal.line('première ligne');
    await journal.updateItem('a', { status: 'done' });
    written.resolve();
    await more.promise;
    journal.line('second\nforged \x1b[31m line');
  });
  const { tasks } = fixture;
  const { id } = await tasks.submit(request);
  assert.deepEqual(await tasks.log(id), { chunk: '', next: 0 });
  assert.equal(await text(tasks.rawLog(id)), '');
  tasks.start();
  await written.promise;
  let first = await tasks.log(id);
  while (first.chunk === '') first = await tasks.log(id);
  assert.match(first.chunk, /^\d{4}-\d\d-\d\dT[\d:.]+Z première ligne\n$/);
  assert.equal(first.next, Buffer.byteLength(first.chunk));
  more.resolve();
  await tasks.settled(id);
  const second = await tasks.log(id, first.next);
  assert.ok(second.chunk.endsWith(' second\\u000aforged \\u001b[31m line\n'), second.chunk);
  assert.deepEqual(await tasks.log(id, second.next), { chunk: '', next: second.next });
  assert.deepEqual(await tasks.log(id, second.next + 1000), { chunk: '', next: second.next });
  assert.equal(await text(tasks.rawLog(id)), first.chunk + second.chunk);
});

test('a long log comes in chunks of at most 64 KiB that join to the whole, and is bounded', async () => {
  await using fixture = await openFixture(async (_task, _request, journal) => {
    for (let i = 0; i < 1100; i += 1) journal.line(`${i} ${'ü'.repeat(100_000)}`);
  });
  const { tasks } = fixture;
  const { id } = await tasks.submit(request);
  tasks.start();
  await tasks.settled(id);
  const whole = await text(tasks.rawLog(id));
  assert.ok(Buffer.byteLength(whole) <= (16 << 20) + 100);
  assert.ok(whole.endsWith('This log is full; nothing more is written to it.\n'));
  let joined = '';
  for (let after = 0; ; ) {
    const { chunk, next } = await tasks.log(id, after);
    if (next === after) break;
    assert.ok(next - after <= 64 << 10);
    joined += chunk;
    after = next;
  }
  assert.equal(joined, whole);
});

test('lists are newest first, searched, filtered and paged; a page past the end is empty', async () => {
  await using fixture = await openFixture(async (task) => {
    if (task.reference.endsWith('3')) throw svcError('SVC-TSK-003', {});
  });
  const { tasks } = fixture;
  for (let i = 0; i < 30; i += 1) {
    await tasks.submit({
      type: i % 2 ? 'sync' : 'import',
      reference: `Zone-${i}`,
      actor: i < 3 ? 'token:ci' : 'ana',
    });
  }
  tasks.start();
  await tasks.idle();
  const first = await tasks.list();
  assert.deepEqual([first.page, first.totalPages, first.total, first.tasks.length], [1, 2, 30, 25]);
  assert.equal(first.tasks[0]?.reference, 'Zone-29');
  assert.deepEqual(
    (await tasks.list({ page: 2 })).tasks.map((task) => task.reference),
    [4, 3, 2, 1, 0].map((i) => `Zone-${i}`),
  );
  const past = await tasks.list({ page: 9 });
  assert.deepEqual([past.page, past.total, past.tasks], [9, 30, []]);
  assert.equal((await tasks.list({ q: 'ZONE-2' })).total, 11);
  assert.equal((await tasks.list({ q: 'token:' })).total, 3);
  assert.equal((await tasks.list({ q: first.tasks[7]!.id })).total, 1);
  assert.equal((await tasks.list({ type: 'import' })).total, 15);
  assert.equal((await tasks.list({ status: 'failed' })).total, 3);
  assert.equal((await tasks.list({ status: 'failed', q: 'zone-1' })).total, 1);
  assert.equal((await tasks.list({ pageSize: 1000 })).tasks.length, 30);
  assert.deepEqual(tasks.counts(), { pending: 0, running: 0, done: 27, failed: 3 });
});

test('what runs and what waits can be seen', async () => {
  const started = Promise.withResolvers<void>();
  const release = Promise.withResolvers<void>();
  await using fixture = await openFixture(async (_task, _request, journal) => {
    journal.addBytes(7);
    started.resolve();
    await release.promise;
  });
  const { tasks } = fixture;
  const first = await tasks.submit(request);
  await tasks.submit({ ...request, type: 'import' });
  const runningId = () => tasks.running?.id;
  assert.equal(runningId(), undefined);
  tasks.start();
  await started.promise;
  assert.equal(runningId(), first.id);
  assert.deepEqual((await tasks.get(first.id)).progress, { bytesDone: 7, bytesTotal: 7 });
  assert.deepEqual([tasks.pending(), tasks.pending('import'), tasks.pending('sync')], [1, 1, 0]);
  assert.deepEqual(tasks.counts(), { pending: 1, running: 1, done: 0, failed: 0 });
  release.resolve();
  await tasks.idle();
  assert.equal(runningId(), undefined);
});

test('the end of a task is told once it is kept; whoever listens cannot break the queue', async () => {
  const settled: string[] = [];
  const { promise: folderKnown, resolve: tellFolder } = Promise.withResolvers<string>();
  await using fixture = await openFixture(nothing, {
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
  await using fixture = await openFixture(async (_task, _request, journal, signal) => {
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
  await using fixture = await openFixture(
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
