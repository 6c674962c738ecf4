import assert from 'node:assert/strict';
import { Readable } from 'node:stream';
import { test } from 'node:test';
import { hashBytes } from '../../src/base/digest.ts';
import { isSvcError } from '../../src/base/error.ts';
import { verified } from '../../src/base/verified.ts';

const bytes = Buffer.from('one two three');
const parts = [bytes.subarray(0, 4), bytes.subarray(4, 8), bytes.subarray(8)];

async function pass(given: readonly Buffer[], digest = hashBytes(bytes), size = bytes.length) {
  const stage = verified({ digest, size, reference: 'r' });
  const seen: Buffer[] = [];
  let error: unknown;
  try {
    for await (const chunk of Readable.from(given).compose(stage)) seen.push(chunk as Buffer);
  } catch (thrown) {
    error = thrown;
  }
  return { seen: Buffer.concat(seen), error, passed: stage.passed };
}

test('the expected bytes pass, however they are cut, none included', async () => {
  for (const given of [parts, [bytes]]) {
    const { seen, error, passed } = await pass(given);
    assert.equal(error, undefined);
    assert.deepEqual(seen, bytes);
    assert.equal(passed, bytes.length);
  }
  const empty = await pass([], hashBytes(''), 0);
  assert.equal(empty.error, undefined);
  assert.equal(empty.passed, 0);
});

test('of bytes that are not the expected ones the last part is never passed on', async () => {
  for (const [given, digest, size] of [
    [parts, hashBytes('others'), bytes.length],
    [parts, hashBytes(bytes), bytes.length + 1],
    [parts, hashBytes(bytes), bytes.length - 1],
    [[bytes], hashBytes('others'), bytes.length],
    [[], hashBytes('others'), 0],
  ] as const) {
    const { seen, error, passed } = await pass(given, digest, size);
    assert.ok(isSvcError(error, 'SVC-SIG-002'));
    assert.ok(seen.length < bytes.length && passed < bytes.length);
  }
});
