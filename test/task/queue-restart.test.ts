import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import type { MediumReport } from '../../src/contract/medium.ts';
import type { Task } from '../../src/contract/task.ts';
import { svcError } from '../../src/text/error.ts';
import { importRequest, nothing, openQueue, request, untilAborted } from '../kit/instance/task-queue.ts';

const verification: MediumReport = {
  verdict: 'blocked',
  blocks: [{ code: 'SVC-MED-006', params: { expected: 'b', found: 'a' }, waivable: true, waived: false }],
  zone: { expected: 'b', found: 'a', match: false },
  recipes: [],
  findings: [],
  checked: { files: 1, bytes: 2 },
  startedAt: new Date(0).toISOString(),
  finishedAt: new Date(1).toISOString(),
};

test('a finished task is the same after a restart', async () => {
  await using fixture = await openQueue(async (_task, _request, journal) => {
    journal.setTotalBytes(10);
    journal.addBytes(4);
    journal.addBytes(6);
    journal.setSourceRunId('run-of-the-medium');
    journal.setVerification(verification);
    journal.setLayout({ manifests: 1, blobs: 2, bytes: 3 });
    journal.setPruned([{ repository: 'r', tag: 't', digest: `sha256:${'0'.repeat(64)}`, recipe: 'x' }]);
    await journal.settleItems([{ name: 'a', status: 'done', transferredBytes: 10 }]);
  });
  const task = await fixture.tasks.submit(request);
  fixture.tasks.start();
  const ended = await fixture.tasks.settled(task.id);
  assert.deepEqual(ended.progress, { bytesDone: 10, bytesTotal: 10 });
  assert.equal(ended.sourceRunId, 'run-of-the-medium');
  assert.deepEqual(ended.verification, verification);
  assert.deepEqual(ended.layout, { manifests: 1, blobs: 2, bytes: 3 });
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
  await using fixture = await openQueue(() => held);
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

test('a drained task is pending again, and resumes at the next start with its settled items', async () => {
  const started = Promise.withResolvers<void>();
  await using fixture = await openQueue(async (_task, _request, journal, signal) => {
    journal.setItems(['a', 'b', 'c'].map((name) => ({ name, status: 'pending', transferredBytes: 0 })));
    await journal.updateItem('a', { status: 'done', transferredBytes: 5 });
    await journal.updateItem('b', { status: 'running', transferredBytes: 1 });
    started.resolve();
    try {
      await untilAborted(signal);
    } catch (error) {
      // the work of a runner that takes the interruption for a failure of its items
      await journal.updateItem('b', {
        status: 'failed',
        error: { code: 'SVC-SRV-006', class: 'failure', params: {} },
      });
      throw error;
    }
  });
  const { tasks } = fixture;
  const submitted = await tasks.submit(importRequest);
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

  let seen: { task: Task; stored: unknown } | undefined;
  const again = await fixture.open(async (task, stored, journal) => {
    seen = { task, stored };
    journal.setItems(['a', 'b', 'c'].map((name) => ({ name, status: 'pending', transferredBytes: 0 })));
    await journal.updateItem('b', { status: 'done' });
    await journal.updateItem('c', { status: 'done' });
  });
  again.start();
  const ended = await again.settled(submitted.id);
  assert.deepEqual(seen?.stored, importRequest);
  assert.deepEqual([seen?.task.status, seen?.task.resumed], ['running', true]);
  const [kept] = parked.items;
  assert.match(kept!.finishedAt!, /^20/);
  const { finishedAt } = kept!;
  assert.deepEqual(seen?.task.items, [{ name: 'a', status: 'done', transferredBytes: 5, finishedAt }]);
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

test('work that ignores its signal does not delay the drain', async () => {
  const started = Promise.withResolvers<void>();
  await using fixture = await openQueue(() => {
    started.resolve();
    return new Promise(() => {});
  });
  const task = await fixture.tasks.submit(request);
  fixture.tasks.start();
  await started.promise;
  await fixture.tasks.drain(0);
  assert.ok(
    fixture.report.records.some((record) => record.message.includes('did not stop with the instance')),
  );
  const again = await fixture.open(nothing);
  again.start();
  assert.equal((await again.settled(task.id)).status, 'done');
});

test('a process killed in the middle resumes from what was settled, whatever the last line looks like', async () => {
  await using fixture = await openQueue(nothing);
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

test('the next process resumes the task of a killed one, with every item that was reported as settled', async () => {
  await using fixture = await openQueue(nothing);
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

test('items that settle after a torn line are not lost with it', async () => {
  await using fixture = await openQueue(nothing);
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
  const [{ finishedAt, ...item } = { finishedAt: '' }, ...others] = (await third.get(task.id)).items;
  assert.deepEqual([item, others], [{ name: 'b', status: 'done', transferredBytes: 2 }, []]);
  assert.match(finishedAt!, /^20/);
});

test('a damaged document is left out, named and left alone', async () => {
  await using fixture = await openQueue(nothing);
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

test('a task is not shown as ended before its end is durable', async () => {
  await using fixture = await openQueue(async (_task, _request, journal) => {
    journal.line('working');
    await journal.settleItems([{ name: 'a', status: 'done', transferredBytes: 1 }]);
  });
  const { tasks, folder } = fixture;
  const statuses: string[] = [];
  tasks.onChange((task) => statuses.push(task().status));
  const { id } = await tasks.submit(request);
  tasks.start();
  for (;;) {
    const { status, counts } = await tasks.get(id);
    if (status === 'done') {
      assert.match(await readFile(join(folder, `${id}.json`), 'utf8'), /"status":"done"/);
      assert.equal(counts.done, 1);
      break;
    }
    assert.match(status, /^(pending|running)$/);
    await new Promise((resolve) => setImmediate(resolve));
  }
  await tasks.settled(id);
  assert.equal(statuses.at(-1), 'done');
});

test('the task of an import names the medium that it read, where the disk was exchanged after the request', async () => {
  const medium = { mediaId: 'med-second' } as MediumReport['medium'];
  await using fixture = await openQueue(async (_task, _request, journal) => {
    journal.setVerification({ ...verification, ...(medium === undefined ? {} : { medium }) });
  });
  const task = await fixture.tasks.submit({
    ...{ type: 'media-import', reference: 'med-first', actor: 'ana' },
    parameters: { allowZoneMismatch: false, allowStale: false },
  });
  assert.equal(task.reference, 'med-first');
  fixture.tasks.start();
  assert.equal((await fixture.tasks.settled(task.id)).reference, 'med-second');
  const again = await fixture.open();
  assert.equal((await again.get(task.id)).reference, 'med-second');
  assert.deepEqual(
    again.listHeads({ q: 'med-second' }).tasks.map(({ id }) => id),
    [task.id],
  );
});
