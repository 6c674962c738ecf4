import assert from 'node:assert/strict';
import { readdir, readFile, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import type { TaskRecord } from '../../src/task/storage.ts';
import { openTaskRecord, peekTaskRecords } from '../../src/task/task-record.ts';
import { createRecordingReport } from '../kit/instance/recording-report.ts';
import { openTempFolder } from '../kit/instance/temp-folder.ts';

const recordOf = (n: number): TaskRecord =>
  ({
    sequence: n,
    task: { id: `tsk_00000000000${n}`, runId: `run-${n}`, items: [] },
  }) as unknown as TaskRecord;

test('records of commands are bounded by number: the ones that changed last are kept, with what else is in the folder', async () => {
  await using folder = await openTempFolder();
  const report = createRecordingReport();
  await writeFile(join(folder.path, 'freshness.json'), '{}');
  for (let n = 1; n <= 6; n += 1) {
    await using storage = await openTaskRecord(folder.path, 'import', 3, report);
    await storage.create(recordOf(n));
    // the third is killed, and leaves its journal
    if (n !== 3) await storage.finish(recordOf(n));
    for (const name of (await readdir(folder.path)).filter((one) => one.startsWith(`import-run-${n}.`)))
      await utimes(join(folder.path, name), n, n);
  }
  assert.deepEqual((await readdir(folder.path)).sort(), [
    'freshness.json',
    'import-run-4.json',
    'import-run-5.json',
    'import-run-6.json',
  ]);
  assert.deepEqual(
    report.records.filter(({ level }) => level === 'error'),
    [],
  );
});

test('the record of a cancelled command is one that earlier programs read, and is shown as cancelled', async () => {
  await using folder = await openTempFolder();
  await using storage = await openTaskRecord(folder.path, 'import', 3, createRecordingReport());
  const began = recordOf(1);
  const shown = { reference: 'med_1', createdAt: '2026-03-04T05:06:07.000Z', cancelledBy: 'ana' };
  const record: TaskRecord = { ...began, task: { ...began.task, ...shown, status: 'cancelled' } };
  await storage.create(record);
  await storage.finish(record);
  const text = await readFile(join(folder.path, 'import-run-1.json'), 'utf8');
  assert.equal(JSON.parse(text).task.status, 'failed');
  const [task] = await peekTaskRecords(folder.path, 'import');
  assert.deepEqual([task?.status, task?.cancelledBy], ['cancelled', 'ana']);
});
