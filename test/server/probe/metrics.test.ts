import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { metricTable } from '../../../server/probe/metric-table.ts';
import { createMetrics, type Metrics } from '../../../server/probe/metrics.ts';
import type { MetricsFormat } from '../../../server/probe/select-format.ts';

const root = join(import.meta.dirname, '..', '..', '..');

async function read(metrics: Metrics, format: MetricsFormat): Promise<string> {
  return (await metrics.render(format)).body.toString();
}

function fill(metrics: Metrics): Metrics {
  metrics.onSample((meter) => meter.set('svc_tasks', 4, { status: 'done' }));
  metrics.meter.add('svc_sync_runs_total', 1, { outcome: 'success' });
  metrics.meter.add('svc_sync_duration_seconds', 2);
  metrics.meter.set('svc_store_occupancy_exceeded', 1);
  metrics.observeRequest('registry', 'GET', 200, 0.01);
  metrics.observeRequest('api', 'BREW', 405, 0.01);
  return metrics;
}

test('metrics have the names that were promised, in both formats', async () => {
  const metrics = fill(createMetrics({ version: '1.2.3', commit: 'abc' }));
  for (const format of ['openmetrics', 'prometheus'] as const) {
    const body = await read(metrics, format);
    assert.match(body, /^svc_build_info\{version="1\.2\.3",commit="abc"\} 1$/m);
    assert.match(body, /^svc_store_occupancy_exceeded 1$/m);
    assert.match(body, /^svc_sync_runs_total\{outcome="success"\} 1$/m);
    assert.match(body, /^svc_sync_duration_seconds_count 1$/m);
    assert.match(body, /^svc_tasks\{status="done"\} 4$/m);
    assert.match(body, /^svc_http_requests_total\{surface="registry",method="GET",status="200"\} 1$/m);
    assert.match(body, /method="other"/);
    assert.doesNotMatch(body, /_total_total/);
    assert.match(body, /^process_cpu_seconds_total /m);
    // no value yet, and 0 would be one
    assert.doesNotMatch(body, /^svc_store_occupancy_threshold_bytes /m);
    assert.doesNotMatch(body, /^svc_sync_last_success_timestamp_seconds /m);
    // the first increase of a counter is one only from 0
    assert.match(body, /^svc_verification_failures_total\{code="SVC-SIG-001"\} 0$/m);
    assert.match(body, /^svc_sync_runs_total\{outcome="failure"\} 0$/m);
  }
});

test('OpenMetrics names families without the suffix of counters, with units and times of creation, and ends', async () => {
  let now = 1_000_000;
  const metrics = createMetrics({ version: '1.2.3', commit: 'abc' }, () => now);
  now = 2_000_000;
  fill(metrics);
  now = 3_000_000;
  metrics.observeRequest('registry', 'GET', 200, 0.01);
  const body = await read(metrics, 'openmetrics');
  assert.match(body, /\n# EOF\n$/);
  assert.equal(body.match(/# EOF/g)?.length, 1);
  assert.match(
    body,
    /^# TYPE svc_sync_transferred_bytes counter\n# UNIT svc_sync_transferred_bytes bytes\n# HELP /m,
  );
  assert.match(body, /^svc_sync_transferred_bytes_total 0\nsvc_sync_transferred_bytes_created 1000\n/m);
  assert.match(body, /^# UNIT svc_sync_last_success_timestamp_seconds seconds$/m);
  const labels = 'surface="registry",method="GET",status="200"';
  assert.ok(
    body.includes(`\nsvc_http_requests_total{${labels}} 2\nsvc_http_requests_created{${labels}} 2000\n`),
  );
  assert.match(body, /svc_sync_duration_seconds_bucket\{le="1\.0"\} 0\n/);
  assert.match(body, /svc_sync_duration_seconds_count 1\nsvc_sync_duration_seconds_created 1000\n/);
  assert.doesNotMatch(body, /^# (?:TYPE|HELP) \S+_total /m);
});

test('the Prometheus text has counters under the name of their samples, and no times of creation', async () => {
  const body = await read(fill(createMetrics({ version: '1', commit: 'x' })), 'prometheus');
  assert.match(body, /^# TYPE svc_sync_runs_total counter$/m);
  assert.match(body, /svc_sync_duration_seconds_bucket\{le="1"\} 0\n/);
  assert.doesNotMatch(body, /_created|# UNIT|# EOF/);
  assert.ok(body.endsWith('\n') && !body.endsWith('\n\n'));
});

test('a label value and a help text cannot break out of their line', async () => {
  const metrics = createMetrics({ version: '1"\\\n} 2\nforged 3', commit: 'x' });
  for (const format of ['openmetrics', 'prometheus'] as const) {
    const body = await read(metrics, format);
    assert.match(body, /^svc_build_info\{version="1\\"\\\\\\n\} 2\\nforged 3",commit="x"\} 1$/m);
    assert.doesNotMatch(body, /^forged/m);
  }
});

test('readers of the same moment share one rendering, and a later one sees what changed', async () => {
  const metrics = createMetrics({ version: '1', commit: 'x' });
  let samples = 0;
  metrics.onSample(() => {
    samples += 1;
  });
  const [first, second] = await Promise.all([metrics.render('openmetrics'), metrics.render('openmetrics')]);
  assert.equal(first, second);
  assert.equal(samples, 1);
  metrics.meter.add('svc_gc_runs_total', 1);
  assert.match(await read(metrics, 'openmetrics'), /^svc_gc_runs_total 1$/m);
  assert.equal(samples, 2);
});

test('a scrape fails alone: the next one is tried again', async () => {
  const metrics = createMetrics({ version: '1', commit: 'x' });
  let fails = true;
  metrics.onSample(() => {
    if (fails) throw new Error('cannot be sampled now');
  });
  await assert.rejects(metrics.render('prometheus'), /cannot be sampled/);
  fails = false;
  assert.match(await read(metrics, 'prometheus'), /svc_build_info/);
});

test('every metric in the code is in the table, with its labels', () => {
  const used = new Set<string>();
  for (const file of globSync('{src,commands,server}/**/*.ts', { cwd: root })) {
    const text = readFileSync(join(root, file), 'utf8');
    for (const [, name] of text.matchAll(/meter\s*\.(?:add|set|remove)\(\s*'([^']+)'/g)) used.add(name!);
  }
  const known = Object.keys(metricTable);
  assert.deepEqual(
    [...used].filter((name) => !known.includes(name)),
    [],
  );
  assert.deepEqual(
    known.filter((name) => !used.has(name) && !name.startsWith('svc_http_request')),
    [],
    'nothing sets these',
  );
  for (const { labels = {} } of Object.values(metricTable)) {
    for (const forbidden of ['host', 'repository', 'recipe']) assert.ok(!Object.hasOwn(labels, forbidden));
  }
});
