import assert from 'node:assert/strict';
import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { test } from 'node:test';
import { setImmediate as takeTurn } from 'node:timers/promises';
import { hashBytes } from '../../../src/base/digest.ts';
import { openSegmentSpool } from '../../../src/engine/medium/parts/segment-spool.ts';
import { segmentPath } from '../../../src/store/rest/absent-list.ts';
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
      await spool.keep(medium, segment, 100);
    };
    await Promise.all(segments.map(keepLater));
    for (const { digest, size } of segments)
      assert.deepEqual(
        (await spool.list(digest)).map((range) => range.size),
        [size],
      );
  }
});
