import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createMetrics } from '../../server/probe/metrics.ts';
import { silentReport } from '../../src/base/report.ts';
import { collectGarbage } from '../../src/store/collect.ts';
import { toBlob } from '../kit/content/content.ts';
import { uploadAsClient } from '../kit/content/push-as-client.ts';
import { openTempStore } from '../kit/instance/temp-store.ts';
import { parseScrape } from '../kit/program/scrape.ts';

const hour = 3_600_000;

test('collections and what they give back are counted', async () => {
  let time = Date.now();
  const metrics = createMetrics({ version: '0.0.0-test', commit: 'none' });
  const report = { ...silentReport, meter: metrics.meter };
  await using temp = await openTempStore({ report, now: () => time });
  const read = async () => parseScrape((await metrics.render('prometheus')).body.toString());
  const stray = toBlob('never needed');
  await uploadAsClient(temp.store, 'a', stray);
  await collectGarbage(temp.store);
  const kept = await read();
  assert.equal(kept.value('svc_gc_runs_total'), 1);
  assert.equal(kept.value('svc_gc_reclaimed_bytes_total'), 0);
  time += 26 * hour;
  await collectGarbage(temp.store);
  const collected = await read();
  assert.equal(collected.value('svc_gc_runs_total'), 2);
  assert.equal(collected.value('svc_gc_reclaimed_bytes_total'), stray.bytes.length);
});
