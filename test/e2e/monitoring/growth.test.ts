import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { parse } from 'yaml';
import { buildImage } from '../../kit/content/content.ts';
import { pushArtifactOverHttp } from '../../kit/content/push-artifact.ts';
import { startTestServer } from '../../kit/instance/server.ts';
import { openTempFolder } from '../../kit/instance/temp-folder.ts';
import { growthFile } from '../../kit/program/alerts.ts';
import { judgeRules, type RuleCase } from '../../kit/program/rule-cases.ts';
import { scrape } from '../../kit/program/scrape.ts';

const rules: readonly { alert?: string; record?: string; annotations?: Record<string, string> }[] = parse(
  readFileSync(growthFile, 'utf8'),
).groups.flatMap((group: any) => group.rules);

test('what is recorded and what fires is explained on the page that the alerts name', () => {
  const page = readFileSync(join(import.meta.dirname, '..', '..', '..', 'docs', 'growing.md'), 'utf8');
  const when = /^## When$.*?(?=^## )/ms.exec(page)![0];
  for (const { alert, record, annotations } of rules) {
    assert.ok(when.includes(`| \`${alert ?? record}\` |`), `${alert ?? record}`);
    if (alert === undefined) continue;
    assert.equal(annotations!.runbook, 'docs/growing.md#when');
    assert.ok(annotations!.summary!.length > 20 && annotations!.description!.endsWith('.'), alert);
  }
});

test('what is sent to clients is counted while it is sent', async () => {
  await using folder = await openTempFolder();
  await using server = await startTestServer({ folder: folder.path });
  const image = buildImage('sent', { ownLayers: 1, layerSize: 16 << 20 });
  const place = { registry: server.url, repository: 'app', authorization: server.as.admin };
  await pushArtifactOverHttp(place, image, '1.0');
  const { digest } = image.blobs.at(-1)!.descriptor;
  const read = async (): Promise<number> => (await scrape(server)).value('svc_http_sent_bytes_total');
  const before = await read();
  const { body } = await server.fetch(`/v2/app/blobs/${digest}`);
  const reader = body!.getReader();
  await reader.read();
  const during = await read();
  assert.ok(during > before + 65_536, `${during - before} bytes before the end`);
  let received = 0;
  for (let part = await reader.read(); !part.done; part = await reader.read()) received += part.value.length;
  assert.ok(received > 4 << 20, 'the client was slow enough to be looked at');
  const after = await read();
  assert.ok(after > before + (16 << 20) && after < before + (17 << 20), `${after - before} bytes in all`);
});

const idle = { 'svc_link_bytes_total{direction="sent"}': '0x20000' };
const free = 'svc_volume_free_bytes{volume="store"}';
const day = 86_400;

const cases: readonly RuleCase[] = [
  {
    name: 'a card that is used by nine tenths, for clients and for promotion',
    interval: '1m',
    series: {
      svc_http_sent_bytes_total: `0+${60 * 1e9}x60`,
      'svc_link_bytes_total{direction="sent"}': `0+${60 * 1.25e8}x60`,
    },
    at: '30m',
    recorded: {
      'svc:sent_bytes:rate5m': 1.125e9,
      'svc:card_used:ratio': 0.9,
      'svc:card_saturated:ratio1d': 1,
    },
    firing: ['SvcCardSaturated'],
  },
  {
    name: 'a card that is used by half, and a process that waits for nothing',
    interval: '1m',
    series: {
      ...idle,
      svc_http_sent_bytes_total: `0+${60 * 6.25e8}x60`,
      svc_build_info: '1x60',
      nodejs_eventloop_lag_p99_seconds: '0.011x60',
    },
    at: '45m',
    recorded: {
      'svc:card_used:ratio': 0.5,
      'svc:card_saturated:ratio1d': 0,
      'svc:turn_wait:p99': 0.011,
    },
    firing: [],
  },
  {
    name: 'a delivery that fills the card for a quarter of a day',
    interval: '5m',
    series: { ...idle, svc_http_sent_bytes_total: `0+${300 * 1.2e9}x72 ${72 * 300 * 1.2e9}x216` },
    at: '24h',
    recorded: { 'svc:card_saturated:ratio1d': 0.25 },
    firing: [],
  },
  {
    name: 'a process that is late',
    interval: '1m',
    series: { svc_build_info: '1x60', nodejs_eventloop_lag_p99_seconds: '0.4x60' },
    at: '45m',
    firing: ['SvcProcessSaturated'],
  },
  {
    name: 'another program of the same runtime',
    interval: '1m',
    series: { nodejs_eventloop_lag_p99_seconds: '0.4x60' },
    at: '45m',
    firing: [],
  },
  {
    name: 'requests, of which one in a hundred takes more than a second',
    interval: '1m',
    series: Object.fromEntries(
      [
        ['0.1', 90],
        ['1', 99],
        ['10', 100],
        ['+Inf', 100],
      ].map(([le, rate]) => [
        `svc_http_request_duration_seconds_bucket{surface="api",le="${le}"}`,
        `0+${rate}x60`,
      ]),
    ),
    at: '30m',
    recorded: { 'svc:request_duration:p99_5m{surface="api"}': 1 },
  },
  {
    name: 'a volume that loses 10 GiB a day, with 140 left after two weeks',
    interval: '30m',
    series: { [free]: `${280 * 2 ** 30}-${(10 * 2 ** 30) / 48}x800` },
    at: '336h',
    recorded: { 'svc:volume_full:timestamp_seconds{volume="store"}': 28 * day },
    firing: ['SvcVolumeFillsSoon'],
  },
  {
    name: 'a volume that loses 1 GiB a day, with 140 left',
    interval: '30m',
    series: { [free]: `${154 * 2 ** 30}-${2 ** 30 / 48}x800` },
    at: '336h',
    recorded: { 'svc:volume_full:timestamp_seconds{volume="store"}': 154 * day },
    firing: [],
  },
  {
    name: 'a volume that was half filled on its first day',
    interval: '30m',
    series: { [free]: `${200 * 2 ** 30}-${2 ** 31}x48 ${104 * 2 ** 30}x200` },
    at: '72h',
    absent: ['svc:volume_full:timestamp_seconds'],
    firing: [],
  },
  {
    name: 'a volume that gets emptier',
    interval: '30m',
    series: { [free]: `${10 * 2 ** 30}+${2 ** 29}x800` },
    at: '336h',
    absent: ['svc:volume_full:timestamp_seconds'],
    firing: [],
  },
];

const growthAlerts = rules.flatMap(({ alert }) => (alert === undefined ? [] : [alert]));

test('the rules say when the card, the process or a volume is the limit, and are silent otherwise', async (t) => {
  await judgeRules(t, growthFile, growthAlerts, cases);
  // no alert that no case provokes
  assert.deepEqual(new Set(cases.flatMap(({ firing = [] }) => firing)), new Set(growthAlerts));
});
