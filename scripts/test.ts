// test [--name PATTERN] [FILE or FOLDER…]: runs every `*.test.ts` of these paths, or all of `test/`, and
// checks the types of the project at the same time. --name runs only the tests whose name matches the regular
// expression. Several files share a process (scripts/test-groups.ts). The tests start the built
// program where many of them run, else the sources. Programs for the interoperability tests are searched on PATH
// and in the folder of scripts/install-peers; a test whose program is missing is listed by name as not run. The
// last line is the number of tests.
import { execFileSync, spawn } from 'node:child_process';
import {
  existsSync,
  globSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { run } from 'node:test';
import { spec } from 'node:test/reporters';
import { pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';
import { groupTests } from './test-groups.ts';

const root = join(import.meta.dirname, '..');
process.chdir(root);
const peers = process.env.PEERS_DIR ?? join(homedir(), '.cache', 'svc-peers');
// each group of test files, and each `svc` that they start, is a process: types are erased once for all of them
process.env.NODE_COMPILE_CACHE ??= join(root, 'node_modules', '.cache', 'compile');
if (existsSync(join(peers, 'bin'))) process.env.PATH = `${join(peers, 'bin')}:${process.env.PATH}`;

function stop(message: string): never {
  process.stderr.write(`test: ${message}\n`);
  process.exit(1);
}

/** Lists the test files of a path. Exits when there are none, so that a misspelt name is an error. */
function listTests(path: string): string[] {
  const info = statSync(path, { throwIfNoEntry: false });
  if (info === undefined) stop(`${path}: no such file or folder`);
  const found = info.isDirectory() ? globSync(`${path}/**/*.test.ts`) : [path];
  if (found.length === 0 || found.some((file) => !file.endsWith('.test.ts'))) stop(`${path}: no tests there`);
  return found;
}

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { name: { type: 'string' }, 'test-name-pattern': { type: 'string' } },
});
const pattern = values.name ?? values['test-name-pattern'];
const files = (positionals.length > 0 ? positionals : ['test'])
  .flatMap(listTests)
  .map((path) => relative(root, path))
  // a file without a matching test would start its servers and never stop them
  .filter((path) => pattern === undefined || new RegExp(pattern).test(readFileSync(path, 'utf8')))
  .sort();
if (files.length === 0) stop(`no test is named ${pattern}`);

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

/** Ends the processes of the tests, which end what they have started. */
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

/** Checks the types while the tests run: Node runs the sources without checking types. */
const types = new Promise<{ readonly status: number | null; readonly output: string }>((done) => {
  const compiler = spawn(join(root, 'node_modules', '.bin', 'tsc'), ['-p', root], {
    stdio: ['ignore', 'pipe', 'inherit'],
    signal: stopping.signal,
  });
  let output = '';
  compiler.stdout.setEncoding('utf8').on('data', (text: string) => {
    output += text;
  });
  compiler.on('error', (error) => done({ status: null, output: `${error.message}\n` }));
  compiler.on('close', (status) => done({ status, output }));
});

const minute = 60_000;
/** A file that hangs fails; long runs set a longer limit. */
const limit = Number(process.env.SVC_TEST_MINUTES ?? 8) * minute;
const entries = mkdtempSync(join(tmpdir(), 'svc-tests-'));
process.on('exit', () => rmSync(entries, { recursive: true }));

/** Writes the module that runs a group of files in its process. */
function writeEntry(group: readonly string[], index: number): string {
  const path = join(entries, `${index}-${group[0]!.replaceAll('/', '-')}.mjs`);
  const runner = pathToFileURL(join(root, 'scripts', 'run-test-group.ts')).href;
  const values = [root, group, limit].map((value) => JSON.stringify(value));
  writeFileSync(path, `import { runTestGroup } from '${runner}';\nrunTestGroup(${values.join(', ')});\n`);
  return path;
}

const counts = { passed: 0, failed: 0, skipped: 0 };
const notRun: string[] = [];
/** Files of groups that have not ended yet: when their process has, it ended too early. */
const pending = new Set(pattern === undefined ? files : []);
const stream = run({
  // the hooks of a file whose tests are all left out must not run either: a pattern runs each file by itself
  files:
    pattern === undefined
      ? groupTests(files, (file) => readFileSync(file, 'utf8')).map(writeEntry)
      : files.map((file) => join(root, file)),
  // three processes for two cores: most of them wait for processes and disks more than they compute
  concurrency: 3,
  signal: stopping.signal,
  // what hangs without a turn of its loop, where the limit of a file is not seen
  timeout: limit + 4 * minute,
  execArgv: ['--disable-warning=ExperimentalWarning'],
  ...(pattern === undefined ? {} : { testNamePatterns: pattern }),
});
stream.on('test:pass', (event) => {
  pending.delete(event.name);
  const isFile = event.name.endsWith('.test.ts') || event.name.startsWith(entries);
  if (event.details.type === 'suite' || isFile) return;
  if (event.skip === undefined) counts.passed += 1;
  else {
    counts.skipped += 1;
    notRun.push(`${event.name} (${event.skip === true ? 'skipped' : event.skip})`);
  }
});
stream.on('test:fail', (event) => {
  pending.delete(event.name);
  const { type, error } = event.details;
  // a file that failed only because of its tests is counted by them
  const isOfParts = 'failureType' in error && error.failureType === 'subtestsFailed';
  if (type !== 'suite' && !isOfParts) counts.failed += 1;
});
stream.compose(new spec()).pipe(process.stdout);
stream.on('end', async () => {
  const { status, output } = await types;
  if (status !== 0) {
    process.stdout.write(`\ntypes:\n${output}`);
    counts.failed += 1;
  }
  counts.failed += pending.size;
  process.on('exit', () => {
    if (pending.size > 0)
      process.stdout.write(`\nnot ended:\n${[...pending].map((name) => `  ${name}\n`).join('')}`);
    if (notRun.length > 0)
      process.stdout.write(`\nnot run:\n${notRun.map((name) => `  ${name}\n`).join('')}`);
    process.stdout.write(`\n${counts.passed} passed, ${counts.failed} failed, ${counts.skipped} skipped\n`);
  });
  process.exitCode = counts.failed > 0 || counts.passed === 0 ? 1 : 0;
});
