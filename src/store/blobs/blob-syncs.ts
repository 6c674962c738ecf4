import type { FileHandle } from 'node:fs/promises';
import { join } from 'node:path';
import { Semaphore } from '../../base/concurrency.ts';
import { type DigestAlgorithm, digestAlgorithm } from '../../base/digest.ts';
import type { Content } from '../../catalog/content.ts';
import { syncFolder } from '../../disk/sync-folder.ts';
import { toSystemCode } from '../../disk/system-code.ts';
import { toWriteError } from '../../disk/write-error.ts';
import { blobPath } from '../../oci/layout.ts';
import { type SvcError, svcError } from '../../text/error.ts';
import { fr } from '../../text/language.ts';
import { rule } from '../../text/rule.ts';
import { SharedSync } from './shared-sync.ts';

/** Concurrent syncs; fewer than the threads of the pool, so that reads continue. */
const syncsAtOnce = 3;

interface BlobSyncsOptions {
  /** Folder that contains one folder for each algorithm. */
  readonly folder: string;
  /** Called for content that could not be synced; it must no longer count as present. */
  readonly lose: (content: Content) => void;
}

/** Syncs blob files and their folders, and tracks which content would not survive a power cut yet. */
export class BlobSyncs {
  readonly #options: BlobSyncsOptions;
  /** Syncs of content that is not known to survive a power cut. */
  readonly #dirty = new Map<Content, Promise<void>>();
  /** Write errors of content that could not be synced. */
  readonly #unkept = new WeakMap<Content, SvcError>();
  /** Folders whose removed names could reappear after a power cut. */
  readonly #removed = new Set<DigestAlgorithm>();
  readonly #limiter = new Semaphore(syncsAtOnce);
  readonly #folders: Record<DigestAlgorithm, SharedSync>;

  constructor(options: BlobSyncsOptions) {
    this.#options = options;
    const shared = (algorithm: DigestAlgorithm) =>
      new SharedSync(() => syncFolder(join(options.folder, algorithm)));
    this.#folders = { sha256: shared('sha256'), sha512: shared('sha512') };
  }

  /** Starts to sync the bytes of a file, and closes the file. */
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

  /** Whether content is not known to survive a power cut. */
  isDirty(content: Content): boolean {
    return this.#dirty.has(content);
  }

  /** Records that the file of content was removed: only its folder needs a sync. */
  forget(content: Content): void {
    this.#removed.add(digestAlgorithm(content.digest));
    this.#dirty.delete(content);
  }

  /**
   * Waits until this content would survive a power cut. The caller has found all bytes intact.
   *
   * @throws SVC-STO-002 when a sync failed, also before this call; that content is no longer present
   */
  async finish(contents: Iterable<Content>): Promise<void> {
    const all = [...contents];
    await this.#await(all);
    const lost = all.find((content) => !content.present);
    if (lost) throw this.#unkept.get(lost) ?? toUnkept(lost);
  }

  /**
   * Throws the write error of content that is absent because of a failed sync, so that the caller reports the disk and
   * not missing content.
   *
   * @throws SVC-STO-002, SVC-STO-004 or SVC-STO-005, the error of the sync
   */
  requireKept(content: Content): void {
    const failure = content.present ? undefined : this.#unkept.get(content);
    if (failure) throw failure;
  }

  /** Waits until every blob added or removed so far would survive a power cut. @throws SVC-STO-002 */
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
      // without a descriptor the folder was not synced and nothing was lost: the next call tries again
      if (['EMFILE', 'ENFILE'].includes(toSystemCode(error) ?? ''))
        throw toWriteError(error, this.#options.folder);
      // the kernel reports a failed sync once: a second sync would succeed although the names are not on disk
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

/**
 * Some filesystems report a full volume only when a file is synced. When the volume has free space, the error
 * is reported as a failed sync.
 */
function toUnkept({ digest, size }: Content, cause?: unknown): SvcError {
  const path = blobPath(digest);
  const failure = toWriteError(cause, path, { size: Math.max(0, size) });
  if (failure.code === 'SVC-STO-004') return failure;
  return svcError(
    'SVC-STO-002',
    {
      path,
      detail: rule([
        'its bytes could not be synced to disk',
        fr`ses octets n’ont pas pu être synchronisés sur le disque`,
      ]),
    },
    { cause },
  );
}
