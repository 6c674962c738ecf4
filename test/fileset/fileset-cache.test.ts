import assert from 'node:assert/strict';
import { readdir, readFile, truncate, unlink, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { isSvcError, svcError } from '../../src/text/error.ts';
import { seededBytes } from '../kit/content/content.ts';
import {
  openTempShelf,
  type Packing,
  type TempShelf,
  toImageOf,
  toLayer,
} from '../kit/content/fileset-image.ts';
import { toArchive } from '../kit/content/tar-archive.ts';

const lower = toArchive({ file: 'low', 'folder/file': 'low', large: seededBytes('large', 400_000) });
const upper = toArchive({ file: 'high', '.wh.folder': '' });
const layersBy = (packing: Packing) => [toLayer(lower, packing), toLayer(upper, packing)];

const names = async (cache: TempShelf) =>
  (await readdir(cache.kept)).map((name) => name.replace(/-.*(?=\.\w+$)/, '')).sort();

async function check(cache: TempShelf, packing: Packing): Promise<void> {
  using tree = await cache.cache.openTree(toImageOf(layersBy(packing)));
  assert.equal(await cache.read(tree, 'file'), 'high');
  assert.equal(await cache.read(tree, 'large'), seededBytes('large', 400_000).toString());
  assert.equal(await cache.read(tree, 'folder/file'), undefined);
}

for (const packing of ['none', 'gzip', 'zstd'] as const satisfies readonly Packing[]) {
  test(`layers packed by ${packing} are read once; after a restart the index is opened as it is`, async () => {
    await using cache = await openTempShelf();
    (await cache.open(layersBy(packing)))[Symbol.dispose]();
    assert.equal(cache.opened.length, 2);
    const kept = packing === 'none' ? ['tree.sqlite'] : ['layer.tar', 'layer.tar', 'tree.sqlite'];
    assert.deepEqual(await names(cache), kept);
    await cache.reopen();
    (await cache.cache.openTree(toImageOf(layersBy(packing))))[Symbol.dispose]();
    assert.equal(cache.opened.length, 2);
    await check(cache, packing);
    // bytes of a plain layer come from its blob, those of a packed one from its only unpacked copy
    assert.equal(cache.opened.length, packing === 'none' ? 4 : 2);
  });

  test(`an index of layers packed by ${packing} that is damaged in any way is made anew`, async () => {
    await using cache = await openTempShelf();
    (await cache.open(layersBy(packing)))[Symbol.dispose]();
    const find = async () =>
      join(cache.kept, (await readdir(cache.kept)).find((name) => name.startsWith('tree-'))!);
    for (const damage of [
      async (path: string) => truncate(path, 1000),
      async (path: string) => truncate(path, 0),
      async (path: string) => writeFile(path, 'no database at all'),
      async (path: string) => {
        const bytes = await readFile(path);
        bytes[bytes.length - 100]! ^= 1;
        await writeFile(path, bytes);
      },
      async (path: string) => unlink(path),
    ]) {
      await damage(await find());
      await check(cache, packing);
      assert.equal((await names(cache)).filter((name) => name === 'tree.sqlite').length, 1);
    }
  });
}

test('an unpacked layer that is gone is unpacked again, once for all who want it', async () => {
  await using cache = await openTempShelf();
  const layers = layersBy('gzip');
  using tree = await cache.open(layers);
  for (const name of await readdir(cache.kept))
    if (name.startsWith('layer-')) await unlink(join(cache.kept, name));
  const read = await Promise.all(Array.from({ length: 5 }, () => cache.read(tree, 'file')));
  assert.deepEqual(read, Array(5).fill('high'));
  assert.equal(cache.opened.length, 3);
  assert.deepEqual(await names(cache), ['layer.tar', 'tree.sqlite']);
});

test('an unpacked layer that was cut off is unpacked again', async () => {
  await using cache = await openTempShelf();
  using tree = await cache.open(layersBy('zstd'));
  for (const name of await readdir(cache.kept))
    if (name.startsWith('layer-')) await truncate(join(cache.kept, name), 600);
  assert.equal(await cache.read(tree, 'file'), 'high');
});

test('what a kill left unfinished is removed, and nothing else', async () => {
  await using cache = await openTempShelf();
  (await cache.open(layersBy('gzip')))[Symbol.dispose]();
  const before = await readdir(cache.kept);
  for (const name of ['tree-0123456789ab.tmp', 'unpacking-0123456789ab.tmp', 'tree-0123456789ab.tmp-journal'])
    await writeFile(join(cache.kept, name), 'half');
  await cache.reopen();
  assert.deepEqual(await readdir(cache.kept), before);
});

test('when room is short, the layer that was used the longest time ago goes, and no more than needed', async () => {
  let places = 3;
  const cache = await openTempShelf({
    room: {
      has: async () =>
        (await readdir(cache.kept)).filter((name) => name.startsWith('layer-')).length < places,
      require: async () => {
        throw svcError('SVC-STO-004', { path: '', needed: 1, usable: 0, free: 0, margin: 10, shortfall: 1 });
      },
    },
  });
  await using _ = cache;
  const [a, b, c, d, e] = ['a', 'b', 'c', 'd', 'e'].map((text) => [toLayer(toArchive({ text }), 'gzip')]);
  const idOf = (layers: typeof a) => layers![0]!.descriptor.digest.slice(7);
  const pathOf = (layers: typeof a) => join(cache.kept, `layer-sha256-${idOf(layers)}.tar`);
  const unpacked = async () =>
    (await readdir(cache.kept)).filter((name) => name.startsWith('layer-')).map((name) => name.slice(13, -4));
  using first = await cache.open(a!);
  for (const layers of [b, c]) (await cache.open(layers!))[Symbol.dispose]();
  for (const [i, layers] of [a, b, c].entries())
    await utimes(pathOf(layers), new Date(0), new Date(1000 * (i + 1)));
  // reading is use
  assert.equal(await cache.read(first, 'text'), 'a');
  (await cache.open(d!))[Symbol.dispose]();
  assert.deepEqual(await unpacked(), [a, c, d].map(idOf).sort());
  places = 0;
  await assert.rejects(cache.open(e!), (error) => isSvcError(error, 'SVC-STO-004'));
  // its index is there still, so that only the layer had to be made again
  places = 3;
  assert.equal(await cache.read(first, 'text'), 'a');
});

test('images that are not wanted any more are forgotten, with their layers', async () => {
  await using cache = await openTempShelf();
  (await cache.open(layersBy('gzip')))[Symbol.dispose]();
  const other = [toLayer(toArchive({ other: 'x' }), 'zstd'), toLayer(upper, 'gzip')];
  (await cache.open(other))[Symbol.dispose]();
  assert.deepEqual(await names(cache), ['layer.tar', 'layer.tar', 'layer.tar', 'tree.sqlite', 'tree.sqlite']);
  await cache.cache.forget(toImageOf(layersBy('gzip')), [toImageOf(other)]);
  assert.deepEqual(await names(cache), ['layer.tar', 'layer.tar', 'tree.sqlite']);
  (await cache.open(layersBy('gzip')))[Symbol.dispose]();
  await cache.cache.retain([toImageOf(other)]);
  assert.deepEqual(await names(cache), ['layer.tar', 'layer.tar', 'tree.sqlite']);
  await cache.cache.retain([]);
  assert.deepEqual(await readdir(cache.kept), []);
});

test('reading ends when it is told to, and leaves nothing', async () => {
  for (const packing of ['none', 'gzip'] as const) {
    await using cache = await openTempShelf();
    const large = [toLayer(toArchive({ large: seededBytes('many', 4_000_000) }), packing)];
    const stop = new AbortController();
    const work = cache.open(large, { signal: stop.signal });
    setImmediate(() => stop.abort(new Error('enough')));
    await assert.rejects(work);
    assert.deepEqual(await readdir(cache.kept), []);
  }
});
