import assert from 'node:assert/strict';
import { once } from 'node:events';
import { existsSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { hashBytes } from '../../../src/base/digest.ts';
import { eventually } from '../../kit/instance/eventually.ts';
import { startInstance } from '../../kit/instance/instance.ts';
import { describeStore, type LayoutScene, openLayoutScene } from '../../kit/scene/layout-scene.ts';
import { checkStoreAt } from '../rig/check-store.ts';
import { times } from '../rig/form.ts';
import { readFaultReport, toFaultEnvironment } from '../rig/instrumented.ts';
import { type KillRig, runKills } from '../rig/run-kills.ts';

type Kill = Parameters<KillRig['run']>[0];

function toEnvironment(roots: readonly string[], report: string, kill: Kill): Record<string, string> {
  return toFaultEnvironment({ roots, report, ...(kill === undefined ? {} : { kill }) });
}

/** Every file below a folder with its digest. */
function printOf(root: string): string[] {
  return readdirSync(root, { recursive: true, withFileTypes: true })
    .filter((one) => one.isFile())
    .map((one) => join(one.parentPath, one.name))
    .map((path) => `${path.slice(root.length)} ${hashBytes(readFileSync(path))}`)
    .sort();
}

async function openExportRig(flags: readonly string[]): Promise<KillRig> {
  const scene = await openLayoutScene();
  const isFolder = flags.includes('--directory');
  await scene.json('medium', ['export', 'reference', ...flags]);
  const print = (path: string) => (isFolder ? printOf(path) : [hashBytes(readFileSync(path))]);
  const reference = print(scene.path('reference'));
  const folder = scene.path('out');
  const output = join(folder, 'layout');
  const isThere = () => existsSync(isFolder ? join(output, 'index.json') : output);
  const run = (kill: Kill) =>
    scene.svc('medium', ['export', output, ...flags], {
      env: toEnvironment([folder], scene.path('calls.json'), kill),
    });
  return {
    async run(kill) {
      rmSync(folder, { recursive: true, force: true });
      await mkdir(folder);
      const result = await run(kill);
      const report = readFaultReport(scene.path('calls.json'));
      if (!report.killed) assert.equal(result.exitCode, 0, result.stderr);
      return report;
    },
    async check() {
      if (isThere() && !isFolder) assert.deepEqual(print(output), reference, 'what has the name is whole');
    },
    async complete() {
      if (!isThere()) {
        const again = await run(undefined);
        assert.equal(again.exitCode, 0, again.stderr);
      } else if (isFolder) {
        const again = await scene.svc('medium', ['export', output, ...flags, '--overwrite']);
        assert.equal(again.exitCode, 0, again.stderr);
      }
      assert.deepEqual(print(output), reference);
      if (!isFolder && readdirSync(folder).length > 1) {
        // killed between the two names of the finished archive: the next export of it tidies up
        const again = await scene.svc('medium', ['export', output, ...flags, '--overwrite']);
        assert.equal(again.exitCode, 0, again.stderr);
      }
      assert.deepEqual(readdirSync(folder), ['layout'], 'nothing is left beside it');
    },
    [Symbol.asyncDispose]: () => scene[Symbol.asyncDispose](),
  };
}

/** Manifests that no record speaks of are put again, though their files are there. */
const manifestBytes = 16 << 10;

/** Bytes of whole blobs that lie in a store, whether anything names them or not. */
function wholeBytes(root: string): number {
  let sum = 0;
  for (const algorithm of ['sha256', 'sha512'] as const) {
    const folder = join(root, 'blobs', algorithm);
    for (const name of existsSync(folder) ? readdirSync(folder) : []) {
      const path = join(folder, name);
      if (hashBytes(readFileSync(path), algorithm) === `${algorithm}:${name}`) sum += statSync(path).size;
    }
  }
  return sum;
}

async function openImportRig(): Promise<KillRig> {
  const scene: LayoutScene = await openLayoutScene();
  await scene.json('medium', ['export', 'layout.tar']);
  const expected = await scene.read('medium', describeStore);
  const everything = (await scene.json('whole', ['import', 'layout.tar'])).bytes as number;
  let store = '';
  return {
    async run(kill, round) {
      store = `store-${round}`;
      const roots = [scene.path(store), scene.path(`${store}-state`)];
      const env = toEnvironment(roots, scene.path('calls.json'), kill);
      const result = await scene.svc(store, ['import', 'layout.tar'], { env });
      const report = readFaultReport(scene.path('calls.json'));
      if (!report.killed) assert.equal(result.exitCode, 0, result.stderr);
      return report;
    },
    async check() {
      if (existsSync(scene.path(store, 'ledger')))
        await checkStoreAt(scene.path(store), scene.path(`${store}-state`));
    },
    async complete() {
      const before = wholeBytes(scene.path(store));
      const again = await scene.json(store, ['import', 'layout.tar']);
      assert.equal(again.exitCode, 0, JSON.stringify(again));
      assert.ok(
        again.movedBytes <= everything - before + manifestBytes,
        `${again.movedBytes} moved, ${before} of ${everything} were there`,
      );
      assert.deepEqual(await scene.read(store, describeStore), expected);
      rmSync(scene.path(store), { recursive: true });
    },
    [Symbol.asyncDispose]: () => scene[Symbol.asyncDispose](),
  };
}

test('an export killed at any write leaves no archive or a whole one, and the next is the same bytes', async (t) => {
  await runKills(t, 'layout-export', () => openExportRig([]), times(3, 60));
});

test('an export into a folder killed at any write is gone on with', async (t) => {
  await runKills(t, 'layout-folder', () => openExportRig(['--directory']), times(3, 60));
});

test('an import of a layout killed at any write is repeated, and moves only what is missing', async (t) => {
  await runKills(t, 'layout-import', openImportRig, times(3, 60));
});

test('an instance that is killed in an export or an import goes on with it at its next start', async () => {
  await using scene = await openLayoutScene();
  await scene.json('medium', ['export', 'ours.tar']);
  await mkdir(scene.path('out'));
  await mkdir(scene.path('zone'));
  const store = scene.path('zone', 'store');
  const jobs = [
    { path: 'import', body: { input: scene.path('ours.tar') }, root: join(store, 'blobs') },
    { path: 'export', body: { output: scene.path('out', 'back.tar') }, root: scene.path('out') },
    {
      path: 'export',
      body: { output: scene.path('out', 'back'), format: 'directory' },
      root: scene.path('out'),
    },
  ];
  for (const { path, body, root } of jobs) {
    const env = toEnvironment([root], scene.path('calls.json'), { at: 12, when: 'after' });
    const doomed = await startInstance({ folder: scene.path('zone'), env });
    const gone = once(doomed.process, 'exit');
    const { status, body: created } = await doomed.api('POST', `/oci-layout/${path}`, body);
    assert.equal(status, 201);
    await gone;
    assert.ok(readFaultReport(scene.path('calls.json')).killed);
    await using instance = await startInstance({ folder: scene.path('zone') });
    const task = await eventually('the task to end', async () => {
      const { task } = (await instance.api('GET', `/tasks/${created.task.id}`)).body;
      return task.status === 'done' || task.status === 'failed' ? task : undefined;
    });
    assert.deepEqual([task.status, task.resumed], ['done', true], JSON.stringify(task));
  }
  assert.deepEqual(readdirSync(scene.path('out')).sort(), ['back', 'back.tar']);
  assert.equal(
    hashBytes(readFileSync(scene.path('out', 'back.tar'))),
    hashBytes(readFileSync(scene.path('ours.tar'))),
  );
});
