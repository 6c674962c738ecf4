import assert from 'node:assert/strict';
import { Readable } from 'node:stream';
import { test } from 'node:test';
import { setImmediate as turn } from 'node:timers/promises';
import { streamBlob } from '../../../src/engine/copy/stream-blob.ts';
import { openRepository } from '../../../src/store/open-repository.ts';
import { isSvcError, svcError } from '../../../src/text/error.ts';
import { toBlob } from '../../kit/content/content.ts';
import { openTempStore } from '../../kit/instance/temp-store.ts';

const { descriptor, bytes } = toBlob('twelve bytes');

test('bytes are counted as they are taken, and more than were announced are refused as they arrive', async () => {
  await using temp = await openTempStore();
  const target = openRepository(temp.store, 'host/a', { owner: { provenance: 'import' } });
  const long = new Readable({ read() {} });
  long.push(bytes);
  long.push(Buffer.alloc(1));
  const refused = streamBlob({ fetchBlob: async () => long }, target, descriptor, {});
  await assert.rejects(refused, (error) => isSvcError(error, 'SVC-SIG-002'));
  assert.equal(long.destroyed, true, 'a source that would never end is not waited for');
  let seen = 0;
  const onBytes = (count: number) => {
    seen += count;
  };
  await streamBlob({ fetchBlob: async () => Readable.from([bytes]) }, target, descriptor, { onBytes });
  assert.equal(seen, bytes.length);
  assert.equal(await target.hasBlob(descriptor), true);
});

test('a source that fails before the target reads ends no process, and the copy gets its error', async () => {
  const source = new Readable({ read() {} });
  const { promise: ready, resolve } = Promise.withResolvers<void>();
  const target = {
    pushBlob: async (_: unknown, from: Readable) => {
      resolve();
      await turn();
      await turn();
      for await (const _chunk of from);
    },
  };
  const copied = streamBlob({ fetchBlob: async () => source }, target, descriptor, {});
  await ready;
  source.destroy(svcError('SVC-REG-007', { reference: 'r', detail: 'broken' }));
  await assert.rejects(copied, (error) => isSvcError(error, 'SVC-REG-007'));
});
