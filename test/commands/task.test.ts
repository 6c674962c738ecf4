import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import type { TaskRunner } from '../../src/task/queue.ts';
import { holdTasks } from '../kit/instance/held-task.ts';
import { startTestServer, type TestServer } from '../kit/instance/server.ts';
import { openTempFolder, type TempFolder } from '../kit/instance/temp-folder.ts';
import { findEnglish, runInLanguage } from '../kit/program/run-command.ts';
import { svcCommand, svcEnvironment, trackChild } from '../kit/program/svc.ts';
import { assertCliDocument } from '../kit/result/cli-schema.ts';
import { answer, base, done, startPeer } from '../kit/scene/scripted-instance.ts';

let folder: TempFolder;
let server: TestServer;
let env: Readonly<Record<string, string>>;
const held = holdTasks();
const hostile = 'evil\u001b[2Jname';

/** A synchronization is held; an import ends with an item that fails. */
const run: TaskRunner = async (task, request, journal, signal) => {
  if (task.type === 'sync') return held.run(task, request, journal, signal);
  journal.line(`resolving ${hostile}`);
  const error = {
    code: 'SVC-SIG-001',
    class: 'verification',
    params: { subject: hostile, reason: 'none' },
  } as const;
  journal.setItems([
    { name: 'shop@1.0.0', status: 'done', transferredBytes: 10, sizeBytes: 10 },
    { name: hostile, status: 'failed', transferredBytes: 0, error },
  ]);
};

async function submitImport(): Promise<string> {
  const { id } = await server.tasks.submit({
    type: 'import',
    reference: `registry.example/${hostile}`,
    actor: 'alice',
    parameters: { platforms: [], vendorDependencies: false },
  });
  await server.tasks.settled(id);
  return id;
}

async function runTask(args: readonly string[], expected = 0) {
  const result = await runInLanguage(['task', ...args], 'en', env);
  assert.equal(result.exitCode, expected, `${args.join(' ')}\n${result.stderr}${result.stdout}`);
  return result;
}

async function readDocument(args: readonly string[], expected = 0) {
  const { stdout } = await runTask([...args, '--output', 'json'], expected);
  assertCliDocument(`svc task ${args[0]}`, stdout);
  return JSON.parse(stdout);
}

before(async () => {
  folder = await openTempFolder();
  server = await startTestServer({ folder: folder.path, run });
  env = { SVC_INSTANCE_URL: server.url, SVC_API_TOKEN: server.as.viewer.replace('Bearer ', '') };
});
after(async () => {
  for (const item of [server, folder]) await item[Symbol.asyncDispose]();
});

test('tasks are listed newest first, by state and type, and shown with items and errors', async () => {
  assert.equal((await runTask(['list'])).stdout, 'no task\n');
  const first = await submitImport();
  const second = await submitImport();
  const { tasks, total } = await readDocument(['list']);
  assert.deepEqual([total, tasks.map(({ id }: { id: string }) => id)], [2, [second, first]]);
  assert.equal((await readDocument(['list', '--type', 'sync'])).total, 0);
  assert.equal((await readDocument(['list', '--status', 'failed', '--search', first])).tasks[0].id, first);
  const { task } = await readDocument(['show', first]);
  assert.deepEqual([task.status, task.items.length], ['failed', 2]);
  const { stdout } = await runTask(['show', first]);
  assert.match(stdout, /Started by +alice\n/);
  assert.match(stdout, /shop@1\.0\.0 +done +10 B\n/);
  assert.match(stdout, /SVC-SIG-001/);
  assert.ok(!stdout.includes('\u001b'), 'names of others are escaped');
});

test('a log is printed whole, with the texts of others escaped', async () => {
  const id = await submitImport();
  const { stdout } = await runTask(['log', id]);
  assert.match(stdout, /resolving evil\\u001b\[2Jname\n/);
  const document = await readDocument(['log', id]);
  assert.equal(document.id, id);
  assert.match(document.log, /resolving/);
});

test('a log is followed until the task has ended', async () => {
  using task = await held.start(server.tasks);
  const { id, journal, finish } = task;
  journal.line('the first line');
  const [command, ...first] = svcCommand();
  const child = trackChild(
    spawn(command, [...first, 'task', 'log', id, '--follow'], {
      env: svcEnvironment(env),
      stdio: ['ignore', 'pipe', 'inherit'],
    }),
  );
  let printed = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    const isFirst = printed === '';
    printed += text;
    if (!isFirst) return;
    journal.line('the last line');
    finish();
  });
  assert.deepEqual(await once(child, 'close'), [0, null]);
  assert.match(printed, /the first line\n(.*\n)*.*the last line\n/);
});

test('wait exits by the outcome of the task, also of one that has ended', async () => {
  const id = await submitImport();
  const { stderr } = await runTask(['wait', id], 4);
  assert.match(stderr, /SVC-SIG-001/);
  const { waited, task } = await readDocument(['wait', id], 4);
  assert.deepEqual([waited, task.status], [true, 'failed']);
  using last = await held.start(server.tasks);
  const { id: running, finish } = last;
  const given = await runTask(['wait', running, '--wait-timeout', '100ms'], 1);
  assert.match(given.stderr, /timed out after 100ms; task tsk_\w+ continues on http/);
  const waiting = runTask(['wait', running]);
  finish();
  assert.match((await waiting).stdout, /^tsk_\w+ done: 0 items/);
});

