import assert from 'node:assert/strict';
import { open, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { Pacer } from '../../../src/base/pacer.ts';
import { scanLines } from '../../../src/base/stream/scan-lines.ts';
import { openTempFolder } from '../../kit/instance/temp-folder.ts';

test('lines are read forward across blocks, with their ends; a too long one is its line feed, an unfinished one is left out', async () => {
  await using folder = await openTempFolder();
  const path = join(folder.path, 'lines');
  const lines = ['first\n', '\n', `${'long'.repeat(100_000)}\n`, `${'x'.repeat(60_000)}\n`, 'last\n'];
  await writeFile(path, `${lines.join('')}unfinished`);
  await using file = await open(path);
  const options = { longest: 64 << 10, pacer: new Pacer() };
  const found: (readonly [text: string, start: number, end: number])[] = [];
  const isWhole = await scanLines(
    file,
    0,
    (line, start, end) => {
      found.push([line.toString(), start, end]);
      return true;
    },
    options,
  );
  let at = 0;
  const expected = lines.map((line) => {
    const start = at;
    at += line.length;
    return [line.length > options.longest ? '\n' : line, start, at];
  });
  assert.deepEqual(found, expected);
  assert.equal(isWhole, true);
  // from the end of a line on, until the visitor has enough
  const [, second] = found;
  const rest: string[] = [];
  const isOver = await scanLines(file, second![2], (line) => rest.push(line.toString()) < 2, options);
  assert.deepEqual(rest, ['\n', lines[3]]);
  assert.equal(isOver, false);
});
