import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { appendFile, mkdir, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { silentReport } from '../../src/base/report.ts';
import { openAuditTrail } from '../../src/log/audit-trail.ts';
import { createReport } from '../../src/log/create-report.ts';
import { showHistory } from '../../src/view/history.ts';
import { createRecordingReport } from '../kit/instance/recording-report.ts';
import { openTempFolder } from '../kit/instance/temp-folder.ts';

const leastKept = 1 << 20;

/** All records of the files in a folder, oldest first. */
async function readLines(folder: string): Promise<string[]> {
  const names = (await readdir(folder)).sort();
  const texts = await Promise.all(names.map((name) => readFile(join(folder, name), 'utf8')));
  // an empty line is no record
  return texts.flatMap((text) => text.split('\n')).filter((line) => line !== '');
}

async function openFixture(keep = leastKept) {
  const folder = await openTempFolder();
  const failures = createRecordingReport();
  const trail = openAuditTrail({ root: folder.path, keep, report: () => failures, level: 'warn' });
  const report = createReport({
    level: 'error',
    stream: { write: () => undefined, on: () => undefined },
    pretty: false,
    meter: silentReport.meter,
    redact: ['proxy-password'],
    keep: trail.take,
  });
  const kept = join(folder.path, 'audit');
  return {
    root: folder.path,
    kept,
    failures,
    flush: trail.flush,
    audit: (target: string, details: Record<string, unknown> = {}) =>
      report.audit({ actor: 'ana', action: 'content.delete', target, outcome: 'success', details }),
    log: () => report.log('error', 'no audit record'),
    records: () => readLines(kept),
    [Symbol.asyncDispose]: async () => {
      await trail[Symbol.asyncDispose]();
      await folder[Symbol.asyncDispose]();
    },
  };
}

const targetsOf = (lines: readonly string[]): string[] => lines.map((line) => JSON.parse(line).target);

test('audit records are kept for their owner only, and no others are', async () => {
  await using fixture = await openFixture();
  fixture.log();
  fixture.audit('one', { password: 'never', note: 'proxy-password \u202e' });
  await fixture.flush();
  fixture.audit('two');
  await fixture.flush();
  const lines = await fixture.records();
  assert.deepEqual(targetsOf(lines), ['one', 'two']);
  assert.doesNotMatch(lines[0]!, /never|proxy-password|\u202e/);
  assert.deepEqual(await readdir(fixture.kept), ['00000001.jsonl']);
  assert.equal((await stat(fixture.kept)).mode & 0o777, 0o700);
  assert.equal((await stat(join(fixture.kept, '00000001.jsonl'))).mode & 0o777, 0o600);
});

test('nothing is kept where the setting is 0, and no state folder is made', async () => {
  await using off = await openFixture(0);
  off.audit('one');
  await off.flush();
  assert.deepEqual(await readdir(off.root), []);
  await using gone = await openFixture();
  await rm(gone.root, { recursive: true });
  gone.audit('one');
  gone.audit('two');
  await gone.flush();
  await assert.rejects(stat(gone.root), { code: 'ENOENT' });
  assert.equal(gone.failures.records.length, 1);
});

test('the oldest files are removed beyond the kept size', async () => {
  await using fixture = await openFixture();
  const long = 'x'.repeat(4000);
  for (let i = 0; i < 400; i += 1) {
    fixture.audit(`${i}`, { long });
    if (i % 40 === 0) await fixture.flush();
  }
  await fixture.flush();
  const names = await readdir(fixture.kept);
  const sizes = await Promise.all(names.map(async (name) => (await stat(join(fixture.kept, name))).size));
  const bytes = sizes.reduce((sum, size) => sum + size, 0);
  assert.ok(bytes <= leastKept && bytes > leastKept / 2, `${bytes} bytes`);
  assert.equal(targetsOf(await fixture.records()).at(-1), '399');
});

test('a record that is too long keeps its members without the details', async () => {
  await using fixture = await openFixture();
  fixture.audit('long', { recipes: Array.from({ length: 100 }, () => 'y'.repeat(1000)) });
  await fixture.flush();
  const [line] = await fixture.records();
  const { ts: _ts, ...record } = JSON.parse(line!);
  assert.deepEqual(record, {
    level: 'info',
    msg: 'Audit: content.delete',
    auditSchema: 1,
    logType: 'audit',
    actor: 'ana',
    action: 'content.delete',
    target: 'long',
    outcome: 'success',
    detailsOmitted: true,
  });
});

test('a record after a torn one is whole', async () => {
  await using fixture = await openFixture();
  fixture.audit('one');
  await fixture.flush();
  await appendFile(join(fixture.kept, '00000001.jsonl'), '{"ts":"2026-11-29T');
  fixture.audit('two');
  await fixture.flush();
  const lines = await fixture.records();
  assert.equal(lines.length, 3);
  assert.equal(JSON.parse(lines[2]!).target, 'two');
});

test('records that could not be written are one line of the history, with the time of the first', async () => {
  await using fixture = await openFixture();
  fixture.audit('one');
  await fixture.flush();
  await rename(fixture.kept, `${fixture.kept}.away`);
  await writeFile(fixture.kept, 'no folder');
  const since = new Date().toISOString();
  fixture.audit('two');
  fixture.audit('three');
  await fixture.flush();
  await rm(fixture.kept);
  await rename(`${fixture.kept}.away`, fixture.kept);
  // nothing else is recorded before the process ends
  await fixture.flush();
  fixture.audit('four');
  await fixture.flush();
  const place = { state: { root: fixture.root }, audit: { keep: leastKept } };
  const { records } = await showHistory(place, {});
  assert.deepEqual(
    records.map(({ action, target, outcome }) => [action, target, outcome]),
    [
      ['content.delete', 'four', 'success'],
      ['audit.lost', undefined, 'failure'],
      ['content.delete', 'one', 'success'],
    ],
  );
  const [, lost] = records;
  assert.equal(lost!.details.records, 2);
  assert.ok(String(lost!.details.since) >= since && String(lost!.details.since) <= lost!.ts);
  // they may have been of any actor and about anything, but not of another time
  for (const query of [
    { actor: 'nobody' },
    { subject: 'x' },
    { action: 'audit.lost' },
    { outcome: ['denied'] },
    { from: since },
  ] as const)
    assert.deepEqual(
      (await showHistory(place, query)).records.filter((one) => one.action === 'audit.lost'),
      [lost],
    );
  assert.deepEqual((await showHistory(place, { to: '2020-01-01' })).records, []);
  assert.deepEqual(
    fixture.failures.records.map(({ message }) => message),
    ['Audit records cannot be kept; they are in the log only', 'Keeping audit records resumed'],
  );
});

test('two processes keep their records in the same files, without loss', async () => {
  await using folder = await openTempFolder();
  await mkdir(join(folder.path, 'state'));
  const source = (name: string): string =>
    pathToFileURL(join(import.meta.dirname, `../../src/log/${name}`)).href;
  const program = `
    const { openAuditTrail } = await import('${source('audit-trail.ts')}');
    const name = process.argv[2];
    const report = () => ({ log: (level, message, fields) => console.error(message, fields) });
    const trail = openAuditTrail({ root: process.argv[1], keep: ${16 << 20}, report, level: 'warn' });
    for (let i = 0; i < 3000; i += 1) {
      trail.take({ ts: 't', level: 'audit', msg: 'm', fields: { name, i, long: 'z'.repeat(400) } });
      if (i % 50 === 0) await trail.flush();
    }
    await trail.flush();`;
  const writers = ['a', 'b'].map((name) =>
    spawn(process.execPath, ['--input-type=module', '-e', program, join(folder.path, 'state'), name], {
      stdio: ['ignore', 'ignore', 'inherit'],
    }),
  );
  for (const [code] of await Promise.all(writers.map((writer) => once(writer, 'exit'))))
    assert.equal(code, 0);
  const lines = await readLines(join(folder.path, 'state', 'audit'));
  const seen: Record<string, number[]> = { a: [], b: [] };
  for (const line of lines) seen[JSON.parse(line).name]!.push(JSON.parse(line).i);
  const all = Array.from({ length: 3000 }, (_, i) => i);
  assert.deepEqual(seen, { a: all, b: all });
});
