import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { readConfigDocument } from '../../src/config/read-document.ts';
import { parseYamlTree } from '../../src/recipe/read-yaml.ts';
import { isSvcError } from '../../src/text/error.ts';
import { sayRule } from '../../src/text/rule.ts';
import { openTempFolder } from '../kit/instance/temp-folder.ts';
import { findEnglish } from '../kit/program/run-command.ts';

const mistakes: readonly (readonly [
  text: string,
  at: readonly [line: number, column: number],
  told: RegExp,
])[] = [
  ['a:\n\tb: 1\n', [2, 1], /a tab is used for indentation/],
  ['dep\n  x: 1\nb: 2\n', [1, 1], /a colon and a space/],
  ['a: 1\nb:2\nc: 3\n', [2, 1], /a colon and a space/],
  ['a: 1\ndep\n', [2, 1], /the line has no colon/],
  ['a:\n  b: 1\n   c: 2\n', [2, 6], /a second key begins in the value of this line/],
  ['a: b: c\n', [1, 4], /quote a value with a colon/],
  ['a:\n   b: 1\n  c: 2\n', [3, 1], /the indentation differs/],
  ['a: "x\nb: 2\n', [3, 1], /a quote is opened and not closed/],
  ["a: 'x\nb: 2\n", [3, 1], /a quote is opened and not closed/],
  ['a: [1, 2\nb: 2\n', [2, 1], /a bracket or a brace is opened/],
  ['a: {b: 1\nc: 2\n', [2, 1], /a bracket or a brace is opened/],
  ['a: @x\n', [1, 4], /must be quoted/],
  ['a: *\n', [1, 4], /a value that begins with \* must be quoted/],
  ['a: "\\d"\n', [1, 5], /an escape sequence is not known/],
  ['- a\nb: 1\n', [2, 1], /does not continue what precedes it/],
];

test('the common mistakes in YAML are told in a sentence with line and column, beside the words of the parser', () => {
  for (const [text, [line, column], told] of mistakes) {
    let problem: unknown;
    try {
      parseYamlTree(Buffer.from(text), 'shop.yaml');
    } catch (error) {
      problem = error;
    }
    assert.ok(isSvcError(problem, 'SVC-VAL-001'), text);
    const rule = String(problem.params.rule);
    assert.match(rule, told, text);
    assert.equal(problem.params.path, `line ${line}, column ${column}`, text);
    assert.ok(problem.detail !== undefined && problem.detail !== '' && problem.detail !== rule, text);
    const french = sayRule(problem.rules.rule!, 'fr');
    assert.notEqual(french, rule);
    assert.equal(findEnglish(french.replace('name: value', '')), undefined, french);
  }
});

test('they are told in the same way of the configuration, which is not quoted', async () => {
  await using folder = await openTempFolder();
  const path = join(folder.path, 'svc.yaml');
  for (const [text, [line, column], told] of mistakes) {
    await writeFile(path, text);
    const { problems } = await readConfigDocument(path, true);
    const [{ rule, line: found }] = problems as [(typeof problems)[number]];
    assert.match(String(rule), told, text);
    assert.ok(String(rule).startsWith(`is not valid YAML in column ${column}: `), String(rule));
    assert.equal(found, line, text);
    assert.match(sayRule(rule, 'fr'), /^n’est pas du YAML valide à la colonne/);
  }
});
