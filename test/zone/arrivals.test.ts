import assert from 'node:assert/strict';
import { mkdir, readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { hashBytes } from '../../src/base/digest.ts';
import type { Delivery } from '../../src/contract/delivery.ts';
import { fingerprintDelivery, openArrivals } from '../../src/zone/arrivals.ts';
import { openTempFolder } from '../kit/instance/temp-folder.ts';

const toId = (n: number): string => `dlv_${n.toString(16).padStart(12, '0')}`;

/** A delivery of two parts, of which the first arrived at this second. */
function toDelivery(n: number, complete: boolean): Delivery {
  const importedAt = new Date(1_700_000_000_000 + n * 1000).toISOString();
  const recipe = { name: 'shop', version: `1.${n}.0`, digest: hashBytes(`${n}`) };
  return {
    id: toId(n),
    zone: 'zone-b',
    resolvedAt: importedAt,
    parts: 2,
    complete,
    landed: [{ part: 1, mediaId: 'm', manifest: hashBytes('m'), importedAt }],
    needed: complete ? [] : [2],
    recipes: [complete ? { ...recipe, state: 'landed' } : { ...recipe, state: 'waiting', parts: [2] }],
  };
}

async function fill(state: string, deliveries: readonly Delivery[]): Promise<void> {
  const folder = join(state, 'media', 'deliveries');
  await mkdir(folder, { recursive: true });
  for (const one of deliveries) await writeFile(join(folder, `${one.id}.json`), JSON.stringify(one));
}

test('beyond a thousand records complete deliveries leave first, then the oldest', async () => {
  await using folder = await openTempFolder();
  const arrivals = openArrivals(folder.path);
  const open = Array.from({ length: 999 }, (_, i) => toDelivery(i + 2, false));
  await fill(folder.path, [toDelivery(1, true), ...open]);
  await arrivals.update({ id: toId(2000) }, () => toDelivery(2000, false));
  assert.equal(await arrivals.get(toId(1)), undefined);
  assert.ok(await arrivals.get(toId(2)));
  await arrivals.update({ id: toId(2001) }, () => toDelivery(2001, false));
  assert.equal(await arrivals.get(toId(2)), undefined);
  assert.equal((await arrivals.list()).length, 1000);
  assert.ok(await arrivals.get(toId(2001)));
});

test('beyond a thousand records open deliveries without a passport leave before those of a peer', async () => {
  await using folder = await openTempFolder();
  const arrivals = openArrivals(folder.path);
  const strangers = Array.from({ length: 998 }, (_, i) => toDelivery(i + 3, false));
  const vouched = (n: number, complete: boolean) => ({ ...toDelivery(n, complete), peer: 'source' });
  await fill(folder.path, [vouched(1, false), vouched(2, true), ...strangers]);
  await arrivals.update({ id: toId(2000) }, () => toDelivery(2000, false));
  assert.equal(await arrivals.get(toId(2)), undefined);
  await arrivals.update({ id: toId(2001) }, () => toDelivery(2001, false));
  assert.equal(await arrivals.get(toId(3)), undefined);
  assert.equal((await arrivals.get(toId(1)))?.peer, 'source');
});

test('beyond a thousand records those of the peer with the most leave, and none of another peer', async () => {
  await using folder = await openTempFolder();
  const arrivals = openArrivals(folder.path);
  const of = (peer: string, n: number): Delivery => ({ ...toDelivery(n, false), peer });
  const many = Array.from({ length: 998 }, (_, i) => of('evil', i + 3));
  await fill(folder.path, [of('source', 1), of('source', 2), ...many]);
  for (const n of [2000, 2001, 2002])
    await arrivals.update({ id: toId(n), peer: 'evil' }, () => of('evil', n));
  assert.equal((await arrivals.list()).length, 1000);
  const kept = await Promise.all([1, 2, 3, 4, 5, 6].map((n) => arrivals.get(toId(n))));
  assert.deepEqual(
    kept.map((one) => one?.peer),
    ['source', 'source', undefined, undefined, undefined, 'evil'],
  );
});

test('a recipe that landed elsewhere is settled in open deliveries of its zone only', async () => {
  await using folder = await openTempFolder();
  const arrivals = openArrivals(folder.path);
  const one: Delivery = { ...toDelivery(1, false), peer: 'source' };
  const two = toDelivery(2, false);
  await fill(folder.path, [one, two, { ...toDelivery(3, false), zone: 'zone-c', recipes: one.recipes }]);
  const at = '2026-01-01T00:00:00.000Z';
  await arrivals.settle('zone-b', new Set([one.recipes[0]!.digest]), at);
  const settled = await arrivals.get(one.id);
  assert.deepEqual([settled?.complete, settled?.completedAt, settled?.needed], [true, at, []]);
  assert.deepEqual(await arrivals.get(two.id), two);
  assert.equal((await arrivals.get(toId(3)))?.complete, false);
});

test('each peer has a delivery of its own under an identifier, and a record without one goes before them', async () => {
  await using folder = await openTempFolder();
  const arrivals = openArrivals(folder.path);
  const one = toDelivery(1, false);
  const { id } = one;
  const peersOf = async () => (await arrivals.find(id)).map(({ peer }) => peer).sort();
  // as an earlier version wrote it
  await fill(folder.path, [{ ...one, peer: 'source' }]);
  let seen: Delivery | undefined;
  const put = (peer: string) =>
    arrivals.update({ id, peer }, (before) => {
      seen = before;
      return { ...one, peer };
    });
  await put('rival');
  assert.deepEqual([seen, await peersOf()], [undefined, ['rival', 'source']]);
  await put('source');
  assert.deepEqual([seen?.peer, await peersOf()], ['source', ['rival', 'source']]);
  const refuse = () => assert.fail('it is of no delivery');
  assert.equal(await arrivals.update({ id }, refuse), undefined);

  const [shown] = (await arrivals.find(id)).filter(({ peer }) => peer === 'rival');
  await arrivals.forget(id, fingerprintDelivery(shown!));
  assert.deepEqual(await peersOf(), ['source']);
  await put('rival');
  await arrivals.forget(id);
  assert.deepEqual(await peersOf(), []);

  await arrivals.update({ id }, () => one);
  await put('rival');
  assert.deepEqual([seen, await peersOf()], [undefined, ['rival']]);
  assert.equal((await readdir(join(folder.path, 'media', 'deliveries'))).length, 1);
});

test('without a passport, a delivery whose known recipes landed elsewhere needs its other disks all the same', async () => {
  await using folder = await openTempFolder();
  const arrivals = openArrivals(folder.path);
  const one = toDelivery(1, false);
  await fill(folder.path, [one]);
  await arrivals.settle('zone-b', new Set([one.recipes[0]!.digest]), '2026-01-01T00:00:00.000Z');
  const settled = await arrivals.get(one.id);
  assert.deepEqual([settled?.complete, settled?.needed, settled?.recipes[0]?.state], [false, [2], 'landed']);
});

test('a forgotten delivery is gone, and a zone without deliveries has nothing to forget', async () => {
  await using folder = await openTempFolder();
  const arrivals = openArrivals(folder.path);
  assert.equal(await arrivals.forget(toId(1)), undefined);
  await arrivals.settle('zone-b', new Set([hashBytes('x')]), '');
  assert.deepEqual(await readdir(folder.path), []);
  await fill(folder.path, [toDelivery(1, false)]);
  assert.equal((await arrivals.forget(toId(1)))?.id, toId(1));
  assert.deepEqual(await arrivals.list(), []);
});
