import { svcError } from '../text/error.ts';
import { changed, type TreeEntry, walkTree } from './pack-walk.ts';

/** Stamps of the entries of a tree, in the order of the walk, to detect changes. */
export class PackStamps {
  #stamps = new Int32Array(1024);
  #length = 0;

  add({ stamp }: TreeEntry): void {
    if (this.#length === this.#stamps.length) {
      const grown = new Int32Array(2 * this.#length);
      grown.set(this.#stamps);
      this.#stamps = grown;
    }
    this.#stamps[this.#length] = stamp;
    this.#length += 1;
  }

  /** Walks the tree again, and compares every entry with its stamp but the first `from`. @throws SVC-FIL-001 */
  *walkAgain(
    folder: number,
    { open = false, from = 0 }: { readonly open?: boolean; readonly from?: number } = {},
  ): Generator<TreeEntry> {
    if (from > 0 && from === this.#length) return;
    const refuse = (path: string): never => {
      throw svcError('SVC-FIL-001', { path, rule: changed });
    };
    let at = from;
    for (const entry of walkTree(folder, { open, from, refuse })) {
      if (at >= this.#length || this.#stamps[at] !== entry.stamp) refuse(entry.path);
      at += 1;
      yield entry;
    }
    if (at !== this.#length) refuse('.');
  }
}
