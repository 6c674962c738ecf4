import type { Digest } from '../base/digest.ts';
import type { CopyPool } from '../disk/threads/copy-pool.ts';
import type { CopyJob } from '../disk/threads/copy-range.ts';
import type { Volume } from '../disk/volume.ts';
import type { Descriptor } from '../oci/descriptor.ts';
import type { Target } from '../oci/ports.ts';

export interface WriterOptions {
  /** Path of the finished layout: a name in an existing folder. */
  readonly path: string;
  /** Whether an existing layout may be replaced. */
  readonly overwrite: boolean;
  readonly volume: Pick<Volume, 'type'>;
}

/** A layout being written. It gets its name only when it is finished; disposal before leaves no layout. */
export interface LayoutWriter extends AsyncDisposable {
  /** Accepts manifests and small blobs: everything in the plan, and nothing else. */
  readonly target: Target;
  /** Number of blobs worth copying at once. */
  readonly concurrency: number;
  /**
   * Adds a blob by copying a file; exactly the hashed bytes are written.
   *
   * @throws SVC-SIG-002 when the file has other bytes, SVC-STO-001 when it cannot be read, SVC-STO-00x when the layout
   *  cannot be written
   */
  takeFile(blob: Descriptor, source: CopyJob['source'], pool: Pick<CopyPool, 'copy'>): Promise<void>;
  /**
   * Makes the layout durable and gives it its name.
   *
   * @returns bytes of all its files
   * @throws SVC-LAY-003 when the name exists by now, SVC-STO-00x
   */
  finish(): Promise<number>;
}

/** Tracks which content of a plan has been written. */
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

  /** @throws Error when content is missing: an incomplete plan makes no layout */
  requireAll(): void {
    if (this.#left.size > 0) throw new Error(`${this.#left.size} files of the layout were not written`);
  }
}
