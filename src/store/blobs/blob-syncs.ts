import type { FileHandle } from 'node:fs/promises';
import { join } from 'node:path';
import { Semaphore } from '../../base/concurrency.ts';
import { type DigestAlgorithm, digestAlgorithm } from '../../base/digest.ts';
import { type SvcError, svcError } from '../../base/error.ts';
import type { Content } from '../../catalog/content.ts';
import { syncFolder } from '../../disk/sync-folder.ts';
import { toSystemCode } from '../../disk/system-code.ts';
import { toWriteError } from '../../disk/write-error.ts';
import { blobPath } from '../../oci/layout.ts';
import { SharedSync } from './shared-sync.ts';

/** Syncs under way at once: threads must be left for reads. */
const syncsAtOnce = 3;

interface BlobSyncsOptions {
  /** Folder of the folders of each algorithm. */
  readonly folder: string;
  /** Told of content that the disk failed to keep: it is not present from here on. */
  readonly lose: (content: Content) => void;
}

/** What of the blob files does not survive a power cut yet, and how it comes to. */
export class BlobSyncs {
  readonly #options: BlobSyncsOptions;
  /** Written and not yet known to survive a power cut. */
  readonly #dirty = new Map<Content, Promise<void>>();
  /** Why what was there is not any more: the disk failed to keep it. */
  readonly #unkept = new WeakMap<Content, SvcError>();
  /** Folders with names that are gone, and would be there again after a power cut. */
  readonly #removed = new Set<DigestAlgorithm>();
  readonly #limiter = new Semaphore(syncsAtOnce);
  readonly #folders: Record<DigestAlgorithm, SharedSync>;

  constructor(options: BlobSyncsOptions) {
    this.#options = options;
    const shared = (algorithm: DigestAlgorithm) =>
      new SharedSync(() => syncFolder(join(options.folder, algorithm)));
    this.#folders = { sha256: shared('sha256'), sha512: shared('sha512') };
  }

  /** Starts making the bytes durable; closes the file. */
  start(content: Content, file: FileHandle): void {
    const sync = this.#limiter.run(async () => {
      try {
        await file.datasync();
      } catch (error) {
        throw this.#lose(content, toUnkept(content, error));
      } finally {
        await file.close().catch(() => {});
      }
    });
    this.#dirty.set(content, sync);
    sync.catch(() => {
      if (this.#dirty.get(content) === sync) this.#dirty.delete(content);
    });
  }

  /** Whether nobody has waited yet until it survives a power cut. */
  isDirty(content: Content): boolean {
    return this.#dirty.has(content);
  }

  /** Its file is gone: nothing of it needs to be kept but that. */
  forget(content: Content): void {
    this.#removed.add(digestAlgorithm(content.digest));
    this.#dirty.delete(content);
  }

  /**
   * Waits until these survive a power cut; all were found whole before.
   *
   * @throws SVC-STO-002 when one could not be made durable, also before this was asked; it is no longer present then
   */
  async finish(contents: Iterable<Content>): Promise<void> {
    const all = [...contents];
    await this.#await(all);
    const lost = all.find((content) => !content.present);
    if (lost) throw this.#unkept.get(lost) ?? toUnkept(lost);
  }

  /**
   * Of what is not there: that it was, until the disk failed to keep it. Whoever asks is not told of a thing that never
   * came, but of the disk.
   *
   * @throws SVC-STO-002, SVC-STO-004 or SVC-STO-005, as its sync failed
   */
  requireKept(content: Content): void {
    const failure = content.present ? undefined : this.#unkept.get(content);
    if (failure) throw failure;
  }

  /** Everything that has come and gone so far is as it is after a power cut too. @throws SVC-STO-002 */
  async finishAll(): Promise<void> {
    await this.finish([...this.#dirty.keys()]);
    for (const algorithm of [...this.#removed]) {
      this.#removed.delete(algorithm);
      try {
        await this.#folders[algorithm].run();
      } catch (error) {
        this.#removed.add(algorithm);
        throw toWriteError(error, join(this.#options.folder, algorithm));
      }
    }
  }

  async #await(contents: readonly Content[]): Promise<void> {
    const syncs = new Map<Content, Promise<void>>();
    for (const content of contents) {
      const dirty = this.#dirty.get(content);
      if (dirty !== undefined) syncs.set(content, dirty);
    }
    if (syncs.size === 0) return;
    const results = await Promise.allSettled(syncs.values());
    const failed = results.find((result) => result.status === 'rejected');
    if (failed) throw failed.reason;
    const used = new Set([...syncs.keys()].map((content) => digestAlgorithm(content.digest)));
    try {
      await Promise.all([...used].map((algorithm) => this.#folders[algorithm].run()));
    } catch (error) {
      // without a descriptor the folder was not opened, and nothing was lost: the next wait tries again
      if (['EMFILE', 'ENFILE'].includes(toSystemCode(error) ?? ''))
        throw toWriteError(error, this.#options.folder);
      // the kernel tells of a failure once: a second sync would succeed over names that never reached the disk
      const failure = toWriteError(error, this.#options.folder);
      for (const content of syncs.keys()) {
        this.#dirty.delete(content);
        this.#lose(content, failure);
      }
      throw failure;
    }
    for (const [content, sync] of syncs) if (this.#dirty.get(content) === sync) this.#dirty.delete(content);
  }

  #lose(content: Content, failure: SvcError): SvcError {
    this.#options.lose(content);
    this.#unkept.set(content, failure);
    return failure;
  }
}

/** Some filesystems say only now that there is no room; where there is, it is what lies below that has none. */
function toUnkept({ digest, size }: Content, cause?: unknown): SvcError {
  const path = blobPath(digest);
  const failure = toWriteError(cause, path, { size: Math.max(0, size) });
  if (failure.code === 'SVC-STO-004') return failure;
  return svcError('SVC-STO-002', { path, detail: 'its bytes could not be synced to disk' }, { cause });
}
