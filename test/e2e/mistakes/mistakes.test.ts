import assert from 'node:assert/strict';
import { cp, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import type { Language } from '../../../src/base/language.ts';
import { type BuiltMedium, buildMedium } from '../../kit/medium.ts';
import { openRehearsal, type Rehearsal } from '../../kit/rehearsal.ts';
import { findEnglish, runInLanguage } from '../../kit/run-in-language.ts';
import type { SvcResult } from '../../kit/svc.ts';
import { commandMistakes } from './commands.ts';
import { diskMistakes } from './disks.ts';
import type { Mistake, MistakeWorld, Typed } from './mistake.ts';
import { networkMistakes } from './networks.ts';
import { type PageSection, renderPage, toSection } from './page.ts';

const chapters: readonly (readonly [string, readonly Mistake[]])[] = [
  ['The carried disk', diskMistakes],
  ['Networks, certificates and credentials', networkMistakes],
  ['Commands, files and folders', commandMistakes],
];

const page = join(import.meta.dirname, '..', '..', '..', 'docs', 'troubleshooting.md');
const sections = new Map<string, readonly PageSection[]>();

for (const [chapter, mistakes] of chapters) {
  test(`${chapter}: each mistake ends in a sentence that leads out`, async (t) => {
    await using rehearsal = await openRehearsal({ inMemory: true });
    await using medium = await buildMedium({ signer: rehearsal.signer, inMemory: true });
    const world = toWorld(rehearsal, medium);
    const made: PageSection[] = [];
    for (const mistake of mistakes) {
      await t.test(mistake.title, async () => {
        const typed = await mistake.make(world);
        try {
          const { exitCode, code, says } = typed;
          const english = await runTyped(world, typed, 'en');
          const said = `${english.stdout}${english.stderr}`;
          assert.equal(english.exitCode, exitCode, said);
          assert.match(said, says);
          if (code !== undefined) assert.match(said, new RegExp(`\\b${code}\\b`));
          assert.doesNotMatch(
            said,
            /node:internal| {4}at |undefined|\[object|:error:/,
            'no words of the runtime',
          );
          made.push(toSection(mistake, world, typed, english));

          const french = await runTyped(world, typed, 'fr');
          assert.equal(french.exitCode, exitCode, french.stderr);
          const own = `${french.stdout}${french.stderr}`.replaceAll(/^\{"ts":.*$/gm, '');
          assert.equal(findEnglish(own.replaceAll(/\(The request [^)]*\)/g, '')), undefined, own);

          // its output is the log
          if (typed.args[0] === 'serve') return;
          const json = await runTyped(world, typed, 'en', ['--output', 'json']);
          assert.equal(json.exitCode, exitCode, json.stderr);
          const document = JSON.parse(json.stdout) as { error?: { code: string } };
          if (code !== undefined) assert.ok(json.stdout.includes(`"${code}"`), json.stdout);
          if (document.error !== undefined) assert.equal(document.error.code, code ?? '', json.stdout);
        } finally {
          await typed.after?.();
        }
      });
    }
    sections.set(chapter, made);
  });
}

test('the page on troubleshooting shows what the program prints', async () => {
  const printed = renderPage([...sections]);
  if (process.env.SVC_WRITE_DOCS !== undefined) await writeFile(page, printed);
  assert.equal(
    await readFile(page, 'utf8'),
    printed,
    'run this test with SVC_WRITE_DOCS=1 to write the page',
  );
});

function toWorld(rehearsal: Rehearsal, medium: BuiltMedium): MistakeWorld {
  return {
    rehearsal,
    async carry(settings = {}) {
      const root = rehearsal.path('disk');
      await rm(root, { recursive: true, force: true });
      await cp(medium.root, root, { recursive: true });
      const config = await rehearsal.configure('zone-side', {
        mode: 'mirror',
        zone: 'zone-b',
        storage: { root },
        trust: rehearsal.trust,
        ...settings,
      });
      return { root, config };
    },
  };
}

function runTyped(
  { rehearsal }: MistakeWorld,
  typed: Typed,
  language: Language,
  more: readonly string[] = [],
): Promise<Pick<SvcResult, 'exitCode' | 'stdout' | 'stderr'>> {
  const { args, env = {}, input, cwd } = typed;
  if (input === undefined && cwd === undefined) return runInLanguage([...args, ...more], language, env);
  return rehearsal.svc([...args, ...more], {
    env: { ...env, LC_ALL: language === 'fr' ? 'fr_FR.UTF-8' : 'C' },
    ...(input === undefined ? {} : { input }),
    ...(cwd === undefined ? {} : { cwd }),
  });
}
