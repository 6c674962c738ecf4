import assert from 'node:assert/strict';
import { mkdir, rename, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { openVolumeLook } from '../../server/probe/volume-look.ts';
import { openPlace } from '../../src/disk/place/place.ts';
import { svcError } from '../../src/text/error.ts';
import { openTempFolder } from '../kit/instance/temp-folder.ts';

const absent = (path: string): Error => svcError('SVC-STO-001', { path });

test('a failure below a folder that is absent or was replaced is explained by the disk, another failure is not', async () => {
  await using folder = await openTempFolder();
  const [root, elsewhere] = [join(folder.path, 'disk'), join(folder.path, 'elsewhere')];
  await mkdir(root);
  const place = await openPlace(root);
  const failure = absent(join(root, 'file'));
  const refusal = svcError('SVC-SIG-002', { reference: 'one', expected: 'a', actual: 'b' });
  assert.equal(await place.explain(failure), failure);
  await place.requireInPlace();
  await rename(root, elsewhere);
  for (const prepare of [async () => {}, () => mkdir(root)]) {
    await prepare();
    await assert.rejects(place.requireInPlace(), { code: 'SVC-STO-019' });
    await assert.rejects(
      place.during(() => stat(join(root, 'file'))),
      { code: 'SVC-STO-019' },
    );
    assert.equal(await place.explain(refusal), refusal, 'bytes that were read and are wrong');
    const aborted = new Error('aborted');
    assert.equal(await place.explain(aborted), aborted);
  }
  await rm(root, { recursive: true });
  await rename(elsewhere, root);
  assert.equal(await place.explain(failure), failure);
});

test('a disk that was pulled out and is still mounted is noticed by its device', async () => {
  await using folder = await openTempFolder();
  const [root, devices] = [join(folder.path, 'disk'), join(folder.path, 'devices')];
  await mkdir(root);
  await mkdir(devices);
  const dev = BigInt((await stat(root)).dev);
  const [major, minor] = [(dev >> 8n) & 0xfffn, (dev & 0xffn) | ((dev >> 12n) & 0xfff00n)];
  const device = join(devices, `${major}:${minor}`);
  await writeFile(device, '');
  const place = await openPlace(root, devices);
  const volume = await openVolumeLook(root, { devices });
  const failure = Object.assign(new Error('EIO'), { code: 'EIO' });
  assert.equal(await place.explain(failure), failure);
  assert.equal((await volume.look()).state, 'present');
  await rm(device);
  assert.match(String(await place.explain(failure)), /SVC-STO-019/);
  assert.equal((await volume.look()).state, 'away');
  const unknown = await openPlace(root, devices);
  assert.equal(await unknown.explain(failure), failure, 'a filesystem without a block device');
});
