import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { constants } from 'node:fs';
import { open, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { allocateSharedAligned } from '../../src/disk/aligned-memory.ts';
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

test('a lent chunk of shared aligned memory is written from where it is, between others', async () => {
  await using folder = await openTempFolder();
  const path = join(folder.path, 'file');
  const file = await open(path, 'wx+');
  const shared = Buffer.from(allocateSharedAligned(8 << 12));
  const page = 1 << 12;
  const bytes = randomBytes(17 * page + 700);
  const bulk = await openBulkWrite(path, file, { direct: true, size: mebibyte });
  const lent = new Set<number>();
  let at = 0;
  const write = async (length: number, slot: number): Promise<void> => {
    const piece = shared.subarray(slot * page, slot * page + length);
    assert.ok(!lent.has(slot), 'a chunk that is not written yet is filled again');
    lent.add(slot);
    at += bytes.copy(piece, 0, at, at + length);
    await new Promise<void>((resolve, reject) => {
      bulk
        .write(piece, () => {
          // a lent buffer has been written when it comes back
          piece.fill(0);
          lent.delete(slot);
          resolve();
        })
        .catch(reject);
    });
  };
  const wholes = [0, 1, 2, 3].map((slot) => write(2 * page, 2 * slot));
  await Promise.all(wholes);
  // a chunk that ends within a page is copied, and so is all that follows it
  for (const length of [page, 500, page, 200, 2 * page, page, 4 * page]) await write(length, 0);
  await bulk.finish();
  await file.close();
  assert.equal(at, bytes.length);
  assert.ok(bytes.equals(await readFile(path)));
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
