import assert from 'node:assert/strict';
import { test } from 'node:test';
import { hashBytes } from '../../src/base/digest.ts';
import type { Delivery } from '../../src/contract/delivery.ts';
import { openFreshness } from '../../src/engine/medium/freshness.ts';
import { isSettled, listReceived } from '../../src/view/received-deliveries.ts';
import { openArrivals } from '../../src/zone/arrivals.ts';
import { openTempFolder } from '../kit/instance/temp-folder.ts';

const dayOf = (day: number): string => `2026-03-${String(day).padStart(2, '0')}T10:00:00.000Z`;
/** A delivery that was made on a day of March, of which one part of two arrived. */
const toDelivery = (day: number, zone = 'zone-b'): Delivery => ({
  id: `dlv_${String(day).padStart(12, '0')}`,
  zone,
  resolvedAt: dayOf(day),
  parts: 2,
  complete: false,
  landed: [{ part: 1, mediaId: 'm', manifest: hashBytes('m'), importedAt: dayOf(day) }],
  needed: [2],
  recipes: [
    { name: 'shop', version: `1.${day}.0`, digest: hashBytes(`${day}`), state: 'waiting', parts: [2] },
  ],
});

test('an incomplete delivery is overtaken by a newer medium of its zone, and by no other', async () => {
  await using folder = await openTempFolder();
  const arrivals = openArrivals(folder.path);
  for (const one of [toDelivery(1), toDelivery(5), toDelivery(7), toDelivery(2, 'zone-c')])
    await arrivals.update(one, () => one);
  const listed = async () =>
    Object.fromEntries((await listReceived(folder.path)).map((one) => [one.id.slice(-1), isSettled(one)]));
  assert.deepEqual(await listed(), { 1: false, 2: false, 5: false, 7: false });
  const medium = { mediaId: 'med_5', resolvedAt: dayOf(5), importedAt: dayOf(6), runId: 'run', recipes: {} };
  await openFreshness(folder.path).update('zone-b', () => medium);
  assert.deepEqual(await listed(), { 1: true, 2: false, 5: false, 7: false });
  const [first] = (await listReceived(folder.path)).filter(isSettled);
  assert.equal(first?.overtakenBy, 'med_5');
  assert.equal((await arrivals.get(first!.id))?.overtakenBy, undefined, 'the record stays as it was');
});
