import assert from 'node:assert/strict';
import { mkdir, readdir, readFile, rename, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { openPlace } from '../../src/disk/place/place.ts';
import { type MediumLogOptions, openMediumLog } from '../../src/log/medium-log.ts';
import { createRecordingReport } from '../kit/instance/recording-report.ts';
import { openTempFolder } from '../kit/instance/temp-folder.ts';

async function openFixture(options: Partial<MediumLogOptions> = {}) {
  const folder = await openTempFolder();
  const report = createRecordingReport();
  const root = join(folder.path, 'store');
  await mkdir(root);
  const log = openMediumLog({
    root,
    file: '_svc/logs/operations.log',
    maxSize: 10 << 20,
    keep: 3,
    report,
    ...options,
  });
  const path = join(root, '_svc/logs/operations.log');
  return {
    ...log,
    report,
    root,
    path,
    outside: folder.path,
    lines: async () =>
      (await readFile(path, 'utf8'))
        .trimEnd()
        .split('\n')
        .map((line) => JSON.parse(line)),
    [Symbol.asyncDispose]: async () => {
      await log[Symbol.asyncDispose]();
      await folder[Symbol.asyncDispose]();
    },
  };
}

test('nothing is made on the medium before the first record', async () => {
  await using fixture = await openFixture();
  fixture.sink.log('debug', 'below the level');
  await fixture.flush();
  assert.deepEqual(await readdir(fixture.root), []);
});

test('records and audit records are appended in their order, across openings', async () => {
  await using fixture = await openFixture();
  fixture.sink.child({ runId: 'r1' }).log('info', 'first', { mediaId: 'm' });
  fixture.sink.audit({ actor: 'local:0', action: 'media.import', target: 'app:1', outcome: 'success' });
  await fixture.flush();
  fixture.sink.log('error', 'last');
  await fixture.flush();
  const lines = await fixture.lines();
  assert.deepEqual(
    lines.map((line) => line.msg),
    ['first', 'Audit: media.import', 'last'],
  );
  assert.deepEqual([lines[0].runId, lines[0].mediaId, lines[1].logType], ['r1', 'm', 'audit']);
  assert.deepEqual(fixture.report.records, []);
});

test('no secret and no raw control character reaches the medium', async () => {
  await using fixture = await openFixture({ redact: ['proxy-password'] });
  fixture.sink.log('info', 'a\x1b[0m\u202e proxy-password');
  await fixture.flush();
  const written = await readFile(fixture.path, 'utf8');
  assert.doesNotMatch(written, /[\x1b\u202e]|proxy-password/);
});

test('the log is bounded at its size times the files kept and one', async () => {
  await using fixture = await openFixture({ maxSize: 2000, keep: 2 });
  for (let i = 0; i < 200; i += 1) {
    fixture.sink.log('info', `record ${i} ${'x'.repeat(i)}`);
    if (i % 7 === 0) await fixture.flush();
  }
  await fixture.flush();
  const folder = join(fixture.root, '_svc/logs');
  const names = (await readdir(folder)).sort();
  assert.deepEqual(names, ['operations.log', 'operations.log.1', 'operations.log.2']);
  for (const name of names) {
    assert.ok((await stat(join(folder, name))).size <= 2000);
    for (const line of (await readFile(join(folder, name), 'utf8')).trimEnd().split('\n')) JSON.parse(line);
  }
  assert.match((await fixture.lines()).at(-1).msg, /^record 199 /);
});

test('a disabled log makes nothing', async () => {
  await using fixture = await openFixture({ disabled: true });
  fixture.sink.log('error', 'x');
  await fixture.flush();
  assert.deepEqual(await readdir(fixture.root), []);
});

test('a log that cannot be written is said once, and the work goes on', async () => {
  await using fixture = await openFixture();
  await writeFile(join(fixture.root, '_svc'), 'a file where the folder should be');
  for (let i = 0; i < 20; i += 1) {
    fixture.sink.log('info', 'x');
    await fixture.flush();
  }
  assert.equal(fixture.report.records.length, 1);
  assert.equal(fixture.report.records[0]?.level, 'warn');
  assert.match(fixture.report.records[0]?.fields.code as string, /^SVC-STO-/);
});

test('a medium that is gone is said once', async () => {
  await using fixture = await openFixture();
  await rm(fixture.root, { recursive: true });
  fixture.sink.log('info', 'x');
  await fixture.flush();
  fixture.sink.log('info', 'y');
  await fixture.flush();
  assert.equal(fixture.report.records.length, 1);
  assert.deepEqual(await readdir(fixture.outside), []);
});

test('a link planted on the medium is never written through', async () => {
  for (const planted of ['_svc', '_svc/logs', '_svc/logs/operations.log']) {
    await using fixture = await openFixture();
    const victim = join(fixture.outside, 'victim');
    const isFile = planted.endsWith('.log');
    if (isFile) await writeFile(victim, 'precious');
    else await mkdir(join(victim, 'logs'), { recursive: true });
    await mkdir(join(fixture.root, planted, '..'), { recursive: true });
    await symlink(victim, join(fixture.root, planted));
    fixture.sink.log('info', 'x');
    await fixture.flush();
    assert.equal(fixture.report.records.length, 1, planted);
    if (isFile) assert.equal(await readFile(victim, 'utf8'), 'precious');
    else assert.deepEqual(await readdir(victim, { recursive: true }), ['logs']);
  }
});

test('records told faster than a medium can take them are kept or counted as lost', async () => {
  await using fixture = await openFixture({ maxSize: 64 << 20 });
  for (let i = 0; i < 10_000; i += 1) fixture.sink.log('info', `${i} ${'z'.repeat(1000)}`);
  await fixture.flush();
  fixture.sink.log('info', 'after');
  await fixture.flush();
  const lines = await fixture.lines();
  const lost = lines.find((line) => line.records !== undefined)?.records ?? 0;
  assert.ok(lost > 0);
  assert.equal(lines.filter((line) => line.records === undefined).length + lost, 10_001);
});

test('nothing is written into a folder that came into the place of the store', async () => {
  await using folder = await openTempFolder();
  const root = join(folder.path, 'store');
  await mkdir(root);
  const report = createRecordingReport();
  const place = await openPlace(root);
  const log = openMediumLog({
    root,
    place,
    file: '_svc/logs/operations.log',
    maxSize: 1 << 20,
    keep: 1,
    report,
  });
  await rename(root, join(folder.path, 'away'));
  await mkdir(root);
  log.sink.log('info', 'after the exchange');
  await log.flush();
  assert.deepEqual(await readdir(root), []);
  assert.deepEqual(
    report.records.map(({ fields }) => fields?.code),
    ['SVC-STO-019'],
  );
});
