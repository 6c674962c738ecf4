import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import type { Task } from '../../../src/contract/task.ts';
import { toFolder } from '../../kit/hostile/hostile-layouts/tar-members.ts';
import { image, toEntry, toFiles } from '../../kit/hostile/hostile-layouts/victim.ts';
import { eventually } from '../../kit/instance/eventually.ts';
import { type Instance, startInstance } from '../../kit/instance/instance.ts';
import { settleTask } from '../../kit/instance/settle-task.ts';
import { openTempFolder } from '../../kit/instance/temp-folder.ts';
import { runCommand } from '../../kit/program/run-command.ts';
import { svcCommand, svcEnvironment, trackChild } from '../../kit/program/svc.ts';
import { assertCliDocument } from '../../kit/result/cli-schema.ts';
import { createRegistryDouble } from '../../kit/result/registry-double.ts';

const actor = `local:${process.getuid?.()}`;

/** A folder to pack, a layout to import, and the state of the instance that shows the tasks. */
async function openScene() {
  const folder = await openTempFolder();
  const at = (...names: string[]): string => join(folder.path, ...names);
  await mkdir(at('tree'));
  await writeFile(at('tree', 'file'), 'some text');
  await toFolder(toFiles(), at('layout'));
  return {
    at,
    svc: (args: readonly string[], store = 'store', env: Record<string, string> = {}) =>
      runCommand([...args, '--storage-root', at(store), '--state-root', at('state')], {
        cwd: folder.path,
        env,
      }),
    start: () => startInstance({ folder: folder.path }),
    [Symbol.asyncDispose]: () => folder[Symbol.asyncDispose](),
  };
}

type Scene = Awaited<ReturnType<typeof openScene>>;

async function listTasks(instance: Instance, query = ''): Promise<readonly Task[]> {
  const { status, body } = await instance.api('GET', `/tasks?${query}`);
  assert.equal(status, 200, JSON.stringify(body));
  return body.tasks;
}

/** Runs a command, whose document names its task. */
async function runNamed(scene: Scene, args: readonly string[], store?: string): Promise<string> {
  const result = await scene.svc([...args, '--output', 'json'], store);
  assert.equal(result.exitCode, 0, result.stderr);
  const document = JSON.parse(result.stdout);
  const [name = '', ...more] = args;
  assertCliDocument(name === 'fileset' ? `svc fileset ${more[0]}` : `svc ${name}`, result.stdout);
  assert.match(document.taskId, /^tsk_[0-9a-f]{12}$/);
  return document.taskId;
}

test('what svc fileset pack, import and export did is among the tasks of an instance, also while it runs', async () => {
  await using scene = await openScene();
  const packed = await runNamed(scene, ['fileset', 'pack', 'tree', 'some:1.0.0']);
  const imported = await runNamed(scene, ['import', 'layout']);
  const exported = await runNamed(scene, ['export', 'out.tar']);
  await using instance = await scene.start();
  const before = await listTasks(instance);
  assert.deepEqual(
    before.map(({ id, type, command, actor: by, status, reference }) => [
      id,
      type,
      command,
      by,
      status,
      reference,
    ]),
    [
      [exported, 'layout-export', 'svc export', actor, 'done', scene.at('out.tar')],
      [imported, 'layout-import', 'svc import', actor, 'done', scene.at('layout')],
      [packed, 'fileset-pack', 'svc fileset pack', actor, 'done', 'localhost/filesets/some:1.0.0'],
    ],
  );
  assert.deepEqual(
    before.map(({ items }) => items.map(({ name, status }) => `${name} ${status}`)),
    [
      ['localhost/filesets/some:1.0.0 done', 'victim/app:1 done'],
      ['victim/app:1 done'],
      ['localhost/filesets/some:1.0.0 done'],
    ],
  );
  assert.equal(before[1]?.items[0]?.digest, image.manifest.descriptor.digest);
  assert.ok(before.every(({ progress }) => progress.bytesDone > 0));
  const log = await instance.api('GET', `/tasks/${imported}/logs`);
  assert.match(log.body.chunk, /victim\/app:1: imported/);
  assert.deepEqual(
    (await listTasks(instance, 'type=fileset-pack')).map(({ id }) => id),
    [packed],
  );
  // beside the instance, with a store of its own
  const beside = await runNamed(scene, ['import', 'layout'], 'other');
  await eventually('the task of the command', async () => (await listTasks(instance))[0]?.id === beside);
});

test('a command beside the instance that has its store begins no task', async () => {
  await using scene = await openScene();
  await using instance = await scene.start();
  for (const args of [
    ['import', 'layout'],
    ['export', 'out.tar'],
    ['fileset', 'pack', 'tree', 'some:1.0.0'],
  ]) {
    const { exitCode, stderr } = await scene.svc(args);
    assert.equal(exitCode, 1);
    assert.match(stderr, /SVC-STO-007/, args.join(' '));
  }
  assert.deepEqual(await listTasks(instance), []);
});

