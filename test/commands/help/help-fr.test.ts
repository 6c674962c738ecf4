import assert from 'node:assert/strict';
import { test } from 'node:test';
import { commandIndex } from '../../../commands/command-index.ts';
import { runInLanguage } from '../../kit/program/run-command.ts';

/** Lines that are the same in every language: command lines, empty lines, and flags with machine values only. */
function isNeutral(line: string): boolean {
  return line.trim() === '' || /^ {4}\S|^ {2}--\S+ \S+$/.test(line);
}

test('the help of every command has no English line left', async () => {
  for (const path of [[], ...commandIndex.map(({ path: own }) => own), ['user'], ['media']]) {
    const english = await runInLanguage([...path, '--help'], 'en');
    const page = await runInLanguage([...path, '--help'], 'fr');
    const name = `svc ${path.join(' ')}`;
    assert.deepEqual([page.exitCode, page.stderr], [0, ''], name);
    const lines = new Set(english.stdout.split('\n').filter((line) => !isNeutral(line)));
    const left = page.stdout.split('\n').filter((line) => lines.has(line));
    assert.deepEqual(left, [], name);
    assert.match(page.stdout, /usage\u00a0: svc/, name);
    // words that are frequent in the English pages and are no French ones
    for (const word of ['the', 'of', 'with', 'folder', 'file', 'flags', 'which', 'store', 'name'])
      assert.doesNotMatch(
        page.stdout.replace(/^ {4}svc .*$|svc store check/gm, ''),
        new RegExp(`[^-./\\w]${word} `),
        name,
      );
    assert.doesNotMatch(page.stdout, / [:;?!]( |$)/m, name);
    for (const line of page.stdout.split('\n')) assert.ok(line.length <= 100 || isNeutral(line), line);
  }
});
