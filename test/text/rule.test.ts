import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { listPlaceholders } from '../../src/text/fill.ts';
import { fr } from '../../src/text/language.ts';
import { restoreRule, rule, sayRule } from '../../src/text/rule.ts';

const root = join(import.meta.dirname, '..', '..');
const text = String.raw`'((?:[^'\\\n]|\\.)*)'|"((?:[^"\\\n]|\\.)*)"`;
const pair = new RegExp(
  String.raw`\brule\(\s*\[\s*(?:${text}),\s*fr${'`'}((?:[^${'`'}\\]|\\.)*)${'`'},?\s*\](?:,\s*\{([^{}]*)\})?`,
  'g',
);

test('the French of a rule has the placeholders of its English, and each has a value', () => {
  let count = 0;
  for (const file of globSync('{src,server,commands}/**/*.{ts,tsx}', { cwd: root })) {
    const source = readFileSync(join(root, file), 'utf8').replaceAll(/^ *\*.*$/gm, '');
    for (const [, single, double, french, values] of source.matchAll(pair)) {
      const english = single ?? double ?? '';
      const names = listPlaceholders(english);
      assert.deepEqual(listPlaceholders(french!).toSorted(), names.toSorted(), `${file}: ${english}`);
      if (values !== undefined)
        for (const name of names)
          assert.match(values, new RegExp(String.raw`(?:^|[,\s])${name}(?:[:,\s]|$)`), `${file}: ${english}`);
      count += 1;
    }
  }
  assert.ok(count > 800, `found ${count}`);
});

test('a rule is English inside a template, sizes and nouns follow the language, and a stored one is restored', () => {
  const left = rule(['{bytes:size} in {n:file/files}', fr`{bytes:size} dans {n:fichier/fichiers}`], {
    bytes: 2 ** 20,
    n: 0,
  });
  assert.equal(`${left}`, '1 MiB in 0 files');
  assert.equal(sayRule(left, 'fr'), '1 Mio dans 0 fichier');
  const stored = JSON.parse(JSON.stringify(left));
  assert.equal(String(restoreRule(stored)), '1 MiB in 0 files');
});

test('an optional part of a rule goes with its absent value', () => {
  const broken = (path?: string) => rule(['[{path}: ]is wrong', fr`[{path} : ]est faux`], { path });
  assert.equal(sayRule(broken('a'), 'fr'), 'a\u00a0: est faux');
  assert.equal(sayRule(broken(), 'fr'), 'est faux');
});
