import type { Digest } from '../base/digest.ts';

/** An LRU cache of the bytes of manifests and other small blobs with a limit in total bytes. */
export class ManifestCache {
  readonly #limit: number;
  readonly #entries = new Map<Digest, Buffer>();
  #bytes = 0;

  constructor(limit = 8 << 20) {
    this.#limit = limit;
  }

  has(digest: Digest): boolean {
    return this.#entries.has(digest);
  }

  get(digest: Digest): Buffer | undefined {
    const bytes = this.#entries.get(digest);
    if (bytes === undefined) return undefined;
    this.#entries.delete(digest);
    this.#entries.set(digest, bytes);
    return bytes;
  }

  set(digest: Digest, bytes: Buffer): void {
    this.delete(digest);
    if (bytes.length > this.#limit / 4) return;
    this.#entries.set(digest, bytes);
    this.#bytes += bytes.length;
    for (const [oldest, { length }] of this.#entries) {
      if (this.#bytes <= this.#limit) break;
      this.#entries.delete(oldest);
      this.#bytes -= length;
    }
  }

  delete(digest: Digest): void {
    const bytes = this.#entries.get(digest);
    if (bytes === undefined) return;
    this.#entries.delete(digest);
    this.#bytes -= bytes.length;
  }

  clear(): void {
    this.#entries.clear();
    this.#bytes = 0;
  }
}
