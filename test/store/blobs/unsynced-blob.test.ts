import assert from 'node:assert/strict';
import { type FileHandle, open } from 'node:fs/promises';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { setImmediate as takeTurn } from 'node:timers/promises';
import { recordUpload } from '../../../src/store/record-upload.ts';
import { createBlobWriter } from '../../../src/store/write-blob.ts';
import { toBlob } from '../../kit/content/content.ts';
import { openTempStore } from '../../kit/instance/temp-store.ts';

/** Lets every sync of a file fail, as a disk does that cannot write. */
async function failSyncs(t: TestContext, folder: string): Promise<void> {
  const file = await open(join(folder, 'any'), 'w');
  const prototype = Object.getPrototypeOf(file) as FileHandle;
  await file.close();
  t.mock.method(prototype, 'datasync', async () => {
    throw Object.assign(new Error('EIO: i/o error, fdatasync'), { code: 'EIO', syscall: 'fdatasync' });
  });
}

test('an upload that could not be synced is a failed write of the store, not missing content', async (t) => {
  await using temporary = await openTempStore();
  const { store } = temporary;
  const { bytes, descriptor } = toBlob('a layer');
  await failSyncs(t, temporary.root);
  const writer = await createBlobWriter(store, { size: bytes.length });
  await writer.write(bytes);
  await writer.commit(descriptor.digest);
  await takeTurn();
  await assert.rejects(recordUpload(store, 'x', descriptor.digest, 'alice'), { code: 'SVC-STO-002' });
});
