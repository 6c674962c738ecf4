import type { Digest } from '../../base/digest.ts';
import type { TaskBlob, TaskItem } from '../../contract/task.ts';
import type { TaskJournal } from '../../task/model.ts';

const updateEveryMs = 250;

/** Reports the progress of one artifact to the journal of its task. */
export class ImportProgress {
  readonly #journal: TaskJournal;
  readonly #name: string;
  readonly #blobs = new Map<Digest, TaskBlob>();
  #moved = 0;
  #reportedAt = 0;

  constructor(journal: TaskJournal, name: string) {
    this.#journal = journal;
    this.#name = name;
  }

  get movedBytes(): number {
    return this.#moved;
  }

  /**
   * Records the imported artifact durably: a run after a restart continues with this digest, even if the tag was moved.
   *
   * @param sizeBytes size of the artifact
   * @param transferBytes bytes that are not in the store yet
   * @param absentLayers layers that are left out
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
    this.#report({ status: 'running' });
  }

  readonly onBytes = (count: number): void => {
    this.#moved += count;
    this.#journal.addBytes(count);
    if (performance.now() - this.#reportedAt < updateEveryMs) return;
    this.#reportedAt = performance.now();
    this.#report(this.#state());
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

  /** Reports without waiting. A failure is ignored: progress is not needed to complete the import. */
  #report(change: Parameters<TaskJournal['updateItem']>[1]): void {
    this.#journal.updateItem(this.#name, change).catch(() => {});
  }
}