test('an interrupted wait leaves the task running and says so', async () => {
  let asked = 0;
  let child: ReturnType<typeof spawn> | undefined;
  const methods = new Set<string | undefined>();
  await using peer = await startPeer((req, res) => {
    methods.add(req.method);
    answer(res, 200, { task: { ...base, status: 'running' } });
    asked += 1;
    if (asked === 2) child!.kill('SIGINT');
  });
  const [command, ...first] = svcCommand();
  const args = [...first, 'task', 'wait', base.id, '--instance', peer.url];
  child = trackChild(spawn(command, args, { env: svcEnvironment(), stdio: ['ignore', 'ignore', 'pipe'] }));
  let stderr = '';
  child.stderr!.setEncoding('utf8').on('data', (text: string) => {
    stderr += text;
  });
  assert.deepEqual(await once(child, 'close'), [null, 'SIGINT']);
  assert.match(stderr, /interrupted; task tsk_0123456789ab continues on http/);
  assert.deepEqual([...methods], ['GET'], 'nothing was cancelled');
});

test('an answer with null where an instance has a value is no answer of an instance', async () => {
  await using peer = await startPeer((_req, res) => answer(res, 200, { tasks: [null], total: 1 }));
  const given = await runInLanguage(['task', 'list', '--instance', peer.url], 'en', {});
  assert.equal(given.exitCode, 1);
  assert.match(given.stderr, /SVC-SRV-003/);
});

test('every line of a list fits the terminal, and everything is said in French', async () => {
  const id = await submitImport();
  for (const columns of [60, 80, 120]) {
    for (const args of [['list'], ['show', id]]) {
      const settings = { ...env, COLUMNS: String(columns) };
      const { stdout } = await runInLanguage(['task', ...args], 'fr', settings);
      const lines = stdout.split('\n');
      assert.deepEqual(
        lines.filter((line) => line.length > columns),
        [],
      );
      assert.equal(findEnglish(lines.join('\n')), undefined, stdout);
    }
  }
});

test('an unknown task and a text that is no identifier are refused', async () => {
  assert.match((await runTask(['show', 'tsk_000000000000'], 1)).stderr, /SVC-TSK-001/);
  assert.match((await runTask(['show', '../accounts'], 2)).stderr, /is no identifier of a task/);
  assert.match((await runTask(['list', '--status', 'over'], 2)).stderr, /--status takes one of pending/);
  assert.match(
    (await runTask(['log', base.id, '--follow', '--output', 'json'], 2)).stderr,
    /--follow cannot/,
  );
});

test('an answer of something else than an instance is refused', async () => {
  for (const [body, fault] of [
    [{ done }, /\/tasks is missing/],
    [{ tasks: 5, page: 1, totalPages: 1, total: 1 }, /\/tasks must be a list/],
  ] as const) {
    await using peer = await startPeer((_req, res) => answer(res, 200, body));
    const { exitCode, stderr } = await runInLanguage(['task', 'list', '--instance', peer.url], 'en', {});
    assert.equal(exitCode, 1);
    assert.match(stderr, /SVC-SRV-003.*in its answer, /);
    assert.match(stderr, fault);
  }
});

test('where no instance answers, the record of a task that a command ran is named', async () => {
  await using place = await openTempFolder();
  const path = join(place.path, 'media', 'import-run_1.json');
  await mkdir(join(place.path, 'media'));
  await writeFile(path, JSON.stringify({ task: { id: 'tsk_0123456789ab', type: 'media-import' } }));
  const ofState = { SVC_STATE_ROOT: place.path, SVC_SERVER_ADDR: '127.0.0.1:1' };
  for (const command of ['show', 'log']) {
    const { exitCode, stderr } = await runInLanguage(['task', command, 'tsk_0123456789ab'], 'en', ofState);
    assert.equal(exitCode, 1);
    assert.match(stderr, /SVC-SRV-003/);
    assert.ok(stderr.includes(`a command ran this task without an instance; its record is ${path}`), stderr);
  }
  const other = await runInLanguage(['task', 'show', 'tsk_000000000000'], 'fr', ofState);
  assert.doesNotMatch(other.stderr, /enregistrement/);
});

test('a file or a variable without a token has a code', async () => {
  await using place = await openTempFolder();
  const path = join(place.path, 'token');
  for (const text of ['', '\n', 'two words\n']) {
    await writeFile(path, text, { mode: 0o600 });
    const { exitCode, stderr } = await runInLanguage(['task', 'list', '--token-file', path], 'en', {
      SVC_INSTANCE_URL: 'http://127.0.0.1:1',
    });
    assert.equal(exitCode, 1, stderr);
    assert.match(stderr, /SVC-VAL-001: .*contains no token[\s\S]*svc token create/);
  }
  const named = await runInLanguage(['task', 'list'], 'en', {
    SVC_INSTANCE_URL: 'http://127.0.0.1:1',
    SVC_API_TOKEN: 'two words',
  });
  assert.equal(named.exitCode, 1);
  assert.match(named.stderr, /SVC-CFG-001: SVC_API_TOKEN contains no token/);
});
