import assert from 'node:assert/strict';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { openCustody } from '../../src/custody/custody.ts';
import { countHistory } from '../../src/view/history/totals.ts';
import { showHistory, writeHistory } from '../../src/view/history.ts';
import { openSent } from '../../src/zone/sent.ts';
import { openTempFolder } from '../kit/instance/temp-folder.ts';

const ids = { island: 'dlv_0123456789ab', reef: 'dlv_ba9876543210' } as const;

test('the history of a zone has the records that name a delivery or a disk of it only', async () => {
  await using folder = await openTempFolder();
  const root = join(folder.path, 'state');
  const place = { state: { root }, audit: { keep: 1 << 20 } } as Parameters<typeof writeHistory>[0];
  await mkdir(join(root, 'audit'), { recursive: true });
  const targets = [ids.island, ids.reef, 'dlv-0123456789ab-01', 'tsk_0123456789ab'];
  const records = targets.map((target, i) => ({
    ...{ ts: `2026-07-01T08:00:0${i}.000Z`, level: 'info', auditSchema: 1, logType: 'audit', actor: 'ana' },
    ...{ action: 'media.verify', target, outcome: 'success' },
  }));
  await writeFile(
    join(root, 'audit', '00000001.jsonl'),
    records.map((record) => `${JSON.stringify(record)}\n`).join(''),
  );
  for (const [zone, id] of Object.entries(ids))
    await openSent(root).keepDelivery({
      ...{ id, zone, startedAt: '2026-07-01T07:00:00.000Z', sequence: 0, recipes: [], parts: 1 },
      written: [],
    });
  const custody = openCustody({ stateRoot: root, site: 'harbour' });
  for (const delivery of Object.values(ids))
    await custody.record({ type: 'handed-over', actor: 'ana', details: { delivery } });

  const expected = [ids.island, 'dlv-0123456789ab-01', ids.island];
  for (const order of ['asc', 'desc'] as const) {
    const page = await showHistory(place, { subject: 'Island', order });
    const found = page.records.map(({ target }) => target);
    assert.deepEqual(order === 'asc' ? found : found.toReversed(), expected);
  }
  const totals = await countHistory(place, { subject: 'island' }, 1000);
  assert.deepEqual([totals.counts.success, totals.isWhole], [3, true]);
  let text = '';
  for await (const part of writeHistory(place, { subject: 'island' }, 'jsonl')) text += part;
  assert.equal(text.split('\n').length - 1, 3);
});
