import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { cp, mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';

const root = join(import.meta.dirname, '..', '..');

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

/** Copies the sources as they are now into a repository with one commit, under a version, with the installed packages. */
export async function copyProject(into: string, version: string): Promise<void> {
  const listed = execFileSync('git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard'], {
    cwd: root,
    encoding: 'utf8',
  });
  for (const path of listed.split('\0').filter((one) => one !== '' && existsSync(join(root, one)))) {
    await mkdir(dirname(join(into, path)), { recursive: true });
    await cp(join(root, path), join(into, path));
  }
  // hard links where the volume is the same: the packages are read only
  try {
    execFileSync('cp', ['-al', join(root, 'node_modules'), into], { stdio: 'ignore' });
  } catch {
    execFileSync('cp', ['-a', join(root, 'node_modules'), into], { stdio: 'ignore' });
  }
  const path = join(into, 'package.json');
  const manifest = JSON.parse(await readFile(path, 'utf8')) as object;
  await writeFile(path, `${JSON.stringify({ ...manifest, version }, null, 2)}\n`);
  git(into, 'init', '--quiet');
  git(into, 'add', '--all');
  git(into, 'commit', '--quiet', '--message', `Version ${version}`);
}
