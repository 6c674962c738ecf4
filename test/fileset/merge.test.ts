import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdir, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { promisify } from 'node:util';
import { hashBytes } from '../../src/base/digest.ts';
import { openTempShelf, type Packing, toLayer } from '../kit/content/fileset-image.ts';
import { type RawMember, toArchive, toRawArchive } from '../kit/content/tar-archive.ts';
import { openTempFolder } from '../kit/instance/temp-folder.ts';
import { needs } from '../kit/program/peers.ts';

/** The entry at each path of the merged layers. */
async function look(
  layers: readonly (Record<string, string | [string]> | readonly RawMember[])[],
  paths: readonly string[],
): Promise<Record<string, string | undefined>> {
  await using cache = await openTempShelf();
  const blobs = layers.map((layer) =>
    toLayer(Array.isArray(layer) ? toRawArchive(layer) : toArchive(layer as Record<string, string>)),
  );
  using tree = await cache.open(blobs);
  const found: Record<string, string | undefined> = {};
  for (const path of paths) found[path] = await cache.read(tree, path);
  return found;
}

test('a layer is a tree of files: folders and what is not there have no content', async () => {
  assert.deepEqual(
    await look(
      [{ './': '', './a/': '', './a/one': '1', '/b/two': '2', 'c//three': '3' }],
      ['a/one', 'b/two', 'c/three', 'a', 'a/', '', 'b/one', 'a/one/more', 'a/./one', './b/../b/two'],
    ),
    {
      'a/one': '1',
      'b/two': '2',
      'c/three': '3',
      a: undefined,
      'a/': undefined,
      '': undefined,
      'b/one': undefined,
      'a/one/more': undefined,
      'a/./one': '1',
      './b/../b/two': undefined,
    },
  );
});

test('a higher layer adds, replaces and takes away', async () => {
  assert.deepEqual(
    await look(
      [
        { kept: 'low', replaced: 'low', gone: 'low', 'folder/x': 'low', 'folder/y': 'low' },
        { replaced: 'high', '.wh.gone': '', added: 'high', '.wh.folder': '', 'never/.wh.there': '' },
      ],
      ['kept', 'replaced', 'gone', 'added', 'folder/x', 'folder/y', '.wh.gone'],
    ),
    {
      kept: 'low',
      replaced: 'high',
      gone: undefined,
      added: 'high',
      'folder/x': undefined,
      'folder/y': undefined,
      '.wh.gone': undefined,
    },
  );
});

test('a whiteout hides lower layers only, wherever it stands in its own', async () => {
  for (const order of [
    { '.wh.file': '', file: 'high', 'd/new': 'high', 'd/.wh..wh..opq': '' },
    { file: 'high', '.wh.file': '', 'd/.wh..wh..opq': '', 'd/new': 'high' },
  ]) {
    assert.deepEqual(
      await look(
        [{ file: 'low', 'd/old': 'low', 'd/deep/old': 'low', dd: 'low' }, order],
        ['file', 'd/old', 'd/deep/old', 'd/new', 'dd'],
      ),
      { file: 'high', 'd/old': undefined, 'd/deep/old': undefined, 'd/new': 'high', dd: 'low' },
    );
  }
});

test('an opaque root hides everything below it', async () => {
  assert.deepEqual(
    await look(
      [
        { a: 'low', 'd/b': 'low' },
        { '.wh..wh..opq': '', c: 'high' },
      ],
      ['a', 'd/b', 'c'],
    ),
    {
      a: undefined,
      'd/b': undefined,
      c: 'high',
    },
  );
});

test('what a third layer brings back is there again', async () => {
  assert.deepEqual(await look([{ a: '1', b: '1' }, { '.wh.a': '', '.wh.b': '' }, { a: '3' }], ['a', 'b']), {
    a: '3',
    b: undefined,
  });
});

test('files, folders and links take each other’s places', async () => {
  assert.deepEqual(
    await look(
      [
        { 'was-folder/x': 'low', 'was-file': 'low', 'was-link': ['was-file'], 'target/t': 'low' },
        {
          'was-folder': 'now a file',
          'was-file/': '',
          'was-file/y': 'in it',
          'was-link/': '',
          'was-link/z': 'own',
        },
      ],
      ['was-folder', 'was-folder/x', 'was-file', 'was-file/y', 'was-link/z', 'target/t'],
    ),
    {
      'was-folder': 'now a file',
      'was-folder/x': undefined,
      'was-file': undefined,
      'was-file/y': 'in it',
      'was-link/z': 'own',
      'target/t': 'low',
    },
  );
});

test('the last of several entries of one name counts', async () => {
  assert.deepEqual(
    await look(
      [
        [
          { path: 'a', content: 'first' },
          { path: './a', content: 'second' },
        ],
      ],
      ['a'],
    ),
    { a: 'second' },
  );
});

