import assert from 'node:assert/strict';
import { test } from 'node:test';
import { hashBytes } from '../../../src/base/digest.ts';
import { planZoneBoard } from '../../../src/engine/zone/zone-board.ts';
import { toReceipt } from '../../kit/content/receipt.ts';
import { eventually } from '../../kit/instance/eventually.ts';
import { startTestServer } from '../../kit/instance/server.ts';
import { openTempFolder } from '../../kit/instance/temp-folder.ts';
import { scrape } from '../../kit/program/scrape.ts';

const day = 24 * 60 * 60 * 1000;

test('the metrics have the age of the receipt and the recipes of each configured zone', async () => {
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
  await eventually('the zones are read', async () => (await scrape(server)).samples.has(recipes('missing')));
  const found = await scrape(server);
  assert.equal(found.value(recipes('missing')), 1);
  assert.equal(found.value(recipes('unknown')), 1);
  assert.equal(found.value(recipes('current')), 0);
  assert.equal(found.value('svc_zone_recipes{zone="zone-c",state="unknown"}'), 2);
  assert.equal(Math.round(found.value('svc_zone_receipt_age_seconds{zone="zone-b"}') / 60), 3 * 24 * 60);
  assert.equal(found.samples.has('svc_zone_receipt_age_seconds{zone="zone-c"}'), false);
  assert.equal(found.value('svc_zone_receipt_max_age_seconds{zone="zone-c"}'), 30 * 24 * 60 * 60);
});
