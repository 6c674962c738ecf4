import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readFileSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { trackChild } from '../../test/kit/program/svc.ts';
import { root } from '../bundle-options.ts';
import { runGit } from '../release/tools/git.ts';
import { runLine } from './run-line.ts';
import type { Side } from './side.ts';

/** Why nothing can be compared. */
export class RefusedError extends Error {
  override name = 'RefusedError';
}

/** Packages of a lockfile; the first entry is the project itself, whose version changes with each release. */
function readPackages(sources: string): string {
  const { packages } = JSON.parse(readFileSync(join(sources, 'package-lock.json'), 'utf8')) as {
    packages: Record<string, unknown>;
  };
  const { dependencies, devDependencies, optionalDependencies } = (packages[''] ?? {}) as Record<
    string,
    unknown
  >;
  return JSON.stringify({
    ...packages,
    '': { dependencies, devDependencies, optionalDependencies },
  });
}

/** Runs a program whose output is of interest only when it fails. @throws Error with the output */
async function runQuietly(cwd: string, program: string, args: readonly string[]): Promise<void> {
  const child = trackChild(spawn(program, args, { cwd, stdio: ['ignore', 'pipe', 'pipe'] }));
  let said = '';
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (text: string) => {
      said += text;
    });
  const [code, signal] = (await once(child, 'close')) as [number | null, string | null];
  if (code !== 0)
    throw new RefusedError(`${program} failed in ${cwd} (${signal ?? `exit code ${code}`}): ${said}`);
}

/** Checks out the older commit. @throws RefusedError */
function cloneOlder(commit: string, into: string): void {
  let id: string;
  try {
    id = runGit(root, 'rev-parse', '--verify', '--quiet', `${commit}^{commit}`);
  } catch (cause) {
    throw new RefusedError(`${commit} is not a commit of this repository`, { cause });
  }
  // the objects are read where they are, and nothing is recorded in this repository
  runGit(root, 'clone', '--quiet', '--shared', '--no-checkout', '--no-tags', '--template=', root, into);
  runGit(into, 'checkout', '--quiet', '--detach', id);
}

async function bringPackages(sources: string): Promise<void> {
  if (readPackages(sources) === readPackages(root))
    symlinkSync(join(root, 'node_modules'), join(sources, 'node_modules'));
  else
    await runQuietly(sources, 'npm', [
      'ci',
      '--include=dev',
      '--include=optional',
      '--no-audit',
      '--no-fund',
    ]);
}

/** Opens a side whose program is built. */
export async function openSide(side: Pick<Side, 'name' | 'sources' | 'program' | 'folder'>): Promise<Side> {
  const { folder } = side;
  mkdirSync(join(folder, 'home'), { recursive: true });
  const opened: Side = { ...side, placeholders: new Map([[folder, '<folder>']]) };
  const args = ['version', '--output', 'json'];
  const { stdout } = await runLine(opened, { args, language: 'en', cwd: folder });
  const { commit, date } = JSON.parse(stdout) as { commit: string; date: string };
  for (const [value, placeholder] of [
    [commit, '<commit>'],
    [date, '<date>'],
  ] as const)
    if (value !== 'unknown') opened.placeholders.set(value, placeholder);
  return opened;
}

const versionOf = (sources: string): string =>
  (JSON.parse(readFileSync(join(sources, 'package.json'), 'utf8')) as { version: string }).version;

/**
 * Builds both programs.
 *
 * @param folder of the comparison, which is removed in the end
 * @throws RefusedError
 */
export async function openSides(
  commit: string,
  folder: string,
  say: (line: string) => void,
): Promise<readonly [older: Side, newer: Side]> {
  const clone = join(folder, 'clone');
  cloneOlder(commit, clone);
  await bringPackages(clone);
  const versions = [versionOf(clone), versionOf(root)];
  const open = async (name: Side['name'], sources: string): Promise<Side> => {
    say(`builds the ${name} program`);
    const dist = join(folder, `built-${name}`);
    await runQuietly(sources, process.execPath, [join(sources, 'scripts', 'build.ts'), dist]);
    const side = await openSide({ name, sources, program: join(dist, 'svc'), folder: join(folder, name) });
    // both versions on both sides: an example may name the version of the other side
    if (versions[0] !== versions[1])
      for (const version of versions) side.placeholders.set(version, '<version>');
    return side;
  };
  return [await open('older', clone), await open('newer', root)];
}
