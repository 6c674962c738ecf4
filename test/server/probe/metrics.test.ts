import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { createMetrics, metricTable } from '../../../server/probe/metrics.ts';

const root = join(import.meta.dirname, '..', '..', '..');

test('metrics are OpenMetrics text with the names that were promised', async () => {
  const metrics = createMetrics({ version: '1.2.3', commit: 'abc' }, (meter) =>
    meter.set('svc_tasks', 4, { status: 'done' }),
  );
  metrics.meter.add('svc_sync_runs_total', 1, { outcome: 'done' });
  metrics.meter.add('svc_sync_duration_seconds', 2);
  metrics.meter.set('svc_store_occupancy_exceeded', 1);
  metrics.observeRequest('registry', 'GET', 200, 0.01);
  metrics.observeRequest('api', 'BREW', 405, 0.01);
  const { contentType, body: bytes } = await metrics.render();
  const body = bytes.toString();
  assert.match(contentType, /^application\/openmetrics-text/);
  assert.match(body, /svc_build_info\{version="1\.2\.3",commit="abc"\} 1/);
  assert.match(body, /svc_store_occupancy_exceeded 1/);
  assert.match(body, /svc_sync_runs_total\{outcome="done"\} 1/);
  assert.match(body, /svc_sync_duration_seconds_count 1/);
  assert.match(body, /svc_tasks\{status="done"\} 4/);
  assert.match(body, /svc_http_requests_total\{surface="registry",method="GET",status="200"\} 1/);
  assert.match(body, /method="other"/);
  assert.doesNotMatch(body, /_total_total/);
  assert.match(body, /# EOF\n$/);
  assert.match(body, /process_cpu/);
  assert.doesNotMatch(body, /^svc_store_occupancy_threshold_bytes /m);
  assert.doesNotMatch(body, /^svc_sync_last_success_timestamp_seconds /m);
});

test('every metric in the code is in the table, with its labels', () => {
  const used = new Set<string>();
  for (const file of globSync('{src,commands,server}/**/*.ts', { cwd: root })) {
    const text = readFileSync(join(root, file), 'utf8');
    for (const [, name] of text.matchAll(/meter\s*\.(?:add|set)\(\s*'([^']+)'/g)) used.add(name!);
  }
  assert.deepEqual(
    [...used].filter((name) => !Object.hasOwn(metricTable, name)),
    [],
  );
  for (const { labels = [] } of Object.values(metricTable)) {
    for (const forbidden of ['host', 'repository', 'recipe']) assert.ok(!labels.includes(forbidden));
  }
});
