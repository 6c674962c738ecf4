import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdir, rename } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { eventually } from '../kit/instance/eventually.ts';
import { startInstance, writeConfig } from '../kit/instance/instance.ts';
import { openTempFolder } from '../kit/instance/temp-folder.ts';
import { svcCommand, svcEnvironment, trackChild } from '../kit/program/svc.ts';
import { watchOutput } from '../kit/program/watch-output.ts';

/** `svc serve` of a configuration for a carried disk, which is not there yet. */
async function startWaiting(folder: string) {
  const configPath = await writeConfig(folder, { storage: { root: join(folder, 'disk'), create: false } });
  const [command, ...first] = svcCommand();
  const child = trackChild(
    spawn(command, [...first, 'serve', '--config', configPath], {
      env: svcEnvironment(),
      stdio: ['ignore', 'ignore', 'pipe'],
    }),
  );
  const exited = once(child, 'close').then(([code]) => code as number | null);
  const { found, text } = watchOutput(child, /waiting for the disk.*?(http:\/\/[\d.:]+)/);
  return { child, exited, url: (await found)[1]!, log: text };
}

test('an instance for a carried disk waits for it, says so in /readyz, and serves it once it is there', async () => {
  await using folder = await openTempFolder();
  const before = await startInstance({ folder: folder.path });
  assert.equal(await before.stop(), 0);
  const { child, exited, url, log } = await startWaiting(folder.path);
  assert.equal((await fetch(`${url}/healthz`)).status, 200);
  const ready = await fetch(`${url}/readyz`);
  assert.equal(ready.status, 503);
  assert.deepEqual(await ready.json(), {
    status: 'unavailable',
    reasons: ['there is no store in its folder: connect and mount the disk'],
  });
  const pull = await fetch(`${url}/v2/`);
  assert.equal(pull.status, 503);
  assert.equal(pull.headers.get('retry-after'), '5');
  assert.ok(!(await readdir(folder.path)).includes('disk'), 'no store is made');

  await rename(join(folder.path, 'store'), join(folder.path, 'disk'));
  let served = '';
  await eventually('the instance listens with its store', () => {
    served = /"listening".*?(http:\/\/[\d.:]+)/.exec(log())?.[1] ?? '';
    return served !== '';
  });
  assert.equal((await fetch(`${served}/readyz`)).status, 200);
  child.kill('SIGTERM');
  assert.equal(await exited, 0);
});

test('an instance that waits for its disk ends with exit code 0 on SIGTERM', async () => {
  await using folder = await openTempFolder();
  await (await startInstance({ folder: folder.path })).stop();
  const { child, exited } = await startWaiting(folder.path);
  child.kill('SIGTERM');
  assert.equal(await exited, 0);
});
