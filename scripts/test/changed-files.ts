import { spawnSync } from 'node:child_process';

/**
 * Lists the files of the project that differ from a commit: changed, added, deleted, or unknown to git.
 *
 * @param root the folder of the project
 * @param commit a revision as git names it
 * @returns paths in the project
 * @throws Error when the folder is no checkout, or git does not know the commit
 */
export function listChanged(root: string, commit: string): string[] {
  const git = (...args: readonly string[]) => {
    const { status, stdout, stderr, error } = spawnSync('git', args, { cwd: root, encoding: 'utf8' });
    return { passed: status === 0, output: status === 0 ? stdout : (error?.message ?? stderr.trim()) };
  };
  const checkout = git('rev-parse', '--git-dir');
  if (!checkout.passed) throw new Error(`--changed needs a checkout of git: ${checkout.output}`);
  if (!git('rev-parse', '--verify', '--end-of-options', `${commit}^{commit}`).passed)
    throw new Error(`git knows no commit ${commit}`);
  return [
    git('diff', '--name-only', '--no-renames', '--relative', '-z', commit, '--'),
    git('ls-files', '--others', '--exclude-standard', '-z'),
  ]
    .flatMap(({ passed, output }) => {
      if (!passed) throw new Error(output);
      return output.split('\0').filter((path) => path !== '');
    })
    .sort();
}
