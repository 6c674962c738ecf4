import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { copyFile, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { test } from 'node:test';
import { stringify } from 'yaml';
import { metricTable } from '../../../server/probe/metric-table.ts';
import { buildImage } from '../../kit/content/content.ts';
import { pushArtifactOverHttp } from '../../kit/content/push-artifact.ts';
import { eventually } from '../../kit/instance/eventually.ts';
import { startInstance } from '../../kit/instance/instance.ts';
import { openMemoryFolder } from '../../kit/instance/memory-folder.ts';
import { openTempFolder } from '../../kit/instance/temp-folder.ts';
import { alertRules, growthFile, rulesFile } from '../../kit/program/alerts.ts';
import { needs } from '../../kit/program/peers.ts';
import { startPrometheus } from '../../kit/program/prometheus.ts';
import { runProgram } from '../../kit/program/run-program.ts';
import { tlsPair } from '../../kit/program/tls-pair.ts';

const root = join(import.meta.dirname, '..', '..', '..');
const dashboard = JSON.parse(readFileSync(join(root, 'deploy', 'grafana', 'svc.json'), 'utf8'));
const page = readFileSync(join(root, 'docs', 'monitoring.md'), 'utf8');

interface Panel {
  readonly id: number;
  readonly type: string;
  readonly title: string;
  readonly description?: string;
  readonly datasource?: { readonly uid: string };
  readonly gridPos: { readonly x: number; readonly y: number; readonly w: number; readonly h: number };
  readonly targets?: readonly { readonly expr: string; readonly datasource: { readonly uid: string } }[];
}
const panels: readonly Panel[] = dashboard.panels;
/** The variable of the data source. */
const variable = `$${'{datasource}'}`;
const shown = panels.filter(({ type }) => type !== 'row');

/** Puts values in place of the variables, as the dashboard does. */
const fill = (expression: string): string =>
  expression.replaceAll(/\$(?:job|instance)\b/g, '.*').replaceAll('$__rate_interval', '4m');
const expressions = shown.flatMap(({ title, targets = [] }) =>
  targets.map(({ expr }) => ({ title, expr: fill(expr) })),
);

/** Metrics of the process that the expressions use; the runtime library provides them. */
const ofProcess = new Set([
  'process_start_time_seconds',
  'process_resident_memory_bytes',
  'process_cpu_seconds_total',
]);

function listUnknown(expression: string): readonly string[] {
  return [...expression.matchAll(/\b(?:svc|process|nodejs)_[a-z_]+/g)]
    .map(([name]) => name)
    .filter((name) => {
      const family = name.replace(/_(?:bucket|sum|count)$/, '');
      const isHistogram = metricTable[family]?.kind === 'histogram';
      return !(metricTable[name] || isHistogram || ofProcess.has(name));
    });
}

test('the expressions of alerts and dashboard use metrics that exist', () => {
  assert.deepEqual(listUnknown('svc_no_such_total'), ['svc_no_such_total']);
  for (const { title, expr } of expressions) assert.deepEqual(listUnknown(expr), [], title);
  for (const { alert, expr } of alertRules) assert.deepEqual(listUnknown(expr), [], alert);
});

test('label values in the expressions are values that the label has', () => {
  for (const { expr } of [...expressions, ...alertRules]) {
    for (const [, name, selector] of expr.matchAll(/\b(svc_[a-z_]+)\{([^}]*)\}/g)) {
      const { labels = {} } = metricTable[name!.replace(/_(?:bucket|sum|count)$/, '')] ?? {};
      for (const [, label, operator, value] of selector!.matchAll(/([a-z_]+)(=~|!=|!~|=)"([^"]*)"/g)) {
        if (label === 'job' || label === 'instance') continue;
        assert.ok(Object.hasOwn(labels, label!), `${name} has no label ${label}`);
        const values = labels[label!]!;
        if (values.length === 0 || operator!.startsWith('!')) continue;
        for (const each of value!.split('|'))
          assert.ok(values.includes(each), `${name}: ${label} is never ${each}`);
      }
    }
  }
});

test('the dashboard answers its questions, for any data source and instance', () => {
  assert.deepEqual(
    panels.filter(({ type }) => type === 'row').map(({ title }) => title),
    [
      'Is what is wanted here?',
      'What do the zones have?',
      'What runs?',
      'Space',
      'Traffic',
      'Is one machine enough?',
      'Refusals',
      'Damage',
    ],
  );
  assert.ok(dashboard.schemaVersion >= 36, 'Grafana 10 or newer');
  assert.deepEqual(
    dashboard.templating.list.map(({ name, type }: { name: string; type: string }) => [name, type]),
    [
      ['datasource', 'datasource'],
      ['job', 'query'],
      ['instance', 'query'],
    ],
  );
  assert.equal(new Set(panels.map(({ id }) => id)).size, panels.length);
  for (const { title, description, datasource, targets = [] } of shown) {
    assert.ok(description?.endsWith('.'), title);
    assert.equal(datasource?.uid, variable, title);
    assert.ok(targets.length > 0, title);
    for (const { expr, datasource: own } of targets) {
      assert.equal(own.uid, variable, title);
      assert.ok(expr.includes('job=~"$job",instance=~"$instance"'), `${title}: ${expr}`);
    }
  }
  const cells = new Set<string>();
  for (const { title, gridPos } of panels) {
    assert.ok(gridPos.x + gridPos.w <= 24, title);
    for (let x = gridPos.x; x < gridPos.x + gridPos.w; x += 1)
      for (let y = gridPos.y; y < gridPos.y + gridPos.h; y += 1) {
        assert.ok(!cells.has(`${x}:${y}`), `${title} overlaps`);
        cells.add(`${x}:${y}`);
      }
  }
});

