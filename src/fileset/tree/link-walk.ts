import { TarError } from '../../disk/tar/error.ts';
import { fr } from '../../text/language.ts';
import { rule } from '../../text/rule.ts';
import { filesetLimits } from '../limits.ts';
import type { FileRow, LinkRow, TreeRow } from './tree-rows.ts';

/** End of a followed path: a row, or a path without a file or link (a folder, or nothing). */
type Followed =
  | { readonly to: 'row'; readonly path: string; readonly row: FileRow | LinkRow; readonly links: number }
  | { readonly to: 'no-row'; readonly path: string; readonly links: number }
  /** A file is in place of a folder, a link leads out of the tree, or there are too many links or no folder. */
  | { readonly to: 'nowhere'; readonly why: 'file' | 'outside' | 'links' };

interface WalkedTree {
  read(path: string): TreeRow | undefined;
  /** Returns whether the tree has a path below this one. */
  hasBelow(path: string): boolean;
}

/** Characters of paths that are remembered. */
const memoryChars = 1 << 23;

/**
 * Follows paths of a tree that is being merged through its links. The names of all walks are counted together: an image
 * has a number of them for each of its headers, and is refused beyond it.
 */
export class LinkWalk {
  readonly #tree: WalkedTree;
  /** Paths with neither a file nor a link. */
  #bare = new Set<string>();
  /** Paths that are folders. */
  #folders = new Set<string>();
  #chars = 0;
  #left: number = filesetLimits.walkedNamesFloor;

  constructor(tree: WalkedTree) {
    this.#tree = tree;
  }

  /** Adds the share of one header. */
  allow(): void {
    this.#left += filesetLimits.walkedNames;
  }

  /** Records that a path has a file or link from now on. */
  fill(path: string): void {
    this.#bare.delete(path);
  }

  /** Records that paths were removed. */
  remove(): void {
    if (this.#folders.size > 0) this.#folders = new Set();
  }

  /**
   * Follows names. An absolute link starts at the root of the tree; a link that leaves the tree is not followed.
   *
   * @param start a folder without links on the way; empty for the root
   * @param names one character per byte
   * @param options `last: false` does not follow the last name, even if it is a link; `links` followed so far
   * @throws TarError when the walks of the tree visit too many names
   */
  follow(
    start: string,
    names: readonly string[],
    options: { readonly last: boolean; readonly links?: number },
  ): Followed {
    const todo = [...names].reverse();
    let at = start;
    let links = options.links ?? 0;
    for (let name = todo.pop(); name !== undefined; name = todo.pop()) {
      if (name === '' || name === '.') continue;
      this.#left -= 1;
      if (this.#left < 0)
        throw new TarError(
          rule(['its links lead over too many names', fr`ses liens mènent par trop de noms`]),
          names.join('/'),
        );
      if (name === '..') {
        if (at === '') return { to: 'nowhere', why: 'outside' };
        if (!this.#isFolder(at)) return { to: 'nowhere', why: 'links' };
        at = parentOf(at);
        continue;
      }
      const path = at === '' ? name : `${at}/${name}`;
      if (path.length > filesetLimits.pathBytes) return { to: 'nowhere', why: 'links' };
      const row = this.#read(path);
      if (row === undefined) {
        at = path;
        continue;
      }
      const isLast = todo.length === 0;
      if (isLast && (row.kind === 'file' || !options.last)) return { to: 'row', path, row, links };
      if (row.kind === 'file') return { to: 'nowhere', why: 'file' };
      links += 1;
      if (links > filesetLimits.links) return { to: 'nowhere', why: 'links' };
      if (row.target.startsWith('/')) at = '';
      todo.push(...row.target.split('/').reverse());
    }
    return { to: 'no-row', path: at, links };
  }

  /** Returns whether a path without a file or link is a folder. */
  #isFolder(path: string): boolean {
    if (this.#folders.has(path)) return true;
    if (this.#tree.read(path)?.kind !== 'folder' && !this.#tree.hasBelow(path)) return false;
    this.#keep(this.#folders, path);
    return true;
  }

  #read(path: string): FileRow | LinkRow | undefined {
    if (this.#bare.has(path)) return undefined;
    const row = this.#tree.read(path);
    if (row !== undefined && row.kind !== 'folder') return row;
    this.#keep(this.#bare, path);
    return undefined;
  }

  #keep(paths: Set<string>, path: string): void {
    this.#chars += path.length;
    if (this.#chars > memoryChars) {
      this.#bare.clear();
      this.#folders.clear();
      this.#chars = path.length;
    }
    paths.add(path);
  }
}

/** Returns the folder of a path; empty for the root. */
export function parentOf(path: string): string {
  return path.slice(0, Math.max(0, path.lastIndexOf('/')));
}
