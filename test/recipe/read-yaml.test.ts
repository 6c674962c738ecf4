import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isSvcError } from '../../src/base/error.ts';
import { childPath, readYaml } from '../../src/recipe/read-yaml.ts';

const read = (text: string | Buffer) => readYaml(Buffer.from(text), 'recipe.yaml');
function refuses(text: string | Buffer, path: RegExp, rule: RegExp): void {
  assert.throws(
    () => read(text),
    (error: unknown) => {
      assert.ok(isSvcError(error, 'SVC-VAL-001'), String(error));
      assert.equal(error.params.file, 'recipe.yaml');
      assert.match(String(error.params.path), path);
      assert.match(String(error.params.rule), rule);
      return true;
    },
  );
}

test('a document is read as JSON could express it, with what is no string kept apart', () => {
  const value = read('a: 1.10\nb: "1.10"\nc: [yes, true, ~]\nd: {e: on}\n');
  assert.deepEqual(
    value,
    new Map<string, unknown>([
      ['a', { bare: 1.1, source: '1.10' }],
      ['b', '1.10'],
      ['c', ['yes', { bare: true, source: 'true' }, { bare: null, source: '~' }]],
      ['d', new Map([['e', 'on']])],
    ]),
  );
});

test('JSON is YAML', () => {
  assert.deepEqual(read('{"a": ["b"]}'), new Map([['a', ['b']]]));
});

test('a key written twice is refused with its path', () => {
  refuses('a:\n  b: 1\n  c: 2\n  b: 3\n', /^a\.b$/, /twice/);
  refuses('a: [{b: x, "b": y}]', /^a\[0\]\.b$/, /twice/);
});

test('a caller can take the last of several equal keys', () => {
  assert.deepEqual(
    readYaml(Buffer.from('a: b\na: c'), 'f', { duplicateKeys: 'last' }),
    new Map([['a', 'c']]),
  );
});

test('keys that are not strings are refused, and a merge key is an ordinary one', () => {
  refuses('1: a', /^$/, /quote 1/);
  refuses('a: {true: b}', /^a$/, /strings/);
  refuses('? [a]\n: b', /^$/, /strings/);
  refuses('? {a: b}\n: b', /^$/, /strings/);
  refuses('k: &k x\n*k : y', /^$/, /strings/);
  assert.deepEqual(read('<<: {a: b}'), new Map([['<<', new Map([['a', 'b']])]]));
});

test('tags beyond the core schema are refused, its own are accepted', () => {
  refuses('a: !foo b', /line 1/, /[Tt]ag/);
  refuses('a: !!binary aGk=', /^a$/, /tag/);
  refuses('a: !!set {b}', /^a$/, /tag/);
  refuses('!foo a: b', /line 1|^a$/, /[Tt]ag/);
  refuses('%TAG !e! tag:example.org,2000:\n---\na: !e!x b', /line|^a$/, /[Tt]ag/);
  assert.deepEqual(read('a: !!str 1.2'), new Map([['a', '1.2']]));
});

test('aliases are followed up to a hundred, never into themselves and never to nothing', () => {
  assert.deepEqual(
    read('a: &x [b]\nc: *x'),
    new Map([
      ['a', ['b']],
      ['c', ['b']],
    ]),
  );
  refuses('a: &a [*a]', /^a\[0\]$/, /contain itself/);
  refuses('a: &a {b: {c: *a}}', /^a\.b\.c$/, /contain itself/);
  refuses('a: *b', /^a$/, /no anchor/);
  const uses = (count: number) => `a: &x y\nb: [${Array.from({ length: count }, () => '*x').join(', ')}]`;
  assert.ok(read(uses(100)));
  // while reading: before a node is made of them
  refuses(uses(101), /^$/, /100 aliases/);
});

test('an anchor written again names the later node', () => {
  assert.deepEqual(
    read('a: &x 1st\nb: &x 2nd\nc: *x'),
    new Map([
      ['a', '1st'],
      ['b', '2nd'],
      ['c', '2nd'],
    ]),
  );
});

