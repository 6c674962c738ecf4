import assert from 'node:assert/strict';
import { readdir, writeFile } from 'node:fs/promises';
import { test } from 'node:test';
import { gzipSync, zstdCompressSync } from 'node:zlib';
import { mediaTypes } from '../../src/oci/media-types.ts';
import { isSvcError } from '../../src/text/error.ts';
import { type Blob, seededBytes, toBlob } from '../kit/content/content.ts';
import { openTempShelf, toImageOf, toLayer } from '../kit/content/fileset-image.ts';
import { type RawMember, toArchive, toLongName, toPax, toRawArchive } from '../kit/content/tar-archive.ts';

// Layers made to do harm. Ambiguous content is refused whole; a path to the outside leads nowhere.

const plain = (...members: readonly (RawMember | Buffer)[]): Blob[] => [toLayer(toRawArchive(members))];
const gzip = (bytes: Buffer): Blob => toBlob(bytes, `${mediaTypes.ociLayer}+gzip`);
const zstd = (bytes: Buffer): Blob => toBlob(bytes, `${mediaTypes.ociLayer}+zstd`);
const good = toArchive({ file: 'good', 'folder/file': 'good' });
const noise = seededBytes('noise', 100_000);
const noisy = toArchive({ noise });

/** A frame that wants a window of 2^31 bytes (RFC 8878, section 3.1.1.1.2), with one raw block. */
const wideFrame = Buffer.concat([
  Buffer.from([0x28, 0xb5, 0x2f, 0xfd, 0x00, 21 << 3]),
  Buffer.from([0x01 | (4 << 3), 0, 0]),
  Buffer.from('four'),
]);

