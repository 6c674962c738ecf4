import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { metricTable } from '../../../server/probe/metric-table.ts';
import { buildImage } from '../../kit/content/content.ts';
import { pushArtifactOverHttp } from '../../kit/content/push-artifact.ts';
import { type Instance, startInstance } from '../../kit/instance/instance.ts';
import { openMemoryFolder } from '../../kit/instance/memory-folder.ts';
import type { TempFolder } from '../../kit/instance/temp-folder.ts';
import { needs } from '../../kit/program/peers.ts';
import { runProgram } from '../../kit/program/run-program.ts';
import { scrape } from '../../kit/program/scrape.ts';

let folder: TempFolder;
let instance: Instance;
before(async () => {
  folder = await openMemoryFolder('svc-monitoring-');
  instance = await startInstance({ folder: folder.path });
  const { url, authorization } = instance;
  await pushArtifactOverHttp({ registry: url, repository: 'app', authorization }, buildImage('read'), 'v1');
});
after(async () => {
  await instance[Symbol.asyncDispose]();
  await folder[Symbol.asyncDispose]();
});

const openMetrics = 'application/openmetrics-text; version=1.0.0';

async function read(accept: string): Promise<string> {
  const response = await fetch(`${instance.url}/metrics`, { headers: { accept } });
  assert.equal(response.status, 200);
  assert.ok(response.headers.get('content-type')!.startsWith(accept));
  assert.equal(response.headers.get('vary'), 'accept');
  return response.text();
}

test('both formats have the same families', async () => {
  const [open, text] = await Promise.all([read(openMetrics), read('text/plain; version=0.0.4')]);
  const familiesOf = (body: string): string[] =>
    [...body.matchAll(/^# TYPE (\S+) (\S+)$/gm)].map(([, name, kind]) =>
      kind === 'counter' ? name!.replace(/_total$/, '') : name!,
    );
  assert.deepEqual(familiesOf(open), familiesOf(text));
  for (const name of Object.keys(metricTable)) assert.match(text, new RegExp(`^# HELP ${name} \\S`, 'm'));
});

test('promtool finds nothing wrong with the Prometheus text', async (t) => {
  const promtool = needs(t, 'promtool');
  if (promtool === undefined) return;
  const input = await read('text/plain; version=0.0.4');
  const { exitCode, stdout, stderr } = await runProgram(promtool, ['check', 'metrics'], { env: {}, input });
  assert.deepEqual([exitCode, stdout, stderr], [0, '', '']);
});

test('the OpenMetrics parser of Prometheus reads the other one', async (t) => {
  const promtool = needs(t, 'promtool');
  if (promtool === undefined) return;
  // this command wants a timestamp on each sample
  const at = Math.floor(Date.now() / 1000);
  const text = (await read(openMetrics)).replaceAll(/^([^#\n].*)$/gm, `$1 ${at}`);
  const file = join(folder.path, 'metrics.txt');
  const blocks = join(folder.path, 'blocks');
  await mkdir(blocks);
  await writeFile(file, text);
  const args = ['tsdb', 'create-blocks-from', 'openmetrics', file, blocks];
  const { exitCode, stdout, stderr } = await runProgram(promtool, args, { env: {} });
  assert.equal(exitCode, 0, stderr);
  const samples = text.split('\n').filter((line) => line !== '' && !line.startsWith('#')).length;
  assert.match(`${stdout}`, new RegExp(` ${samples} +${samples} `), `samples and series: ${samples}`);
  const cut = text.replace(/# EOF\n$/, '');
  await writeFile(file, cut);
  assert.notEqual((await runProgram(promtool, args, { env: {} })).exitCode, 0, 'the command would say so');
});

test('the strict parser of OpenMetrics, in Python, reads it', async (t) => {
  const python = '/usr/bin/python3';
  const hasParser = ['-c', 'import prometheus_client.openmetrics.parser'];
  if (spawnSync(python, hasParser, { stdio: 'ignore' }).status !== 0)
    return t.skip('not run: needs python3-prometheus-client');
  const script = [
    'import sys, json',
    'from prometheus_client.openmetrics.parser import text_string_to_metric_families as parse',
    'families = list(parse(sys.stdin.read()))',
    'print(json.dumps({f.name: [f.type, f.unit, len(f.samples)] for f in families}))',
  ].join('\n');
  const input = await read(openMetrics);
  const { exitCode, stdout, stderr } = await runProgram(python, ['-c', script], {
    env: {},
    input,
  });
  assert.equal(exitCode, 0, stderr);
  const families = JSON.parse(stdout);
  assert.deepEqual(families.svc_sync_transferred_bytes, ['counter', 'bytes', 2]);
  assert.deepEqual(families.svc_sync_last_outcome, ['gauge', '', 0]);
  assert.deepEqual(families.svc_volume_free_bytes, ['gauge', 'bytes', 2]);
  assert.equal(families.svc_http_request_duration_seconds[0], 'histogram');
});

test('a scrape costs no more when the store holds more', async () => {
  const sizes = [];
  for (const name of ['one', 'two', 'three']) {
    sizes.push((await scrape(instance)).samples.size);
    const { url, authorization } = instance;
    const place = { registry: url, repository: `many/${name}`, authorization };
    for (let left = 5; left > 0; left -= 1)
      await pushArtifactOverHttp(place, buildImage(`${name}-${left}`), `v${left}`);
  }
  sizes.push((await scrape(instance)).samples.size);
  // a new status of a request or a new kind of a handle is a series; content never is
  assert.ok(sizes.at(-1)! - sizes[0]! < 12, sizes.join());
});
