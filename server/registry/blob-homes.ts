import type { Digest } from '../../src/base/digest.ts';

const limit = 8192;

/**
 * Repository in which each blob was last uploaded: a hint for a mount without a source, limited in size,
 * checked against the index before use. It also finds uploads that no manifest reaches yet.
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
