import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { promisify } from 'node:util';
import { openTempFolder } from '../../kit/instance/temp-folder.ts';
import { svcEnvironment } from '../../kit/program/svc.ts';

const root = join(import.meta.dirname, '..', '..', '..');
const demo = [join(root, 'scripts', 'run.mjs'), 'scripts/demo/demo.ts', '--delivery'];

test('the demo of deliveries carries two of them on small disks, and leaves nothing', async () => {
  await using folder = await openTempFolder('svc-demo-test-');
  const program: Record<string, string> =
    process.env.SVC_BIN === undefined ? {} : { SVC_BIN: process.env.SVC_BIN };
  const env = svcEnvironment({ ...program, TMPDIR: folder.path, HOME: folder.path });
  const { stdout } = await promisify(execFile)(process.execPath, demo, { env, cwd: root });
  for (const row of [
    /import disk 2 +svc media import +0 ok/,
    /what is missing +svc media status +5 changes-planned/,
    /nothing is missing +svc media status +0 ok/,
    /add it +svc receipt add +0 ok/,
    /write a delta +svc media write +0 ok +2 MiB/,
    /the zone is complete +svc media status +0 ok/,
  ])
    assert.match(stdout, row);
  assert.match(stdout, /the same delivery, with the same bytes/);
  assert.match(stdout, /every digest is the same as at the origin/);
  assert.deepEqual(
    (await readdir(folder.path)).filter((name) => name.startsWith('svc-demo-')),
    [],
  );
});
