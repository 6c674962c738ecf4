import { constants, lstatSync } from 'node:fs';
import { type FileHandle, lstat, open, rename, unlink } from 'node:fs/promises';
import { join } from 'node:path';
import { Serial } from '../../base/concurrency.ts';
import { type Digest, type DigestAlgorithm, digestAlgorithm, isDigestHex } from '../../base/digest.ts';
import { Pacer } from '../../base/pacer.ts';
import type { Content } from '../../catalog/content.ts';
import type { ContentGraph } from '../../catalog/content-graph.ts';
import type { Holds } from '../../catalog/holds.ts';
import { openGuarded, openGuardedFile } from '../../disk/guarded-open.ts';
import { isAbsent } from '../../disk/is-absent.ts';
import { requireAble, toReadError } from '../../disk/read-error.ts';
import { toSystemCode } from '../../disk/system-code.ts';
import { type HashOutcome, isUnchanged } from '../../disk/threads/hash-file.ts';
import { hashPaced } from '../../disk/threads/hash-paced.ts';
import { toWriteError } from '../../disk/write-error.ts';
import { blobPath } from '../../oci/layout.ts';
import { svcError } from '../../text/error.ts';
import { fr } from '../../text/language.ts';
import { rule } from '../../text/rule.ts';
import { isTransientCode } from '../../text/transient-code.ts';
import type { BlobWriter, QuarantinedBlob } from '../model.ts';
import { type AwayTimes, isAway } from '../opening/away-times.ts';
import { BlobSyncs } from './blob-syncs.ts';
import { openBlobWriter } from './blob-writer.ts';
import { describeOutcome, judgeBlob } from './judge-blob.ts';
import { listBlobNames } from './list-blob-names.ts';
import { moveToQuarantine } from './quarantine-folder.ts';
import { requireSpace, type VolumeLimits } from './require-space.ts';
import { slowNames } from './slow-names.ts';

const algorithms: readonly DigestAlgorithm[] = ['sha256', 'sha512'];

interface BlobFilesOptions {
  readonly root: string;
  readonly graph: ContentGraph;
  readonly holds: Holds;
  readonly limits: VolumeLimits;
  /** Times at which this instance did not have the store open. */
  readonly away: AwayTimes;
  /** Runs work that adds or removes files as a change of the store. */
  readonly change: (work: () => Promise<void>) => Promise<void>;
  /** Whether this process may write the store; in a foreign store nothing is synced or removed. */
  readonly isWriter: () => boolean;
  /** Called when a blob that is not vouched for has been hashed and is intact. */
  readonly onSound: (content: Content) => void;
  /** Called with the change of the bytes on disk. */
  readonly onBytes: (delta: number) => void;
}

/** An entry of a blob folder that is not a blob. */
interface Stranger {
  readonly path: string;
}

/** The blob files of a store: their presence, addition, durability and removal. */
export class BlobFiles {
  readonly root: string;
  readonly temporary: string;
  /** Number of files whose time of the last change this process set. */
  renewals = 0;
  /** Whether files are looked at for a question about presence, not only when they are opened. */
  readonly #looksAtNeed: boolean;
  readonly #options: BlobFilesOptions;
  readonly #syncs: BlobSyncs;
  /** Operations on the file of one digest run one after the other. */
  readonly #queues = new Map<Content, { readonly serial: Serial; users: number }>();
  readonly #entries: Record<DigestAlgorithm, number> = { sha256: 0, sha512: 0 };
  /** Removals of content that could not be synced and may exist in part. */
  readonly #losses = new Map<Content, Promise<void>>();
  #serial = 0;
  #epoch = 0;

