import type { Content } from './content.ts';

const day = 24 * 60 * 60 * 1000;

/** What must not be collected although no root reaches it; all in memory. */
export class Holds {
  readonly #now: () => number;
  /** Written by this process and not yet reached: ends when it is, or after 24 h. */
  readonly #fresh = new Map<number, number>();
  /** Promised to a client: 24 h. */
  readonly #leased = new Map<number, number>();
  /** Needed by a change that is under way. */
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

  lease(content: Content): void {
    this.#leased.delete(content.id);
    this.#leased.set(content.id, this.#now() + day);
  }

  pin(content: Content): void {
    this.#pinned.set(content.id, (this.#pinned.get(content.id) ?? 0) + 1);
  }

  unpin(content: Content): void {
    const count = (this.#pinned.get(content.id) ?? 0) - 1;
    if (count > 0) this.#pinned.set(content.id, count);
    else this.#pinned.delete(content.id);
  }

  /** Ends the promises about one, but not what a change under way needs. */
  release(content: Content): void {
    this.#fresh.delete(content.id);
    this.#leased.delete(content.id);
  }

  isHeld({ id }: Pick<Content, 'id'>): boolean {
    const now = this.#now();
    return this.#pinned.has(id) || (this.#fresh.get(id) ?? 0) > now || (this.#leased.get(id) ?? 0) > now;
  }

  /** Numbers of everything held now; what has expired is forgotten. */
  *current(): Generator<number> {
    const now = this.#now();
    yield* this.#pinned.keys();
    for (const side of [this.#fresh, this.#leased]) {
      for (const [id, until] of side) {
        if (until <= now) side.delete(id);
        else yield id;
      }
    }
  }

  /** A reset ends every promise but what a change under way needs. */
  clear(): void {
    this.#fresh.clear();
    this.#leased.clear();
  }
}
