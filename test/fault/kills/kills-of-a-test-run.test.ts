import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { eventually } from '../../kit/instance/eventually.ts';
import { openTempFolder } from '../../kit/instance/temp-folder.ts';
import { trackChild } from '../../kit/program/svc.ts';

const root = join(import.meta.dirname, '..', '..', '..');

test('a run of tests that is ended leaves no instance running', async () => {
  await using folder = await openTempFolder();
  const kit = join(root, 'test', 'kit', 'instance', 'instance.ts');
  const file = join(folder.path, 'endless.test.ts');
  await writeFile(
    file,
    `import { once } from 'node:events';
import { renameSync, writeFileSync } from 'node:fs';
import { test } from 'node:test';
import { startInstance } from '${kit}';
test('endless', async () => {
  await using instance = await startInstance({ folder: '${folder.path}' });
  writeFileSync('${folder.path}/url.part', instance.url);
  renameSync('${folder.path}/url.part', '${folder.path}/url');
  await once(new EventTarget(), 'never', { signal: AbortSignal.timeout(120_000) });
});
`,
  );
  const child = trackChild(
    spawn(process.execPath, [join(root, 'scripts', 'test.ts'), file], {
      // not as a process of this run
      env: { PATH: process.env.PATH ?? '', HOME: process.env.HOME ?? '' },
      stdio: 'ignore',
    }),
  );
  const closed = once(child, 'close');
  const url = await eventually(
    'the instance of the test answers',
    () => readFile(join(folder.path, 'url'), 'utf8').catch(() => undefined),
    60,
  );
  assert.equal((await fetch(`${url}/healthz`)).status, 200);
  child.kill('SIGTERM');
  await closed;
  await assert.rejects(fetch(`${url}/healthz`), 'nothing listens there any more');
});