  constructor(options: BlobFilesOptions) {
    this.#options = options;
    this.root = options.root;
    this.#looksAtNeed = options.away.length > 0 && !slowNames.has(options.limits.type);
    this.temporary = join(options.root, '_svc', 'tmp');
    this.#syncs = new BlobSyncs({
      folder: join(options.root, 'blobs'),
      lose: (content) => this.#lose(content),
    });
  }

  /**
   * Reads the names of all blobs once. Afterwards presence is known without reading the disk.
   *
   * @returns entries that are not blobs
   * @throws SVC-STO-001
   */
  async load(): Promise<readonly Stranger[]> {
    const strangers: Stranger[] = [];
    const { contents } = this.#options.graph;
    const pacer = new Pacer();
    for (const algorithm of algorithms) {
      for await (const names of listBlobNames(this.root, algorithm)) {
        this.#entries[algorithm] += names.length;
        let ids = contents.internAllHex(algorithm, names);
        if (ids === undefined) {
          const isOwn = (name: string): boolean => isDigestHex(algorithm, name);
          ids = contents.internAllHex(algorithm, names.filter(isOwn))!;
          for (const name of names) if (!isOwn(name)) strangers.push({ path: `blobs/${algorithm}/${name}` });
        }
        for (const id of ids) contents.setPresent(id, true);
        if (pacer.isDue()) await pacer.rest();
      }
    }
    return strangers;
  }

  /**
   * Reads the size of a present file from disk and keeps it.
   *
   * @returns the size in bytes; undefined when there is no regular file
   */
  measure(content: Content): number | undefined {
    const info = lstatSync(join(this.root, blobPath(content.digest)), { throwIfNoEntry: false });
    if (!info?.isFile()) {
      content.present = false;
      return undefined;
    }
    content.size = info.size;
    return info.size;
  }

  /**
   * Opens a present blob without following links. The recorded size comes from whichever manifest named the blob first:
   * where the file has another one, its bytes decide.
   *
   * @throws SVC-STO-001, also when its size is not the recorded one and its bytes do not have the digest
   */
  async open(content: Content): Promise<{ readonly file: FileHandle; readonly size: number }> {
    const path = blobPath(content.digest);
    if (!content.present)
      throw svcError('SVC-STO-001', { path, detail: rule(['not in the store', fr`absent du stockage`]) });
    const { file, size } = await openGuardedFile(this.root, path);
    if (content.size < 0) content.size = size;
    if (size === content.size) return { file, size };
    const { digest } = content;
    try {
      const outcome = await hashPaced(this.root, { path, algorithm: digestAlgorithm(digest) });
      if (judgeBlob(digest, outcome) === 'whole') {
        content.size = size;
        return { file, size };
      }
    } catch (error) {
      await file.close();
      throw error;
    }
    await file.close();
    throw svcError('SVC-STO-001', {
      path,
      detail: rule(['{found} bytes instead of {size}', fr`{found} octets au lieu de {size}`], {
        found: size,
        size: content.size,
      }),
    });
  }

  /** @throws SVC-STO-002, SVC-STO-004, SVC-STO-005 */
  async createWriter(
    algorithm: DigestAlgorithm,
    size: number | undefined,
    direct = false,
  ): Promise<BlobWriter> {
    const { limits } = this.#options;
    const path = await this.newTemporary(size);
    const epoch = this.#epoch;
    return openBlobWriter({
      path,
      algorithm,
      limits,
      size,
      direct,
      finish: (written, file, digest, bytes) => {
        if (epoch !== this.#epoch)
          throw svcError('SVC-STO-002', {
            path,
            detail: rule(['the store was reset', fr`le stockage a été vidé`]),
          });
        return this.#take(written, file, digest, bytes);
      },
    });
  }

  /** Prevents writers that are open now from adding their blob. */
  endWriters(): void {
    this.#epoch += 1;
  }

  /**
   * Checks the free space and returns the path of a new temporary file.
   *
   * @param size bytes that will be written, where that is known
   * @throws SVC-STO-002, SVC-STO-004, SVC-STO-005
   */
  async newTemporary(size: number | undefined): Promise<string> {
    if (size !== undefined) await requireSpace(this.temporary, size, this.#options.limits);
    this.#serial += 1;
    return join(this.temporary, `${this.#serial}.part`);
  }

  /**
   * Adds a finished file on the same volume as a blob. The caller has computed the digest.
   *
   * @throws SVC-STO-00x
   */
  async adopt(path: string, digest: Digest, size: number): Promise<void> {
    let file: FileHandle;
    try {
      file = await open(path, constants.O_RDWR | constants.O_NOFOLLOW | constants.O_NONBLOCK);
    } catch (error) {
      throw toReadError(error, path);
    }
    try {
      const info = await file.stat();
      if (!info.isFile() || info.size !== size)
        throw svcError('SVC-SIG-002', {
          reference: digest,
          expected: rule(['{size} bytes', fr`{size} octets`], { size }),
          actual: info.isFile()
            ? rule(['{size} bytes', fr`{size} octets`], { size: info.size })
            : rule(['not a regular file', fr`pas un fichier ordinaire`]),
        });
    } catch (error) {
      await file.close();
      throw error;
    }
    await this.#take(path, file, digest, size).catch(async (error) => {
      await file.close().catch(() => {});
      throw error;
    });
  }

  /** Writes small content whose digest the caller has checked. */
  async put(bytes: Buffer, digest: Digest): Promise<void> {
    const writer = await this.createWriter(digestAlgorithm(digest), bytes.length);
    try {
      await writer.write(bytes);
      await writer.commit(digest);
    } catch (error) {
      await writer.abort();
      throw error;
    }
  }

  /**
   * Waits until this content would survive a power cut. The caller has found all bytes intact.
   *
   * @throws SVC-STO-002 when a sync failed, also before this call; that content is no longer present
   */
  async makeDurable(contents: Iterable<Content>): Promise<void> {
    await this.#syncs.finish(contents);
  }

  /** Whether content that was written or hashed in this process would survive a power cut. */
  isDurable(content: Content): boolean {
    return !this.#syncs.isDirty(content);
  }

  /** @throws the write error of content that could not be synced and is absent; otherwise nothing */
  requireKept(content: Content): void {
    this.#syncs.requireKept(content);
  }

  /**
   * Waits until every blob added or removed so far would survive a power cut.
   *
   * @throws SVC-STO-002, also while the file of a failed sync cannot be removed
   */
  async makeAllDurable(): Promise<void> {
    await Promise.allSettled(this.#losses.values());
    await Promise.all([...this.#losses.keys()].map((content) => this.#removeLost(content)));
    await this.#syncs.finishAll();
  }

  /**
   * Whether a blob is present and intact. A blob that is not vouched for (of a killed process, or of an
   * adopted store) is hashed once. A damaged blob becomes absent, and the next write of its digest replaces
   * it.
   *
   * @throws SVC-STO-001, SVC-STO-014 when it cannot be read for a reason outside the file
   */
  async isWhole(content: Content): Promise<boolean> {
    if (this.isKnownWhole(content)) return true;
    return (await this.#judge(content)) === 'whole';
  }

  /** Whether `isWhole` is true and is known without reading the disk. */
  isKnownWhole(content: Content): boolean {
    return content.present && content.sound && (content.settled || !this.#looksAtNeed);
  }

  /** @returns the digest of the bytes when they are those of other content */
  async #judge(
    content: Content,
    isDoubted = false,
  ): Promise<'whole' | 'absent' | { readonly actual: Digest }> {
    if (!content.present) return 'absent';
    return this.#exclusive(content, async () => {
      if (!content.present) return 'absent';
      const isVouched = content.sound;
      if (isVouched && !isDoubted && (await this.#isUntouched(content))) return 'whole';
      const { digest } = content;
      const path = blobPath(digest);
      const outcome = await hashPaced(this.root, { path, algorithm: digestAlgorithm(digest) });
      const state = judgeBlob(digest, outcome);
      if (mayComeBack(outcome)) throw svcError('SVC-STO-014', { path, detail: describeOutcome(outcome) });
      if (state === 'unreadable') {
        requireAble(describeOutcome(outcome), join(this.root, path));
        throw svcError('SVC-STO-001', { path, detail: describeOutcome(outcome) });
      }
      if (state === 'missing') await this.#requireMounted(path);
      if (state !== 'whole') {
        // its size is kept: it comes from the records, and the next generation of the ledger repeats it
        content.present = false;
        content.sound = false;
        return 'digest' in outcome ? { actual: outcome.digest } : 'absent';
      }
      if ('identity' in outcome) content.size = outcome.identity.size;
      // a file that is vouched for has a record already
      if (isVouched && content.settled) return 'whole';
      await this.#trust(content);
      if (isVouched) await this.#renew(path, outcome);
      return 'whole';
    });
  }

  /**
   * Whether a vouched blob did not change while this instance did not use the store. A disk may return with other
   * bytes. The file is looked at once in this process.
   *
   * @throws SVC-STO-001, SVC-STO-014 when it cannot be looked at for a reason outside the file
   */
  async #isUntouched(content: Content): Promise<boolean> {
    const { away } = this.#options;
    if (content.settled || away.length === 0) return true;
    const path = blobPath(content.digest);
    let changedAt: number;
    try {
      changedAt = (await lstat(join(this.root, path))).ctimeMs;
    } catch (cause) {
      // hashing finds out whether the file is gone or cannot be read
      if (isAbsent(cause) || !isTransientCode(toSystemCode(cause))) return false;
      throw svcError('SVC-STO-014', { path, detail: toSystemCode(cause) }, { cause });
    }
    if (isAway(away, changedAt)) return false;
    content.settle();
    return true;
  }

  /**
   * Sets the time of the last change of an intact file to now, so that the next process does not hash it again. Without
   * success it is hashed again.
   */
  async #renew(path: string, outcome: HashOutcome): Promise<void> {
    if (!this.#options.isWriter() || !('identity' in outcome)) return;
    try {
      const file = await openGuarded(this.root, path);
      try {
        const info = await file.stat({ bigint: true });
        if (!isUnchanged(info, outcome.identity)) return;
        await file.chmod(Number(info.mode & 0o7777n));
        this.renewals += 1;
      } finally {
        await file.close();
      }
    } catch {}
  }

  /**
   * Called before a blob is opened: the time of its last change is compared on every filesystem.
   *
   * @throws SVC-SIG-002 when the file has other bytes, after which it counts as absent; SVC-STO-001 when no intact blob
   *   is present, SVC-STO-014 when that cannot be determined now
   */
  async requireWhole(content: Content): Promise<void> {
    const isKnown = content.settled || this.#options.away.length === 0;
    if (content.present && content.sound && isKnown) return;
    const state = await this.#judge(content);
    if (state === 'whole') return;
    const { digest } = content;
    const path = blobPath(digest);
    if (state === 'absent')
      throw svcError('SVC-STO-001', { path, detail: rule(['not in the store', fr`absent du stockage`]) });
    throw svcError('SVC-SIG-002', { reference: path, expected: digest, actual: state.actual });
  }

  /**
   * Marks hashed content as intact. Only the writer of the store syncs it and vouches for it in the ledger.
   */
  async #trust(content: Content): Promise<void> {
    const { isWriter, onSound } = this.#options;
    if (isWriter()) {
      this.#syncs.start(content, await openGuarded(this.root, blobPath(content.digest)));
      onSound(content);
    }
    content.sound = true;
    content.settle();
  }

  /**
   * Looks at the file of a present blob without reading it. Where it is no regular file of the recorded size, its bytes
   * decide: a damaged blob becomes absent.
   *
   * @throws SVC-STO-001, SVC-STO-014 when it cannot be read for a reason outside the file
   */
  async look(content: Content): Promise<void> {
    const info = await lstat(join(this.root, blobPath(content.digest))).catch(() => undefined);
    if (info?.isFile() && (content.size < 0 || info.size === content.size)) return;
    await this.doubt(content);
  }

  /** Hashes a present blob, also one that is vouched for. A damaged one becomes absent. @throws as `look` */
  async doubt(content: Content): Promise<void> {
    await this.#judge(content, true);
  }

  /** Marks damaged content as absent, so that it is fetched again. */
  distrust(content: Content): void {
    content.present = false;
    content.sound = false;
  }

  /** Marks content as intact that the caller has hashed completely. */
  async vouch(content: Content): Promise<void> {
    await this.#exclusive(content, async () => {
      if (content.present && !(content.sound && content.settled)) await this.#trust(content);
    });
  }

  /** Marks content as absent after a failed sync, and removes its file unless it was written again. */
  #lose(content: Content): void {
    this.distrust(content);
    const removal = this.#removeLost(content);
    this.#losses.set(content, removal);
    // `makeAllDurable` repeats a failed removal before `index.json` and `media.jsonl` are written
    removal.catch(() => {});
  }

  /** @throws SVC-STO-002 */
  #removeLost(content: Content): Promise<void> {
    const { digest, size } = content;
    return this.#exclusive(content, async () => {
      // content with a record was present before this write, and its file may be the only copy
      const isKept = content.present || content.refs > 0;
      if (!isKept) {
        const path = join(this.root, blobPath(digest));
        const isGone = await unlink(path).then(
          () => true,
          (error: unknown) => {
            if (isAbsent(error)) return false;
            throw toWriteError(error, path);
          },
        );
        this.#syncs.forget(content);
        if (isGone) this.#entries[digestAlgorithm(digest)] -= 1;
        if (isGone) this.#options.onBytes(-Math.max(0, size));
      }
      this.#losses.delete(content);
    });
  }

  /**
   * Moves a damaged file from the blobs to quarantine. An intact file is not moved.
   *
   * @param known the outcome of an earlier reading; used while the file is unchanged
   * @returns undefined when nothing was moved
   * @throws SVC-STO-002; SVC-STO-014 when the volume does not respond, and the blob is kept
   */
  async quarantine(content: Content, known?: HashOutcome): Promise<QuarantinedBlob | undefined> {
    return this.#exclusive(content, async () => {
      const { digest } = content;
      const path = blobPath(digest);
      // a reader that found damage leaves the file in its place
      if (!content.present && (await this.#isGone(path))) return undefined;
      const size = content.size < 0 ? undefined : content.size;
      const outcome =
        known !== undefined && (await this.#isStill(path, known))
          ? known
          : await hashPaced(this.root, { path, algorithm: digestAlgorithm(digest), size });
      const state = judgeBlob(digest, outcome);
      if (state !== 'damaged' && state !== 'missing') return undefined;
      if (state === 'missing') await this.#requireMounted(path);
      const problem =
        state === 'missing'
          ? rule(['its file is gone', fr`son fichier a disparu`])
          : describeOutcome(outcome, size);
      const info = await lstat(join(this.root, path)).catch(() => undefined);
      let place: string | undefined;
      await this.#options.change(async () => {
        // after EIO the bytes may become readable again; they are lost only on a disk that still accepts
        // writes
        if (mayComeBack(outcome)) {
          place = await moveToQuarantine(this.root, digest).catch((cause: unknown) => {
            throw svcError('SVC-STO-014', { path, detail: problem }, { cause });
          });
        }
        // the blob is not served any more, even when the move fails
        this.distrust(content);
        if (state === 'damaged') place ??= await moveToQuarantine(this.root, digest);
      });
      this.#entries[digestAlgorithm(digest)] -= 1;
      this.#syncs.forget(content);
      this.#options.onBytes(-(size ?? info?.size ?? 0));
      const moved = state === 'damaged' && info?.isFile() ? info.size : 0;
      return { digest, ...(place === undefined ? {} : { path: place }), size: moved, problem };
    });
  }

  async #isGone(path: string): Promise<boolean> {
    return lstat(join(this.root, path)).then(
      () => false,
      () => true,
    );
  }

  /** All files of an unmounted volume are missing, and are present again after the next mount. @throws SVC-STO-014 */
  async #requireMounted(path: string): Promise<void> {
    await lstat(join(this.root, 'blobs')).catch((cause: unknown) => {
      throw svcError(
        'SVC-STO-014',
        { path, detail: rule(['the volume is not mounted', fr`le volume n’est pas monté`]) },
        { cause },
      );
    });
  }

  async #isStill(path: string, outcome: HashOutcome): Promise<boolean> {
    if (!('identity' in outcome)) return false;
    const info = await lstat(join(this.root, path), { bigint: true }).catch(() => undefined);
    return info !== undefined && isUnchanged(info, outcome.identity);
  }

  /**
   * Removes a file unless it is held.
   *
   * @param isHeld called immediately before the removal
   * @returns bytes freed; undefined when the file is kept
   */
  async remove(content: Content, isHeld: () => boolean): Promise<number | undefined> {
    return this.#exclusive(content, async () => {
      if (!content.present || isHeld()) return undefined;
      const path = join(this.root, blobPath(content.digest));
      const size = content.size >= 0 ? content.size : (this.measure(content) ?? 0);
      content.present = false;
      const wasSound = content.sound;
      content.sound = false;
      try {
        await unlink(path);
      } catch (error) {
        const { code } = error as NodeJS.ErrnoException;
        if (code !== 'ENOENT') {
          content.present = true;
          content.sound = wasSound;
          throw svcError('SVC-STO-002', { path, detail: code }, { cause: error });
        }
      }
      this.#entries[digestAlgorithm(content.digest)] -= 1;
      this.#syncs.forget(content);
      this.#options.onBytes(-size);
      if (!this.#options.holds.isHeld(content)) this.#options.graph.forget(content);
      return size;
    });
  }

  /** Renames a finished temporary file to its blob name. On success this function closes the file handle. */
  async #take(path: string, file: FileHandle, digest: Digest, size: number): Promise<void> {
    const { graph, holds, limits, change, onBytes } = this.#options;
    const content = graph.intern(digest);
    holds.pin(content);
    try {
      await this.#exclusive(content, async () => {
        const target = join(this.root, blobPath(digest));
        if (content.present && content.sound && (await this.#isUntouched(content))) {
          const info = await lstat(target).catch(() => undefined);
          if (info?.isFile() && info.size === size) {
            await file.close();
            await unlink(path).catch(() => {});
            return;
          }
        }
        const algorithm = digestAlgorithm(digest);
        const isNew = !content.present;
        if (
          isNew &&
          limits.maxFolderEntries !== undefined &&
          this.#entries[algorithm] >= limits.maxFolderEntries
        )
          throw svcError('SVC-STO-005', {
            path: target,
            filesystem: limits.type,
            limit: limits.maxFolderEntries,
            size,
          });
        await change(async () => {
          try {
            await rename(path, target);
          } catch (error) {
            throw toWriteError(error, target, { size });
          }
          content.size = size;
          content.present = true;
          content.sound = true;
          content.settle();
        });
        if (isNew) {
          this.#entries[algorithm] += 1;
          onBytes(size);
        }
        this.#syncs.start(content, file);
      });
      if (content.refs === 0) holds.write(content);
    } finally {
      holds.unpin(content);
    }
  }

  async #exclusive<T>(content: Content, work: () => Promise<T>): Promise<T> {
    let queue = this.#queues.get(content);
    if (queue === undefined) {
      queue = { serial: new Serial(), users: 0 };
      this.#queues.set(content, queue);
    }
    queue.users += 1;
    try {
      return await queue.serial.run(work);
    } finally {
      queue.users -= 1;
      if (queue.users === 0) this.#queues.delete(content);
    }
  }
}

/** Whether a reading failed with an error of an unavailable device, which may be temporary. */
function mayComeBack(outcome: HashOutcome): boolean {
  return 'problem' in outcome && outcome.problem === 'unreadable' && isTransientCode(String(outcome.detail));
}
