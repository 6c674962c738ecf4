import assert from 'node:assert/strict';
import { mkdir, readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { test } from 'node:test';
import { openLayoutWriter } from '../../src/archive/open-writer.ts';
import { hashBytes } from '../../src/base/digest.ts';
import { isSvcError } from '../../src/text/error.ts';
import { openTempFolder } from '../kit/instance/temp-folder.ts';

const bytes = Buffer.from('a blob');
const blob = { mediaType: 'application/octet-stream', digest: hashBytes(bytes), size: bytes.length };
const index = Buffer.from('{"schemaVersion":2,"manifests":[]}');

const open = (path: string, format: 'tar' | 'directory', overwrite = false) =>
  openLayoutWriter({ index, contents: [blob] }, format, { path, overwrite, volume: { type: 'ext4' } });
type Writer = Awaited<ReturnType<typeof open>>;
const write = (writer: Writer) => writer.target.pushBlob(blob, Readable.from([bytes]));
const held = (path: string) => (error: unknown) =>
  isSvcError(error, 'SVC-STO-007') &&
  error.params.path === path &&
  String(error.params.holder).startsWith('svc export');
const taken = (error: unknown): boolean => isSvcError(error, 'SVC-LAY-003');

for (const format of ['tar', 'directory'] as const)
  test(`of two exports into one place at once the second is refused, and the first is whole: ${format}`, async () => {
    await using folder = await openTempFolder();
    const path = join(folder.path, 'layout');
    {
      await using first = await open(path, format);
      await assert.rejects(open(path, format), held(path));
      await write(first);
      await assert.rejects(open(path, format, true), held(path));
      await first.finish();
      // the end of the first one takes nothing from the next
      await assert.rejects(open(path, format), taken);
      await using next = await open(path, format, true);
      await first[Symbol.asyncDispose]();
      await write(next);
      await next.finish();
    }
    assert.deepEqual(await readdir(folder.path), ['layout']);
    if (format === 'directory')
      assert.deepEqual((await readdir(path)).sort(), ['blobs', 'index.json', 'oci-layout']);
  });

test('what a killed export left is removed, also where the place cannot be locked, and no file of others is', async () => {
  await using folder = await openTempFolder();
  const at = (...names: readonly string[]) => join(folder.path, ...names);
  const leave = async () => {
    await mkdir(at('layout', 'ingest'), { recursive: true });
    for (const part of [at('layout', 'ingest', '1.part'), at('x.tar.0123456789ab.tmp')])
      await writeFile(part, 'x');
  };
  const run = async (format: 'tar' | 'directory') => {
    await using writer = await open(at(format === 'tar' ? 'x.tar' : 'layout'), format, true);
    await write(writer);
    await writer.finish();
  };
  await leave();
  // the lock of a killed process is free, and its file remains
  for (const file of [at('x.tar.lock'), at('layout', 'ingest', 'lock')]) await writeFile(file, '');
  await run('tar');
  await run('directory');
  assert.deepEqual((await readdir(folder.path)).sort(), ['layout', 'x.tar']);
  assert.deepEqual((await readdir(at('layout'))).sort(), ['blobs', 'index.json', 'oci-layout']);

  await leave();
  for (const file of [at('x.tar.lock'), at('layout', 'ingest', 'lock')]) await writeFile(file, 'no lock');
  await run('tar');
  await run('directory');
  assert.deepEqual((await readdir(folder.path)).sort(), ['layout', 'x.tar', 'x.tar.lock']);
  assert.deepEqual((await readdir(at('layout'))).sort(), ['blobs', 'index.json', 'oci-layout']);
});
