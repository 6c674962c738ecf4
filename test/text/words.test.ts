import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { test } from 'node:test';
import { listPlaceholders } from '../../src/text/fill.ts';
import { fr } from '../../src/text/language.ts';
import { type Counted, type Sentence, words } from '../../src/text/words/words.ts';

const root = join(import.meta.dirname, '..', '..');
const helpers = new Set(['fill.ts', 'format.ts', 'words.ts']);
const files = globSync('src/text/words/*.ts', { cwd: root }).filter((file) => !helpers.has(basename(file)));

type Words = Sentence | Counted;

const isWords = (value: object): value is Words => Array.isArray(value) || 'one' in value;

async function sentencesOf(file: string): Promise<[string, string, Words][]> {
  const module = (await import(join(root, file))) as Record<
    string,
    Record<string, Words | Record<string, Words>>
  >;
  return Object.entries(module).flatMap(([name, table]) =>
    Object.entries(table).flatMap(([key, value]): [string, string, Words][] =>
      isWords(value)
        ? [[name, key, value]]
        : Object.entries(value).map(([part, words]) => [name, `${key}.${part}`, words]),
    ),
  );
}

test('every sentence has both languages with the same parameters', async () => {
  for (const file of files)
    for (const [name, key, value] of await sentencesOf(file)) {
      const forms: readonly Sentence[] = 'one' in value ? [value.one, value.other] : [value];
      for (const [english, french] of forms) {
        assert.ok(english.trim() !== '' && french.trim() !== '', `${name}.${key}`);
        assert.deepEqual(
          [...listPlaceholders(french)].sort(),
          [...listPlaceholders(english)].sort(),
          `${name}.${key}`,
        );
      }
    }
});

test('every sentence is used by the interface', async () => {
  const code = globSync(['server/ui/**/*.ts', 'src/view/**/*.ts', 'src/authoring/lint/*.ts'], { cwd: root })
    .map((file) => readFileSync(join(root, file), 'utf8'))
    .join('\n');
  const unused: string[] = [];
  for (const file of files)
    for (const [name, key] of await sentencesOf(file)) {
      // `help[family]`, `...help`, `entries(help)`: a table that is looked up by a computed name, or taken whole, counts as used
      const isLookedUp = [`${name}[`, `...${name}`, `entries(${name})`].some((use) => code.includes(use));
      if (!isLookedUp && !new RegExp(`\\b${name}\\.${key}\\b`).test(code)) unused.push(`${name}.${key}`);
    }
  assert.deepEqual(unused, []);
});

test('a number stands before a noun only where the noun is counted', async () => {
  const forms = (value: Sentence | Counted): readonly string[] =>
    'one' in value ? [...value.one, ...value.other] : value;
  const nouns = new Set<string>();
  const verbs = new Set(['are', 'sont']);
  const all: (readonly [string, readonly string[]])[] = [];
  for (const file of files)
    for (const [name, key, value] of await sentencesOf(file)) {
      all.push([`${name}.${key}`, forms(value)]);
      for (const text of forms(value)) {
        for (const [, plural] of text.matchAll(/\{[a-z]+:[^}/]+\/([^ }]+)/gi))
          if (!verbs.has(plural!)) nouns.add(plural!);
        // the noun that a counted sentence counts
        if ('one' in value) for (const [, noun] of text.matchAll(/\{count\} (\p{L}+s)\b/gu)) nouns.add(noun!);
      }
    }
  assert.ok(nouns.has('files') && nouns.has('fichiers') && nouns.has('ingredients'));
  const loose = all.flatMap(([name, texts]) =>
    texts.flatMap((text) =>
      [...text.matchAll(/\{([A-Za-z]+)\} (\p{L}+)/gu)].flatMap(([found, parameter, noun]) =>
        // limits of lists are large
        parameter !== 'count' && parameter !== 'shown' && noun !== 'is' && nouns.has(noun!)
          ? [`${name}: ${found}`]
          : [],
      ),
    ),
  );
  assert.deepEqual(loose, []);
  const text: Sentence = [
    '{files:file/files}[, {left:one/others}]',
    fr`{files:fichier/fichiers}[, {left:un/autres}]`,
  ];
  assert.deepEqual(
    [0, 1, 2].map((n) => words.en.say(text, { files: n, left: n })),
    ['0 files, 0 others', '1 file, 1 one', '2 files, 2 others'],
  );
  assert.equal(words.fr.say(text, { files: 0 }), '0 fichier');
});

