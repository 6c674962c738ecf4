import assert from 'node:assert/strict';
import { readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { digestHex, hashBytes } from '../../src/base/digest.ts';
import type { SentDelivery } from '../../src/contract/write-medium.ts';
import { openSent } from '../../src/zone/sent.ts';
import { openTempFolder } from '../kit/instance/temp-folder.ts';

const recipe = hashBytes('recipe');
const contents = new Map([
  [hashBytes('a'), 5],
  [hashBytes('b'), 0],
]);

function toDelivery(number: number, members: Partial<SentDelivery> = {}): SentDelivery {
  return {
    id: `dlv_${number.toString(16).padStart(12, '0')}`,
    zone: 'zone-b',
    sequence: number,
    startedAt: new Date(number * 1000).toISOString(),
    recipes: [recipe],
    parts: 1,
    written: [{ part: 1, manifest: hashBytes(`${number}`) }],
    ...members,
  };
}

test('content and deliveries are remembered by a later process, for the owner only', async () => {
  await using folder = await openTempFolder('svc-sent-');
  const sent = openSent(folder.path);
  assert.equal(await sent.closure(recipe), undefined);
  assert.deepEqual(await sent.deliveries('zone-b'), []);
  await sent.keepClosure(recipe, contents);
  await sent.keepDelivery(toDelivery(1));
  await sent.keepDelivery(toDelivery(2, { zone: 'zone-c' }));
  await sent.keepDelivery(toDelivery(3));
  const later = openSent(folder.path);
  assert.deepEqual(await later.closure(recipe), contents);
  assert.deepEqual(
    (await later.deliveries('zone-b')).map(({ sequence }) => sequence),
    [3, 1],
  );
  assert.deepEqual(await later.delivery(toDelivery(2).id), toDelivery(2, { zone: 'zone-c' }));
  const path = join(folder.path, 'sent', 'closures', `${digestHex(recipe)}.txt`);
  assert.equal((await stat(path)).mode & 0o777, 0o600);
});

test('a record that is damaged or cut off is unknown', async () => {
  await using folder = await openTempFolder('svc-sent-');
  const sent = openSent(folder.path);
  await sent.keepClosure(recipe, contents);
  const path = join(folder.path, 'sent', 'closures', `${digestHex(recipe)}.txt`);
  const text = await readFile(path, 'utf8');
  const lines = text.split('\n');
  for (const damaged of [
    '',
    text.slice(0, -1),
    lines.slice(0, 2).join('\n').concat('\n'),
    text.replace(recipe, hashBytes('other')),
    text.replace(' 5\n', ' 05\n'),
    text.replace(' 5\n', ' -5\n'),
  ]) {
    await writeFile(path, damaged);
    assert.equal(await sent.closure(recipe), undefined, damaged);
  }
  await sent.keepDelivery(toDelivery(1));
  await writeFile(join(folder.path, 'sent', 'deliveries', `${toDelivery(1).id}.json`), '{"id":"dlv_');
  assert.deepEqual(await sent.deliveries('zone-b'), []);
});

test('a record of a later version is read, without the members that it adds', async () => {
  await using folder = await openTempFolder('svc-sent-');
  const sent = openSent(folder.path);
  await sent.keepDelivery(toDelivery(1));
  const path = join(folder.path, 'sent', 'deliveries', `${toDelivery(1).id}.json`);
  await writeFile(
    path,
    JSON.stringify({ ...JSON.parse(await readFile(path, 'utf8')), courier: { name: 'ana' } }),
  );
  assert.equal((await sent.delivery(toDelivery(1).id))?.sequence, 1);
});

test('the oldest deliveries are forgotten', async () => {
  await using folder = await openTempFolder('svc-sent-');
  const sent = openSent(folder.path);
  await sent.keepDelivery(toDelivery(1));
  const deliveries = join(folder.path, 'sent', 'deliveries');
  for (let number = 2; number <= 1000; number += 1)
    await writeFile(join(deliveries, `${toDelivery(number).id}.json`), JSON.stringify(toDelivery(number)));
  await sent.keepDelivery(toDelivery(1001));
  const names = await readdir(deliveries);
  assert.equal(names.length, 1000);
  assert.ok(!names.includes(`${toDelivery(1).id}.json`));
});