test('every alert says in words what is wrong, and names a section of the page that says what to do', () => {
  const anchors = [...page.matchAll(/^#+ (.+)$/gm)].map(([, title]) =>
    title!
      .toLowerCase()
      .replaceAll(/[^a-z0-9 -]/g, '')
      .replaceAll(' ', '-'),
  );
  for (const { alert, labels, annotations } of alertRules) {
    assert.ok(['critical', 'warning'].includes(labels.severity!), alert);
    assert.ok(annotations.summary!.length > 20 && annotations.description!.endsWith('.'), alert);
    const [path, anchor] = annotations.runbook!.split('#');
    assert.equal(path, 'docs/monitoring.md', alert);
    assert.ok(anchors.includes(anchor!), `${alert}: no section ${anchor}`);
    assert.ok(page.includes(`\`${alert}\``), `the page does not mention ${alert}`);
  }
});

test('every alert is provoked by a test', () => {
  const tests = readdirSync(import.meta.dirname)
    .filter((name) => name !== 'dashboard.test.ts')
    .map((name) => readFileSync(join(import.meta.dirname, name), 'utf8'));
  const fired = new Set(
    tests.flatMap((text) =>
      [...text.matchAll(/firing: \[([^\]]*)\]/g)].flatMap(([, names]) =>
        [...names!.matchAll(/'(\w+)'/g)].map(([, name]) => name),
      ),
    ),
  );
  assert.deepEqual(
    alertRules.map(({ alert }) => alert).filter((alert) => !fired.has(alert)),
    [],
  );
});

test('promtool accepts the rules and every expression of the dashboard', async (t) => {
  const promtool = needs(t, 'promtool');
  if (promtool === undefined) return;
  await using folder = await openTempFolder();
  const file = join(folder.path, 'dashboard.yaml');
  const rules = expressions.map(({ expr }, at) => ({ record: `dashboard:panel_${at}`, expr }));
  await writeFile(file, stringify({ groups: [{ name: 'dashboard', rules }] }));
  for (const path of [rulesFile, growthFile, file]) {
    const { exitCode, stdout, stderr } = await runProgram(
      promtool,
      ['check', 'rules', '--lint-fatal', path],
      {
        env: {},
      },
    );
    assert.equal(exitCode, 0, `${stdout}${stderr}`);
  }
});

test('the configuration of the page is one that Prometheus takes', async (t) => {
  const promtool = needs(t, 'promtool');
  if (promtool === undefined) return;
  const block = /^```yaml\n(# \/etc\/prometheus\/prometheus\.yml.*?)^```$/ms.exec(page)?.[1];
  assert.ok(block);
  await using folder = await openTempFolder();
  const file = join(folder.path, 'prometheus.yml');
  for (const path of [rulesFile, growthFile]) await copyFile(path, join(folder.path, basename(path)));
  await writeFile(file, block.replace('/etc/prometheus/zone-ca.pem', tlsPair.caFile));
  const { exitCode, stdout, stderr } = await runProgram(promtool, ['check', 'config', file], { env: {} });
  assert.equal(exitCode, 0, `${stdout}${stderr}`);
  assert.match(stdout, new RegExp(`SUCCESS: ${alertRules.length} rules found`));
  assert.equal(stdout.match(/SUCCESS: \d+ rules found/g)?.length, 2, stdout);
});

test('a Prometheus server scrapes an instance, evaluates every rule and answers every panel', async (t) => {
  const path = needs(t, 'prometheus');
  if (path === undefined) return;
  await using folder = await openMemoryFolder('svc-monitoring-');
  await using instance = await startInstance({ folder: folder.path });
  const { url, authorization, host } = instance;
  await pushArtifactOverHttp({ registry: url, repository: 'app', authorization }, buildImage('read'), 'v1');
  await using prometheus = await startPrometheus(path, [host]);
  const target = await eventually(
    'the first scrapes',
    async () => {
      const { activeTargets } = await prometheus.api('targets');
      const { result } = await prometheus.api('query', { query: 'sum_over_time(up[1m])' });
      return Number(result[0]?.value[1] ?? 0) >= 3 && activeTargets[0];
    },
    120,
  );
  assert.equal(target.labels.job, 'svc');
  const readValue = async (query: string): Promise<number> => {
    const { result } = await prometheus.api('query', { query });
    return Number(result[0]?.value[1]);
  };
  assert.equal(await readValue('svc_ready'), 1);
  assert.ok((await readValue('svc_store_occupancy_bytes')) > 0);
  // OpenMetrics was agreed on: the other format has no times of creation
  assert.ok((await readValue('svc_gc_runs_created')) > 0);
  const [about] = await prometheus.api('targets/metadata', { metric: 'svc_volume_free_bytes' });
  assert.deepEqual([about.type, about.unit], ['gauge', 'bytes']);

  const answered: string[] = [];
  for (const { title, expr } of expressions) {
    const { result } = await prometheus.api('query', { query: expr.replaceAll('[4m]', '[1m]') });
    if (result.length > 0) answered.push(title);
  }
  assert.ok(answered.length > 30, `${answered.length} of ${expressions.length}: ${answered.join(', ')}`);
  const { groups } = await prometheus.api('rules');
  const evaluated = groups.flatMap(({ rules }: { rules: readonly object[] }) => rules);
  assert.ok(evaluated.length > alertRules.length, 'those of growth too');
  for (const { name, health, lastError } of evaluated)
    assert.deepEqual([health, lastError ?? ''], ['ok', ''], name);
  // series that no rule and no exporter knows: recorded by the rules from the scrapes
  assert.ok((await readValue('svc:turn_wait:p99')) > 0);
  assert.ok((await readValue('svc:card_used:ratio')) >= 0);
});
