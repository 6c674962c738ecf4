import assert from 'node:assert/strict';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { toFolder } from '../kit/hostile/hostile-layouts/tar-members.ts';
import { image, toEntry, toFiles } from '../kit/hostile/hostile-layouts/victim.ts';
import { startInstance } from '../kit/instance/instance.ts';
import { runTask } from '../kit/instance/settle-task.ts';
import { openTempFolder } from '../kit/instance/temp-folder.ts';
import { runSvc } from '../kit/program/svc.ts';

const lost = 'manifests[0] (a/broken:1)';

/** A layout with an unusable entry before a good one. */
async function writeSpoiled(folder: string): Promise<string> {
  const path = join(folder, 'layout');
  await toFolder(
    toFiles(image, [{ ...toEntry(image, 'a/broken:1'), digest: 'md5:0' }, toEntry(image, 'b/good:1')]),
    path,
  );
  return path;
}

test('svc import brings the usable entries of a layout, names the unusable one and exits 1', async () => {
  await using folder = await openTempFolder();
  const input = await writeSpoiled(folder.path);
  const options = { cwd: folder.path };
  const place = ['--storage-root', 'storage', '--state-root', 'state'];
  const { exitCode, stdout } = await runSvc(['import', input, ...place], options);
  assert.equal(exitCode, 1);
  assert.match(stdout, /2 entries \(1 imported, 1 skipped\)/);
  assert.ok(stdout.includes(`${lost}: SVC-REG-009 `), stdout);
  const french = await runSvc(['import', input, ...place], { ...options, env: { LC_ALL: 'fr_FR.UTF-8' } });
  assert.match(french.stdout, /manifests\[0\]\.digest doit être/);
  const { stdout: text } = await runSvc(['import', input, ...place, '--output', 'json'], options);
  const { entries, failed } = JSON.parse(text);
  assert.equal(failed, 1);
  assert.deepEqual(
    entries.map(
      ({ reference, digest, error }: { reference: string; digest?: string; error?: { code: string } }) => [
        reference,
        digest,
        error?.code,
      ],
    ),
    [
      [lost, undefined, 'SVC-REG-009'],
      ['b/good:1', image.manifest.descriptor.digest, undefined],
    ],
  );
});

test('an instance previews and imports the usable entries of a layout, and its task names the unusable one', async () => {
  await using folder = await openTempFolder();
  const input = await writeSpoiled(folder.path);
  await mkdir(join(folder.path, 'one'));
  await using instance = await startInstance({ folder: join(folder.path, 'one') });
  const { status, body } = await instance.api('POST', '/oci-layout/import-plan', { input });
  assert.equal(status, 200, JSON.stringify(body));
  assert.deepEqual(
    body.entries.map(({ reference, error }: { reference: string; error?: { code: string } }) => [
      reference,
      error?.code,
    ]),
    [
      [lost, 'SVC-REG-009'],
      ['b/good:1', undefined],
    ],
  );
  const { fingerprint } = body;
  const task = await runTask(instance, '/oci-layout/import', { input, fingerprint });
  assert.deepEqual(
    task.items.map(({ name, status: outcome, error }) => [name, outcome, error?.code]),
    [
      [lost, 'failed', 'SVC-REG-009'],
      ['b/good:1', 'done', undefined],
    ],
  );
  assert.equal(task.status, 'failed');
  const log = await instance.api('GET', `/tasks/${task.id}/logs`);
  assert.ok(log.body.chunk.includes(`${lost}: SVC-REG-009`), log.body.chunk);
  // a confirmed plan that has lost more since is not imported
  const index = JSON.parse(await readFile(join(input, 'index.json'), 'utf8'));
  await writeFile(
    join(input, 'index.json'),
    JSON.stringify({ ...index, manifests: [null, ...index.manifests] }),
  );
  const changed = await instance.api('POST', '/oci-layout/import', { input, fingerprint });
  assert.equal(changed.body.code, 'SVC-SRV-007');
});
