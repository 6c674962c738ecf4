import assert from 'node:assert/strict';
import { test } from 'node:test';
import { buildIndex } from '../../kit/content/content.ts';
import { demand } from '../../kit/content/demand.ts';
import { publishRecipe, toOrigin } from '../../kit/content/origin.ts';
import { expectAlerts } from '../../kit/program/alerts.ts';
import { scrape } from '../../kit/program/scrape.ts';
import { openRehearsal } from '../../kit/scene/rehearsal.ts';

test('what synchronizations did is in the metrics, over restarts, and failures raise alerts', async (t) => {
  await using world = await openRehearsal({ inMemory: true });
  const origin = toOrigin(await world.double());
  const image = buildIndex('web', ['linux/amd64', 'linux/arm64']);
  const retriever = await demand(world, origin, { shop: { web: image } });
  const registry = await world.start('registry');
  const config = {
    retriever: { source: retriever },
    registries: await world.registries([origin.host, registry.host]),
    destination: { registry: registry.host },
    trust: world.trust,
    // long enough that no cycle begins by itself
    sync: { interval: '1h' },
  };
  let zone = await world.start('zone', config);
  const before = await scrape(zone);
  for (const outcome of ['success', 'partial', 'failure', 'interrupted'])
    assert.equal(before.value(`svc_sync_runs_total{outcome="${outcome}"}`), 0);
  assert.ok(!before.samples.has('svc_sync_last_success_timestamp_seconds'));

  const first = await world.sync(zone);
  assert.equal(first.result.exitCode, 0, first.result.stderr);
  const sound = await scrape(zone);
  const bytes = sound.value('svc_sync_transferred_bytes_total');
  assert.ok(bytes > 0);
  assert.equal(sound.value('svc_sync_runs_total{outcome="success"}'), 1);
  assert.equal(sound.value('svc_sync_last_outcome{outcome="success"}'), 1);
  assert.equal(sound.value('svc_sync_duration_seconds_count'), 1);
  assert.ok(sound.value('svc_sync_duration_seconds_sum') > 0);
  assert.ok(Math.abs(sound.value('svc_sync_last_success_timestamp_seconds') - Date.now() / 1000) < 120);
  assert.equal(sound.value('svc_sync_recipes{status="complete"}'), 1);
  assert.equal(sound.value('svc_sync_recipes{status="failed"}'), 0);
  assert.equal(sound.value('svc_sync_interval_seconds'), 3600);
  assert.equal(sound.value('svc_sync_transfers_inflight'), 0);
  assert.equal(sound.value('svc_ingredients_total{status="new"}'), 1);
  assert.equal(sound.value('svc_promotion_pushes_total{result="pushed"}'), 2, 'an ingredient and its recipe');
  assert.ok(sound.value('svc_promotion_pushed_bytes_total') > 0);
  assert.equal(sound.value('svc_tasks{status="done"}'), 1);
  assert.equal(sound.value('svc_gc_runs_total'), 1);

  // a second recipe, which nobody signed
  await publishRecipe(origin, {
    name: 'rogue',
    version: '1.0.0',
    ingredients: [
      { name: 'web', repository: 'shop/web', version: '1.0', digest: image.manifest.descriptor.digest },
    ],
    signatures: [],
  });
  await world.retriever('zone', {
    cookbook: `${origin.host}/cookbook`,
    recipes: [
      { name: 'shop', version: '^1' },
      { name: 'rogue', version: '^1' },
    ],
  });
  const second = await world.sync(zone);
  assert.equal(second.task.status, 'failed');
  const partial = await scrape(zone);
  assert.equal(partial.value('svc_sync_runs_total{outcome="partial"}'), 1);
  assert.equal(partial.value('svc_sync_last_outcome{outcome="partial"}'), 1);
  assert.equal(partial.value('svc_sync_last_outcome{outcome="success"}'), 0);
  assert.equal(partial.value('svc_verification_failures_total{code="SVC-SIG-001"}'), 1);
  assert.equal(partial.value('svc_sync_recipes{status="failed"}'), 1);
  assert.equal(partial.value('svc_ingredients_total{status="up-to-date"}'), 1);
  assert.equal(partial.value('svc_promotion_pushes_total{result="up-to-date"}'), 2);
  assert.equal(partial.value('svc_tasks{status="failed"}'), 1);
  const about = { among: ['SvcSyncFailing', 'SvcSyncOverdue', 'SvcVerificationFailures', 'SvcStoreDamaged'] };
  await expectAlerts(t, [sound, sound], [{ minute: 200, firing: [], ...about }]);
  await expectAlerts(
    t,
    [sound, partial],
    [
      { minute: 20, firing: ['SvcVerificationFailures'], ...about },
      { minute: 40, firing: ['SvcSyncFailing', 'SvcVerificationFailures'], ...about },
      // four intervals and half an hour after the success
      { minute: 300, firing: ['SvcSyncFailing', 'SvcSyncOverdue'], ...about },
    ],
  );

  assert.equal(await zone.stop(), 0, zone.log());
  zone = await world.start('zone', config);
  const restarted = await scrape(zone);
  const success = 'svc_sync_last_success_timestamp_seconds';
  assert.ok(Math.abs(restarted.value(success) - sound.value(success)) < 10, 'a restart forgets no success');
  assert.equal(restarted.value('svc_sync_last_outcome{outcome="partial"}'), 1, 'nor a failure');
  assert.equal(restarted.value('svc_sync_recipes{status="complete"}'), 1);
  assert.equal(restarted.value('svc_sync_recipes{status="failed"}'), 1);
  assert.equal(restarted.value('svc_sync_runs_total{outcome="partial"}'), 0);

  await t.test('an instance that never succeeded is overdue from its start', async (own) => {
    const fresh = await world.start('fresh', { ...config, retriever: { source: world.path('absent.yaml') } });
    const { task } = await world.sync(fresh);
    assert.equal(task.status, 'failed');
    const failed = await scrape(fresh);
    assert.equal(failed.value('svc_sync_last_outcome{outcome="failure"}'), 1);
    assert.ok(!failed.samples.has(success));
    await expectAlerts(
      own,
      [failed, failed],
      [
        { minute: 40, firing: ['SvcSyncFailing'], ...about },
        { minute: 300, firing: ['SvcSyncFailing', 'SvcSyncOverdue'], ...about },
      ],
    );
  });
});
