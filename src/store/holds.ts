import type { Content } from './content.ts';

const day = 24 * 60 * 60 * 1000;

/** What must not be collected although no root reaches it; all in memory. */
export class Holds {
  readonly #now: () => number;
  /** Written by this process and not yet reached: ends when it is, or after 24 h. */
  readonly #fresh = new Map<Content, number>();
  /** Promised to a client: 24 h. */
  readonly #leased = new Map<Content, number>();
  /** Needed by a change that is under way. */
  readonly #pinned = new Map<Content, number>();

  constructor(now: () => number) {
    this.#now = now;
  }

  write(content: Content): void {
    this.#fresh.delete(content);
    this.#fresh.set(content, this.#now() + day);
  }

  reach(content: Content): void {
    this.#fresh.delete(content);
  }

  lease(content: Content): void {
    this.#leased.delete(content);
    this.#leased.set(content, this.#now() + day);
  }

  pin(content: Content): void {
    this.#pinned.set(content, (this.#pinned.get(content) ?? 0) + 1);
  }

  unpin(content: Content): void {
    const count = (this.#pinned.get(content) ?? 0) - 1;
    if (count > 0) this.#pinned.set(content, count);
    else this.#pinned.delete(content);
  }

  /** Ends the promises about one, but not what a change under way needs. */
  release(content: Content): void {
    this.#fresh.delete(content);
    this.#leased.delete(content);
  }

  isHeld(content: Content): boolean {
    const now = this.#now();
    return (
      this.#pinned.has(content) ||
      (this.#fresh.get(content) ?? 0) > now ||
      (this.#leased.get(content) ?? 0) > now
    );
  }

  /** Everything held now; what has expired is forgotten. */
  *current(): Generator<Content> {
    const now = this.#now();
    yield* this.#pinned.keys();
    for (const side of [this.#fresh, this.#leased]) {
      for (const [content, until] of side) {
        if (until <= now) side.delete(content);
        else yield content;
      }
    }
  }

  /** A reset ends every promise but what a change under way needs. */
  clear(): void {
    this.#fresh.clear();
    this.#leased.clear();
  }
}
