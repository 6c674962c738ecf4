import type { Digest } from '../base/digest.ts';

/** Maximum size of a text, in bytes. More than this is sent uncopied, since a copy costs more than a write. */
const maxText = 65_536;

/** An LRU cache of the bytes of manifests and other small blobs with a limit in total bytes. */
export class ManifestCache {
  readonly #limit: number;
  /** Text has one character for each byte (latin1): content that is sent often is kept as text, see `text`. */
  readonly #entries = new Map<Digest, Buffer | string>();
  #bytes = 0;

  constructor(limit = 8 << 20) {
    this.#limit = limit;
  }

  has(digest: Digest): boolean {
    return this.#entries.has(digest);
  }

  get(digest: Digest): Buffer | undefined {
    const known = this.#use(digest);
    return typeof known === 'string' ? Buffer.from(known, 'latin1') : known;
  }

  /**
   * Returns the bytes as latin1 text, which node sends in one write with the headers. From then on they are kept as
   * text, so that the next answer copies nothing. Undefined for content that is not in the cache or too large for one
   * write.
   */
  text(digest: Digest): string | undefined {
    const known = this.#use(digest);
    if (known === undefined || typeof known === 'string') return known;
    if (known.length > maxText) return undefined;
    const text = known.toString('latin1');
    this.#entries.set(digest, text);
    return text;
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
    const known = this.#entries.get(digest);
    if (known === undefined) return;
    this.#entries.delete(digest);
    this.#bytes -= known.length;
  }

  clear(): void {
    this.#entries.clear();
    this.#bytes = 0;
  }

  /** Returns an entry and makes it the most recently used one. */
  #use(digest: Digest): Buffer | string | undefined {
    const known = this.#entries.get(digest);
    if (known === undefined) return undefined;
    this.#entries.delete(digest);
    this.#entries.set(digest, known);
    return known;
  }
}
