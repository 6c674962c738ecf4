import assert from 'node:assert/strict';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { runCommand } from '../kit/program/run-command.ts';
import type { SvcResult } from '../kit/program/svc.ts';
import { type BuiltMedium, buildMedium } from '../kit/scene/medium.ts';

let medium: BuiltMedium;
before(async () => {
  medium = await buildMedium();
});
after(() => medium[Symbol.asyncDispose]());

const run = (path: string, flags: readonly string[], env: Record<string, string> = {}): Promise<SvcResult> =>
  runCommand(
    ['export', path, '--storage-root', medium.root, '--state-root', join(medium.folder, 'maker'), ...flags],
    { env },
  );

test('a name that the store does not have is corrected from its names, and no registry is blamed', async () => {
  const out = join(medium.folder, 'out.tar');
  for (const [flags, nearest] of [
    [['--recipe', 'shopp'], 'shop'],
    [['--recipe', 'shop@1.4.1'], 'shop@1.4.0'],
    [['--repository', 'origin.example:5000/shop/wbe'], 'origin.example_5000/shop/web'],
  ] as const) {
    const english = await run(out, flags);
    assert.equal(english.exitCode, 1, english.stderr);
    assert.match(english.stderr, /SVC-REG-005: \S+ was not found in the store\./);
    assert.ok(english.stderr.includes(`Did you mean ${nearest}?`), english.stderr);
    assert.doesNotMatch(english.stderr, /registry client|credentials/);
    const french = await run(out, flags, { LC_ALL: 'fr_FR' });
    assert.match(french.stderr, /est introuvable dans le stockage\./);
    assert.ok(french.stderr.includes(`Vouliez-vous dire ${nearest}\u00a0?`), french.stderr);
    assert.doesNotMatch(french.stderr, /client de registre|identifiants/);
  }
});

test('a refused path of a layout has no advice about packing', async () => {
  const refused = await run(join(medium.root, 'out.tar'), []);
  assert.equal(refused.exitCode, 3, refused.stderr);
  assert.match(refused.stderr, /SVC-FIL-003.*\n.*A layout is never written to .* the store/);
  assert.doesNotMatch(refused.stderr, /packRoots|fileset pack/);
});
