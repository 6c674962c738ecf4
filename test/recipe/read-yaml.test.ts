import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { test } from 'node:test';
import { childPath, readYaml } from '../../src/recipe/read-yaml.ts';
import { isSvcError } from '../../src/text/error.ts';
import { needs, needsPart } from '../kit/program/peers.ts';

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

test('more tokens than a document may have are counted before nodes are made of them', () => {
  const toDocument = (keys: number): string =>
    `a: {${Array.from({ length: keys }, (_, i) => `k${i}`).join(', ')}}`;
  const measure = (work: () => void): number => {
    const before = process.cpuUsage();
    work();
    const { user, system } = process.cpuUsage(before);
    return user + system;
  };
  const [tooMany, fitting] = [toDocument(300_000), toDocument(200_000)];
  const refused = measure(() => refuses(tooMany, /^$/, /more than 1000000 YAML tokens/));
  const accepted = measure(() => read(fitting));
  assert.ok(refused < accepted / 2, `${refused} of ${accepted} µs`);
});

test('the first problem of a document ends its reading, however many there are', () => {
  const { user, system } = process.cpuUsage();
  // each problem would be an object with its stack
  const escapes = '\\x'.repeat(1_000_000);
  refuses(`a: "${escapes}`, /^line 1, column 5$/, /^an escape sequence is not known/);
  refuses(`${'# c\n'.repeat(3)}a: "${escapes}"`, /^line 4, column 5$/, /^an escape sequence is not known/);
  refuses(
    `a:\n${' - @\n'.repeat(20_000)}`,
    /^line 2, column 4$/,
    /begins with this character must be quoted/,
  );
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

/** A character that some parsers read as a line break and others as text, with a document that it splits. */
const split = (character: string): string =>
  `a: 1 #${character}digest: other\nb: [x, y]${character}c: d\ne: "f"\n`;

test('a character that only some parsers take for a line break, or that is not printable, is refused with its place', () => {
  for (const [character, name] of [
    ['\r', 'U+000D'],
    ['\u0085', 'U+0085'],
    ['\u2028', 'U+2028'],
    ['\u2029', 'U+2029'],
    ['\0', 'U+0000'],
    ['\x0b', 'U+000B'],
    ['\x1f', 'U+001F'],
    ['\x7f', 'U+007F'],
    ['\u0080', 'U+0080'],
    ['\ufffe', 'U+FFFE'],
  ] as const) {
    const rule = new RegExp(`^the character ${name.replace('+', '\\+')} is `);
    refuses(split(character), /^line 1, column 7$/, rule);
    refuses(`a: b\nc: |\n  d${character}e\n`, /^line 3, column 4$/, rule);
    refuses(`a: b\nc: d${character}e: f\n`, /^line 2, column 5$/, rule);
  }
  assert.deepEqual(
    read('a: "b\u2028c"\r\nd: \'e\u2029f\'\r\n# 🔑\n'),
    new Map([
      ['a', 'b\u2028c'],
      ['d', 'e\u2029f'],
    ]),
  );
  refuses('a: "b\u0085c"', /^line 1, column 6$/, /U\+0085/);
});

/** Reads documents with PyYAML, as JSON would have them; null for one that it refuses. */
function readWithPython(python: string, texts: readonly string[]): readonly unknown[] {
  const program = `import json, sys, yaml
def read(text):
    try:
        return yaml.load(text, Loader=yaml.BaseLoader)
    except yaml.YAMLError:
        return None
print(json.dumps([read(text) for text in json.load(sys.stdin)]))`;
  const input = JSON.stringify(texts);
  const { status, stdout, stderr } = spawnSync(python, ['-c', program], { input, encoding: 'utf8' });
  assert.equal(status, 0, stderr);
  return JSON.parse(stdout);
}

test('no document that is accepted reads otherwise in PyYAML, whatever character stands in it', (t) => {
  const python = needs(t, 'python3');
  if (python === undefined || !needsPart(t, 'python3', ['-c', 'import yaml'])) return;
  const toPlain = (value: unknown): unknown => {
    if (value instanceof Map) return Object.fromEntries([...value].map(([key, one]) => [key, toPlain(one)]));
    if (Array.isArray(value)) return value.map(toPlain);
    return typeof value === 'object' ? (value as { source: string }).source : value;
  };
  const places = [
    (c: string) => `digest: aaa #${c}digest2: bbb\n`,
    (c: string) => `name: x${c}digest: bbb\n`,
    (c: string) => `name: "x${c}y"\n`,
    (c: string) => `text: |\n  x${c}digest: bbb\n`,
  ];
  const characters = [
    '\r',
    '\r\n',
    '\u0085',
    '\u2028',
    '\u2029',
    '\x0b',
    '\x0c',
    '\xa0',
    '\u200b',
    '\u3000',
    'é',
  ];
  const accepted: { readonly text: string; readonly own: unknown }[] = [];
  for (const text of characters.flatMap((character) => places.map((place) => place(character))))
    try {
      accepted.push({ text, own: toPlain(read(text)) });
    } catch {
      // a refused document has no second reading
    }
  const others = readWithPython(
    python,
    accepted.map(({ text }) => text),
  );
  for (const [i, { text, own }] of accepted.entries()) assert.deepEqual(own, others[i], JSON.stringify(text));
  assert.ok(accepted.length >= 12, `${accepted.length}`);
});
