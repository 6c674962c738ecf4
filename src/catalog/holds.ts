import type { Content } from './content.ts';

const day = 24 * 60 * 60 * 1000;

/** Content that must not be collected although no root reaches it; kept in memory only. */
export class Holds {
  readonly #now: () => number;
  /** Written by this process and not yet reached: until it is reached, at most 24 h. */
  readonly #fresh = new Map<number, number>();
  /** Promised to a client, for 24 h. */
  readonly #leased = new Map<number, number>();
  /** Repositories in which leased content was promised, by its number. */
  readonly #promised = new Map<number, Set<string>>();
  /** Needed by a change in progress. */
  readonly #pinned = new Map<number, number>();

  constructor(now: () => number) {
    this.#now = now;
  }

  write(content: Content): void {
    this.#fresh.delete(content.id);
    this.#fresh.set(content.id, this.#now() + day);
  }

  /** @param id number of the content */
  reach(id: number): void {
    this.#fresh.delete(id);
  }

  /** @param repository where the client may name the content in a manifest until the lease ends */
  lease(content: Content, repository?: string): void {
    this.#leased.delete(content.id);
    this.#leased.set(content.id, this.#now() + day);
    if (repository === undefined) return;
    const promised = this.#promised.get(content.id);
    if (promised === undefined) this.#promised.set(content.id, new Set([repository]));
    else promised.add(repository);
  }

  /** Whether content is leased for a push into a repository, even if that repository lost it since. */
  isPromised({ id }: Pick<Content, 'id'>, repository: string): boolean {
    return (this.#leased.get(id) ?? 0) > this.#now() && this.#promised.get(id)?.has(repository) === true;
  }

  pin(content: Content): void {
    this.#pinned.set(content.id, (this.#pinned.get(content.id) ?? 0) + 1);
  }

  unpin(content: Content): void {
    const count = (this.#pinned.get(content.id) ?? 0) - 1;
    if (count > 0) this.#pinned.set(content.id, count);
    else this.#pinned.delete(content.id);
  }

  /** Ends the promises about one content, except those to a change in progress. */
  release(content: Content): void {
    this.#fresh.delete(content.id);
    this.#leased.delete(content.id);
    this.#promised.delete(content.id);
  }

  isHeld({ id }: Pick<Content, 'id'>): boolean {
    const now = this.#now();
    return this.#pinned.has(id) || (this.#fresh.get(id) ?? 0) > now || (this.#leased.get(id) ?? 0) > now;
  }

  /** Returns the numbers of all content held now, and forgets expired holds. */
  *current(): Generator<number> {
    const now = this.#now();
    yield* this.#pinned.keys();
    for (const side of [this.#fresh, this.#leased]) {
      for (const [id, until] of side) {
        if (until > now) yield id;
        else {
          side.delete(id);
          if (side === this.#leased) this.#promised.delete(id);
        }
      }
    }
  }

  /** Ends all promises, except those to a change in progress. */
  clear(): void {
    this.#fresh.clear();
    this.#leased.clear();
    this.#promised.clear();
  }
}
