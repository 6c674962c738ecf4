import assert from 'node:assert/strict';
import { appendFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import type { HistoryRecord } from '../../src/contract/history.ts';
import { openCustody } from '../../src/custody/custody.ts';
import { lossMessage } from '../../src/log/line-queue.ts';
import { countHistory } from '../../src/view/history/totals.ts';
import { writeHistory } from '../../src/view/history.ts';
import { openTempFolder } from '../kit/instance/temp-folder.ts';
import { writeAudit } from '../kit/scene/audit-records.ts';

type Place = Parameters<typeof writeHistory>[0];

const filters: readonly Parameters<typeof writeHistory>[1][] = [
  {},
  { outcome: ['denied'] },
  { outcome: ['open', 'success'] },
  { action: 'content' },
  { action: 'custody.written' },
  { actor: 'ana' },
  { actor: '"=1+1\u202e"' },
  { from: '2026-07-02', to: '2026-07-04' },
  { from: '2026-07-04T08:30:00Z' },
  { subject: 'library/app' },
  { subject: 'dlv_0123456789ab', outcome: ['success'] },
  { subject: 'nothing has this' },
];

/** Compares the totals of each filter with its table. */
async function compare(place: Place): Promise<void> {
  for (const filter of filters) {
    const counts = { success: 0, failure: 0, denied: 0, open: 0 };
    let text = '';
    for await (const part of writeHistory(place, filter, 'jsonl')) text += part;
    for (const line of text.split('\n').slice(0, -1))
      counts[(JSON.parse(line) as HistoryRecord).outcome] += 1;
    let totals = await countHistory(place, filter, 0);
    while (!totals.isWhole) totals = await countHistory(place, filter, 50);
    assert.deepEqual(totals.counts, counts, JSON.stringify(filter));
  }
}

test('the totals of a filter are those of its table, also after further records and removed files', async () => {
  await using folder = await openTempFolder();
  const root = join(folder.path, 'state');
  const place = { state: { root }, audit: { keep: 1 << 20 } } as Place;
  await writeAudit(root);
  await compare(place);
  const custody = openCustody({ stateRoot: root, site: 'zone-a' });
  const details = { delivery: 'dlv_0123456789ab', zone: 'zone-b' };
  await custody.during({ type: 'written', actor: 'bo', details }, async () => {
    // the intent is a record until its outcome is written
    await compare(place);
  });
  await compare(place);
  const lost = { ts: '2026-07-05T08:00:00.000Z', level: 'warn', msg: lossMessage, records: 3 };
  const whole = {
    ...lost,
    level: 'info',
    logType: 'audit',
    action: 'prune',
    actor: 'ana',
    outcome: 'failure',
  };
  const later = join(root, 'audit', '00000003.jsonl');
  await appendFile(later, `${JSON.stringify(lost)}\n${JSON.stringify(whole)}\n{"ts":"2026-07-0`);
  await compare(place);
  // a cut file
  await writeFile(later, `${JSON.stringify(whole)}\n`);
  await compare(place);
  await rm(join(root, 'audit', '00000001.jsonl'));
  await appendFile(later.replace('3.', '4.'), `${JSON.stringify(whole)}\n`);
  await compare(place);
});