const refused: readonly (readonly [what: string, layers: readonly Blob[], rule: RegExp])[] = [
  ['a file above the root', plain({ path: '../etc/passwd', content: 'x' }), /leads outside/],
  ['a file above the root, later', plain({ path: 'a/../../etc/passwd' }), /leads outside/],
  ['a file that only passes above', plain({ path: 'a/../b' }), /leads outside/],
  ['an absolute file above the root', plain({ path: '/../etc/passwd' }), /leads outside/],
  ['a folder above the root', plain({ path: '../', flag: '5' }), /leads outside/],
  ['a link above the root', plain({ path: '../link', flag: '2', target: 'x' }), /leads outside/],
  [
    'a hard link to above the root',
    plain({ path: 'l', flag: '1', target: '../../etc/passwd' }),
    /leads outside/,
  ],
  ['a hard link to the machine', plain({ path: 'l', flag: '1', target: '/etc/passwd' }), /not there/],
  [
    'a hard link to what comes later',
    plain({ path: 'l', flag: '1', target: 'f' }, { path: 'f' }),
    /not there/,
  ],
  ['a hard link to a folder', plain({ path: 'd/f' }, { path: 'l', flag: '1', target: 'd' }), /not there/],
  ['a hard link to itself', plain({ path: 'l', flag: '1', target: 'l' }), /not there/],
  ['a hard link to nothing', plain({ path: 'l', flag: '1', target: '' }), /without a name/],
  ['a device above the root', plain({ path: '../dev/sda', flag: '4' }), /leads outside/],
  ['a whiteout above the root', plain({ path: '../.wh.etc' }), /leads outside/],
  ['a whiteout of its folder', plain({ path: 'a/.wh..' }), /no name/],
  ['a whiteout of the folder above', plain({ path: 'a/.wh...' }), /no name/],
  ['a whiteout of nothing', plain({ path: 'a/.wh.' }), /no name/],
  [
    'a file through a link that leads out',
    plain({ path: 'out', flag: '2', target: '../../..' }, { path: 'out/etc/cron.d/x', content: 'x' }),
    /leads outside/,
  ],
  [
    'a file through a link of a lower layer that leads out',
    [toLayer(toArchive({ 'd/out': ['../../etc'] })), toLayer(toArchive({ 'd/out/passwd': 'x' }))],
    /leads outside/,
  ],
  [
    'a whiteout through a link that leads out',
    plain({ path: 'out', flag: '2', target: '..' }, { path: 'out/.wh.etc' }),
    /leads outside/,
  ],
  [
    'a file through links in a circle',
    plain({ path: 'a', flag: '2', target: 'b' }, { path: 'b', flag: '2', target: 'a' }, { path: 'a/x' }),
    /has no target/,
  ],
  ['a file below a file', plain({ path: 'f' }, { path: 'f/x' }), /below a file/],
  [
    'a file below a hard link',
    plain({ path: 'f' }, { path: 'g', flag: '1', target: 'f' }, { path: 'g/x' }),
    /below a file/,
  ],
  ['a link to nothing', plain({ path: 'l', flag: '2', target: '' }), /cannot be followed/],
  [
    'a very long link',
    plain(toLongName('t'.repeat(5000), 'K'), { path: 'l', flag: '2' }),
    /cannot be followed/,
  ],
  ['a file in place of the root', plain({ path: './', flag: '2', target: 'x' }), /root is not a folder/],
  ['an entry without a name', plain({ path: '' }), /without a name/],
  [
    'a very long name',
    plain(toPax({ path: `${'a/'.repeat(20)}${'n'.repeat(5000)}` }), { path: 'f' }),
    /longer than/,
  ],
  ['a very deep path', plain(toPax({ path: `${'d/'.repeat(64)}f` }), { path: 'f' }), /deeper than/],
  ['a name with a zero byte', plain(toPax({ path: 'safe\0/../../x' }), { path: 'f' }), /zero byte/],
  [
    'a name that another reader does not see',
    plain(toLongName('a'), toPax({ path: '../b' }), { path: 'f' }),
    /two names/,
  ],
  [
    'a size that another reader does not see',
    plain({ path: 'd/', flag: '5', content: toRawArchive([{ path: 'x' }]) }),
    /only a file/,
  ],
  ['a name for all that follows', plain(toPax({ path: 'evil' }, 'g'), { path: 'f' }), /global/],
  ['a sparse file', plain(toPax({ 'GNU.sparse.realsize': '1099511627776' }), { path: 'f' }), /sparse/],
  ['a sparse file of old', plain({ path: 'f', flag: 'S' }), /type "S"/],
  ['a large extended header', plain({ path: 'p', flag: 'x', size: 2 << 20 }), /larger than/],
  ['a file larger than its layer', plain({ path: 'f', size: 0o77777777777 }), /cut off/],
  ['a negative size', plain({ path: 'f', edit: (block) => block.fill(0xff, 124, 136) }), /usable size/],
  ['half an archive', [toLayer(good.subarray(0, 700))], /cut off/],
  ['no archive at all', [toLayer(noise)], /checksum/],
  [
    'an archive with another within its headers',
    [toLayer(Buffer.concat([good.subarray(0, 512), noise]))],
    /checksum/,
  ],
  ['a compressed layer that says it is plain', [toLayer(gzipSync(good))], /checksum|cut off/],
  ['a plain layer that says it is compressed', [gzip(good)], /not a whole gzip/],
  ['half a gzip stream', [gzip(gzipSync(noisy).subarray(0, 50_000))], /not a whole gzip/],
  ['half a zstd stream', [zstd(zstdCompressSync(noisy).subarray(0, 50_000))], /not a whole zstd/],
  ['a gzip stream with more behind it', [gzip(Buffer.concat([gzipSync(good), noise]))], /not a whole gzip/],
  [
    'a zstd stream with more behind it',
    [zstd(Buffer.concat([zstdCompressSync(good), noise]))],
    /not a whole zstd/,
  ],
  ['a zstd stream that wants 2 GiB', [zstd(wideFrame)], /not a whole zstd/],
  ['a gzip bomb', [gzip(gzipSync(Buffer.alloc(64 << 20)))], /grows beyond/],
  ['a zstd bomb', [zstd(zstdCompressSync(Buffer.alloc(64 << 20)))], /grows beyond/],
  [
    'a bomb of many streams',
    [gzip(Buffer.concat(Array.from({ length: 40 }, () => gzipSync(Buffer.alloc(4 << 20)))))],
    /grows beyond/,
  ],
  [
    'a layer of another kind',
    [toBlob(good, 'application/vnd.cncf.helm.chart.content.v1.tar+gzip')],
    /a layer of type/,
  ],
  ['an encrypted layer', [toBlob(good, `${mediaTypes.ociLayer}+encrypted`)], /a layer of type/],
];

