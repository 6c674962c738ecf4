import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parse } from 'yaml';
import { formatChartIndex, type IndexEntry, toIndexEntry } from '../../src/chart/index-entry.ts';

const digest = `sha256:${'b'.repeat(64)}` as const;
const make = (config: unknown, created?: string) =>
  toIndexEntry(Buffer.from(JSON.stringify(config)), digest, created);
const entryOf = (config: unknown, created?: string): IndexEntry => {
  const made = make(config, created);
  assert.ok(!('leftOut' in made), JSON.stringify(made));
  return made;
};

test('an entry has the known members in a fixed order, whatever their order in the config', () => {
  const config = {
    version: '1.2.3+b.1',
    name: 'shop',
    keywords: ['b', 'a'],
    annotations: { z: '1', a: '2' },
    dependencies: [{ name: 'db', version: '~1', repository: 'https://charts.example', unknown: 1 }],
    maintainers: [{ name: 'ana', email: 'ana@example.org' }],
    unknown: 'x',
  };
  const entry = entryOf(config, '2026-01-02T03:04:05.600+01:00');
  const turned = Object.fromEntries(Object.entries(config).reverse());
  assert.equal(entryOf(turned, '2026-01-02T03:04:05.600+01:00').json.toString(), entry.json.toString());
  assert.deepEqual(JSON.parse(entry.json.toString()), {
    annotations: { a: '2', z: '1' },
    apiVersion: 'v1',
    created: '2026-01-02T02:04:05.600Z',
    dependencies: [{ name: 'db', repository: 'https://charts.example', version: '~1' }],
    digest: 'b'.repeat(64),
    keywords: ['b', 'a'],
    maintainers: [{ email: 'ana@example.org', name: 'ana' }],
    name: 'shop',
    urls: ['shop-1.2.3+b.1.tgz'],
    version: '1.2.3+b.1',
  });
  for (const created of [undefined, 'yesterday', '2026-13-45T00:00:00Z', '0001-01-01T00:00:00Z', '1\n2'])
    assert.match(entryOf(config, created).json.toString(), /"created":"1970-01-01T00:00:00.000Z"/);
});

test('a name or version that bends a URL or YAML leaves the chart out, and says why', () => {
  for (const name of [
    '',
    '../x',
    'a/b',
    'a b',
    'a:b',
    '"x"',
    'x\ny',
    'é',
    '-x',
    '.x',
    5,
    null,
    'a'.repeat(200),
    '__proto__%',
  ])
    assert.deepEqual(make({ name, version: '1.0.0' }), { leftOut: 'name' }, String(name));
  for (const version of [
    '',
    '1',
    'latest',
    '1.0.0/..',
    '1.0.0 ',
    '1.0.0\n',
    '1.0.0+a/b',
    1,
    undefined,
    '01.0.0',
  ])
    assert.deepEqual(make({ name: 'shop', version }), { leftOut: 'version' }, String(version));
  for (const text of ['', '[]', 'null', '{', '"x"'])
    assert.deepEqual(toIndexEntry(Buffer.from(text), digest, undefined), { leftOut: 'config' });
});

test('what a terminal would obey is left out of the texts of an entry', () => {
  const marks = '\u202e\u2066\u200f\u001b[2J\u0007\u009b\u007f\0\r';
  const { json } = entryOf({
    name: 'shop',
    version: '1.0.0',
    description: `a ${marks}shop\nin Ω lines\t${marks}`,
    annotations: { [`k${marks}`]: marks },
    keywords: [marks],
    maintainers: [{ name: `ana${marks}` }],
  });
  const text = json.toString();
  const entry = JSON.parse(text);
  assert.deepEqual(
    [entry.description, entry.annotations, entry.keywords, entry.maintainers],
    ['a [2Jshop\nin Ω lines\t[2J', { 'k[2J': '[2J' }, ['[2J'], [{ name: 'ana[2J' }]],
  );
  assert.doesNotMatch(text, /[^\x20-\x7eΩ]|\\u|\\r|\\b/);
});

test('members of a wrong form do not spoil the index, and every parser reads the texts alike', () => {
  const hostile = {
    name: '__proto__',
    version: '1.0.0',
    description: 'a: b # c\n- d\u2028\u2029\u0085\ufeff\ud800 \u{1f600} {{ x }} "\'\\',
    appVersion: 5,
    keywords: [1],
    annotations: { x: 5 },
    maintainers: ['x', { name: 5, url: 'https://x.example' }],
    dependencies: ['x', { version: '1' }, { name: 'db', tags: [5] }],
    sources: 'x',
    deprecated: 'yes',
    digest: 'forged',
    urls: ['https://evil.example/x.tgz'],
    created: 'forged',
  };
  const { name } = { name: 'shop' };
  const entry = entryOf({ ...hostile, name });
  const index = Buffer.concat([
    ...formatChartIndex([entry, entryOf({ name: 'other', version: '2.0.0' })]),
  ]).toString();
  const read = parse(index);
  assert.deepEqual(read, JSON.parse(index));
  assert.deepEqual(read.entries.shop[0], {
    apiVersion: 'v1',
    created: '1970-01-01T00:00:00.000Z',
    dependencies: [{ name: 'db' }],
    description: 'a: b # c\n- d \u{1f600} {{ x }} "\'\\',
    digest: 'b'.repeat(64),
    maintainers: [{ url: 'https://x.example' }],
    name: 'shop',
    urls: ['shop-1.0.0.tgz'],
    version: '1.0.0',
  });
  assert.doesNotMatch(index, /[\u007f-\u009f\u2028\u2029\ufeff]|\\ud/);
  assert.deepEqual(parse(Buffer.concat([...formatChartIndex([])]).toString()).entries, {});
});
