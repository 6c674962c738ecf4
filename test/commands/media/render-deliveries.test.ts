import assert from 'node:assert/strict';
import { test } from 'node:test';
import { renderDelivery } from '../../../commands/media/render-deliveries.ts';
import { hashBytes } from '../../../src/base/digest.ts';
import type { Delivery } from '../../../src/contract/delivery.ts';
import { fr } from '../../../src/text/language.ts';

const digest = hashBytes('a');
const landed = (...parts: readonly number[]): Delivery['landed'] =>
  parts.map((part) => ({
    part,
    mediaId: 'med_0123456789ab',
    manifest: digest,
    importedAt: '2026-11-20T10:00:00Z',
  }));
const delivery: Delivery = {
  id: 'dlv_0123456789ab',
  zone: 'zone-b',
  resolvedAt: '2026-11-20T09:00:00Z',
  parts: 4,
  complete: false,
  landed: landed(1, 2, 3),
  needed: [1, 2, 4],
  recipes: [{ name: 'shop', version: '1.0.0', digest, state: 'failed', parts: [1, 2] }],
};
const lineOf = (one: Delivery, language: 'en' | 'fr', i: number) =>
  renderDelivery(one, language).split('\n')[i];

test('a part that arrived and is needed again is told apart from one that never came', () => {
  assert.equal(lineOf(delivery, 'en', 2), '  still needed: part 4; parts 1 and 2 once more');
  assert.equal(
    lineOf(delivery, 'fr', 2),
    fr`  encore nécessaire : partie 4 ; parties 1 et 2 une nouvelle fois`,
  );
  assert.equal(lineOf({ ...delivery, needed: [1, 2] }, 'en', 2), '  still needed: parts 1 and 2 once more');
});

test('the parts that arrived are named, and no line reads as their number', () => {
  const one = { ...delivery, landed: landed(3) };
  assert.match(lineOf(one, 'en', 1)!, /^ {2}part 3 of 4 imported, on 20 Nov 2026/);
  assert.match(lineOf(one, 'fr', 1)!, /^ {2}partie 3 sur 4 importée, le 20 nov\. 2026/);
  assert.match(lineOf(delivery, 'en', 1)!, /^ {2}parts 1, 2 and 3 of 4 imported, the last on 20 Nov 2026/);
  const waiting = { ...delivery, recipes: [{ ...delivery.recipes[0]!, state: 'waiting' as const }] };
  assert.equal(lineOf(waiting, 'en', 3), '  shop@1.0.0: waits for parts 1 and 2');
  assert.equal(lineOf(waiting, 'fr', 3), fr`  shop@1.0.0 : attend les parties 1 et 2`);
  assert.equal(lineOf(delivery, 'en', 3), '  shop@1.0.0: failed in the last import (parts 1 and 2)');
});

test('a delivery on one disk has no numbers of parts', () => {
  const alone = { ...delivery, parts: 1, needed: [], landed: landed(1) };
  assert.match(lineOf(alone, 'en', 1)!, /^ {2}imported on 20 Nov 2026/);
  assert.equal(lineOf({ ...alone, landed: [] }, 'en', 1), '  its disk was not imported whole');
});
