import { existsSync, globSync, readFileSync, statSync } from 'node:fs';
import { join, relative, resolve } from 'node:path';
import { listChanged } from './changed-files.ts';
import { readGraph, selectReaching } from './import-graph.ts';
import { isLong, longFolders } from './tiers.ts';

/** How tests are chosen. */
export interface Choice {
  /** Files and folders of tests. */
  readonly paths: readonly string[];
  /** Which of all tests, when there are no paths. */
  readonly part: 'short' | 'long' | 'all';
  /** The commit since which a change must reach the tests. */
  readonly since?: string | undefined;
  /** A regular expression that names of tests match. */
  readonly pattern?: string | undefined;
}

/** The tests of a run, and the parts of the suite left out. */
export interface Selection {
  /** Paths of tests in the project, in the order in which they run. */
  readonly files: readonly string[];
  /** Files whose formatting is checked; the whole project when absent. */
  readonly formatted?: readonly string[] | undefined;
  /** Sentences about the parts of the suite left out. */
  readonly notes: readonly string[];
}

/** The versions of all packages: no import names the modules that depend on it. */
const lockfile = 'package-lock.json';

function listTests(root: string, path: string): string[] {
  const info = statSync(resolve(root, path), { throwIfNoEntry: false });
  if (info === undefined) throw new Error(`${path}: no such file or folder`);
  const found = info.isDirectory() ? globSync(`${path}/**/*.test.ts`, { cwd: root }) : [path];
  if (found.length === 0 || found.some((file) => !file.endsWith('.test.ts')))
    throw new Error(`${path}: no tests there`);
  return found.map((file) => relative(root, resolve(root, file)));
}

/**
 * Selects the test files of a run.
 *
 * @param root the folder of the project, from which the paths are relative
 * @throws Error for a path without tests, for a pattern that no test matches, and for a commit that git does not know
 */
export function selectTests(root: string, { paths, part, since, pattern }: Choice): Selection {
  const notes: string[] = [];
  let files = (paths.length > 0 ? paths : ['test']).flatMap((path) => listTests(root, path)).sort();
  let formatted: string[] | undefined;
  if (since !== undefined) {
    const changed = listChanged(root, since);
    if (changed.length === 0) notes.push(`nothing has changed since ${since}`);
    if (!changed.includes(lockfile)) files = selectReaching(readGraph(root), changed, files);
    if (files.length === 0 && changed.length > 0) notes.push(`no test reaches ${changed.join(', ')}`);
    formatted = changed.filter((path) => existsSync(join(root, path)));
  }
  if (paths.length === 0 && part !== 'all') {
    const left = files.filter((file) => isLong(file) !== (part === 'long'));
    files = files.filter((file) => !left.includes(file));
    if (left.length > 0) notes.push(describeLeft(left.length, part, since));
  }
  // a file without a matching test would start its servers and never stop them
  if (pattern !== undefined && files.length > 0) {
    files = files.filter((file) => new RegExp(pattern).test(readFileSync(join(root, file), 'utf8')));
    if (files.length === 0) throw new Error(`no test is named ${pattern}`);
  }
  return { files, formatted, notes };
}

function describeLeft(count: number, part: 'short' | 'long', since: string | undefined): string {
  const kind =
    part === 'short'
      ? `long tests (${longFolders.map((folder) => folder.slice(5)).join(', ')})`
      : 'short tests';
  const command = part === 'short' ? 'npm run test:long' : 'npm test';
  const changed = since === undefined ? '' : ` -- --changed${since === 'HEAD' ? '' : ` ${since}`}`;
  return `not part of this run: ${count} files of ${kind}; run them with: ${command}${changed}`;
}
