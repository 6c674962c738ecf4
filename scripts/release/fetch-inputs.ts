// fetch-inputs [--inputs DIR]: brings the pinned files that a release needs beside the sources. npm brings the packages
// that are in the program or build it, apt the Debian packages of the image. They are those for a release of all
// processors on a machine of any of them. This is the only step with a network. The folder can be carried, and the files
// can come from anywhere: a release accepts exactly the pinned ones.
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { makeFolder } from '../../src/disk/make-folder.ts';
import { root } from '../bundle-options.ts';
import { type Architecture, architectures } from './arch.ts';
import { defaultInputs } from './arguments.ts';
import { debFileName, listDebianPackages, npmFileName, readInput, requireDebianPackages } from './inputs.ts';
import { listBuildPackages } from './npm-packages.ts';
import { RefusedError } from './source.ts';

const folder = resolve(readFolder(process.argv.slice(2)) ?? defaultInputs(process.env));
const run = (program: string, args: readonly string[]): void => {
  execFileSync(program, args, { cwd: folder, stdio: ['ignore', 2, 2] });
};

/** The folder of the inputs, with the flag that a release has too, or alone. Exits for other arguments. */
function readFolder(args: readonly string[]): string | undefined {
  try {
    const options = { inputs: { type: 'string' } } as const;
    const { values, positionals } = parseArgs({ args: [...args], options, allowPositionals: true });
    const named = [...(values.inputs === undefined ? [] : [values.inputs]), ...positionals];
    if (named.length > 1) throw new Error(`one folder is wanted, and ${named.join(', ')} are given`);
    return named[0];
  } catch (error) {
    process.stderr.write(
      `release:inputs: ${(error as Error).message}\nUsage: npm run release:inputs -- [--inputs DIR]\n`,
    );
    process.exit(2);
  }
}

/** Brings packages of one architecture with apt and the sources of this machine, which may have another architecture. */
function fetchDebian(platform: Architecture): void {
  const wanted = listDebianPackages(platform).filter((one) => !existsSync(join(folder, debFileName(one))));
  if (wanted.length === 0) return;
  const state = mkdtempSync(join(tmpdir(), 'svc-apt-'));
  try {
    for (const path of ['lists/partial', 'archives/partial'])
      mkdirSync(join(state, path), { recursive: true });
    const { deb } = architectures[platform];
    const settings = [
      ...[`APT::Architecture=${deb}`, `APT::Architectures=${deb}`, 'APT::Sandbox::User='],
      ...[`Dir::State=${state}`, `Dir::Cache=${state}`, 'Dir::State::status=/dev/null'],
    ].flatMap((one) => ['-o', one]);
    run('apt-get', ['--quiet', ...settings, 'update']);
    const names = wanted.map(({ name, version }) => `${name}=${version}`);
    run('apt-get', ['--quiet', ...settings, 'download', ...names]);
  } finally {
    rmSync(state, { recursive: true, force: true });
  }
}

try {
  await makeFolder(folder).catch((cause: Error) => {
    throw new RefusedError(`${folder} cannot be made: ${cause.message}`, { cause });
  });
  const platforms = Object.keys(architectures) as Architecture[];
  for (const platform of platforms) fetchDebian(platform);
  const packages = listBuildPackages(root, platforms, platforms);
  const absent = packages.filter((one) => !existsSync(join(folder, npmFileName(one))));
  const names = new Set(absent.map(({ name, version }) => `${name}@${version}`));
  if (names.size > 0) run('npm', ['pack', '--silent', ...names]);
  for (const one of packages) readInput(folder, one);
  requireDebianPackages(platforms, folder);
  process.stdout.write(`${folder}\n`);
} catch (error) {
  if (!(error instanceof RefusedError)) throw error;
  process.stderr.write(`release:inputs: ${error.message}\n`);
  process.exitCode = 1;
}
