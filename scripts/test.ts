// test [--all | --long] [--changed [COMMIT]] [--name PATTERN | --within MINUTES] [FILE or FOLDER…]: checks formatting and types, and runs
// the short tests. With --all it also runs the long ones, with --long those alone (scripts/test/tiers.ts). FILE or FOLDER
// selects the `*.test.ts` below it, short or long. --changed runs the tests that a change since the commit reaches, by
// default since the last one. Flag --name runs the tests whose name matches the regular expression. After
// the minutes of --within no further file begins. In a whole run, up to three files with failed tests run again alone;
// tests that pass then are listed by name. Several files share a process (scripts/test/groups.ts). The tests start the built program where many of them run, else the sources. Foreign
// programs are searched on PATH and in the folder of scripts/install-peers; a test whose program is missing is listed by
// name as not run. The last lines are the number of tests, and the parts of the suite that the run left out.
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, symlinkSync } from 'node:fs';
import { availableParallelism, homedir } from 'node:os';
import { join } from 'node:path';
import { parseFlags } from './parse-flags.ts';
import { runCheck } from './test/checks.ts';
import { groupTests } from './test/groups.ts';
import { runAlone, runFiles } from './test/run-files.ts';
import { type Selection, selectTests } from './test/select.ts';

const root = join(import.meta.dirname, '..');
process.chdir(root);
const peers = process.env.PEERS_DIR ?? join(homedir(), '.cache', 'svc-peers');
// each group of test files, and each `svc` that they start, is a process: types are erased once for all of them
process.env.NODE_COMPILE_CACHE ??= join(root, 'node_modules', '.cache', 'compile');
if (existsSync(join(peers, 'bin'))) process.env.PATH = `${join(peers, 'bin')}:${process.env.PATH}`;

/** Reads the arguments, and selects the tests. @throws Error for arguments that select nothing */
function select(): Selection & {
  readonly pattern: string | undefined;
  readonly isWhole: boolean;
  /** Minutes in which files begin. */
  readonly within: number | undefined;
} {
  const { values, positionals } = parseFlags(process.argv.slice(2), {
    all: { type: 'boolean' },
    long: { type: 'boolean' },
    changed: { type: 'boolean' },
    name: { type: 'string' },
    'test-name-pattern': { type: 'string' },
    within: { type: 'string' },
  });
  if (values.changed && positionals.length > 1)
    throw new Error('--changed takes at most a commit, and no paths');
  const pattern = values.name ?? values['test-name-pattern'];
  const within = values.within === undefined ? undefined : Number(values.within);
  if (Number.isNaN(within)) throw new Error('--within wants a number of minutes');
  if (within !== undefined && pattern !== undefined)
    throw new Error('--within and --name exclude each other');
  const paths = values.changed ? [] : positionals;
  const selection = selectTests(root, {
    paths,
    part: values.all ? 'all' : values.long ? 'long' : 'short',
    since: values.changed ? (positionals[0] ?? 'HEAD') : undefined,
    pattern,
  });
  return { ...selection, pattern, within, isWhole: paths.length === 0 && pattern === undefined };
}

function selectOrStop(): ReturnType<typeof select> {
  try {
    return select();
  } catch (error) {
    process.stderr.write(`test: ${(error as Error).message}\n`);
    process.exit(1);
  }
}

const began = performance.now();
const { files, formatted, notes, pattern, within, isWhole } = selectOrStop();
if (formatted?.length === 0 && files.length === 0) {
  process.stdout.write(`${notes.join('\n')}\n`);
  process.exit();
}

/** Builds the program as users get it: it starts in half the processor time of the sources. */
function buildProgram(): string {
  const caches = join(root, 'node_modules', '.cache');
  mkdirSync(caches, { recursive: true });
  const folder = join(caches, 'program');
  execFileSync(process.execPath, [join(root, 'scripts', 'build.ts'), folder], {
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  // the launcher takes the runtime beside it
  symlinkSync(process.execPath, join(folder, 'node'));
  return join(folder, 'svc');
}
/** Number of files from which the time of the build is won back. */
const many = 20;
if (files.length >= many) process.env.SVC_BIN ??= buildProgram();

/** Ends the processes of the tests, and with them the processes that these started. */
const stopping = new AbortController();
for (const [signal, number] of [
  ['SIGHUP', 1],
  ['SIGINT', 2],
  ['SIGTERM', 15],
] as const)
  process.once(signal, () => {
    process.once('exit', () => {
      process.exitCode = 128 + number;
    });
    stopping.abort();
  });

/** Checked while the tests run: Node runs the sources as they are. The formatting is that of the whole run only. */
const checks = Promise.all([
  runCheck('types', [], stopping.signal),
  ...(isWhole && formatted?.length !== 0 ? [runCheck('formatting', formatted, stopping.signal)] : []),
]);

const groups = groupTests(files, (file) => readFileSync(file, 'utf8'));
const until = within === undefined ? undefined : Date.now() + within * 60_000;
// more processes than cores: most of them wait for processes, disks and intervals longer than they compute
const options = { concurrency: availableParallelism() + 2, until, pattern, signal: stopping.signal };
const outcome = await runFiles(root, groups, options);
const { passed, failed, pending, notRun } = outcome;
const passedAlone = isWhole ? await runAlone(root, outcome, options) : [];
let failures = pending.size + [...failed.values()].flat().length;
for (const { name, passed, output } of await checks) {
  if (passed) continue;
  process.stdout.write(`\n${name}:\n${output}`);
  failures += 1;
}
const list = (title: string, names: Iterable<string>): string => {
  const lines = [...names].map((name) => `  ${name}\n`);
  return lines.length === 0 ? '' : `\n${title}:\n${lines.join('')}`;
};
const seconds = Math.round((performance.now() - began) / 1000);
process.on('exit', () =>
  process.stdout.write(
    `${list('not ended', pending)}${list('not run', notRun)}${list('passed only when run alone', passedAlone)}
${passed + passedAlone.length} passed, ${failures} failed, ${notRun.length} skipped in ${files.length} files, ${seconds} seconds
${notes.map((note) => `${note}\n`).join('')}`,
  ),
);
process.exitCode = failures > 0 || (passed + passedAlone.length === 0 && files.length > 0) ? 1 : 0;
