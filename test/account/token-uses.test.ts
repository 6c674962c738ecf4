import assert from 'node:assert/strict';
import { readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { TokenUses } from '../../src/account/token-uses.ts';
import { createRecordingReport } from '../kit/instance/recording-report.ts';
import { openTempFolder } from '../kit/instance/temp-folder.ts';

const day = (text: string): number => Date.parse(`${text}T10:00:00Z`);

async function openUses(t: TestContext) {
  const folder = await openTempFolder();
  t.after(() => folder[Symbol.asyncDispose]());
  const report = createRecordingReport();
  return {
    path: join(folder.path, 'token-uses'),
    report,
    open: () => new TokenUses(folder.path, report),
  };
}

test('the last day of each token is kept, also over a restart', async (t) => {
  const { open } = await openUses(t);
  const uses = open();
  uses.record('pipeline', day('2026-11-22'));
  uses.record('pipeline', day('2026-11-23'));
  uses.record('dashboard', day('2026-11-22'));
  const expected = [
    ['pipeline', '2026-11-23'],
    ['dashboard', '2026-11-22'],
  ];
  assert.deepEqual([...(await uses.read())], expected, 'before it is written');
  await uses.flush();
  assert.deepEqual([...(await open().read())], expected);
});

test('a token is written once for its day, also after a restart', async (t) => {
  const { path, open } = await openUses(t);
  for (let process = 0; process < 2; process += 1) {
    const uses = open();
    for (let use = 0; use < 100; use += 1) uses.record('pipeline', day('2026-11-22') + use);
    await uses.flush();
    if (process === 0) await writeFile(path, `${await readFile(path, 'utf8')}\n`);
  }
  assert.equal(
    await readFile(path, 'utf8'),
    '{"pipeline":"2026-11-22"}\n\n',
    'the second process wrote nothing',
  );
});

test('a record that cannot be read or written is logged, and fails nothing', async (t) => {
  const { path, open, report } = await openUses(t);
  await writeFile(path, '{"pipeline":"yesterday","old":"2026-01-02",');
  const uses = open();
  assert.deepEqual([...(await uses.read())], []);
  assert.deepEqual(
    report.records.map(({ level, message }) => [level, message]),
    [['warn', 'The record of uses of tokens cannot be read']],
  );
  const absent = new TokenUses(join(path, 'no-folder'), report);
  absent.record('pipeline', day('2026-11-22'));
  await absent.flush();
  assert.equal(report.records.at(-1)?.message, 'The record of uses of tokens cannot be written');
  await assert.rejects(stat(join(path, 'no-folder')));
});
