import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { finished } from 'node:stream/promises';
import { run } from 'node:test';
import { spec } from 'node:test/reporters';
import { pathToFileURL } from 'node:url';
import { findMemoryFolder } from './memory-folder.ts';
import { isLong } from './tiers.ts';

const minute = 60_000;
/** A file that hangs fails; long runs set a longer limit. */
const limit = Number(process.env.SVC_TEST_MINUTES ?? 8) * minute;

/** The outcome of a run of test files. */
export interface Outcome {
  passed: number;
  /** Names of the failed tests of each file. */
  readonly failed: Map<string, string[]>;
  readonly notRun: string[];
  /** Files of groups that have not ended: their process ended too early. */
  readonly pending: Set<string>;
}

interface RunOptions {
  /** Groups of files that run at once. */
  readonly concurrency: number;
  /** Milliseconds since 1970, after which no further file begins. */
  readonly until: number | undefined;
  /** Regular expression of the names of the tests that run. */
  readonly pattern: string | undefined;
  /** Ends the processes of the tests. */
  readonly signal: AbortSignal;
}

/**
 * Runs groups of test files, each group in a process, and prints the report of the runner.
 *
 * @param root the folder of the project
 * @param groups paths in the project
 */
export async function runFiles(
  root: string,
  groups: readonly (readonly string[])[],
  { concurrency, until, pattern, signal }: RunOptions,
): Promise<Outcome> {
  const entries = mkdtempSync(join(tmpdir(), 'svc-tests-'));
  const removeEntries = (): void => rmSync(entries, { recursive: true, force: true });
  process.once('exit', removeEntries);
  /** Writes the module that runs a group of files in its process. */
  const writeEntry = (group: readonly string[], index: number): string => {
    const path = join(entries, `${index}-${group[0]!.replaceAll('/', '-')}.mjs`);
    const runner = pathToFileURL(join(import.meta.dirname, 'run-group.ts')).href;
    const temporary = isLong(group[0]!) ? undefined : memory;
    const values = [root, group, { limit, until, temporary }].map((value) => JSON.stringify(value));
    writeFileSync(path, `import { runTestGroup } from '${runner}';\nrunTestGroup(${values.join(', ')});\n`);
    return path;
  };

  const memory = findMemoryFolder();
  const outcome: Outcome = {
    passed: 0,
    failed: new Map(),
    notRun: [],
    pending: new Set(pattern === undefined ? groups.flat() : []),
  };
  const stream = run({
    // the hooks of a file whose tests are all left out must not run either: a pattern runs each file by itself
    files: pattern === undefined ? groups.map(writeEntry) : groups.flat().map((file) => join(root, file)),
    concurrency,
    signal,
    // for a file that hangs without a turn of its loop, where the limit of a file is not seen
    timeout: 2 * limit + 4 * minute,
    execArgv: [
      '--disable-warning=ExperimentalWarning',
      // MiB from the start: V8 begins with 1, and collects garbage three times as often while a group loads its modules
      '--min-semi-space-size=16',
    ],
    ...(pattern === undefined ? {} : { testNamePatterns: pattern }),
  });
  stream.on('test:pass', (event) => {
    outcome.pending.delete(event.name);
    const isFile = event.name.endsWith('.test.ts') || event.name.startsWith(entries);
    if (event.details.type === 'suite' || (isFile && event.skip === undefined)) return;
    if (event.skip === undefined) outcome.passed += 1;
    else outcome.notRun.push(`${event.name} (${event.skip === true ? 'skipped' : event.skip})`);
  });
  stream.on('test:fail', (event) => {
    outcome.pending.delete(event.name);
    const { type, error } = event.details;
    // a file that failed only because of its tests is counted by them
    const isOfParts = 'failureType' in error && error.failureType === 'subtestsFailed';
    if (type === 'suite' || isOfParts) return;
    const file = event.name.endsWith('.test.ts') ? event.name : relative(root, event.file ?? '');
    outcome.failed.set(file, [...(outcome.failed.get(file) ?? []), event.name]);
  });
  stream.compose(new spec()).pipe(process.stdout, { end: false });
  await finished(stream);
  process.off('exit', removeEntries);
  removeEntries();
  return outcome;
}

/**
 * Most files with failed tests that run again. A whole run loads the machine, and the load alone breaks a deadline now
 * and then. More failures than that have another cause.
 */
const mostAlone = 3;

/**
 * Runs the files of failed tests again, one at a time, if they are few. Files that pass leave the failed files of the
 * outcome.
 *
 * @returns names of the tests that failed beside others and passed alone, each with its file
 */
export async function runAlone(root: string, outcome: Outcome, options: RunOptions): Promise<string[]> {
  const { failed, pending } = outcome;
  const files = [...failed.keys()];
  const isFew = files.length <= mostAlone && files.every((file) => existsSync(join(root, file)));
  if (files.length === 0 || !isFew || pending.size > 0 || options.signal.aborted) return [];
  process.stdout.write(`\nfailed beside other tests, runs again alone: ${files.join(', ')}\n\n`);
  const groups = files.map((file) => [file]);
  const again = await runFiles(root, groups, { ...options, concurrency: 1, until: undefined });
  const passed = files.filter((file) => !again.failed.has(file) && !again.pending.has(file));
  const names = passed.flatMap((file) => failed.get(file)!.map((name) => `${name} (${file})`));
  for (const file of passed) failed.delete(file);
  return names;
}
