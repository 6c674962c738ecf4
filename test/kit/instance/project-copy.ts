import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

const root = join(import.meta.dirname, '..', '..', '..');

/** Why no copy can be made here; undefined when one can. */
export function noCopyReason(): string | undefined {
  if (!existsSync(join(root, '.git'))) return 'not run: needs a git repository';
  const { dependencies } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
    dependencies: Record<string, string>;
  };
  const missing = Object.keys(dependencies).filter((name) => !existsSync(join(root, 'node_modules', name)));
  return missing.length === 0 ? undefined : `not run: needs npm ci (${missing.join(', ')})`;
}

/** Runs git in a folder, as somebody and at a time of its own. */
function git(folder: string, ...args: readonly string[]): string {
  const date = '2026-01-02T03:04:05Z';
  return execFileSync('git', args, {
    cwd: folder,
    encoding: 'utf8',
    env: {
      PATH: process.env.PATH,
      HOME: folder,
      GIT_CONFIG_GLOBAL: '/dev/null',
      GIT_AUTHOR_NAME: 'Nobody',
      GIT_AUTHOR_EMAIL: 'nobody@example.org',
      GIT_AUTHOR_DATE: date,
      GIT_COMMITTER_NAME: 'Nobody',
      GIT_COMMITTER_EMAIL: 'nobody@example.org',
      GIT_COMMITTER_DATE: date,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
}

/** Commits everything in a folder, as somebody and at a time of its own. */
export function commitAll(folder: string, message: string): void {
  git(folder, 'add', '--all');
  git(folder, 'commit', '--quiet', '--message', message);
}

/** Copies the sources as they are now into a repository with one commit, under a version, with the installed packages. */
export async function copyProject(into: string, version: string): Promise<void> {
  const listed = execFileSync('git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard'], {
    cwd: root,
    encoding: 'utf8',
  });
  const paths = listed.split('\0').filter((one) => one !== '' && existsSync(join(root, one)));
  await mkdir(into, { recursive: true });
  execFileSync('cp', ['--parents', '--no-dereference', '--target-directory', into, '--', ...paths], {
    cwd: root,
  });
  const packages = readdirSync(join(root, 'node_modules'))
    .filter((name) => name !== '.cache')
    .map((name) => join(root, 'node_modules', name));
  const target = join(into, 'node_modules');
  await mkdir(target);
  // hard links where the volume is the same: the packages are read only
  const copy = (flag: string): unknown =>
    execFileSync('cp', [flag, '--target-directory', target, ...packages], { stdio: 'ignore' });
  try {
    copy('-al');
  } catch {
    copy('-af');
  }
  await setVersion(into, version);
  git(into, 'init', '--quiet');
  commitAll(into, `Version ${version}`);
}

/** Sets the version of a copy. */
export async function setVersion(copy: string, version: string): Promise<void> {
  const path = join(copy, 'package.json');
  const manifest = JSON.parse(await readFile(path, 'utf8')) as object;
  await writeFile(path, `${JSON.stringify({ ...manifest, version }, null, 2)}\n`);
}
