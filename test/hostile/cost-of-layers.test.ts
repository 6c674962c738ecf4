import assert from 'node:assert/strict';
import { test } from 'node:test';
import { gzipSync, zstdCompressSync } from 'node:zlib';
import { mediaTypes } from '../../src/oci/media-types.ts';
import { isSvcError } from '../../src/text/error.ts';
import { toBlob } from '../kit/content/content.ts';
import { openTempShelf, toLayer } from '../kit/content/fileset-image.ts';
import { type RawMember, toArchive, toLongName, toRawArchive } from '../kit/content/tar-archive.ts';

const gzip = (archive: Buffer) => toBlob(gzipSync(archive), `${mediaTypes.ociLayer}+gzip`);

/** Milliseconds of processor time of the whole process for some work. */
async function costOf(work: () => Promise<void>): Promise<number> {
  const before = process.cpuUsage();
  await work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}

test('links of long targets through a folder cost a lookup each, not one a name', async () => {
  const hops = Array.from({ length: 39 }, (_, i): (RawMember | Buffer)[] => [
    toLongName(`${'x/../'.repeat(815)}hop${i + 1}`, 'K'),
    { path: `hop${i}`, flag: '2' },
  ]);
  const folder = { path: 'x/', flag: '5' };
  await using shelf = await openTempShelf();
  for (const members of [hops.flat(), [folder, ...hops.flat()]]) {
    const opened = await shelf
      .open([gzip(toRawArchive([...members, { path: 'hop39', content: 'end' }]))])
      .catch((error: unknown) => {
        assert.ok(isSvcError(error, 'SVC-FIL-004'), String(error));
        assert.match(String(error.params.rule), /over too many names/);
      });
    if (!opened) continue;
    using tree = opened;
    const cost = await costOf(async () => {
      for (let i = 0; i < 100; i += 1) assert.equal(tree.find('hop0'), undefined);
    });
    assert.ok(cost < 200, `100 times a path of links took ${cost} ms`);
  }
});

test('40 links on the way to a file are followed, 41 are not, wherever they stand', async () => {
  const links = Object.fromEntries(
    Array.from({ length: 41 }, (_, i) => [`hop${i + 1}`, [i === 0 ? 'file' : `hop${i}`] as const]),
  );
  const folders = { 'f/file': 'below', '1': ['f'] as const, self: ['.'] as const };
  await using shelf = await openTempShelf();
  using tree = await shelf.open([toLayer(toArchive({ file: 'end', ...links, ...folders }))]);
  assert.equal(await shelf.read(tree, 'hop40'), 'end');
  assert.equal(await shelf.read(tree, 'hop41'), undefined);
  assert.equal(await shelf.read(tree, `${'self/'.repeat(40)}file`), 'end');
  assert.equal(await shelf.read(tree, `${'self/'.repeat(41)}file`), undefined);
  assert.equal(await shelf.read(tree, `${'self/'.repeat(39)}1/file`), 'below');
});

test('a link does not lead back from a folder that is not there, but from an empty one', async () => {
  await using shelf = await openTempShelf();
  const links = { gone: ['nowhere/../file'] as const, back: ['empty/../file'] as const };
  using tree = await shelf.open([toLayer(toArchive({ file: 'end', 'empty/': '', ...links }))]);
  assert.equal(await shelf.read(tree, 'gone'), undefined);
  assert.equal(await shelf.read(tree, 'back'), 'end');
});

test('whiteouts cost what they remove, however often a layer repeats them', async () => {
  const files = Array.from({ length: 30_000 }, (_, i): RawMember => ({ path: `a/${i}` }));
  const whiteouts = Array.from({ length: 10_000 }, (): RawMember => ({ path: '.wh.a' }));
  const opaque = Array.from({ length: 10_000 }, (): RawMember => ({ path: 'a/.wh..wh..opq' }));
  await using shelf = await openTempShelf();
  const layer = gzip(toRawArchive([...files, ...whiteouts, ...opaque]));
  const cost = await costOf(async () => {
    using tree = await shelf.open([toLayer(toArchive({ 'a/low': 'low' })), layer, layer]);
    assert.equal(tree.find('a/low'), undefined);
    assert.equal(await shelf.read(tree, 'a/29999'), '');
  });
  assert.ok(cost < 10_000, `${layer.bytes.length} bytes took ${cost} ms`);
});

test('the event loop turns while layers are merged', async () => {
  const files = Array.from({ length: 20_000 }, (_, i): RawMember => ({ path: `a/${i}` }));
  await using shelf = await openTempShelf();
  const layer = gzip(toRawArchive(files));
  using first = await shelf.open([toLayer(toArchive({ warm: 'up' }))]);
  assert.equal(await shelf.read(first, 'warm'), 'up');
  const before = process.threadCpuUsage();
  const all = process.cpuUsage();
  using tree = await shelf.open([layer, layer]);
  assert.ok(tree.find('a/7'));
  const { user, system } = process.threadCpuUsage(before);
  const whole = process.cpuUsage(all);
  assert.ok(
    (user + system) * 2 < whole.user + whole.system,
    `${user + system} of ${whole.user + whole.system}`,
  );
});

test('a zstd stream of many empty frames is refused before it costs more than its bytes', async () => {
  const frame = zstdCompressSync(Buffer.alloc(0));
  const archive = zstdCompressSync(toArchive({ file: 'end' }));
  const bytes = Buffer.concat([...Array.from({ length: 100_000 }, () => frame), archive]);
  await using shelf = await openTempShelf();
  const cost = await costOf(async () => {
    await assert.rejects(shelf.open([toBlob(bytes, `${mediaTypes.ociLayer}+zstd`)]), (error) => {
      assert.ok(isSvcError(error, 'SVC-FIL-004'), String(error));
      assert.match(String(error.params.rule), /frames/);
      return true;
    });
  });
  assert.ok(cost < 5000, `${bytes.length} bytes took ${cost} ms`);
});

test('an archive whose every file is a frame of its own is served', async () => {
  const archive = toArchive(Object.fromEntries(Array.from({ length: 3000 }, (_, i) => [`${i}`, ''])));
  const frames = Array.from({ length: archive.length / 512 }, (_, i) =>
    zstdCompressSync(archive.subarray(i * 512, (i + 1) * 512)),
  );
  await using shelf = await openTempShelf();
  using tree = await shelf.open([toBlob(Buffer.concat(frames), `${mediaTypes.ociLayer}+zstd`)]);
  assert.ok(tree.find('2999'));
});
