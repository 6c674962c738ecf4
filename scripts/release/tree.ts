import { createHash } from 'node:crypto';
import { existsSync, readFileSync, readlinkSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Architecture } from './arch.ts';
import { readInput } from './inputs.ts';
import { listBuildPackages } from './npm-packages.ts';
import { hashLockfile, RefusedError, type Source } from './source.ts';
import { runGit } from './tools/git.ts';
import { ToolError } from './tools/run-tool.ts';
import { unpack } from './tools/unpack.ts';

/** Makes the tree that a release is built from, in a folder that does not exist. */
export type OpenTree = (
  source: Source,
  platforms: readonly Architecture[],
  inputs: string,
  into: string,
  stop: AbortSignal,
) => Promise<void>;

/** Where a module in a folder is looked for if the folder itself does not have it. */
const lookedFor = ['node_modules', '.pnp.cjs', '.pnp.js', '.pnp.data.json'];

/** Files of packages that neither the runtime nor the bundler reads: half of all files. */
const unread = ['*.d.ts', '*.d.mts', '*.d.cts', '*.map'];
const unreadOfRuntime = ['package/include', 'package/share'];

/** @throws RefusedError if a module of another folder could get into the build */
function requireAlone(tree: string): void {
  for (let folder = dirname(tree); ; folder = dirname(folder)) {
    for (const name of lookedFor) {
      if (!existsSync(join(folder, name))) continue;
      throw new RefusedError(
        `${join(folder, name)} could get into the release, which is built below ${folder}: remove it, or set TMPDIR`,
      );
    }
    if (folder === dirname(folder)) return;
  }
}

/**
 * Clones the commit of the sources into a folder that does not exist. Files that git ignores, or whose changes it is set
 * to overlook, have no part in it.
 *
 * @throws RefusedError when another commit was made meanwhile, or another lockfile was read
 */
export function cloneCommit({ root, commit, lockfile }: Source, into: string): void {
  // not a copy of its files: git hashes each object that it transfers
  const flags = ['--quiet', '--no-local', '--depth', '1', '--no-tags', '--template='];
  try {
    runGit(root, 'clone', ...flags, root, into);
  } catch (cause) {
    // of a full volume the reason says more
    if (!(cause instanceof ToolError) || /No space left on device/.test(cause.stderr)) throw cause;
    throw new RefusedError(
      `git cannot clone the commit ${commit}: run git fsck in ${root}, and clone the sources anew if it finds a fault; ${cause.stderr}`,
      { cause },
    );
  }
  if (runGit(into, 'rev-parse', 'HEAD') !== commit) {
    throw new RefusedError(`another commit than ${commit} was made meanwhile: start again`);
  }
  requireCommitted(into);
  // the packages are those of the lockfile that was read
  if (hashLockfile(into) !== lockfile) {
    throw new RefusedError(`package-lock.json is not the file of the commit ${commit}`);
  }
}

/**
 * Compares every file of a tree with the blob of its commit, by the bytes: git itself compares the results of its filters.
 *
 * @throws RefusedError for the first file that has other bytes
 */
function requireCommitted(tree: string): void {
  for (const entry of runGit(tree, 'ls-tree', '-r', '-z', 'HEAD').split('\0').filter(Boolean)) {
    const [, mode, type, id, path] = /^(\d+) (\w+) ([0-9a-f]+)\t(.*)$/s.exec(entry)!;
    if (type !== 'blob')
      throw new RefusedError(`${path} is a ${type} of the commit: a release has files only`);
    const at = join(tree, path!);
    const bytes = mode === '120000' ? readlinkSync(at, 'buffer') : readFileSync(at);
    // gitformat-pack(5): an object is named by the hash of its type, length and content
    const named = createHash(id!.length === 40 ? 'sha1' : 'sha256')
      .update(`blob ${bytes.length}\0`)
      .update(bytes);
    if (named.digest('hex') !== id)
      throw new RefusedError(`git made another file of ${path} than the commit has`);
  }
}

/**
 * Makes the tree that a release is built from. It has the files of the commit, and the packages of the lockfile, each
 * unpacked from a file with the SHA-512 in the lockfile. Packages installed beside the sources have no part in it, and
 * neither have files that git ignores.
 *
 * @throws RefusedError for a package that is missing or is not the pinned one, before anything is unpacked
 */
export const openTree: OpenTree = async (source, platforms, inputs, into, stop) => {
  requireAlone(into);
  const packages = listBuildPackages(source.root, platforms, [process.arch as Architecture]);
  const read = (one: (typeof packages)[number]): Buffer => {
    stop.throwIfAborted();
    return readInput(inputs, one);
  };
  for (const one of packages) read(one);
  cloneCommit(source, into);
  for (const one of packages) {
    // a signal is handled between two packages
    await nextTurn();
    const left = [...unread, ...(one.name.startsWith('node-linux-') ? unreadOfRuntime : [])];
    const flags = ['--strip-components=1', ...left.map((pattern) => `--exclude=${pattern}`)];
    unpack(read(one), join(into, one.folder), '--gzip', flags);
  }
};

/** Path of the runtime of a tree, which builds the release and is embedded in its programs. */
export function runtimeOf(tree: string, architecture: Architecture): string {
  return join(tree, 'node_modules', `node-linux-${architecture}`, 'bin', 'node');
}

/** Path of the native password hash of a tree. */
export function addonOf(tree: string, architecture: Architecture): string {
  const name = `argon2-linux-${architecture}-gnu`;
  return join(tree, 'node_modules', '@node-rs', name, `argon2.linux-${architecture}-gnu.node`);
}
