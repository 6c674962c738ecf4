import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { isReleaseVersion } from './version.ts';

/** Why a release is not made. */
export class RefusedError extends Error {
  override name = 'RefusedError';
}

/** What is released: one commit. */
export interface Source {
  readonly root: string;
  readonly version: string;
  /** 40 hexadecimal digits. */
  readonly commit: string;
  /** Of the commit: the only time in a release. */
  readonly date: Date;
  /** The same in seconds since 1970. */
  readonly seconds: number;
  /** SHA-256 of the lockfile, in hexadecimal digits. */
  readonly lockfile: string;
}

/**
 * Reads what would be released.
 *
 * @param version the version that is asked for
 * @throws RefusedError for a tree that is not exactly a commit, and for a version that the sources do not have
 */
export function openSource(root: string, version: string): Source {
  const git = (...args: string[]): string =>
    execFileSync('git', args, { cwd: root, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] }).trim();
  if (!isReleaseVersion(version)) {
    throw new RefusedError(`${version} is not a version such as 1.2.3 or 1.2.3-rc.1`);
  }
  const { version: own } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
    version: string;
  };
  if (own !== version) {
    throw new RefusedError(
      `the sources are version ${own}, not ${version}: set the version in package.json, run npm run generate, and commit`,
    );
  }
  let commit: string;
  try {
    commit = git('rev-parse', 'HEAD');
  } catch (cause) {
    throw new RefusedError('a release is made from a commit, and this is not a git repository with one', {
      cause,
    });
  }
  const changed = git('status', '--porcelain', '--untracked-files=normal').split('\n').filter(Boolean);
  if (changed.length > 0) {
    const more = changed.length > 5 ? `\n  and ${changed.length - 5} more` : '';
    const list = changed.slice(0, 5).map((line) => `\n  ${line}`);
    throw new RefusedError(
      `the tree is not what was committed: commit or remove these first${list.join('')}${more}`,
    );
  }
  const tagged = git('tag', '--list', `v${version}`) !== '';
  if (tagged && git('rev-parse', `v${version}^{commit}`) !== commit) {
    throw new RefusedError(`the tag v${version} is on another commit: a version is released once`);
  }
  const seconds = Number(git('log', '-1', '--format=%ct'));
  const lockfile = createHash('sha256')
    .update(readFileSync(join(root, 'package-lock.json')))
    .digest('hex');
  return { root, version, commit, date: new Date(seconds * 1000), seconds, lockfile };
}
