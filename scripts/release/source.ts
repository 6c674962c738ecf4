import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { toSystemCode } from '../../src/disk/system-code.ts';
import { isSvcError } from '../../src/text/error.ts';
import { renderError } from '../../src/text/message.ts';
import { runGit } from './tools/git.ts';
import { isReleaseVersion } from './version.ts';

/** Why a release is not made. */
export class RefusedError extends Error {
  override name = 'RefusedError';
}

/**
 * Gives the reason why a release was not made: a refusal, an error of the machine, or the message of a failed program.
 *
 * @param places folders that the release writes into
 * @returns undefined for a defect, whose stack is needed
 */
export function toReason(error: unknown, places: readonly string[]): string | undefined {
  if (!(error instanceof Error)) return undefined;
  if (error instanceof RefusedError) return error.message;
  if (isSvcError(error)) {
    const { what, action } = renderError(error, 'en');
    return [`${error.code}: ${what}`, error.detail && `(${error.detail})`, action].filter(Boolean).join(' ');
  }
  const isOfSystem = 'syscall' in error;
  if (!isOfSystem && !('stderr' in error)) return undefined;
  const isFull =
    ['ENOSPC', 'EDQUOT'].includes(toSystemCode(error) ?? '') || /No space left on device/.test(error.message);
  const advice = isFull ? '; make room, or choose other folders with --out and TMPDIR' : '';
  const where = ` (the release is made in ${places.join(' and ')}${advice})`;
  // the message of a program says why it failed
  return `${error.message.trimEnd()}${isOfSystem || isFull ? where : ''}`;
}

/** The source of a release: one commit. */
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
 * Opens the source of a release.
 *
 * @param version the version that is asked for
 * @throws RefusedError for a tree that is not exactly a commit, and for a version that the sources do not have
 */
export function openSource(root: string, version: string): Source {
  const git = (...args: readonly string[]): string => runGit(root, ...args);
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
  // lower case: assumed to be unchanged; S: not looked for in the tree
  const overlooked = git('ls-files', '-v')
    .split('\n')
    .filter((line) => /^[a-zS] /.test(line));
  if (overlooked.length > 0) {
    const more = overlooked.length > 1 ? ` and ${overlooked.length - 1} more files` : '';
    throw new RefusedError(
      `git does not look for changes of ${overlooked[0]!.slice(2)}${more}: run git update-index --no-assume-unchanged --no-skip-worktree on each that git ls-files -v marks with a small letter or S`,
    );
  }
  // v1.2.3, 1.2.3, svc-1.2.3, release/v1.2.3
  const form = new RegExp(`^(?:[a-z]+[-_/@])?v?${version.replaceAll('.', '\\.')}$`, 'i');
  const tags = git('tag', '--list').split('\n');
  for (const tag of tags.filter((one) => form.test(one))) {
    if (git('rev-parse', `refs/tags/${tag}^{}`) === commit) continue;
    throw new RefusedError(`the tag ${tag} is on another commit: a version is released once`);
  }
  const seconds = Number(git('log', '-1', '--format=%ct'));
  const date = new Date(seconds * 1000);
  return { root, version, commit, date, seconds, lockfile: hashLockfile(root) };
}

/** SHA-256 of the lockfile of some sources, in hexadecimal digits. */
export function hashLockfile(root: string): string {
  return createHash('sha256')
    .update(readFileSync(join(root, 'package-lock.json')))
    .digest('hex');
}