test('numbers, sizes, times and durations are written as the language writes them', () => {
  const { en, fr: french } = words;
  assert.equal(en.format.number(5012), '5,012');
  assert.equal(french.format.number(5012), '5\u202f012');
  assert.equal(en.format.size(1.5 * 2 ** 30), '1.5\u00a0GiB');
  assert.equal(french.format.size(1.5 * 2 ** 30), '1,5\u00a0Gio');
  assert.equal(en.format.size(2 ** 20 * 118.4), '118\u00a0MiB');
  assert.equal(en.format.time('2026-11-22T14:05:10Z'), '22 Nov 2026, 14:05:10 UTC');
  assert.equal(french.format.time('2026-11-22T14:05:10Z'), '22 nov. 2026, 14:05:10 UTC');
  const now = Date.parse('2026-11-22T14:05:10Z');
  assert.equal(en.format.age('2026-11-22T14:02:10Z', now), '3 minutes ago');
  assert.equal(french.format.age('2026-11-22T16:05:10Z', now), 'dans 2 heures');
  assert.deepEqual(
    [en, french].map(({ format }) => format.age(now, now)),
    ['now', 'à l’instant'],
  );
  assert.equal(en.format.duration(5_430_000), '1\u00a0h 30\u00a0min');
  assert.equal(french.format.duration(5_430_000), '1\u00a0h 30\u00a0min');
  assert.equal(en.format.duration(0), '0\u00a0s');
  assert.equal(en.format.percent(0.999), '99\u00a0%');
  assert.deepEqual(
    [0, 0.0129, 0.07, 0.0999, 0.1, 0.123].map(en.format.percent),
    ['0', '1.2', '7', '9.9', '10', '12'].map((share) => `${share}\u00a0%`),
  );
  assert.equal(words.fr.format.percent(0.0129), '1,2\u00a0%');
});

test('times are those of the runtime for each month, in both languages', () => {
  const formats = { en: 'en-GB', fr: 'fr-FR' } as const;
  for (const [language, locale] of Object.entries(formats) as ['en' | 'fr', string][]) {
    const expected = new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeZone: 'UTC' });
    for (let month = 0; month < 12; month += 1) {
      const time = Date.UTC(2026, month, month + 1, 7 + month, 8, 9);
      const { format } = words[language];
      assert.equal(format.day(time), expected.format(time));
      assert.equal(format.time(time), `${expected.format(time)}, ${format.clock(time)}`);
    }
    assert.equal(words[language].format.clock('2026-11-22T00:05:10.123Z'), '00:05:10 UTC');
    assert.throws(() => words[language].format.day('no time'), RangeError);
  }
});

test('a sentence counts by the rules of its language', () => {
  const counted: Counted = {
    one: ['{count} task', fr`{count} tâche`],
    other: ['{count} tasks', fr`{count} tâches`],
  };
  assert.deepEqual(
    [0, 1, 2].map((count) => words.en.say(counted, { count })),
    ['0 tasks', '1 task', '2 tasks'],
  );
  assert.deepEqual(
    [0, 1, 2].map((count) => words.fr.say(counted, { count })),
    ['0 tâche', '1 tâche', '2 tâches'],
  );
  assert.throws(() => words.en.say(counted), TypeError);
});

test('an optional part goes without its parameter, and what others chose cannot turn the direction of the text', () => {
  const sentence: Sentence = ['read[ by {name}]', fr`lu[ par {name}]`];
  assert.equal(words.en.say(sentence), 'read');
  assert.equal(words.fr.say(sentence, { name: 'a\u202eb' }), 'lu par a\\u202eb');
});
