import assert from 'node:assert/strict';
import { readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { buildImage } from '../../kit/content/content.ts';
import { pushArtifactOverHttp } from '../../kit/content/push-artifact.ts';
import { damageFile } from '../../kit/hostile/damage-file.ts';
import { eventually } from '../../kit/instance/eventually.ts';
import { startInstance } from '../../kit/instance/instance.ts';
import { openMemoryFolder } from '../../kit/instance/memory-folder.ts';
import { expectAlerts } from '../../kit/program/alerts.ts';
import { type Scrape, scrape } from '../../kit/program/scrape.ts';

const image = buildImage('monitored', { ownLayers: 3, layerSize: 20_000 });
const layer = image.blobs.at(-1)!;

const readReady = async (url: string): Promise<{ code: number; status: string; reasons: string[] }> => {
  const response = await fetch(`${url}/readyz`);
  return { code: response.status, reasons: [], ...((await response.json()) as { status: string }) };
};

test('a sound instance raises no alert; damage, restarts, a damaged ledger and silence do', async (t) => {
  await using folder = await openMemoryFolder('svc-monitoring-');
  const options = { folder: folder.path };
  const scrapes: Scrape[] = [];
  /** Starts the instance, does something with it, and ends it. */
  const during = async (work: (instance: Awaited<ReturnType<typeof startInstance>>) => Promise<void>) => {
    await using instance = await startInstance(options);
    await work(instance);
    scrapes.push(await scrape(instance));
    assert.equal(await instance.stop(), 0, instance.log());
  };
  const lastScrape = (): Scrape => scrapes.at(-1)!;
  const waitForPass = (url: string) =>
    eventually('the background check', async () => {
      const found = await scrape({ url });
      return found.samples.has('svc_store_scrub_last_completed_timestamp_seconds') && found;
    });

  await during(async (instance) => {
    await pushArtifactOverHttp(
      { registry: instance.url, repository: 'app', authorization: instance.authorization },
      image,
      'v1',
    );
    const found = await scrape(instance);
    const bytes = image.blobs.reduce((sum, blob) => sum + blob.bytes.length, image.manifest.bytes.length);
    assert.equal(found.value('svc_store_occupancy_bytes'), bytes);
    assert.equal(found.value('svc_ready'), 1);
    assert.equal(found.value('svc_http_requests_inflight'), 0);
    assert.ok(found.value('svc_volume_size_bytes{volume="store"}') > 0);
    assert.ok(found.value('svc_volume_free_bytes{volume="state"}') > 0);
    assert.ok(Math.abs(found.value('process_start_time_seconds') - Date.now() / 1000) < 300);
    assert.equal(found.value('svc_sync_interval_seconds'), 0);
    assert.ok(!found.samples.has('svc_listener_certificate_expiry_timestamp_seconds{source="generated"}'));
    assert.deepEqual(await readReady(instance.url), { code: 200, status: 'ready', reasons: [] });
  });
  const sound = lastScrape();
  const roomy = (found: Scrape): boolean =>
    found.value('svc_volume_free_bytes{volume="store"}') >
    0.11 * found.value('svc_volume_size_bytes{volume="store"}');
  const spaceAlerts = roomy(sound) ? [] : ['SvcVolumeNearlyFull'];
  await expectAlerts(t, [sound, sound], [{ minute: 90, firing: spaceAlerts }]);
  await expectAlerts(t, [sound, undefined], [{ minute: 12, firing: ['SvcDown'] }]);

  await damageFile(join(folder.path, 'store', 'blobs', 'sha256', layer.descriptor.digest.slice(7)), 99);
  // the next pass would be due tomorrow
  await rm(join(folder.path, 'state', 'scrub'));
  await during(async (instance) => {
    const found = await waitForPass(instance.url);
    assert.equal(found.value('svc_store_scrub_damaged_total'), 1);
    assert.equal(found.value('svc_store_scrub_runs_total'), 1);
    assert.ok(found.value('svc_store_scrub_bytes_total') >= 60_000);
    assert.equal(found.value('svc_store_quarantine_files'), 1);
    assert.equal(found.value('svc_store_quarantine_bytes'), layer.bytes.length);
  });
  const damaged = lastScrape();
  await expectAlerts(
    t,
    [sound, damaged],
    [
      { minute: 20, firing: [...spaceAlerts, 'SvcStoreDamaged'] },
      { minute: 70, firing: [...spaceAlerts, 'SvcQuarantineNotEmpty'] },
    ],
  );
  await expectAlerts(
    t,
    [sound, damaged],
    [{ minute: 32 * 24 * 60, firing: ['SvcScrubOverdue'], among: ['SvcScrubOverdue'] }],
    60,
  );

  await during(async (instance) => {
    const found = await waitForPass(instance.url);
    assert.equal(found.value('svc_store_scrub_damaged_total'), 0);
    assert.equal(found.value('svc_store_quarantine_files'), 1, 'a restart does not hide it');
    const completed = 'svc_store_scrub_last_completed_timestamp_seconds';
    assert.ok(Math.abs(found.value(completed) - damaged.value(completed)) < 1);
  });
  await during(async () => {});
  await during(async () => {});
  await expectAlerts(t, scrapes, [{ minute: 25, firing: ['SvcRestarts'], among: ['SvcRestarts'] }]);

  const ledgers = join(folder.path, 'store', 'ledger');
  const names = await readdir(ledgers);
  for (const name of names) await damageFile(join(ledgers, name), 40);
  await during(async (instance) => {
    const { code, status, reasons } = await readReady(instance.url);
    assert.deepEqual([code, status], [200, 'ready']);
    assert.ok(reasons.includes('the store is read-only'), reasons.join());
    assert.equal(lastScrape().value('svc_condition{condition="store-read-only"}'), 0);
  });
  assert.equal(lastScrape().value('svc_condition{condition="store-read-only"}'), 1);
  await expectAlerts(
    t,
    [damaged, lastScrape()],
    [{ minute: 9, firing: ['SvcStoreReadOnly'], among: ['SvcStoreReadOnly'] }],
  );
});