test('links are followed inside the tree, from its root or from where they are', async () => {
  assert.deepEqual(
    await look(
      [
        {
          'pool/file': 'found',
          'dists/stable/file': ['../../pool/file'],
          current: ['dists'],
          absolute: ['/pool/file'],
          chain: ['current/stable/file'],
          folder: ['pool/'],
          round: ['round'],
          a: ['b'],
          b: ['a'],
          dangling: ['nowhere'],
          'through-file': ['pool/file/x'],
        },
      ],
      [
        'dists/stable/file',
        'current/stable/file',
        'absolute',
        'chain',
        'folder/file',
        'folder',
        'round',
        'a',
        'dangling',
        'through-file',
      ],
    ),
    {
      'dists/stable/file': 'found',
      'current/stable/file': 'found',
      absolute: 'found',
      chain: 'found',
      'folder/file': 'found',
      folder: undefined,
      round: undefined,
      a: undefined,
      dangling: undefined,
      'through-file': undefined,
    },
  );
});

test('a link of a lower layer is the way by which a higher one adds to its target', async () => {
  assert.deepEqual(
    await look(
      [
        { 'usr/lib/a': 'low', lib: ['usr/lib'] },
        { 'lib/b': 'high', 'lib/.wh.a': '' },
      ],
      ['usr/lib/b', 'lib/b', 'usr/lib/a', 'lib/a'],
    ),
    { 'usr/lib/b': 'high', 'lib/b': 'high', 'usr/lib/a': undefined, 'lib/a': undefined },
  );
});

test('a hard link is another name for the same bytes, in whatever layer they are', async () => {
  assert.deepEqual(
    await look(
      [
        [
          { path: 'low', content: 'bytes' },
          { path: 'same', flag: '1', target: './low' },
          { path: 'link', flag: '2', target: 'low' },
        ],
        [
          { path: 'high', flag: '1', target: 'low' },
          { path: 'of-link', flag: '1', target: 'link' },
          { path: '.wh.low' },
        ],
      ],
      ['same', 'high', 'low', 'of-link'],
    ),
    { same: 'bytes', high: 'bytes', low: undefined, 'of-link': undefined },
  );
});

test('what a union file system kept for itself is not served', async () => {
  assert.deepEqual(
    await look(
      [{ '.wh..wh.aufs': 'x', '.wh..wh.plnk/1.2': 'x', 'd/.wh..wh.orph/f': 'x', f: 'served' }],
      ['.wh..wh.aufs', '.wh..wh.plnk/1.2', 'd/.wh..wh.orph/f', 'f'],
    ),
    { '.wh..wh.aufs': undefined, '.wh..wh.plnk/1.2': undefined, 'd/.wh..wh.orph/f': undefined, f: 'served' },
  );
});

test('a device hides what was there and is not served', async () => {
  assert.deepEqual(
    await look(
      [
        { f: 'low' },
        [
          { path: 'f', flag: '3' },
          { path: 'p', flag: '6' },
        ],
      ],
      ['f', 'p'],
    ),
    {
      f: undefined,
      p: undefined,
    },
  );
});

test('names are bytes: whatever they are, they are found by the same bytes', async () => {
  const odd = 'caf\xe9 %41 \x07';
  assert.deepEqual(await look([[{ path: odd, content: 'odd' }]], [odd, 'caf\xc3\xa9 %41 \x07']), {
    [odd]: 'odd',
    'caf\xc3\xa9 %41 \x07': undefined,
  });
});

test('the digest and size of a file are those of its bytes', async () => {
  await using cache = await openTempShelf();
  const large = 'x'.repeat(700_000);
  using tree = await cache.open([toLayer(toArchive({ empty: '', large }))]);
  assert.deepEqual([tree.find('empty')?.digest, tree.find('empty')?.size], [hashBytes(''), 0]);
  assert.deepEqual([tree.find('large')?.digest, tree.find('large')?.size], [hashBytes(large), 700_000]);
});

for (const packing of ['none', 'gzip', 'zstd'] as const satisfies readonly Packing[]) {
  test(`what GNU tar packed is read from a layer packed by ${packing}`, async (t) => {
    if (!needs(t, 'tar')) return;
    await using folder = await openTempFolder();
    const at = (path: string) => join(folder.path, path);
    await mkdir(at('tree/deep/er'), { recursive: true });
    await writeFile(at('tree/deep/er/file'), 'text');
    await symlink('deep/er', at('tree/short'));
    const { stdout } = await promisify(execFile)('tar', ['-C', at('tree'), '-cf', '-', '.'], {
      encoding: 'buffer',
    });
    await using cache = await openTempShelf();
    using tree = await cache.open([toLayer(stdout, packing)]);
    assert.equal(await cache.read(tree, 'short/file'), 'text');
    assert.equal(await cache.read(tree, 'deep/er/file'), 'text');
  });
}
