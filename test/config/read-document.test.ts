import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { readConfigDocument } from '../../src/config/read-document.ts';
import { sayRule } from '../../src/text/rule.ts';
import { openTempFolder } from '../kit/instance/temp-folder.ts';

async function read(text: string) {
  await using folder = await openTempFolder();
  const path = join(folder.path, 'svc.yaml');
  await writeFile(path, text);
  const { problems } = await readConfigDocument(path, true);
  return problems.map((problem) => ({
    ...problem,
    rule: String(problem.rule),
    french: sayRule(problem.rule, 'fr'),
  }));
}

test('four times as many keys take about four times as long', async () => {
  const use = async (keys: number): Promise<number> => {
    const text = `x:\n${Array.from({ length: keys }, (_, i) => `  k${i}: v\n`).join('')}  k7: v\n`;
    const before = process.cpuUsage();
    const problems = await read(text);
    const { user, system } = process.cpuUsage(before);
    assert.deepEqual(problems, [
      { key: 'x.k7', rule: 'is given twice', french: 'est donné deux fois', line: keys + 2 },
    ]);
    return (user + system) / 1000;
  };
  await use(1000);
  const once = Math.max(50, await use(5000));
  const four = await use(20_000);
  assert.ok(four < 10 * once, `${once} ms, and ${four} ms`);
});

test('a document made to multiply problems or nodes ends at the first, without a word of what it has', async () => {
  for (const [text, rule, line] of [
    [
      `secret: "${'\\x'.repeat(200_000)}"`,
      'is not valid YAML in column 10: an escape sequence is not known: put a text with backslashes into single quotes',
      1,
    ],
    [
      '- @secret\n'.repeat(1000),
      'is not valid YAML in column 3: a value that begins with this character must be quoted',
      1,
    ],
    ['['.repeat(5000), 'is not valid YAML: nested deeper than 64', undefined],
    [`a: &a [1]\nb: [${'*a,'.repeat(500)}]`, 'is not valid YAML: at most 100 aliases', undefined],
    ['a: 1\n---\na: 2\n', 'is not valid YAML in column 1: more than one document', 2],
  ] as const) {
    const [problem, ...more] = await read(text);
    assert.deepEqual([problem?.rule, problem?.line, more], [rule, line, []]);
  }
  const [deep] = await read('['.repeat(5000));
  assert.match(deep!.french, /imbriqué à plus de 64 niveaux$/);
});
