import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { inspectVolume } from '../../../src/disk/volume.ts';
import { measureRoom } from '../../../src/operation/delivery/measure-room.ts';
import { openTempFolder } from '../../kit/instance/temp-folder.ts';

test('folders on one volume have one figure of its free space, while another program uses the volume', async () => {
  await using folder = await openTempFolder();
  let freeBytes = 8_000_000;
  const rooms = await measureRoom(
    [join(folder.path, 'a'), join(folder.path, 'b')],
    0,
    undefined,
    async (path) => {
      const volume = await inspectVolume(path);
      freeBytes += 4_096;
      return { ...volume, freeBytes };
    },
  );
  const [first, second] = rooms.map(({ limits }) => limits.bytes);
  assert.equal(second, first);
});
