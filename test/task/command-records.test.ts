import assert from 'node:assert/strict';
import { mkdir, readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import type { TaskStatus } from '../../src/contract/common.ts';
import type { Task } from '../../src/contract/task.ts';
import { openCommandFiles } from '../../src/task/command-files.ts';
import { newTask } from '../../src/task/new-task.ts';
import { peekTasks } from '../../src/task/peek-tasks.ts';
import { openTasks } from '../../src/task/queue.ts';
import type { TaskRequest } from '../../src/task/request.ts';
import type { Tasks } from '../../src/task/tasks.ts';
import { eventually } from '../kit/instance/eventually.ts';
import { createRecordingReport } from '../kit/instance/recording-report.ts';
import { request } from '../kit/instance/task-queue.ts';
import { openTempFolder } from '../kit/instance/temp-folder.ts';

const report = createRecordingReport();

const ofCommand: TaskRequest = {
  type: 'media-import',
  command: 'svc media import',
  reference: 'medium',
  actor: 'local:0',
  parameters: { allowZoneMismatch: false, allowStale: false },
};
const onUnkept = (error: Error): void => {
  throw error;
};

/** Runs a task as a command does: beside the queue, with a record of its own. */
async function runAlone(stateRoot: string, keep = 10): Promise<string> {
  await using tasks = await openTasks({
    keepFinished: 0,
    report,
    storage: await openCommandFiles(stateRoot, { keep, onUnkept }),
    run: async (_task, _request, journal) => {
      journal.line('one line');
      await journal.settleItems([{ name: 'app@1.0.0', status: 'done', transferredBytes: 7 }]);
    },
  });
  tasks.start();
  const { id } = await tasks.submit(ofCommand);
  await tasks.settled(id);
  return id;
}

/** The record of a command that runs until it is disposed of, as a killed process is: without a word. */
async function startAlone(stateRoot: string): Promise<AsyncDisposable & { readonly id: string }> {
  const storage = await openCommandFiles(stateRoot, { keep: 10, onUnkept });
  const task = newTask(ofCommand, () => false);
  await storage.create({ sequence: 1, request: ofCommand, task });
  const startedAt = new Date().toISOString();
  await storage.note(task.id, { startedAt }, true);
  const item = { transferredBytes: 0, status: 'running' } as const;
  await storage.note(
    task.id,
    {
      items: [
        { ...item, name: 'a', status: 'done' },
        { ...item, name: 'b' },
      ],
    },
    true,
  );
  return { id: task.id, [Symbol.asyncDispose]: () => storage[Symbol.asyncDispose]() };
}

const openInstance = (stateRoot: string, keepFinished = 10) =>
  openTasks({ stateRoot, keepFinished, report, run: async () => {} });

const until = (tasks: Tasks, id: string, status: TaskStatus): Promise<unknown> =>
  eventually(`${status} of the task of the command`, async () =>
    tasks.listHeads({ status }).tasks.some((task) => task.id === id),
  );

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
  await until(tasks, beside, 'done');
  assert.deepEqual(ids(), [beside, own.id, before], 'the newest first');
  const task = await tasks.get(beside);
  assert.deepEqual(
    [task.actor, task.command, task.status, task.items.map(({ name }) => name)],
    ['local:0', 'svc media import', 'done', ['app@1.0.0']],
  );
  assert.match((await tasks.log(beside)).chunk, /one line\n$/);
  assert.deepEqual(
    (await tasks.list({ q: before })).tasks.map(({ id }) => id),
    [before],
  );
});