test('a command that fails leaves a failed task with its code, and lost entries are its failed items', async () => {
  await using scene = await openScene();
  await runNamed(scene, ['import', 'layout']);
  await writeFile(scene.at('layout', 'strange'), '');
  assert.equal((await scene.svc(['import', 'layout'])).exitCode, 4);
  assert.equal((await scene.svc(['fileset', 'pack', 'nowhere', 'some:1.0.0'])).exitCode, 1);
  await toFolder(toFiles(image, [toEntry(image), null]), scene.at('partly'));
  assert.equal((await scene.svc(['import', 'partly'])).exitCode, 1);
  await using instance = await scene.start();
  const tasks = await listTasks(instance);
  assert.deepEqual(
    tasks.map(({ type, status, principalCode, error }) => [type, status, principalCode, error?.code]),
    [
      ['layout-import', 'failed', 'SVC-REG-009', undefined],
      ['fileset-pack', 'failed', 'SVC-FIL-001', 'SVC-FIL-001'],
      ['layout-import', 'failed', 'SVC-LAY-002', 'SVC-LAY-002'],
      ['layout-import', 'done', undefined, undefined],
    ],
  );
  assert.deepEqual(
    tasks[0]?.items.map(({ name }) => name),
    ['manifests[1]', 'victim/app:1'],
  );
});

test('a pack into a registry is shown while it runs, as cancelled after Ctrl-C, and as failed when it was killed', async () => {
  await using scene = await openScene();
  await using registry = await createRegistryDouble();
  await using instance = await scene.start();
  const config = scene.at('push.yaml');
  const { host } = registry;
  await writeFile(
    config,
    JSON.stringify({ state: { root: scene.at('state') }, registries: { insecure: [host] } }),
  );
  const args = [
    'fileset',
    'pack',
    'tree',
    'some:1.0.0',
    '--push',
    `${host}/filesets/some:1.0.0`,
    '--config',
    config,
  ];
  const release = registry.intercept(({ method }) => method === 'POST' || method === 'PUT');
  const begin = async (): Promise<readonly [ChildProcess, string]> => {
    const [command, ...first] = svcCommand();
    const child = trackChild(
      spawn(command, [...first, ...args], { cwd: scene.at(), env: svcEnvironment(), stdio: 'ignore' }),
    );
    const running = await eventually('the running task', async () =>
      (await listTasks(instance, 'status=running')).find(({ items }) => items.length === 1),
    );
    return [child, running.id];
  };
  for (const [signal, status, code] of [
    ['SIGINT', 'cancelled', 'SVC-TSK-004'],
    ['SIGKILL', 'failed', 'SVC-TSK-006'],
  ] as const) {
    const [child, id] = await begin();
    const refused = await instance.api('POST', `/tasks/${id}/cancel`, {});
    assert.deepEqual([refused.status, refused.body.code], [409, 'SVC-TSK-007']);
    child.kill(signal);
    await once(child, 'exit');
    const task = await settleTask(instance, id);
    assert.deepEqual([task.type, task.status, task.error?.code], ['fileset-pack', status, code]);
    assert.deepEqual(
      task.items.map(({ name, status: outcome }) => [name, outcome]),
      [[`${host}/filesets/some:1.0.0`, 'failed']],
    );
    await eventually(
      'the end in the list',
      async () => (await listTasks(instance, 'status=running')).length === 0,
    );
  }
  release();
  const { exitCode, stderr } = await runCommand(args, { cwd: scene.at() });
  assert.equal(exitCode, 0, stderr);
  await eventually(
    'the task of the pack',
    async () => (await listTasks(instance, 'status=done')).length === 1,
  );
});

test('where the state takes no record, a command does its work and says so in one line; without a state it is silent', async () => {
  await using scene = await openScene();
  await runNamed(scene, ['import', 'layout']);
  await rm(scene.at('state', 'commands'), { recursive: true });
  await writeFile(scene.at('state', 'commands'), 'no folder');
  for (const [language, said] of [
    ['C.UTF-8', /^svc: warning: no record of this run is kept among the tasks: .+\n$/],
    [
      'fr_FR.UTF-8',
      /^svc: avertissement\s: aucune trace de cette exécution n’est gardée parmi les tâches\s: .+\n$/,
    ],
  ] as const) {
    const { exitCode, stderr } = await scene.svc(['export', `${language}.tar`], 'store', {
      LC_ALL: language,
    });
    assert.equal(exitCode, 0, stderr);
    const lines = stderr.split('\n').filter((line) => line !== '' && !line.includes('"audit"'));
    assert.match(`${lines.join('\n')}\n`, said);
  }
  const stateless = await runCommand(
    ['export', 'none.tar', '--storage-root', scene.at('store'), '--output', 'json'],
    {
      cwd: scene.at(),
    },
  );
  assert.equal(stateless.exitCode, 0, stateless.stderr);
  assert.doesNotMatch(stateless.stderr, /no record/);
  assert.equal(JSON.parse(stateless.stdout).taskId, undefined);
});
