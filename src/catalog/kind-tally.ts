import type { ContentKind } from '../oci/kind.ts';
import { SortedNames } from './sorted-names.ts';

/** Versions of a whole graph by kind, counted as tags change, so that a question about them reads no repository. */
export class KindTally {
  /** Number of versions: tags of signatures and fallback indexes are not counted. */
  versions = 0;
  /** Names of the repositories that have versions of a kind, with the number of sides (served, held) that have them. */
  readonly #names = new Map<ContentKind, Map<string, number>>();
  /**
   * The same names in order, of the requested kinds: most kinds are never requested, and loading adds many names at
   * once.
   */
  readonly #sorted = new Map<ContentKind, SortedNames>();
  readonly #marks = new Map<ContentKind, object>();

  /** Returns the names of the repositories that have versions of a kind, in byte order. The first call sorts them. */
  namesOf(kind: ContentKind): readonly string[] {
    let sorted = this.#sorted.get(kind);
    if (sorted === undefined) {
      sorted = new SortedNames();
      for (const name of this.#names.get(kind)?.keys() ?? []) sorted.load(name);
      this.#sorted.set(kind, sorted);
    }
    return sorted.page(undefined, undefined);
  }

  /** Returns whether a repository has versions of a kind. */
  has(name: string, kind: ContentKind): boolean {
    return this.#names.get(kind)?.has(name) === true;
  }

  /** Returns an object that is another one after any tag of this kind has changed. */
  markOf(kind: ContentKind): object {
    let mark = this.#marks.get(kind);
    if (mark === undefined) {
      mark = {};
      this.#marks.set(kind, mark);
    }
    return mark;
  }

  /** A tag of this kind was set or removed. */
  touch(kind: ContentKind): void {
    this.#marks.delete(kind);
  }

  /** One side of a repository has its first version of a kind, or has none any more. */
  countSide(name: string, kind: ContentKind, change: 1 | -1): void {
    let names = this.#names.get(kind);
    if (names === undefined) {
      names = new Map();
      this.#names.set(kind, names);
    }
    const before = names.get(name) ?? 0;
    const sides = before + change;
    if (sides > 0) names.set(name, sides);
    else names.delete(name);
    const sorted = this.#sorted.get(kind);
    if (before <= 0 && sides > 0) sorted?.add(name);
    else if (before > 0 && sides <= 0) sorted?.delete(name);
  }
}
