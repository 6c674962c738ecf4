import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { hashBytes } from '../../../src/base/digest.ts';
import { blobPath } from '../../../src/oci/layout.ts';
import { createBlobWriter } from '../../../src/store/write-blob.ts';
import { openStoreAt } from '../../kit/instance/open-store-at.ts';
import { openTempFolder } from '../../kit/instance/temp-folder.ts';

test('a blob that is refused at its end leaves no memory that two later blobs share', async () => {
  await using folder = await openTempFolder();
  const root = join(folder.path, 'store');
  await using store = await openStoreAt({ root, stateRoot: join(folder.path, 'state') }, { access: 'serve' });
  const size = (5 << 20) + 700;
  const openWriter = () => createBlobWriter(store, { size, direct: true });
  for (let n = 0; n < 3; n += 1) {
    const writer = await openWriter();
    await writer.write(randomBytes(size));
    await assert.rejects(writer.commit(hashBytes('other')), { code: 'SVC-SIG-002' });
    await writer.abort();
  }
  const blobs = Array.from({ length: 4 }, () => randomBytes(size));
  const writers = await Promise.all(blobs.map(openWriter));
  // all of them fill their blocks at the same time
  for (let at = 0; at < size; at += 100_000)
    await Promise.all(
      writers.map((writer, i) => writer.write(Buffer.from(blobs[i]!.subarray(at, at + 100_000)))),
    );
  for (const [i, writer] of writers.entries()) {
    const digest = hashBytes(blobs[i]!);
    await writer.commit(digest);
    assert.equal(hashBytes(await readFile(join(root, blobPath(digest)))), digest, 'a wrong byte was stored');
  }
});
