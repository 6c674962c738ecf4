import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Operations } from '../../../server/operations.ts';
import type { SampleMeter } from '../../../server/probe/metrics.ts';
import { createZoneGauges } from '../../../server/probe/zone-gauges.ts';
import { hashBytes } from '../../../src/base/digest.ts';
import { planZoneBoard } from '../../../src/engine/zone/zone-board.ts';
import type { Instance } from '../../../src/operation/instance/instance.ts';
import { toReceipt } from '../../kit/content/receipt.ts';
import { eventually } from '../../kit/instance/eventually.ts';
import { startTestServer } from '../../kit/instance/server.ts';
import { openTempFolder } from '../../kit/instance/temp-folder.ts';
import { scrape } from '../../kit/program/scrape.ts';

const day = 24 * 60 * 60 * 1000;

test('the first scrape has the age of the receipt and the recipes of each configured zone', async () => {
  await using folder = await openTempFolder();
  const issuedAt = new Date(Date.now() - 3 * day).toISOString();
  await using server = await startTestServer({
    folder: folder.path,
    zones: ['zone-b', 'zone-c'].map((name) => ({
      name,
      retriever: `/etc/svc/${name}.yaml`,
      maxAge: 30 * day,
    })),
    operations: {
      readZoneBoards: async (_context, { zones, now }) =>
        zones.map(({ name, maxAge }) =>
          planZoneBoard({
            name,
            wanted: {
              resolvedAt: issuedAt,
              recipes: [
                { name: 'shop', requested: '^1.0.0', version: '1.0.0', digest: hashBytes('shop') },
                { name: 'base', requested: '^1.0.0', code: 'SVC-REG-002' },
              ],
            },
            receipt: name === 'zone-b' ? toReceipt({ zone: name, issuedAt }) : undefined,
            deliveries: [],
            maxAge,
            now,
          }),
        ),
    },
  });
  const recipes = (state: string): string => `svc_zone_recipes{zone="zone-b",state="${state}"}`;
  const found = await scrape(server);
  assert.equal(found.value(recipes('missing')), 1);
  assert.equal(found.value(recipes('unknown')), 1);
  assert.equal(found.value(recipes('current')), 0);
  assert.equal(found.value('svc_zone_recipes{zone="zone-c",state="unknown"}'), 2);
  assert.equal(Math.round(found.value('svc_zone_receipt_age_seconds{zone="zone-b"}') / 60), 3 * 24 * 60);
  assert.equal(found.samples.has('svc_zone_receipt_age_seconds{zone="zone-c"}'), false);
  assert.equal(found.value('svc_zone_receipt_max_age_seconds{zone="zone-c"}'), 30 * 24 * 60 * 60);
});

test('a first reading that does not end holds no scrape, and one that is late is shown by the next', async () => {
  const zones = [{ name: 'zone-b', retriever: '/etc/svc/zone-b.yaml', maxAge: 30 * day }];
  const { promise: go, resolve: goOn } = Promise.withResolvers<void>();
  const patiences: (number | undefined)[] = [];
  const instance = {
    context: { config: { zones, state: { root: '/state' } } },
    signal: new AbortController().signal,
  } as unknown as Instance;
  const readZoneBoards: Operations['readZoneBoards'] = async (_context, { patience, now }) => {
    patiences.push(patience);
    await go;
    const wanted = { resolvedAt: new Date(now).toISOString(), recipes: [] };
    return zones.map(({ name, maxAge }) => planZoneBoard({ name, wanted, deliveries: [], maxAge, now }));
  };
  const set = new Set<string>();
  const meter: SampleMeter = {
    add: () => {},
    set: (name) => set.add(name),
    remove: (name) => set.delete(name),
    mask: () => {},
  };
  const sample = createZoneGauges({ instance, operations: { readZoneBoards } as Operations }, { longest: 1 });
  await sample(meter);
  assert.deepEqual([...set], ['svc_zone_receipt_max_age_seconds']);
  goOn();
  await eventually('Retrievers are waited for after the first reading', async () => patiences.length === 2);
  await sample(meter);
  assert.ok(set.has('svc_zone_recipes'));
  assert.ok(patiences[0]! < 1000);
  assert.equal(patiences[1], undefined);
});