for (const [what, layers, rule] of refused) {
  test(`refused whole: ${what}`, async () => {
    await using cache = await openTempShelf();
    await assert.rejects(cache.open([toLayer(good), ...layers]), (error) => {
      assert.ok(isSvcError(error, 'SVC-FIL-004'), String(error));
      assert.match(String(error.params.rule), rule);
      return true;
    });
    assert.deepEqual(await readdir(cache.kept), []);
    const blobs = new Set([toLayer(good), ...layers].map((layer) => cache.blobPath(layer)));
    assert.equal((await readdir(cache.folder)).length, blobs.size + 1);
  });
}

const escaping = toArchive({
  file: 'inside',
  'etc/passwd': 'of the tree',
  up: ['..'],
  above: ['../../../../etc/passwd'],
  'd/above': ['../../etc/passwd'],
  absolute: ['/etc/passwd'],
  machine: ['/proc/self/environ'],
  shadow: ['/etc/shadow'],
  root: ['/'],
  self: ['.'],
  long: [`${'self/'.repeat(800)}file`],
  ...Object.fromEntries(Array.from({ length: 60 }, (_, i) => [`hop${i}`, [`hop${i + 1}`] as const])),
  hop60: ['file'],
});

for (const [path, content] of Object.entries({
  up: undefined,
  'up/etc/passwd': undefined,
  above: undefined,
  'd/above': undefined,
  machine: undefined,
  shadow: undefined,
  root: undefined,
  hop0: undefined,
  long: undefined,
  '../etc/passwd': undefined,
  'd/../../etc/passwd': undefined,
  '/etc/shadow': undefined,
  absolute: 'of the tree',
  'root/etc/passwd': 'of the tree',
  'self/self/self/file': 'inside',
  hop30: 'inside',
})) {
  test(`${content === undefined ? 'leads nowhere' : 'stays inside'}: ${path}`, async () => {
    await using cache = await openTempShelf();
    using tree = await cache.open([toLayer(escaping)]);
    assert.equal(await cache.read(tree, path), content);
  });
}

test('devices, pipes and what is in the way of nothing are not served, their neighbours are', async () => {
  await using cache = await openTempShelf();
  const devices = ['3', '4', '6'].map((flag) => ({ path: `dev/${flag}`, flag }));
  using tree = await cache.open(plain(...devices, { path: 'dev/file', content: 'served' }));
  for (const { path } of devices) assert.equal(tree.find(path), undefined);
  assert.equal(await cache.read(tree, 'dev/file'), 'served');
});

test('a layer that is not what its digest says is named so, whatever else is wrong with it', async () => {
  const broken = Buffer.concat([good.subarray(0, 512), noise]);
  for (const layer of [toLayer(good), toLayer(good, 'gzip'), toLayer(good, 'zstd')]) {
    for (const bytes of [broken.subarray(0, layer.bytes.length), Buffer.alloc(layer.bytes.length)]) {
      await using cache = await openTempShelf();
      await writeFile(cache.blobPath(layer), bytes);
      await assert.rejects(cache.cache.openTree(toImageOf([layer])), (error) =>
        isSvcError(error, 'SVC-SIG-002'),
      );
      assert.deepEqual(await readdir(cache.kept), []);
    }
  }
});

test('a bomb costs neither memory nor disk', async () => {
  await using cache = await openTempShelf();
  const before = process.memoryUsage().rss;
  const started = performance.now();
  await assert.rejects(cache.open([gzip(gzipSync(Buffer.alloc(256 << 20)))]), (error) =>
    isSvcError(error, 'SVC-FIL-004'),
  );
  // a quarter of its full size went through, in small pieces
  assert.ok(process.memoryUsage().rss - before < 150 << 20);
  assert.ok(performance.now() - started < 30_000);
  assert.deepEqual(await readdir(cache.kept), []);
});
