import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Digest, hashBytes } from '../../src/base/digest.ts';
import { DigestTable } from '../../src/catalog/digest-table.ts';

const digests = Array.from({ length: 5000 }, (_, i) => hashBytes(`${i}`, i % 50 === 0 ? 'sha512' : 'sha256'));

test('every digest has one number and comes back from it, while the table grows', () => {
  const table = new DigestTable();
  const ids = digests.map((digest) => table.intern(digest));
  assert.equal(new Set(ids).size, digests.length);
  for (const [i, digest] of digests.entries()) {
    assert.equal(table.find(digest), ids[i]);
    assert.equal(table.intern(digest), ids[i]);
    assert.equal(table.digestOf(ids[i]!), digest);
  }
  assert.equal(table.end, digests.length);
  assert.equal(table.find(hashBytes('absent')), undefined);
  assert.equal(table.find(hashBytes('absent', 'sha512')), undefined);
});

test('a forgotten digest is not found, hides no other, and its number is never given again', () => {
  const table = new DigestTable();
  const ids = new Map<Digest, number>(digests.map((digest) => [digest, table.intern(digest)]));
  for (const [i, digest] of digests.entries()) if (i % 2 === 0) table.delete(ids.get(digest)!);
  for (const [i, digest] of digests.entries())
    assert.equal(table.find(digest), i % 2 === 0 ? undefined : ids.get(digest));
  const again = table.intern(digests[2]!);
  assert.ok(again >= digests.length);
  assert.equal(table.digestOf(again), digests[2]);
});

test('a table that expected some and got more has them all', () => {
  const table = new DigestTable(100);
  const ids = digests.map((digest) => table.intern(digest));
  for (const [i, digest] of digests.entries()) {
    assert.equal(table.find(digest), ids[i]);
    assert.equal(table.digestOf(ids[i]!), digest);
  }
  for (const algorithm of ['sha256', 'sha512'] as const) {
    const own = [...digests.filter((digest) => digest.startsWith(algorithm)), hashBytes('new', algorithm)];
    const found = [
      ...table.internAllHex(
        algorithm,
        own.map((digest) => digest.slice(7)),
      )!,
    ];
    assert.deepEqual(
      found,
      own.map((digest) => table.find(digest)),
    );
    assert.ok(found.at(-1)! >= digests.length);
  }
});

test('many texts of which one is no digest get no number', () => {
  const hex = 'a'.repeat(63);
  // the last byte of U+0161 is that of the letter a
  for (const other of [hex, `${hex}A`, `${hex}g`, `${hex}\u0161`, `\u0161${hex}`, `${hex}aa`, '', 'index']) {
    const table = new DigestTable();
    assert.equal(table.internAllHex('sha256', [`${hex}b`, other]), undefined, other);
    assert.equal(table.internAllHex('sha512', ['b'.repeat(128), other]), undefined, other);
    assert.equal(table.end, 0);
  }
});

test('digests that differ in their last character only are told apart', () => {
  const table = new DigestTable();
  const near = [...'0123456789abcdef'].map((c): Digest => `sha256:${'a'.repeat(63)}${c}`);
  assert.equal(new Set(near.map((digest) => table.intern(digest))).size, 16);
  assert.deepEqual(
    near.map((_, id) => table.digestOf(id)),
    near,
  );
});

test('digests are listed by the beginning of their hexadecimal part, of one algorithm or of both', () => {
  const table = new DigestTable();
  for (const digest of digests) table.intern(digest);
  const list = (hex: string, algorithm?: 'sha256' | 'sha512'): Digest[] =>
    [...table.listBeginning(hex, algorithm)].map((id) => table.digestOf(id));
  for (const digest of digests.slice(0, 200)) {
    const [algorithm, hex] = digest.split(':') as ['sha256' | 'sha512', string];
    for (const length of [7, 8, 9, 40, hex.length]) {
      const beginning = hex.slice(0, length);
      const expected = digests.filter((each) => each.startsWith(beginning, 7)).sort();
      assert.deepEqual(list(beginning).sort(), expected);
      assert.deepEqual(list(beginning, algorithm), [digest]);
      assert.deepEqual(list(beginning, algorithm === 'sha256' ? 'sha512' : 'sha256'), []);
    }
  }
  assert.deepEqual(list('0000000'), []);
});
