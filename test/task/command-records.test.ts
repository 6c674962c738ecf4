import assert from 'node:assert/strict';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { openTasks } from '../../src/task/queue.ts';
import { openTaskRecord } from '../../src/task/task-record.ts';
import { eventually } from '../kit/instance/eventually.ts';
import { createRecordingReport } from '../kit/instance/recording-report.ts';
import { request } from '../kit/instance/task-queue.ts';
import { openTempFolder } from '../kit/instance/temp-folder.ts';

const report = createRecordingReport();

/** Runs a task as a command does: beside the queue, with a record of its own. */
async function runAlone(stateRoot: string): Promise<string> {
  await using tasks = await openTasks({
    keepFinished: 0,
    report,
    storage: await openTaskRecord(join(stateRoot, 'media'), 'import', 10, report),
    run: async (_task, _request, journal) => {
      await journal.settleItems([{ name: 'app@1.0.0', status: 'done', transferredBytes: 7 }]);
    },
  });
  tasks.start();
  const { id } = await tasks.submit({
    type: 'media-import',
    reference: 'medium',
    actor: 'local:0',
    parameters: { allowZoneMismatch: false, allowStale: false },
  });
  await tasks.settled(id);
  return id;
}

const openInstance = (stateRoot: string, keepFinished = 10) =>
  openTasks({ stateRoot, keepFinished, report, run: async () => {} });

test('the tasks of an instance are one history with those of commands, which ran before it started or beside it', async () => {
  await using folder = await openTempFolder();
  const stateRoot = folder.path;
  const before = await runAlone(stateRoot);
  await using tasks = await openInstance(stateRoot);
  tasks.start();
  const ids = () => tasks.listHeads().tasks.map(({ id }) => id);
  assert.deepEqual(ids(), [before]);
  const own = await tasks.submit(request);
  await tasks.settled(own.id);
  const beside = await runAlone(stateRoot);
  await eventually('the task of the command', async () => ids().includes(beside) || undefined);
  assert.deepEqual(ids(), [beside, own.id, before], 'the newest first');
  const task = await tasks.get(beside);
  assert.deepEqual(
    [task.actor, task.status, task.items.map(({ name }) => name)],
    ['local:0', 'done', ['app@1.0.0']],
  );
  assert.deepEqual(await tasks.log(beside), { chunk: '', next: 0 });
  assert.deepEqual(
    (await tasks.list({ q: before })).tasks.map(({ id }) => id),
    [before],
  );
});

test('one limit bounds the history: the oldest task goes, with the record of its command', async () => {
  await using folder = await openTempFolder();
  const stateRoot = folder.path;
  await runAlone(stateRoot);
  const second = await runAlone(stateRoot);
  await using tasks = await openInstance(stateRoot, 1);
  assert.deepEqual(
    tasks.listHeads().tasks.map(({ id }) => id),
    [second],
  );
  assert.equal((await readdir(join(stateRoot, 'media'))).length, 1);
  await assert.rejects(tasks.get('tsk_000000000000'), { code: 'SVC-TSK-001' });
});
