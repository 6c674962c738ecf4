// Runs a TypeScript script of this project with a suitable runtime, after installing the packages of the
// lockfile. This file is plain JavaScript that Node 18 can parse, because the installed Node may be older
// than the minimum below.
import { spawn, spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const floor = [24, 15];
const root = dirname(dirname(fileURLToPath(import.meta.url)));
/** The runtime that is installed as a package of the project. */
const own = join(root, 'node_modules', '.bin', 'node');
const [script, ...args] = process.argv.slice(2);

function stop(message) {
  process.stderr.write(`svc: ${message}\n`);
  process.exit(1);
}

function isNewEnough(version) {
  const [major, minor] = version.replace(/^v/, '').split('.').map(Number);
  return major > floor[0] || (major === floor[0] && minor >= floor[1]);
}

/**
 * Compares npm's record of its last complete installation with the lockfile. Optional packages may be absent.
 */
function isInstalled() {
  const record = join(root, 'node_modules', '.package-lock.json');
  if (!existsSync(record)) return false;
  const { packages: have } = JSON.parse(readFileSync(record, 'utf8'));
  const { packages: want } = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8'));
  return Object.entries(want).every(
    ([path, { integrity, optional }]) =>
      path === '' || (have[path] ? have[path].integrity === integrity : optional),
  );
}

/**
 * Installs the packages only when some are missing: `npm ci` deletes `node_modules`, and with it a runtime
 * that is in use.
 */
function install() {
  if (isInstalled() && (isNewEnough(process.version) || existsSync(own))) return;
  const npm = process.env.npm_execpath;
  const node = process.env.npm_node_execpath ?? process.execPath;
  const arguments_ = [
    'ci',
    '--include=dev',
    '--include=optional',
    '--no-audit',
    '--no-fund',
    '--loglevel=error',
  ];
  const options = { cwd: root, stdio: ['ignore', 2, 2] };
  const result = npm ? spawnSync(node, [npm, ...arguments_], options) : spawnSync('npm', arguments_, options);
  if (result.error) stop(`npm could not be started: ${result.error.message}`);
  if (result.status !== 0) stop('npm ci failed; see above');
}

function selectRuntime() {
  if (isNewEnough(process.version)) return process.execPath;
  const version = existsSync(own) ? spawnSync(own, ['--version'], { encoding: 'utf8' }) : undefined;
  if (version?.status === 0 && isNewEnough(version.stdout.trim())) return own;
  return stop(
    `needs Node ${floor.join('.')} or newer: this is ${process.version}, and the runtime from npm does not start on this machine`,
  );
}

if (!script) stop('usage: node scripts/run.mjs <script> [argument…]');
install();
const runtime = selectRuntime();
const child = spawn(runtime, [join(root, script), ...args], {
  stdio: 'inherit',
  // child processes find the same runtime as `node`
  env: { ...process.env, PATH: `${dirname(runtime)}:${process.env.PATH ?? '/usr/local/bin:/usr/bin:/bin'}` },
});
// signals are passed to the script, which cleans up; this process then exits in the same way
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal));
child.on('error', (error) => stop(`${runtime} could not be started: ${error.message}`));
child.on('exit', (code, signal) => {
  if (signal === null) process.exit(code ?? 1);
  process.removeAllListeners(signal);
  process.kill(process.pid, signal);
});
