import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { openTempFolder } from '../../kit/instance/temp-folder.ts';
import { runInLanguage } from '../../kit/program/run-command.ts';

test('machine output is the same in every language, and people read theirs beside it', async () => {
  await using folder = await openTempFolder();
  const document = join(folder.path, 'wrong.yaml');
  await writeFile(document, 'kind: Recipe\n');
  for (const line of [
    ['recipe', 'lint', document],
    ['retriever', 'lint', document],
    ['retriever', 'lint', document, join(folder.path, 'absent')],
    ['recipe', 'show', document],
    ['explain', 'SVC-STO-001'],
    ['media', 'show', join(folder.path, 'absent')],
    ['sync', '--instance', 'http://127.0.0.1:1'],
    ['store', 'check'],
    ['status', '--bogus'],
    ['config', 'dump', '--mode', 'bogus', '--log-level', 'bogus'],
  ]) {
    const args = [...line, '--output', 'json'];
    const english = await runInLanguage(args, 'en');
    const french = await runInLanguage(args, 'fr');
    assert.ok(english.stdout.length > 2, args.join(' '));
    assert.deepEqual(
      [french.exitCode, french.stdout.replaceAll(/"(id|time)": ".*"/g, '')],
      [english.exitCode, english.stdout.replaceAll(/"(id|time)": ".*"/g, '')],
    );
    if (english.stderr !== '') assert.notEqual(french.stderr, english.stderr, args.join(' '));
  }
});
