import assert from 'node:assert/strict';
import { Readable } from 'node:stream';
import { test } from 'node:test';
import { setImmediate as turn } from 'node:timers/promises';
import { isSvcError, svcError } from '../../src/base/error.ts';
import { counted } from '../../src/engine/counted.ts';
import { toBlob } from '../kit/content.ts';

const { descriptor, bytes } = toBlob('twelve bytes');
const never = () => {};

async function readAll(stream: Readable): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of stream) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks);
}

test('bytes pass and are counted, more than were announced end the stream', async () => {
  let seen = 0;
  const count = (more: number) => {
    seen += more;
  };
  assert.deepEqual(await readAll(counted(Readable.from([bytes]), descriptor, 'r', count)), bytes);
  assert.equal(seen, bytes.length);
  const long = counted(Readable.from([bytes, bytes]), descriptor, 'r', count);
  await assert.rejects(readAll(long), (error) => isSvcError(error, 'SVC-SIG-002'));
});

test('a source that fails before anybody reads harms nobody, and whoever reads then is told', async () => {
  const source = new Readable({ read: never });
  const stream = counted(source, descriptor, 'r', never);
  source.destroy(svcError('SVC-REG-007', { reference: 'r', detail: 'broken' }));
  // long enough for an unheard event to end the process
  await turn();
  await turn();
  await assert.rejects(readAll(stream), (error) => isSvcError(error, 'SVC-REG-007'));
});

test('giving the stream up ends the source', async () => {
  const source = new Readable({ read: never });
  const stream = counted(source, descriptor, 'r', never);
  stream.destroy();
  await turn();
  assert.equal(source.destroyed, true);
});
