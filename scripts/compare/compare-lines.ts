import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { forEachBounded } from '../../src/base/concurrency.ts';
import { listTableLines, type TableLine, tableFiles } from './command-table.ts';
import { type CommandShape, parseHelp, readCommandPaths } from './command-tree.ts';
import { type Line, languages, runLine, toSubject } from './run-line.ts';
import type { Side } from './side.ts';
import type { Subject, Subjects } from './subject.ts';

/** A command line in a language and format, with the name of its subject. */
interface NamedLine {
  readonly name: string;
  readonly line: Omit<Line, 'cwd'>;
  readonly isDocument: boolean;
}

const quote = (args: readonly string[]): string =>
  ['svc', ...args].map((arg) => (/^[\w@:/.=,-]+$/.test(arg) ? arg : `'${arg}'`)).join(' ');

/** Runs each line in a folder of its own, which has the files of the table. @returns its subjects by name */
async function runAll(side: Side, lines: readonly NamedLine[], stop: AbortSignal): Promise<Subjects> {
  const subjects = new Map<string, Subject>(
    lines.map(({ name }) => [name, { head: '', body: '', form: 'text' }]),
  );
  await forEachBounded(lines, availableParallelism(), async ({ name, line, isDocument }, index) => {
    stop.throwIfAborted();
    // the same length for every line of both sides
    const cwd = join(side.folder, `line-${String(index).padStart(5, '0')}`);
    mkdirSync(cwd);
    for (const [file, text] of Object.entries(tableFiles)) writeFileSync(join(cwd, file), text);
    const printed = await runLine(side, { ...line, cwd, env: { SVC_CONFIG: 'svc.yaml', ...line.env } });
    const own: Side = { ...side, placeholders: new Map([[cwd, '<folder>'], ...side.placeholders]) };
    subjects.set(name, toSubject(own, printed, isDocument));
    rmSync(cwd, { recursive: true, force: true });
  });
  return subjects;
}

function* toHelpLines(paths: readonly (readonly string[])[], codes: readonly string[]): Generator<NamedLine> {
  for (const language of languages)
    for (const args of [
      ...[[], ...paths].map((path) => [...path, '--help']),
      ...codes.map((code) => ['explain', code]),
    ])
      yield { name: `${quote(args)} (${language})`, line: { args, language }, isDocument: false };
}

function* toTableLines(table: readonly TableLine[]): Generator<NamedLine> {
  for (const { args, isBrief } of table) {
    for (const language of isBrief ? languages.slice(0, 1) : languages)
      yield { name: `${quote(args)} (${language})`, line: { args, language }, isDocument: false };
    if (isBrief || args.includes('--output')) continue;
    const more = [...args, '--output', 'json'];
    yield { name: `${quote(more)} (en)`, line: { args: more, language: 'en' }, isDocument: true };
  }
}

/** Error codes of a side, from its page of errors. */
function readCodes({ sources }: Side): readonly string[] {
  const page = readFileSync(join(sources, 'docs', 'errors.md'), 'utf8');
  return [...page.matchAll(/^\| `(SVC-[A-Z]+-\d+)` \|/gm)].map(([, code]) => code!);
}

/** Names that only the newer side has, with nothing to compare them with. */
const toNames = (lines: Iterable<NamedLine>): Subjects =>
  new Map([...lines].map(({ name }) => [name, { head: '', body: '', form: 'text' }]));

type Pair = readonly [older: Subjects, newer: Subjects];

/** Runs the lines of the older side by both programs; those that only the newer one has are named and not run. */
async function runBoth(
  [older, newer]: readonly [Side, Side],
  [known, current]: readonly [readonly NamedLine[], readonly NamedLine[]],
  stop: AbortSignal,
): Promise<Pair> {
  const before = await runAll(older, known, stop);
  const after = await runAll(newer, known, stop);
  return [before, new Map([...toNames(current), ...after])];
}

/** Compares the help of every command, and the explanation of every error code. */
export async function compareHelp(sides: readonly [Side, Side], stop: AbortSignal): Promise<Pair> {
  const [known, current] = await Promise.all(
    sides.map(async (side) => [...toHelpLines(await readCommandPaths(side), readCodes(side))]),
  );
  return runBoth(sides, [known!, current!], stop);
}

async function readShapes(
  side: Side,
  isSelected: (path: string) => boolean,
): Promise<readonly CommandShape[]> {
  const shapes: CommandShape[] = [];
  const paths = (await readCommandPaths(side)).filter((path) => isSelected(path.join(' ')));
  await forEachBounded(paths, availableParallelism(), async (path, index) => {
    const { stdout } = await runLine(side, { args: [...path, '--help'], language: 'en', cwd: side.folder });
    shapes[index] = parseHelp(path, stdout);
  });
  return shapes;
}

/** Compares the output and the exit codes of command lines. @param isSelected whether the lines of a command are compared */
export async function compareLines(
  sides: readonly [Side, Side],
  stop: AbortSignal,
  isSelected: (path: string) => boolean = () => true,
): Promise<Pair> {
  const [known, current] = await Promise.all(
    sides.map(async (side) => {
      const table = listTableLines(await readShapes(side, isSelected));
      return [
        ...toTableLines(
          table.filter(({ args }) => isSelected(args.slice(0, 2).join(' ')) || isSelected(args[0] ?? '')),
        ),
      ];
    }),
  );
  return runBoth(sides, [known!, current!], stop);
}
