import assert from 'node:assert/strict';
import { mkdir, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { putHoles } from '../kit/content/put-holes.ts';
import { openTempStore } from '../kit/instance/temp-store.ts';
import { runSvc } from '../kit/program/svc.ts';
import { describeStore, openLayoutScene } from '../kit/scene/layout-scene.ts';
import { checkStoreAt } from './rig/check-store.ts';
import { toFaultEnvironment } from './rig/instrumented.ts';
import { mountMemory, needsMount } from './rig/small-volume.ts';

const vfat = 0x4d44;
const gib = 2 ** 30;
const unchecked = { SVC_PREFLIGHT_DISABLED: 'true' };

test('an export that does not fit is refused before a byte is written, and in the middle leaves none', async (t) => {
  await using scene = await openLayoutScene({ inProcess: true });
  if (!needsMount(t, scene.folder)) return;
  await using volume = mountMemory(scene.path('volume'), '512k');
  const output = join(volume.path, 'all');
  for (const flags of [[], ['--directory']]) {
    for (const more of [[], ['--dry-run']]) {
      const refused = await scene.svc('medium', ['export', output, ...flags, ...more]);
      assert.equal(refused.exitCode, 1, refused.stderr);
      assert.match(refused.stderr, /SVC-STO-004/);
      assert.deepEqual(await readdir(volume.path), []);
    }
    const torn = await scene.svc('medium', ['export', output, ...flags], { env: unchecked });
    assert.equal(torn.exitCode, 1, torn.stderr);
    assert.match(torn.stderr, /SVC-STO-004/);
    assert.match(torn.stderr, /preflight.override/);
    if (flags.length === 0) assert.deepEqual(await readdir(volume.path), [], 'no part of an archive is left');
  }
  volume.remount('size=8m');
  // the folder goes on with the content that fitted
  assert.equal((await scene.json('medium', ['export', output, '--directory'])).exitCode, 0);
  assert.equal((await scene.json('medium', ['export', `${output}.tar`])).exitCode, 0);
  for (const input of [output, `${output}.tar`])
    assert.equal((await scene.json('copy', ['import', input])).failed, 0);
  assert.deepEqual(await scene.read('copy', describeStore), await scene.read('medium', describeStore));
});

test('the plan of an export names a read-only volume', async (t) => {
  await using scene = await openLayoutScene({ inProcess: true });
  if (!needsMount(t, scene.folder)) return;
  await using volume = mountMemory(scene.path('volume'), '8m');
  volume.remount('ro');
  for (const flags of [[], ['--directory']]) {
    const output = join(volume.path, 'all');
    const { exitCode, stderr } = await scene.svc('medium', ['export', output, ...flags, '--dry-run']);
    assert.equal(exitCode, 1, stderr);
    assert.match(stderr, /SVC-STO-002/);
    assert.match(stderr, /volume cannot be written\. Nothing was written\./);
    assert.match(stderr, /mounted read-only/);
  }
});

test('an import into a full store loses what does not fit, by name, and the next one completes', async (t) => {
  await using scene = await openLayoutScene({ inProcess: true });
  if (!needsMount(t, scene.folder)) return;
  await scene.json('medium', ['export', 'all.tar']);
  await using volume = mountMemory(scene.path('volume'), '600k');
  const store = join('volume', 'store');
  await mkdir(scene.path('volume', 'x'));
  const full = await scene.json(store, ['import', 'all.tar'], { env: unchecked });
  assert.equal(full.exitCode, 1);
  const lost = full.entries.filter(({ error }: { error?: unknown }) => error !== undefined);
  assert.ok(lost.length > 0 && lost.length < full.entries.length, JSON.stringify(full));
  for (const { error } of lost) assert.equal(error.code, 'SVC-STO-004', JSON.stringify(error));
  volume.remount('size=8m');
  await checkStoreAt(scene.path(store), scene.path(`${store}-state`));
  assert.equal((await scene.json(store, ['import', 'all.tar'])).failed, 0);
  assert.deepEqual(await scene.read(store, describeStore), await scene.read('medium', describeStore));
});

test('what FAT32 cannot hold is foreseen: an archive beyond 4 GiB, and a blob beyond it in a folder', async () => {
  await using temp = await openTempStore();
  const { store } = temp;
  await putHoles(store, 'many', [3 * gib, 2 * gib]);
  await putHoles(store, 'one', [4 * gib]);
  await temp.close();
  const out = join(temp.folder, 'out');
  await mkdir(out);
  const env = {
    ...toFaultEnvironment({ roots: [], filesystems: { [out]: vfat } }),
    SVC_PREFLIGHT_SAFETY_MARGIN_PERCENT: '1',
  };
  const plan = (repository: string, ...flags: string[]) =>
    runSvc(
      [
        ...[
          'export',
          join(out, 'layout'),
          '--dry-run',
          '--output',
          'json',
          '--repository',
          repository,
          ...flags,
        ],
        ...['--storage-root', temp.root, '--state-root', temp.stateRoot],
      ],
      { env },
    );
  for (const [repository, flags] of [
    ['many', []],
    ['one', []],
    ['one', ['--directory']],
  ] as const) {
    const refused = await plan(repository, ...flags);
    assert.equal(refused.exitCode, 1, refused.stdout);
    assert.match(refused.stderr, /SVC-STO-005.*\(vfat\).*its limit is 4 GiB/);
  }
  const folder = await plan('many', '--directory');
  assert.equal(folder.exitCode, 0, folder.stderr);
  assert.equal(JSON.parse(folder.stdout).largestFileBytes, 3 * gib);
});
