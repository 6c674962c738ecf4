import assert from 'node:assert/strict';
import { test } from 'node:test';
import { hashBytes } from '../../src/base/digest.ts';
import type { FilesetTree, ListingPlace, TreeEntry } from '../../src/fileset/model.ts';
import { openTempShelf, toLayer } from '../kit/content/fileset-image.ts';
import { toArchive, toRawArchive } from '../kit/content/tar-archive.ts';

const all = { skip: 0, limit: 1000 };

const show = ({ path, target, to }: TreeEntry): string =>
  [
    path,
    ...(target === undefined ? [] : [`-> ${target}`]),
    to === undefined ? '?' : 'folder' in to ? `${to.folder}/` : String(to.size),
  ].join(' ');

function searchAll(
  tree: FilesetTree,
  text: string,
  within = '',
): { readonly paths: string[]; readonly steps: number } {
  const paths: string[] = [];
  let steps = 0;
  for (let after: ListingPlace | undefined; steps === 0 || after !== undefined; steps += 1) {
    const found = tree.search(text, within, after, all);
    paths.push(...found.entries.map(({ path }) => path));
    after = found.next;
  }
  return { paths, steps };
}

test('a folder lists its folders, then its files and links, with what each leads to; folders need no entry', async () => {
  await using shelf = await openTempShelf();
  using tree = await shelf.open([
    toLayer(
      toArchive({
        'a/deep/file': 'x',
        'a-b': 'before a/ by its bytes',
        'a.txt': 'too',
        'b/gone': '',
        current: ['a/deep'],
        latest: ['a.txt'],
        dangling: ['nowhere'],
        top: ['/'],
      }),
    ),
    toLayer(toArchive({ 'b/.wh.gone': '', 'b/new': 'y', 'a/deep/more': 'zz' })),
  ]);
  const list = (path: string) => tree.list(path, all);
  assert.deepEqual(list('')?.entries.map(show), [
    'a a/',
    'b b/',
    'a-b 22',
    'a.txt 3',
    'current -> a/deep a/deep/',
    'dangling -> nowhere ?',
    'latest -> a.txt 3',
    'top -> / /',
  ]);
  assert.deepEqual(list('a')?.entries.map(show), ['a/deep a/deep/']);
  assert.deepEqual(list('b')?.entries.map(show), ['b/new 1']);
  // through a link, by the path without it
  assert.equal(list('current')?.path, 'a/deep');
  assert.deepEqual(list('current')?.entries.map(show), ['a/deep/file 1', 'a/deep/more 2']);
  for (const path of ['a.txt', 'none', 'a/none', 'dangling', '../a', 'latest'])
    assert.equal(list(path), undefined, path);
  const [, , file] = list('')!.entries;
  assert.equal(
    file?.to !== undefined && 'digest' in file.to ? file.to.digest : '',
    hashBytes(Buffer.from('before a/ by its bytes')),
  );
});

test('pages of a folder have each name once, and search finds a name in any folder, or below one', async () => {
  await using shelf = await openTempShelf();
  const names = Array.from({ length: 6000 }, (_, i) => `pool/p${String(i).padStart(5, '0')}.deb`);
  using tree = await shelf.open([
    toLayer(
      toArchive({
        ...Object.fromEntries(names.map((name) => [name, ''])),
        'dists/P00001.DEB': '',
        'pool/x/p00001': '',
      }),
    ),
  ]);
  const pages = Array.from({ length: 61 }, (_, i) => tree.list('pool', { skip: i * 100, limit: 100 })!);
  assert.ok(pages.every(({ total }) => total === 6001));
  const seen = pages.flatMap(({ entries }) => entries.map(({ path }) => path));
  assert.deepEqual(seen, ['pool/x', ...names]);

  const found = searchAll(tree, 'p00001');
  assert.deepEqual(found.paths.sort(), ['dists/P00001.DEB', 'pool/p00001.deb', 'pool/x/p00001']);
  assert.ok(found.steps > 1, 'in several steps');
  assert.deepEqual(searchAll(tree, 'p00001', 'pool').paths.sort(), ['pool/p00001.deb', 'pool/x/p00001']);
  assert.deepEqual(searchAll(tree, '%').paths, [], 'no pattern');
});

test('names of any bytes are listed and found as they are', async () => {
  await using shelf = await openTempShelf();
  const texts = ['a\nb', 'quote"\'<b>', 'größe \u202egpj.exe', `${'n'.repeat(251)}.deb`];
  using tree = await shelf.open([
    toLayer(toArchive(Object.fromEntries(texts.map((name) => [name, 'four'])))),
    toLayer(toRawArchive([{ path: '\xff\xfe', content: 'four' }])),
  ]);
  const names = [...texts.map((name) => Buffer.from(name).toString('latin1')), '\xff\xfe'];
  assert.deepEqual(
    tree.list('', all)?.entries.map(({ path }) => path),
    names.toSorted(),
  );
  assert.deepEqual(searchAll(tree, 'größe').paths, [names[2]]);
  for (const name of names) assert.equal(tree.find(name)?.size, 4, name);
});
