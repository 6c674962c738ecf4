import assert from 'node:assert/strict';
import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { test } from 'node:test';
import { setImmediate as takeTurn } from 'node:timers/promises';
import { hashBytes } from '../../../src/base/digest.ts';
import { inspectVolume } from '../../../src/disk/volume.ts';
import { openSegmentSpool } from '../../../src/engine/medium/parts/segment-spool.ts';
import { segmentPath } from '../../../src/store/rest/absent-list.ts';
import { isSvcError } from '../../../src/text/error.ts';
import { openTempFolder } from '../../kit/instance/temp-folder.ts';

test('segments of many blobs are kept at the same time, also where a file is in the place of their folder', async () => {
  await using folder = await openTempFolder();
  const medium = join(folder.path, 'medium');
  const segments = await Promise.all(
    Array.from({ length: 24 }, async (_, i) => {
      const bytes = Buffer.from(`segment ${i}`);
      const digest = hashBytes(`blob ${i}`);
      const path = join(medium, segmentPath({ digest, offset: 0 }));
      await mkdir(dirname(path), { recursive: true });
      await writeFile(path, bytes);
      return { digest, offset: 0, size: bytes.length, listed: hashBytes(bytes) };
    }),
  );
  for (let round = 0; round < 10; round += 1) {
    const state = join(folder.path, `state-${round}`);
    await mkdir(join(state, 'media'), { recursive: true });
    if (round % 2 === 1) await writeFile(join(state, 'media', 'segments'), 'x');
    const spool = openSegmentSpool(state);
    const keepLater = async (segment: (typeof segments)[number], turns: number): Promise<void> => {
      for (let turn = 0; turn < turns; turn += 1) await takeTurn();
      await spool.keep(medium, [segment], { digest: segment.digest, size: 100 });
    };
    await Promise.all(segments.map(keepLater));
    for (const { digest, size } of segments)
      assert.deepEqual(
        (await spool.list(digest)).map((range) => range.size),
        [size],
      );
  }
});

test('segments that the volume has no room for are refused before the first one is copied', async () => {
  await using folder = await openTempFolder();
  const medium = join(folder.path, 'medium');
  const state = join(folder.path, 'state');
  await mkdir(state);
  const digest = hashBytes('blob');
  const segments = await Promise.all(
    [0, 1000, 2000].map(async (offset) => {
      const bytes = Buffer.alloc(1000, `${offset}`);
      const path = join(medium, segmentPath({ digest, offset }));
      await mkdir(dirname(path), { recursive: true });
      await writeFile(path, bytes);
      return { digest, offset, size: bytes.length, listed: hashBytes(bytes) };
    }),
  );
  const blob = { digest, size: 5000 };
  const openWith = (freeBytes: number) =>
    openSegmentSpool(state, async (path) => ({ ...(await inspectVolume(path)), freeBytes }));
  const sizesOf = async (spool: ReturnType<typeof openWith>) =>
    (await spool.list(digest)).map(({ size }) => size);
  const small = openWith(2999);
  await assert.rejects(small.keep(medium, segments, blob), (error) => {
    assert.ok(isSvcError(error, 'SVC-STO-004'));
    assert.deepEqual([error.params.needed, error.params.shortfall, error.params.place], [3000, 1, 'state']);
    return true;
  });
  assert.deepEqual(await sizesOf(small), []);
  await openWith(1000).keep(medium, segments.slice(0, 1), blob);
  const enough = openWith(2000);
  await enough.keep(medium, segments, blob);
  assert.deepEqual(await sizesOf(enough), [1000, 1000, 1000], 'one that is kept needs no room');
});
