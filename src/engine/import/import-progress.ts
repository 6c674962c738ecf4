import type { Digest } from '../../base/digest.ts';
import type { TaskBlob, TaskItem, TaskJournal } from '../../task/model.ts';

const updateEveryMs = 250;

/** What is told of one artifact on its way. */
export class ImportProgress {
  readonly #journal: TaskJournal;
  readonly #name: string;
  readonly #blobs = new Map<Digest, TaskBlob>();
  #moved = 0;
  #told = 0;

  constructor(journal: TaskJournal, name: string) {
    this.#journal = journal;
    this.#name = name;
  }

  get movedBytes(): number {
    return this.#moved;
  }

  /**
   * Says what will come, durably: a run after a restart goes on with this digest, whatever the tag names by then.
   *
   * @param sizeBytes of the whole
   * @param transferBytes of what is not here yet
   * @param absentLayers layers that it comes without
   */
  async begin(
    digest: Digest,
    sizeBytes: number,
    transferBytes: number,
    absentLayers?: readonly Digest[],
  ): Promise<void> {
    const item: TaskItem = {
      name: this.#name,
      digest,
      sizeBytes,
      status: 'pending',
      transferredBytes: 0,
      ...(absentLayers ? { absentLayers } : {}),
    };
    this.#journal.setItems([item]);
    this.#journal.setTotalBytes(transferBytes);
    await this.#journal.settleItems([item]);
    this.#tell({ status: 'running' });
  }

  readonly onBytes = (count: number): void => {
    this.#moved += count;
    this.#journal.addBytes(count);
    if (performance.now() - this.#told < updateEveryMs) return;
    this.#told = performance.now();
    this.#tell(this.#state());
  };

  readonly onBlob = (blob: TaskBlob): void => {
    this.#blobs.set(blob.digest, blob);
  };

  async end(): Promise<void> {
    this.#journal.setTotalBytes(this.#moved);
    await this.#journal.updateItem(this.#name, { status: 'done', ...this.#state() });
  }

  #state(): Pick<TaskItem, 'transferredBytes' | 'blobs'> {
    return {
      transferredBytes: this.#moved,
      ...(this.#blobs.size > 0 ? { blobs: [...this.#blobs.values()] } : {}),
    };
  }

  /** What is shown on the way need not be kept, and must not end the work. */
  #tell(change: Parameters<TaskJournal['updateItem']>[1]): void {
    this.#journal.updateItem(this.#name, change).catch(() => {});
  }
}
