import assert from 'node:assert/strict';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { test } from 'node:test';
import { hashBytes } from '../../../src/base/digest.ts';
import { type Expectation, verified, verifiedChunks } from '../../../src/base/stream/verified.ts';
import { isSvcError } from '../../../src/text/error.ts';

const bytes = Buffer.from('one two three');
const parts = [bytes.subarray(0, 4), bytes.subarray(4, 8), bytes.subarray(8)];

const ways: Record<
  string,
  (given: readonly Buffer[], expected: Expectation, seen: Buffer[]) => Promise<void>
> = {
  stage: (given, expected, seen) =>
    pipeline(Readable.from(given), verified(expected), async (passed: AsyncIterable<Buffer>) => {
      for await (const chunk of passed) seen.push(chunk);
    }),
  chunks: async (given, expected, seen) => {
    for await (const chunk of verifiedChunks(Readable.from(given), expected)) seen.push(chunk);
  },
};

async function pass(
  way: (typeof ways)[string],
  given: readonly Buffer[],
  digest = hashBytes(bytes),
  size = bytes.length,
) {
  const seen: Buffer[] = [];
  let error: unknown;
  try {
    await way(given, { digest, size, reference: 'r' }, seen);
  } catch (thrown) {
    error = thrown;
  }
  return { seen: Buffer.concat(seen), error };
}

for (const [name, way] of Object.entries(ways)) {
  test(`${name}: the expected bytes pass, however they are cut, none included`, async () => {
    for (const given of [parts, [bytes]]) {
      const { seen, error } = await pass(way, given);
      assert.equal(error, undefined);
      assert.deepEqual(seen, bytes);
    }
    assert.equal((await pass(way, [], hashBytes(''), 0)).error, undefined);
  });

  test(`${name}: of bytes that are not the expected ones the last part is never passed on`, async () => {
    for (const [given, digest, size] of [
      [parts, hashBytes('others'), bytes.length],
      [parts, hashBytes(bytes), bytes.length + 1],
      [parts, hashBytes(bytes), bytes.length - 1],
      [[bytes], hashBytes('others'), bytes.length],
      [[], hashBytes('others'), 0],
    ] as const) {
      const { seen, error } = await pass(way, given, digest, size);
      assert.ok(isSvcError(error, 'SVC-SIG-002'));
      assert.ok(seen.length < bytes.length);
    }
  });
}
