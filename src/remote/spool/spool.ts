import { constants } from 'node:fs';
import { copyFile, link, readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { type Digest, isDigest } from '../../base/digest.ts';
import { TransferPaused } from '../../base/link/gate.ts';
import type { Report } from '../../base/report.ts';
import { makeFolder } from '../../disk/make-folder.ts';
import type { Descriptor } from '../../oci/descriptor.ts';
import { isSvcError, svcError } from '../../text/error.ts';
import { fr } from '../../text/language.ts';
import { rule } from '../../text/rule.ts';
import type { RangeAnswer, RangeRequest, Spool, SpooledBlob } from '../model.ts';
import { createRangeRule } from '../transport/range-rule.ts';
import { startPace } from '../transport/read-body.ts';
import { markTransient, toTransience } from '../transport/transience.ts';
import { untilAborted } from '../transport/until-aborted.ts';
import {
  isSpoolFailure,
  openSpoolFile,
  removeSpoolFile,
  type SpoolFile,
  toSpoolFailure,
} from './spool-file.ts';

interface SpoolOptions {
  /** A folder used only by the spool; created when missing. */
  readonly root: string;
  /** Bytes. Larger blobs are spooled; 0: none. */
  readonly threshold: number;
  readonly report: Report;
}

type FetchOptions = NonNullable<Parameters<Spool['fetch']>[2]>;

/** A download, its waiting callers and the holders of its result. */
interface Download {
  readonly ending: AbortController;
  readonly listeners: Set<(bytes: number) => void>;
  finished: Promise<void>;
  /** Bytes reported to listeners so far. */
  reported: number;
  /** Bytes that were there at the start. */
  resumedFrom: number | undefined;
  users: number;
  copies: number;
  kept: boolean;
  /** Resolves when nothing uses the download any more and its files are in their final state. */
  readonly gone: PromiseWithResolvers<void>;
}

/** Number of resumed downloads of one blob that may be wrong, before the source is given up. */
const mostMismatches = 2;

function toFileName(digest: Digest): string {
  return digest.replace(':', '-');
}

/** The digest of a file in the spool, and whether it is the copy of a holder. */
function parseFileName(name: string): { readonly digest: Digest; readonly isCopy: boolean } | undefined {
  const match = /^(sha256|sha512)-([0-9a-f]+)\.(part|state)(\.\d+)?$/.exec(name);
  const digest = `${match?.[1]}:${match?.[2]}`;
  return isDigest(digest) ? { digest, isCopy: match?.[4] !== undefined } : undefined;
}

/** Opens a spool in a folder. Only one process at a time may use it. */
export function createSpool(options: SpoolOptions): Spool {
  const { root, threshold, report } = options;
  const downloads = new Map<Digest, Download>();
  const pathOf = (digest: Digest) => join(root, `${toFileName(digest)}.part`);
  const statePathOf = (digest: Digest) => join(root, `${toFileName(digest)}.state`);

  /**
   * Receives bytes until the file is complete.
   *
   * @returns whether all bytes came in one answer
   */
  const receive = async (
    blob: Descriptor,
    file: SpoolFile,
    open: (range: RangeRequest) => Promise<RangeAnswer>,
    how: FetchOptions,
    download: Download,
  ): Promise<boolean> => {
    const reference = how.reference ?? blob.digest;
    const { signal } = download.ending;
    let atFailure = file.received;
    const judgeRange = createRangeRule();
    let isOneAnswer = true;
    download.resumedFrom ??= file.received;
    const pace = startPace(file.received);
    const notify = () => {
      // bytes received again after a restart of the source are not reported twice
      const news = file.received - download.reported;
      if (news <= 0) return;
      download.reported = file.received;
      for (const listener of download.listeners) listener(news);
    };
    notify();
    while (file.received < blob.size || blob.size === 0) {
      const begun = file.received;
      try {
        const answer = await open({ from: file.received, etag: file.etag, pace, signal });
        if (answer.from === 0 && file.received > 0) {
          report.log('warn', 'the source restarted a download from the beginning', {
            source: reference,
            digest: blob.digest,
          });
          await file.restart();
        } else if (answer.from !== file.received) {
          throw svcError('SVC-REG-007', {
            reference,
            detail: rule(['the source sent another range', fr`la source a envoyé une autre plage`]),
          });
        }
        isOneAnswer = answer.from === 0;
        if (answer.etag !== undefined) file.setEtag(answer.etag);
        for await (const chunk of answer.body) {
          const wanted = chunk.subarray(0, blob.size - file.received);
          await file.append(wanted, answer.disposable === true && wanted.length === chunk.length);
          notify();
          if (wanted.length < chunk.length)
            throw svcError('SVC-REG-007', {
              reference,
              detail: rule(['more than {size} bytes were sent', fr`plus de {size} octets ont été envoyés`], {
                size: blob.size,
              }),
            });
        }
        if (file.received === blob.size) return isOneAnswer;
        throw markTransient(
          svcError('SVC-REG-007', {
            reference,
            detail: rule(
              ['ended after {received} of {size} bytes', fr`terminé après {received} octets sur {size}`],
              { received: file.received, size: blob.size },
            ),
          }),
        );
      } catch (error) {
        if (error instanceof TransferPaused) {
          await file.checkpoint();
          signal.throwIfAborted();
          continue;
        }
        const isBrokenRule = isSvcError(error, 'SVC-REG-007') && toTransience(error) === false;
        const isOfRange = begun > 0 && (file.received === begun || file.received === blob.size);
        const verdict = isOfRange ? judgeRange(error) : 'other';
        if (verdict === 'repeat' && file.received === begun) continue;
        if (verdict !== 'other') {
          report.log('warn', 'the source answers ranges wrongly; restarting from the beginning', {
            source: reference,
            digest: blob.digest,
            error,
          });
          await file.restart();
          continue;
        }
        // of an answer with too many bytes the requested ones are kept and verified by their digest
        if (isBrokenRule && file.received < blob.size) await file.restart();
        else if (!isSpoolFailure(error)) await file.checkpoint();
        // bytes that are sent again are no progress: a source could start over for ever
        const progress = file.received - atFailure;
        atFailure = Math.max(atFailure, file.received);
        signal.throwIfAborted();
        if (!(await how.mayResume?.(error, progress, signal))) throw error;
      }
    }
    return false;
  };

  /** Logs a failed removal: the file is removed later as abandoned, the download is not affected. */
  const discard = (path: string, removal: Promise<void>): Promise<void> =>
    removal.catch((error: unknown) => {
      report.log('warn', 'a download that is no longer needed could not be removed', { path, error });
    });

  const complete = async (
    blob: Descriptor,
    open: (range: RangeRequest) => Promise<RangeAnswer>,
    how: FetchOptions,
    download: Download,
  ): Promise<void> => {
    const path = pathOf(blob.digest);
    await makeFolder(root, 0o700).catch((error: unknown) => {
      throw toSpoolFailure(error, root);
    });
    const statePath = statePathOf(blob.digest);
    const file = await openSpoolFile(path, statePath, blob);
    let isWhole = false;
    try {
      for (let mismatches = 0; ; ) {
        const isOneAnswer = await receive(blob, file, open, how, download);
        await file.checkpoint();
        const actual = await file.digest();
        isWhole = actual === blob.digest;
        if (isWhole) return;
        await file.restart();
        // earlier bytes may be damaged on this disk, or from another representation: only a download in one answer
        // proves a fault of the source
        if (isOneAnswer)
          throw svcError('SVC-SIG-002', {
            reference: how.reference ?? blob.digest,
            expected: blob.digest,
            actual,
          });
        mismatches += 1;
        if (mismatches > mostMismatches)
          throw svcError('SVC-REG-007', {
            reference: how.reference ?? blob.digest,
            detail: rule(
              [
                'does not match its digest after {mismatches} resumed downloads',
                fr`ne correspond pas à son empreinte après {mismatches} téléchargements repris`,
              ],
              { mismatches },
            ),
          });
        report.log('warn', 'a resumed download does not match its digest; restarting from the beginning', {
          digest: blob.digest,
        });
      }
    } finally {
      await file.close().catch((error: unknown) => {
        throw toSpoolFailure(error, path);
      });
      // an empty file cannot be resumed
      if (!isWhole && file.received === 0) await discard(path, removeSpoolFile(path, statePath));
    }
  };

  const leave = async (digest: Digest, download: Download, done: boolean): Promise<void> => {
    download.users -= 1;
    if (download.users > 0) return;
    download.ending.abort();
    await download.finished.catch(() => {});
    const path = pathOf(digest);
    if (done && !download.kept) await discard(path, removeSpoolFile(path, statePathOf(digest)));
    if (downloads.get(digest) === download) downloads.delete(digest);
    download.gone.resolve();
  };

  /** Creates a separate file for one holder: a hard link where the filesystem supports it, else a copy. */
  const handOver = async (blob: Descriptor, download: Download): Promise<string> => {
    const source = pathOf(blob.digest);
    const path = `${source}.${download.copies}`;
    download.copies += 1;
    await rm(path, { force: true });
    try {
      await link(source, path);
    } catch {
      await copyFile(source, path, constants.COPYFILE_EXCL | constants.COPYFILE_FICLONE);
    }
    return path;
  };

  const begin = (
    blob: Descriptor,
    open: (range: RangeRequest) => Promise<RangeAnswer>,
    how: FetchOptions,
  ): Download => {
    const download: Download = {
      ending: new AbortController(),
      listeners: new Set(),
      finished: Promise.resolve(),
      reported: 0,
      resumedFrom: undefined,
      users: 0,
      copies: 0,
      kept: false,
      gone: Promise.withResolvers<void>(),
    };
    downloads.set(blob.digest, download);
    download.finished = complete(blob, open, how, download);
    download.finished.catch(() => {});
    return download;
  };

  const spool: Spool = {
    threshold,
    accepts: (size) => threshold > 0 && size >= threshold,

    async fetch(blob, open, how = {}) {
      const { signal, onBytes } = how;
      signal?.throwIfAborted();
      let download = downloads.get(blob.digest);
      while (download?.ending.signal.aborted) {
        await download.gone.promise;
        download = downloads.get(blob.digest);
      }
      download ??= begin(blob, open, how);
      const shared = download;
      shared.users += 1;
      if (onBytes !== undefined) {
        if (shared.reported > 0) onBytes(shared.reported);
        shared.listeners.add(onBytes);
      }
      let path: string;
      try {
        await untilAborted(shared.finished, signal);
        path = await handOver(blob, shared).catch((error: unknown) => {
          throw toSpoolFailure(error, pathOf(blob.digest));
        });
      } catch (error) {
        await leave(blob.digest, shared, false);
        throw error;
      } finally {
        if (onBytes !== undefined) shared.listeners.delete(onBytes);
      }
      let released: Promise<void> | undefined;
      const release: SpooledBlob['release'] = ({ keep = false } = {}) => {
        released ??= (async () => {
          if (keep) shared.kept = true;
          await discard(path, rm(path, { force: true }));
          await leave(blob.digest, shared, true);
        })();
        return released;
      };
      return {
        path,
        digest: blob.digest,
        size: blob.size,
        resumedFrom: shared.resumedFrom ?? 0,
        release,
        [Symbol.asyncDispose]: () => release(),
      };
    },

    async removeAbandoned(keep) {
      let files = 0;
      let bytes = 0;
      let names: string[];
      try {
        names = await readdir(root);
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code === 'ENOENT') return { files, bytes };
        throw toSpoolFailure(error, root);
      }
      for (const name of names) {
        const parsed = parseFileName(name);
        if (parsed === undefined || downloads.has(parsed.digest)) continue;
        if (keep.has(parsed.digest) && !parsed.isCopy) continue;
        const path = join(root, name);
        try {
          const { size, nlink } = await stat(path);
          await rm(path, { force: true });
          files += 1;
          if (nlink === 1) bytes += size;
        } catch (error) {
          throw toSpoolFailure(error, path);
        }
      }
      if (files > 0) report.log('info', 'abandoned downloads were removed', { files, bytes });
      return { files, bytes };
    },
  };
  return spool;
}
