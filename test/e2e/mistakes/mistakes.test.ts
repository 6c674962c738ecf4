import assert from 'node:assert/strict';
import { cp, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import type { LogLevel } from '../../../src/base/report.ts';
import { errorKinds } from '../../../src/text/errors/codes.ts';
import type { ErrorCode } from '../../../src/text/errors/registry.ts';
import type { Language } from '../../../src/text/language.ts';
import { findEnglish, runInLanguage } from '../../kit/program/run-command.ts';
import type { SvcResult } from '../../kit/program/svc.ts';
import { findIncomplete } from '../../kit/result/printed-commands.ts';
import { type BuiltMedium, buildMedium } from '../../kit/scene/medium.ts';
import { openRehearsal, type Rehearsal } from '../../kit/scene/rehearsal.ts';
import { commandMistakes } from './commands.ts';
import { diskMistakes } from './disks.ts';
import { instanceMistakes } from './instances.ts';
import { keyMistakes } from './keys.ts';
import type { Mistake, MistakeWorld, Typed } from './mistake.ts';
import {
  keepSection,
  type MistakePage,
  type PageSection,
  renderIndex,
  renderPage,
  toSection,
} from './page.ts';
import { registryMistakes } from './registries.ts';

const chapters: readonly { name: string; title: string; mistakes: readonly Mistake[] }[] = [
  { name: 'disks', title: 'Disks and media', mistakes: diskMistakes },
  { name: 'keys', title: 'Keys and zones', mistakes: keyMistakes },
  { name: 'registries', title: 'Registries and recipes', mistakes: registryMistakes },
  { name: 'instances', title: 'Instances and accounts', mistakes: instanceMistakes },
  { name: 'commands', title: 'Commands and settings', mistakes: commandMistakes },
];

/** Width of the terminal on which the errors are shown in French, and beside JSON. */
const columns = 60;

const logLevels: readonly LogLevel[] = ['debug', 'info', 'warn', 'error'];

const docs = join(import.meta.dirname, '..', '..', '..', 'docs');
const made: MistakePage[] = [];

for (const { name, title, mistakes } of chapters) {
  test(`${title}: each mistake ends in a sentence that leads out`, async (t) => {
    await using rehearsal = await openRehearsal({ inMemory: true });
    await using medium = await buildMedium({ signer: rehearsal.signer, inMemory: true });
    const world = toWorld(rehearsal, medium);
    const sections: PageSection[] = [];
    for (const mistake of mistakes) {
      await t.test(mistake.title, async (t) => {
        if (mistake.needs?.(t, rehearsal.folder) === false) {
          const written = await readFile(join(docs, 'troubleshooting', `${name}.md`), 'utf8');
          sections.push(keepSection(mistake, written));
          return;
        }
        const typed = await mistake.make(world);
        try {
          const { exitCode, code, says } = typed;
          const english = await runTyped(world, typed, 'en');
          const said = `${english.stdout}${english.stderr}`;
          assert.equal(english.exitCode, exitCode, said);
          assert.match(said, says);
          if (code !== undefined) assert.match(said, new RegExp(`\\b${code}\\b`));
          assert.deepEqual(await findIncomplete(withoutRecords(said).replaceAll(/\s+/g, ' ')), []);
          assert.doesNotMatch(
            said,
            /node:internal| {4}at |undefined|\[object|:error:/,
            'no words of the runtime',
          );
          assert.equal(toHighestLevel(english.stderr), typed.record, english.stderr);
          sections.push(toSection(mistake, world, typed, english));

          const french = await runTyped(world, typed, 'fr');
          assert.equal(french.exitCode, exitCode, french.stderr);
          const own = withoutRecords(`${french.stdout}${french.stderr}`);
          requireNarrow(own);
          const sentences = own
            .replaceAll(/\s+/g, ' ')
            .replaceAll(/\(The request [^)]*\)|\bE[A-Z]+: [^']*/g, '');
          assert.equal(findEnglish(sentences), undefined, own);

          // its output is the log
          if (typed.args[0] === 'serve') return;
          const json = await runTyped(world, typed, 'en', ['--output', 'json']);
          assert.equal(json.exitCode, exitCode, json.stderr);
          requireNarrow(withoutRecords(json.stderr));
          requireParts(json.stdout, typed, said);
        } finally {
          await typed.after?.();
        }
      });
    }
    made.push({ name, title, sections });
  });
}

test('the pages on troubleshooting show what the program prints', async () => {
  const pages = [
    ['troubleshooting.md', renderIndex(made)] as const,
    ...made.map((page) => [`troubleshooting/${page.name}.md`, renderPage(page)] as const),
  ];
  for (const [name, printed] of pages) {
    const path = join(docs, name);
    if (process.env.SVC_WRITE_DOCS !== undefined) await writeFile(path, printed);
    assert.equal(
      await readFile(path, 'utf8'),
      printed,
      `run this test with SVC_WRITE_DOCS=1 to write ${name}`,
    );
  }
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

const record = /^\{"ts":.*$/gm;

const withoutRecords = (text: string): string => text.replaceAll(record, '');

/** Returns the highest level of the log records in a text. */
function toHighestLevel(text: string): LogLevel | undefined {
  const levels = [...text.matchAll(record)].map(([line]) => (JSON.parse(line) as { level: LogLevel }).level);
  return logLevels.filter((level) => levels.includes(level)).at(-1);
}

/** A line may only be wider than the terminal by a word that cannot be broken, such as a path or a digest. */
function requireNarrow(text: string): void {
  const wide = text.split('\n').filter((line) => line.length > columns && line.trim().includes(' '));
  assert.deepEqual(wide, [], `wider than ${columns} columns`);
}

/** Requires the parts of the error in a JSON document; a report lists its errors by code. */
function requireParts(stdout: string, { code, exitCode }: Typed, said: string): void {
  const { error } = JSON.parse(stdout) as { error?: Readonly<Record<string, unknown>> };
  if (error === undefined) {
    assert.ok(stdout.includes(`"${code}"`), stdout);
    return;
  }
  assert.equal(error.code, code ?? '', stdout);
  assert.equal(error.exit_code, exitCode, stdout);
  assert.equal(error.class, code === undefined ? 'usage' : errorKinds[code as ErrorCode].class, stdout);
  if (code === undefined) return;
  const withoutClock = (text: unknown): string => String(text).replaceAll(/\d\dZ/g, '');
  for (const part of ['title', 'cause', 'action']) {
    const own = withoutClock(error[part] ?? '');
    assert.ok(own !== '' && withoutClock(said).includes(own), `${part}: ${stdout}`);
  }
}

function runTyped(
  { rehearsal }: MistakeWorld,
  typed: Typed,
  language: Language,
  more: readonly string[] = [],
): Promise<Pick<SvcResult, 'exitCode' | 'stdout' | 'stderr'>> {
  const { args, input, cwd } = typed;
  const narrow = language === 'fr' || more.length > 0;
  const env = narrow ? { ...typed.env, COLUMNS: `${columns}` } : (typed.env ?? {});
  if (input === undefined && cwd === undefined) return runInLanguage([...args, ...more], language, env);
  return rehearsal.svc([...args, ...more], {
    env: { ...env, LC_ALL: language === 'fr' ? 'fr_FR.UTF-8' : 'C' },
    ...(input === undefined ? {} : { input }),
    ...(cwd === undefined ? {} : { cwd }),
  });
}
