// Runs the test suite: every `*.test.ts` under the folders given, or all of `test/`. Programs that interoperability
// tests run against are looked for on PATH and where scripts/install-peers puts them; a test whose program is missing
// is listed as not run, by name. The last line is the count.
import { existsSync, globSync } from 'node:fs';
import { homedir } from 'node:os';
import { join, relative } from 'node:path';
import { run } from 'node:test';
import { spec } from 'node:test/reporters';

const root = join(import.meta.dirname, '..');
process.chdir(root);
const peers = process.env.PEERS_DIR ?? join(homedir(), '.cache', 'svc-peers');
if (existsSync(join(peers, 'bin'))) process.env.PATH = `${join(peers, 'bin')}:${process.env.PATH}`;

const asked = process.argv.slice(2);
const files = (asked.length > 0 ? asked : ['test'])
  .flatMap((path) => (path.endsWith('.ts') ? [path] : globSync(`${path}/**/*.test.ts`)))
  .map((path) => join(root, relative(root, path)))
  .sort();
if (files.length === 0) {
  process.stderr.write(`svc: no tests under ${asked.join(', ')}\n`);
  process.exit(1);
}

const counts = { passed: 0, failed: 0, skipped: 0 };
const notRun: string[] = [];
const stream = run({
  files,
  concurrency: 2,
  // a file that hangs fails; what is meant to take hours says so
  timeout: Number(process.env.SVC_TEST_MINUTES ?? 15) * 60_000,
  execArgv: ['--disable-warning=ExperimentalWarning'],
});
stream.on('test:pass', (event) => {
  if (event.details.type === 'suite' || event.name.endsWith('.test.ts')) return;
  if (event.skip === undefined) counts.passed += 1;
  else {
    counts.skipped += 1;
    notRun.push(`${event.name} (${event.skip === true ? 'skipped' : event.skip})`);
  }
});
stream.on('test:fail', (event) => {
  if (event.details.type !== 'suite') counts.failed += 1;
});
stream.compose(new spec()).pipe(process.stdout);
stream.on('end', () => {
  process.on('exit', () => {
    if (notRun.length > 0)
      process.stdout.write(`\nnot run:\n${notRun.map((name) => `  ${name}\n`).join('')}`);
    process.stdout.write(`\n${counts.passed} passed, ${counts.failed} failed, ${counts.skipped} skipped\n`);
  });
  process.exitCode = counts.failed > 0 || counts.passed === 0 ? 1 : 0;
});
