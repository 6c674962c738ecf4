import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import type { MediumWriting } from '../../../src/contract/write-medium.ts';
import { openSent } from '../../../src/zone/sent.ts';
import { openWantingZone } from '../../kit/instance/wanting-zone.ts';
import { runCommand } from '../../kit/program/run-command.ts';

test('a delivery that was not proved when it was written counts as proved from a later proof on', async () => {
  await using source = await openWantingZone();
  await source.want('shop');
  const disk = join(source.folder, 'disk');
  const run = (...args: string[]) => runCommand([...args, '--config', source.configPath]);
  const written = await run('media', 'write', disk, '--zone', 'zone-b', '--wanted', '--output', 'json');
  assert.equal(written.exitCode, 0, written.stderr);
  const { id } = (JSON.parse(written.stdout) as MediumWriting).delivery;
  const sent = openSent(source.config.state.root);
  const record = (await sent.delivery(id))!;
  const unproved = { ...record, written: record.written.map((one) => ({ ...one, unproved: true })) };
  const look = async () => {
    const { deliveries } = JSON.parse((await run('deliveries', id, '--output', 'json')).stdout);
    const { zones } = JSON.parse((await run('zones', 'zone-b', '--output', 'json')).stdout);
    return [deliveries[0].state, deliveries[0].proved, zones[0].recipes[0].state, zones[0].unproved?.length];
  };
  await sent.keepDelivery(unproved);
  assert.deepEqual(await look(), ['unproved', false, 'unknown', 1]);
  // it proves the disk for another zone, and says nothing of this one
  await run('media', 'prove', disk, '--zone', 'zone-c');
  assert.deepEqual(await look(), ['unproved', false, 'unknown', 1]);
  // another disk was written under the name of the delivery
  const [{ manifest }] = record.written as [(typeof record.written)[number]];
  const other = manifest.replace(/.$/, (last) => (last === '0' ? '1' : '0')) as typeof manifest;
  await sent.keepDelivery({ ...record, written: [{ part: 1, manifest: other, unproved: true }] });
  assert.equal((await run('media', 'prove', disk)).exitCode, 0);
  assert.deepEqual(await look(), ['unproved', false, 'unknown', 1]);
  await sent.keepDelivery(unproved);
  const proof = await run('media', 'prove', disk);
  assert.equal(proof.exitCode, 0, proof.stdout);
  assert.deepEqual(await look(), ['way', true, 'in-transit', undefined]);
  assert.ok((await sent.delivery(id))!.written[0]!.provedSince);
});