test('a command is shown while it runs, is ended by itself only, and has failed once its process is gone', async () => {
  await using folder = await openTempFolder();
  await using tasks = await openInstance(folder.path);
  tasks.start();
  const command = await startAlone(folder.path);
  await until(tasks, command.id, 'running');
  const statusesOf = ({ items }: Task) => items.map(({ name, status }) => [name, status]);
  const running = await tasks.get(command.id);
  assert.deepEqual(
    [running.status, running.resumed, statusesOf(running)],
    [
      'running',
      false,
      [
        ['a', 'done'],
        ['b', 'running'],
      ],
    ],
  );
  assert.equal(tasks.counts().running, 1);
  assert.equal(tasks.running, undefined, 'the queue itself is free');
  await assert.rejects(tasks.cancel(command.id, 'admin'), { code: 'SVC-TSK-007' });
  {
    // the limit of finished tasks spares running ones, in an instance and in other commands
    const last = await runAlone(folder.path, 1);
    await using limited = await openInstance(folder.path, 1);
    const ids = limited.listHeads().tasks.map(({ id }) => id);
    assert.deepEqual(ids, [last, command.id]);
  }
  await command[Symbol.asyncDispose]();
  await eventually('the end of the command', async () => tasks.counts().running === 0);
  await using after = await openInstance(folder.path);
  const lost = await after.get(command.id);
  assert.deepEqual(
    [lost.status, lost.principalCode, lost.error?.params, statusesOf(lost)],
    [
      'failed',
      'SVC-TSK-006',
      { command: 'svc media import' },
      [
        ['a', 'done'],
        ['b', 'failed'],
      ],
    ],
  );
  assert.ok(lost.finishedAt !== undefined && lost.finishedAt >= lost.startedAt!);
  const peeked = await peekTasks(folder.path);
  assert.deepEqual([peeked.unfinished, (await peeked.read(command.id)).status], [0, 'failed']);
});

test('one limit bounds the history: the oldest task goes, with every file of its record', async () => {
  await using folder = await openTempFolder();
  const stateRoot = folder.path;
  await runAlone(stateRoot);
  const second = await runAlone(stateRoot);
  {
    await using tasks = await openInstance(stateRoot, 1);
    assert.deepEqual(
      tasks.listHeads().tasks.map(({ id }) => id),
      [second],
    );
    await assert.rejects(tasks.get('tsk_000000000000'), { code: 'SVC-TSK-001' });
  }
  const files = async () => (await readdir(join(stateRoot, 'commands'))).sort();
  assert.deepEqual(await files(), [`${second}.json`, `${second}.log`]);
  const lost = await startAlone(stateRoot);
  await lost[Symbol.asyncDispose]();
  const third = await runAlone(stateRoot, 1);
  assert.deepEqual(await files(), [`${third}.json`, `${third}.log`], 'also without an instance');
});

test('the next command removes what a killed one was writing, and nothing of one that runs', async () => {
  await using folder = await openTempFolder();
  const records = join(folder.path, 'commands');
  const killed = await runAlone(folder.path);
  await using running = await startAlone(folder.path);
  const unfinished = (id: string): string => `${id}.json.0123456789ab.tmp`;
  const others = ['notes.json.0123456789ab.tmp', `${unfinished(killed)}.old`];
  const ids = [killed, running.id, 'tsk_0123456789ab'];
  for (const name of [...ids.map(unfinished), ...others]) await writeFile(join(records, name), 'half');
  await runAlone(folder.path);
  const left = (await readdir(records)).filter((name) => name.includes('.tmp'));
  assert.deepEqual(left.sort(), [...others, unfinished(running.id)].sort());
});

test('records of imports by earlier versions are still shown, and removed by the limit', async () => {
  await using folder = await openTempFolder();
  const task = { ...newTask(ofCommand, () => false), status: 'failed', cancelledBy: 'ana' };
  const media = join(folder.path, 'media');
  await mkdir(media);
  await writeFile(join(media, `import-${task.runId}.json`), JSON.stringify({ task }));
  await writeFile(join(media, 'import-other.json'), 'no record');
  await writeFile(join(media, 'freshness.json'), '{}');
  const [peeked] = (await peekTasks(folder.path)).finished;
  assert.deepEqual([peeked?.id, peeked?.status, peeked?.command], [task.id, 'cancelled', 'svc media import']);
  await using tasks = await openInstance(folder.path, 1);
  assert.equal((await tasks.get(task.id)).status, 'cancelled');
  assert.deepEqual(await tasks.log(task.id), { chunk: '', next: 0 });
  const next = await runAlone(folder.path);
  await until(tasks, next, 'done');
  await eventually('the removal', async () => !(await readdir(media)).includes(`import-${task.runId}.json`));
  assert.deepEqual((await readdir(media)).sort(), ['freshness.json', 'import-other.json']);
});