test('aliases cannot nest deeper than the document may', () => {
  let text = 'a0: &a0 [x]\n';
  for (let i = 1; i < 70; i += 1) text += `a${i}: &a${i} [*a${i - 1}]\n`;
  refuses(text, /^a\d+/, /deeper than 64/);
});

test('only YAML 1.2 in one UTF-8 document is read', () => {
  refuses('%YAML 1.1\n---\na: b', /^$/, /1\.2/);
  assert.ok(read('%YAML 1.2\n---\na: b'));
  refuses('a: b\n---\nc: d', /line 2/, /several/);
  refuses(Buffer.from([0x61, 0x3a, 0x20, 0xff]), /^$/, /UTF-8/);
  refuses('a: [b', /line 1/, /./);
  refuses('\ta: b', /line 1/, /[Tt]ab/);
  refuses('a: b\n}', /line 2/, /./);
  refuses('a: @b', /line 1/, /./);
});

test('nesting deeper than 64 is refused in every style, before anything recurses', () => {
  for (const text of [
    '['.repeat(1_000_000),
    '{a: '.repeat(500_000),
    '- '.repeat(1_000_000),
    '? '.repeat(1_000_000),
  ])
    refuses(text, /^$/, /deeper than 64/);
  assert.ok(read(`${'['.repeat(64)}${']'.repeat(64)}`));
  refuses(`${'['.repeat(66)}${']'.repeat(66)}`, /./, /deeper than 64/);
});

test('a document over 4 MiB is refused before it is decoded', () => {
  assert.throws(
    () => read(Buffer.alloc(4_194_305, 0xff)),
    (error: unknown) => isSvcError(error, 'SVC-VAL-002') && error.params.limit === 4_194_304,
  );
  assert.ok(read(Buffer.concat([Buffer.from('a: "'), Buffer.alloc(4_194_304 - 5, 'x'), Buffer.from('"')])));
});

test('a document made to multiply nodes or errors is refused early', () => {
  const started = performance.now();
  refuses(`[${','.repeat(4_000_000)}`, /^$/, /commas/);
  refuses('}'.repeat(4_000_000), /line 1/, /./);
  refuses('&a '.repeat(1_000_000), /^$/, /anchors/);
  refuses('%A b\n'.repeat(800_000), /^line 1, /, /directive/);
  assert.ok(performance.now() - started < 5_000);
});

test('the first problem of a document ends its reading, however many there are', () => {
  const { user, system } = process.cpuUsage();
  // each problem would be an object with its stack
  const escapes = '\\x'.repeat(1_000_000);
  refuses(`a: "${escapes}`, /^line 1, column 5$/, /^Invalid escape sequence/);
  refuses(`${'# c\n'.repeat(3)}a: "${escapes}"`, /^line 4, column 5$/, /^Invalid escape sequence/);
  refuses(`a:\n${' - @\n'.repeat(20_000)}`, /^line 2, column 4$/, /cannot start with reserved character @/);
  const used = process.cpuUsage();
  assert.ok(used.user + used.system - user - system < 2_000_000);
});

test('a hundred thousand distinct keys are read in time', () => {
  const text = Array.from({ length: 100_000 }, (_, i) => `k${i}: v`).join('\n');
  assert.equal((read(text) as Map<string, unknown>).size, 100_000);
});

test('paths quote what is no plain word and shorten what is long', () => {
  assert.equal(childPath('', 'spec'), 'spec');
  assert.equal(childPath('spec.a', 2), 'spec.a[2]');
  assert.equal(childPath('labels', 'a.b/c'), 'labels["a.b/c"]');
  assert.equal(childPath('a', '\u001b[31m'), 'a["\\u001b[31m"]');
  assert.ok(childPath('a', 'x'.repeat(500)).length < 100);
});
