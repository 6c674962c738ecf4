import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { constants } from 'node:fs';
import { open, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { openBulkWrite } from '../../src/disk/bulk-write.ts';
import { openDirectWrite } from '../../src/disk/direct-write.ts';
import { openTempFolder } from '../kit/instance/temp-folder.ts';

/** Bytes in pieces whose borders fall everywhere. */
function piecesOf(bytes: Buffer): Buffer[] {
  const pieces: Buffer[] = [];
  for (let at = 0, n = 0; at < bytes.length; n += 1) {
    const size = [65_536, 1, 4095, 300_007, 65_536, 1_500_000][n % 6]!;
    pieces.push(Buffer.from(bytes.subarray(at, at + size)));
    at += size;
  }
  return pieces;
}

const mebibyte = 1 << 20;

for (const isKnown of [false, true])
  for (const size of [0, 1, mebibyte - 1, mebibyte + 4095, 16 * mebibyte - 1, 16 * mebibyte, 37_123_457]) {
    test(`a file of ${size} bytes is whole, its length ${isKnown ? 'known' : 'unknown'}, whichever way its parts went`, async () => {
      await using folder = await openTempFolder();
      const path = join(folder.path, 'file');
      const file = await open(path, 'wx+');
      const bytes = randomBytes(size);
      const bulk = await openBulkWrite(path, file, { direct: true, ...(isKnown ? { size } : {}) });
      // a producer that does not wait for each chunk, as a request is
      await Promise.all(piecesOf(bytes).map((piece) => bulk.write(piece, true)));
      await bulk.finish();
      await file.close();
      assert.ok(bytes.equals(await readFile(path)));
    });
  }

test('a chunk that is lent may be filled again as soon as it has served', async () => {
  await using folder = await openTempFolder();
  const bytes = randomBytes(20 << 20);
  for (const size of [undefined, bytes.length]) {
    const path = join(folder.path, `${size}`);
    const file = await open(path, 'wx+');
    const bulk = await openBulkWrite(path, file, { direct: true, size });
    const pieces = piecesOf(bytes);
    for (const piece of pieces) await bulk.write(piece, () => piece.fill(0));
    await bulk.finish();
    await file.close();
    assert.ok(bytes.equals(await readFile(path)));
    for (const piece of pieces) assert.ok(piece.every((byte) => byte === 0));
  }
});

test('more files than there is memory for are written all the same', async () => {
  await using folder = await openTempFolder();
  const bytes = randomBytes(5 << 20);
  const paths = Array.from({ length: 30 }, (_, n) => join(folder.path, `${n}`));
  await Promise.all(
    paths.map(async (path) => {
      const file = await open(path, 'wx+');
      const bulk = await openBulkWrite(path, file, { direct: true, size: bytes.length });
      for (const piece of piecesOf(bytes)) await bulk.write(piece);
      await bulk.finish();
      await file.close();
    }),
  );
  for (const path of paths) assert.ok(bytes.equals(await readFile(path)));
});

test('the memory of a file comes back when it ends, is given up, or fails', async () => {
  await using folder = await openTempFolder();
  // it ends within a block
  const block = randomBytes((3 << 20) + 100_000);
  for (let n = 0; n < 40; n += 1) {
    const path = join(folder.path, `${n}`);
    const file = await open(path, 'wx+');
    const direct = await openDirectWrite(path, file);
    assert.ok(direct, `there is memory for file ${n}`);
    direct.startAt(0);
    await direct.write(Buffer.from(block));
    if (n % 3 === 0) await direct.abort();
    else {
      // a file that is no longer open takes no rest
      if (n % 3 === 1) await file.close();
      await direct.write(randomBytes(100));
      if (n % 3 === 1) await assert.rejects(direct.finish(), { code: 'EBADF' });
      else await direct.finish();
    }
    await file.close().catch(() => {});
  }
});

test('what the filesystem does not take directly goes through its cache', async () => {
  await using folder = await openTempFolder();
  const path = join(folder.path, 'file');
  const file = await open(path, constants.O_RDWR | constants.O_CREAT);
  const direct = await openDirectWrite(path, file);
  assert.ok(direct);
  // a position that no direct write may have
  direct.startAt(1);
  const bytes = randomBytes((2 << 20) + 5);
  await direct.write(Buffer.from(bytes));
  await direct.finish();
  await file.close();
  assert.ok(bytes.equals((await readFile(path)).subarray(1)));
});
