import assert from 'node:assert/strict';
import { test } from 'node:test';
import { JsonBoundsError, parseJsonSteps } from '../../src/base/json/json-steps.ts';
import { parseStrictJson, RepeatedMemberError } from '../../src/base/json/parse-json.ts';
import { runAtOnce } from '../../src/base/pacer.ts';

const bounds = { depth: 64, values: 1_000_000 };
const read = (text: string | Buffer) => runAtOnce(parseJsonSteps(Buffer.from(text), bounds));

const long = 'x'.repeat(50_000);
const words = Array.from({ length: 30_000 }, (_, i) => `word ${i}`);
const values: Readonly<Record<string, unknown>> = {
  'a small document': { a: [1, 'b', null, true, { c: -1.5e3 }], '': {} },
  'an empty list': [],
  'a text': 'text',
  'a long text': long.repeat(10),
  'a text of escapes': '\t"\\\n\u0001'.repeat(100_000),
  'a text of backslashes': '\\'.repeat(300_001),
  'a text of characters of all lengths': 'aé€😀'.repeat(50_000),
  'a text of byte order marks': '\ufeff'.repeat(100_000),
  'a document in a member': { before: 1, document: 'a: b\n'.repeat(100_000), after: [2] },
  'a long list': words,
  'a long list in a list': [1, [words, [words, {}], 2], 3],
  'an object of many members': Object.fromEntries(words.map((word) => [word, { word }])),
  'lists on every level': [long, [long, [long, [long, [long, [long], long], long], long], long], long],
  'lists that end on every level': [long, [long, [long, [long, [long, [long, [long]]]]]]],
  'members that no assignment makes': JSON.parse(`{"a":"${long}${long}","__proto__":{"b":"${long}${long}"}}`),
};

for (const [name, value] of Object.entries(values))
  for (const space of [0, 1])
    test(`reads ${name} in steps as at once, indented by ${space}`, () => {
      const text = JSON.stringify(value, null, space);
      assert.deepEqual(read(text), JSON.parse(text));
      const escaped = text.replace(
        /[^\x00-\x7f]/g,
        (one) => `\\u${one.charCodeAt(0).toString(16).padStart(4, '0')}`,
      );
      assert.deepEqual(read(escaped), JSON.parse(text));
    });

test('refuses whatever is refused at once, wherever it stands', () => {
  const whole = JSON.stringify([long, { a: [long, long], b: words, c: long.repeat(3) }, [long, long], 1]);
  const broken = ['', ',', '[', ']', '{', '}', ':', '"', '\\', '1', ' ', 'x', '\u0001', ',,'];
  let seed = 1;
  const below = (end: number) => {
    seed = (seed * 48_271) % 2_147_483_647;
    return seed % end;
  };
  const places = [...whole.matchAll(/[[\]{}:]|x",|,"x/g)].map(({ index }) => index);
  for (let i = 0; i < 100; i += 1) {
    const at = (i % 3 === 0 ? below(whole.length) : places[below(places.length)]!) + below(3);
    const text = whole.slice(0, at) + broken[below(broken.length)] + whole.slice(at + below(2));
    const outcome = (work: () => unknown): unknown => {
      try {
        return work();
      } catch (error) {
        assert.ok(error instanceof SyntaxError);
        return 'refused';
      }
    };
    const expected = outcome(() => parseStrictJson(Buffer.from(text), bounds));
    assert.deepEqual(
      outcome(() => read(text)),
      expected,
      `at ${at}`,
    );
  }
});

test('refuses a member that occurs twice, at any distance', () => {
  assert.throws(() => read(`{"a":1,"b":"${long}${long}","a":2}`), RepeatedMemberError);
  assert.throws(() => read(`{"a":1,"b":[${JSON.stringify(words)}],"a":2}`), RepeatedMemberError);
  assert.throws(() => read('{"a":1,"a":2}'), RepeatedMemberError);
});

test('refuses what exceeds a limit, and names that limit', () => {
  assert.throws(() => runAtOnce(parseJsonSteps(Buffer.from('['.repeat(9)), { depth: 8, values: 99 })), {
    fault: 'depth',
  });
  const many = Buffer.from(JSON.stringify(words));
  assert.throws(() => runAtOnce(parseJsonSteps(many, { depth: 8, values: 99 })), JsonBoundsError);
});

test('refuses names, numbers and blanks that no step can divide', () => {
  assert.throws(() => read(`{"${'a'.repeat(200_000)}":1}`), /a name of more than/);
  assert.throws(() => read(`[${'1'.repeat(200_000)}]`), /a number or blanks/);
  assert.throws(() => read(`[1,${' '.repeat(200_000)}2]`), /a number or blanks/);
});

test('refuses bytes that are not UTF-8', () => {
  const bytes = Buffer.from(JSON.stringify([long, long, long, `${long}${long}`]));
  for (const at of [10, 60_000, 120_000, 170_000, 220_000]) {
    const broken = Buffer.from(bytes);
    broken[at] = 0x80;
    assert.throws(() => read(broken), /not UTF-8/, `at ${at}`);
  }
  assert.throws(
    () => read(Buffer.concat([Buffer.from('"'), Buffer.alloc(200_000, 0x80), Buffer.from('"')])),
    SyntaxError,
  );
});

test('holds the event loop for a fraction of the time of a large document', () => {
  for (const text of [
    JSON.stringify({ document: '\t'.repeat(4 << 20) }),
    JSON.stringify(words.concat(words, words)),
  ]) {
    const measure = (): number => {
      const steps = parseJsonSteps(Buffer.from(text), bounds);
      let longest = 0;
      for (let isDone = false; !isDone; ) {
        const before = process.threadCpuUsage();
        isDone = steps.next().done === true;
        const { user, system } = process.threadCpuUsage(before);
        longest = Math.max(longest, user + system);
      }
      return longest;
    };
    // a collection of garbage, of other tests too, can fall into one slice
    const longest = Math.min(measure(), measure(), measure());
    assert.ok(longest < 10_000, `${longest} µs`);
  }
});
