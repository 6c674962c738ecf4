import assert from 'node:assert/strict';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { test } from 'node:test';
import { openLayout } from '../../src/archive/open-layout.ts';
import { hashBytes } from '../../src/base/digest.ts';
import { openTempFolder } from '../kit/instance/temp-folder.ts';

test('a blob of a layout is read in memory of its size, and whole whatever size is declared', async () => {
  await using folder = await openTempFolder();
  const bytes = Buffer.alloc(100_000, 'content');
  const digest = hashBytes(bytes);
  mkdirSync(join(folder.path, 'blobs/sha256'), { recursive: true });
  writeFileSync(join(folder.path, 'oci-layout'), '{"imageLayoutVersion":"1.0.0"}');
  writeFileSync(join(folder.path, 'index.json'), '{"schemaVersion":2,"manifests":[]}');
  writeFileSync(join(folder.path, 'blobs', digest.replace(':', '/')), bytes);
  await using layout = await openLayout(folder.path);
  for (const [size, atMost] of [
    [bytes.length, bytes.length],
    [10, 4096],
    [2 ** 40, 1 << 20],
  ] as const) {
    const descriptor = { mediaType: 'application/octet-stream', digest, size };
    const stream = (await layout.source.fetchBlob(descriptor)) as Readable;
    assert.ok(stream.readableHighWaterMark <= atMost, `${stream.readableHighWaterMark} for ${size}`);
    assert.ok((await buffer(stream)).equals(bytes));
  }
});
