import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { root } from '../../scripts/bundle-options.ts';

/** Lines of a file after a declaration with `using`, up to the end of its scope, without those of functions inside. */
function* listScopes(lines: readonly string[]): Generator<{ readonly at: number; readonly line: string }> {
  const indentOf = (line: string): number => line.length - line.trimStart().length;
  for (const [i, declared] of lines.entries()) {
    if (!/^\s*(?:await )?using \w/.test(declared)) continue;
    const inner: number[] = [];
    for (let at = i + 1; at < lines.length; at += 1) {
      const line = lines[at]!;
      if (line.trim() === '') continue;
      const indent = indentOf(line);
      if (indent < indentOf(declared)) break;
      while (inner.length > 0 && indent <= inner.at(-1)!) inner.pop();
      if (inner.length === 0) yield { at: at + 1, line };
      if (/(?:=>|\)|\)(?:: [^=]+)?) \{$/.test(line) && /=>|function|async/.test(line)) inner.push(indent);
    }
  }
}

/** The function whose promise a line returns without waiting for it; undefined for another line. */
const toReturned = (line: string): string | undefined => /^\s*return (?:[\w.#]+\.)?#?(\w+)\(/.exec(line)?.[1];

test('a function that disposes of something waits for the promise that it returns', () => {
  const files = globSync('{src,commands,server,scripts}/**/*.ts', { cwd: root });
  const texts = new Map(files.map((file) => [file, readFileSync(join(root, file), 'utf8')]));
  const promising = new Set<string>();
  for (const text of texts.values())
    for (const pattern of [
      /\basync (?:function )?\*?#?(\w+)[<(]/g,
      /\b(\w+)(?: = |: [\w<>, ]+ = )async\b/g,
      /\b(\w+)\([^()]*\): Promise</g,
    ])
      for (const [, name] of text.matchAll(pattern)) promising.add(name!);
  // that of arrays waits for nothing
  promising.delete('join');
  assert.ok(promising.has('writeReceipt') && promising.has('isEmpty'));
  const found = [...texts].flatMap(([file, text]) =>
    [...listScopes(text.split('\n'))]
      .filter(({ line }) => promising.has(toReturned(line) ?? ''))
      .map(({ at, line }) => `${file}:${at}: ${line.trim()}`),
  );
  assert.deepEqual(
    [...new Set(found)],
    [],
    'return await: the resource is disposed of before the work is done',
  );
});
