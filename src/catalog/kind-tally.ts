import type { ContentKind } from '../oci/kind.ts';

/** Versions of a whole graph by kind, counted as tags change, so that a question about them reads no repository. */
export class KindTally {
  /** Number of versions: tags of signatures and fallback indexes are not counted. */
  versions = 0;
  /** Names of the repositories that have versions of a kind, with the number of sides (served, held) that have them. */
  readonly #names = new Map<ContentKind, Map<string, number>>();
  readonly #marks = new Map<ContentKind, object>();

  /** Returns the names of the repositories that have versions of a kind, in byte order. */
  namesOf(kind: ContentKind): readonly string[] {
    return [...(this.#names.get(kind)?.keys() ?? [])].sort((a, b) => (a < b ? -1 : 1));
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
    const sides = (names.get(name) ?? 0) + change;
    if (sides > 0) names.set(name, sides);
    else names.delete(name);
  }
}
