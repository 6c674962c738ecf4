import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type DocumentEdit, editDocument } from '../../../src/authoring/pin/edit-document.ts';

const edit = (text: string, ...edits: readonly DocumentEdit[]): string =>
  editDocument(Buffer.from(text), edits, 'draft.yaml').bytes.toString();

const digest = `sha256:${'a'.repeat(64)}`;
const version = (value: string, i = 0): DocumentEdit => ({ path: ['items', i, 'version'], value });
const pin = (i = 0): DocumentEdit => ({ path: ['items', i, 'digest'], value: digest, after: 'version' });

test('a value is replaced in its place, in its own quotes, and everything else stays', () => {
  const written = [
    '# a head',
    'items:   # the list',
    '',
    '  -   version:   ^1.4   # why',
    "      name: 'web'",
    "  - version: '>=2'",
    '  - {  name: db, version: "~1.2" ,  }  # flow',
    '',
    '# a tail',
  ].join('\n');
  assert.equal(
    edit(written, version('1.4.2'), version('2.0.0', 1), version('1.2.9', 2)),
    written.replace('^1.4', '1.4.2').replace('>=2', '2.0.0').replace('~1.2', '1.2.9'),
  );
});

test('a new member follows the one that it belongs to, before the lines below it', () => {
  const written = 'items:\n- name: web\n  version: ^1 # why\n  # below\n  ref: x/y\n';
  assert.equal(
    edit(written, version('1.0.0'), pin()),
    `items:\n- name: web\n  version: 1.0.0 # why\n  digest: ${digest}\n  # below\n  ref: x/y\n`,
  );
});

test('a new member of a map in braces stays in the braces', () => {
  assert.equal(
    edit('items: [{version: ^1, name: web}]', version('1.0.0'), pin()),
    `items: [{version: 1.0.0, digest: ${digest}, name: web}]`,
  );
});

test('members that are added together keep the order in which they were asked for', () => {
  const platforms: DocumentEdit = {
    path: ['items', 0, 'platforms'],
    value: ['linux/amd64', 'linux/arm64'],
    after: 'version',
  };
  assert.equal(
    edit('items:\n  - version: 1.0.0\n', pin(), platforms),
    `items:\n  - version: 1.0.0\n    digest: ${digest}\n    platforms: [linux/amd64, linux/arm64]\n`,
  );
});

test('a document without a last line break, with carriage returns, or with a byte order mark keeps them', () => {
  assert.equal(edit('items:\n  - version: ^1', pin()), `items:\n  - version: ^1\n    digest: ${digest}`);
  assert.equal(
    edit('items:\r\n  - version: ^1\r\n    name: a\r\n', pin()),
    `items:\r\n  - version: ^1\r\n    digest: ${digest}\r\n    name: a\r\n`,
  );
  assert.equal(
    edit('\ufeffitems:\n  - version: ^1\n', version('1.0.0')),
    '\ufeffitems:\n  - version: 1.0.0\n',
  );
});

test('a text that a parser would read as a number, a word or a time is quoted', () => {
  for (const [value, shown] of [
    ['1.10', '"1.10"'],
    ['7', '"7"'],
    ['1e3', '"1e3"'],
    ['0x10', '"0x10"'],
    ['no', '"no"'],
    ['null', '"null"'],
    ['2026-11-22T10:00:00Z', '"2026-11-22T10:00:00Z"'],
    ['1.4.2', '1.4.2'],
    ['v1.4.2-rc.1', 'v1.4.2-rc.1'],
    ['12.4-alpine', '12.4-alpine'],
  ] as const)
    assert.equal(edit('items:\n  - version: ^1\n', version(value)), `items:\n  - version: ${shown}\n`);
});

test('a scalar of several lines is replaced whole', () => {
  assert.equal(
    edit('items:\n  - version: >-\n      ^1\n    name: a\n', version('1.0.0')),
    'items:\n  - version: 1.0.0\n    name: a\n',
  );
});

test('a map that is missing is written with its members, in the indentation of the document', () => {
  const annotations: DocumentEdit = { path: ['metadata', 'annotations'], value: { 'a.b/c': 'x' } };
  assert.equal(
    edit('metadata:\n    name: shop\n    labels:\n        a: b\n    # last\nspec: 1\n', annotations),
    'metadata:\n    name: shop\n    labels:\n        a: b\n    annotations:\n        a.b/c: x\n    # last\nspec: 1\n',
  );
  assert.equal(
    edit('metadata: {name: shop}\n', annotations),
    'metadata: {name: shop, annotations: { a.b/c: x }}\n',
  );
});

test('a member of an empty map in braces is written there', () => {
  assert.equal(
    edit('metadata:\n  annotations: {}\n', { path: ['metadata', 'annotations', 'a'], value: 'b' }),
    'metadata:\n  annotations: {a: b}\n',
  );
});

test('an alias becomes the value, and its anchor stays', () => {
  assert.equal(
    edit('items:\n  - version: &v ^1\n  - version: *v\n', version('1.4.0'), version('1.2.0', 1)),
    'items:\n  - version: &v 1.4.0\n  - version: 1.2.0\n',
  );
});

test('a value that others share through an anchor is not replaced behind their back', () => {
  const shared = 'items:\n  - version: &v ^1\n  - version: *v\n';
  assert.throws(() => edit(shared, version('1.4.0')), {
    code: 'SVC-VAL-001',
    params: {
      file: 'draft.yaml',
      path: 'items[0].version',
      rule: 'cannot be written without changing other members: write each value out, without anchors',
    },
  });
});

test('an edit that the syntax has no place for is refused, not written', () => {
  for (const written of ['items:\n  - ? version\n    : ^1\n', 'list: &l\n  - version: ^1\nitems: *l\n'])
    assert.throws(() => edit(written, pin()), { code: 'SVC-VAL-001' });
});

test('ten thousand edits take time in proportion to the document', () => {
  const count = 10_000;
  const written = `items:\n${Array.from({ length: count }, (_, i) => `  - name: i${i}\n    version: ^1\n`).join('')}`;
  const edits = Array.from({ length: count }, (_, i) => [version('1.0.0', i), pin(i)]).flat();
  const begun = process.cpuUsage();
  const result = edit(written, ...edits);
  const { user } = process.cpuUsage(begun);
  assert.equal(result.split(digest).length - 1, count);
  assert.ok(user < 12_000_000, `${user} µs`);
});
