import type { Digest } from '../base/digest.ts';
import type { CopyPool } from '../disk/copy-pool.ts';
import type { CopyJob } from '../disk/copy-range.ts';
import type { Descriptor } from '../oci/descriptor.ts';
import type { Target } from '../oci/ports.ts';

/** A layout that is being written. It comes to stand under its name only when it is finished; ending it before leaves none. */
export interface LayoutWriter extends AsyncDisposable {
  /** Takes manifests, and small blobs; everything that the plan names and nothing else. */
  readonly target: Target;
  /** Blobs that are worth copying at once. */
  readonly lanes: number;
  /**
   * Takes a blob by copying a file; what is hashed is what is written.
   *
   * @throws SVC-SIG-002 when the file has other bytes, SVC-STO-001 when it cannot be read, SVC-STO-00x when it cannot be
   *   written
   */
  takeFile(blob: Descriptor, source: CopyJob['source'], pool: Pick<CopyPool, 'copy'>): Promise<void>;
  /**
   * Makes the layout durable and puts it under its name.
   *
   * @returns bytes of all its files
   * @throws SVC-LAY-003 when something has come to stand there meanwhile, SVC-STO-00x
   */
  finish(): Promise<number>;
}

/** What has been written of a plan. */
export class WrittenContent {
  readonly #left: Set<Digest>;

  constructor(digests: Iterable<Digest>) {
    this.#left = new Set(digests);
  }

  has(digest: Digest): boolean {
    return !this.#left.has(digest);
  }

  add(digest: Digest): void {
    this.#left.delete(digest);
  }

  /** @throws Error when something is left: a plan that was not carried out whole makes no layout */
  requireAll(): void {
    if (this.#left.size > 0) throw new Error(`${this.#left.size} files of the layout were not written`);
  }
}
