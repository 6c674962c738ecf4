import type { Digest } from '../../src/base/digest.ts';

const limit = 8192;

/**
 * Where blobs were last seen to arrive: a hint for a mount that names no source, bounded, never believed without
 * asking the index. It finds what the list of repositories does not show: uploads that no manifest has reached yet.
 */
export class BlobHomes {
  readonly #homes = new Map<Digest, string>();

  remember(digest: Digest, repository: string): void {
    this.#homes.delete(digest);
    if (this.#homes.size >= limit) {
      const oldest = this.#homes.keys().next();
      if (!oldest.done) this.#homes.delete(oldest.value);
    }
    this.#homes.set(digest, repository);
  }

  find(digest: Digest): string | undefined {
    return this.#homes.get(digest);
  }
}
