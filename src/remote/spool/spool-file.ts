import { createHash, type Hash } from 'node:crypto';
import { constants } from 'node:fs';
import { type FileHandle, open, rm } from 'node:fs/promises';
import { type Digest, digestAlgorithm, isDigest, toDigest } from '../../base/digest.ts';
import { createWriteBehind } from '../../disk/write-behind.ts';
import { toWriteError } from '../../disk/write-error.ts';
import { isSvcError, type SvcError, svcError } from '../../text/error.ts';

/**
 * Bytes. The state is one record of this length, rewritten in place. A torn record is ignored, and the
 * download starts from the beginning.
 */
const stateLength = 512;
const checkpointBytes = 8 * 1024 * 1024;
const readBytes = 1024 * 1024;

interface State {
  readonly digest: Digest;
  readonly size: number;
  /** Bytes that are durable. */
  readonly received: number;
  readonly etag?: string;
}

/** The partial file of one download, with its durable state. */
export interface SpoolFile {
  readonly received: number;
  readonly etag: string | undefined;
  setEtag(etag: string | undefined): void;
  /** @param disposable whether only this call uses the chunk, so that its memory can be released */
  append(chunk: Buffer, disposable?: boolean): Promise<void>;
  /** Makes the received bytes durable. */
  checkpoint(): Promise<void>;
  /** Empties the file, when the source starts from the beginning. */
  restart(): Promise<void>;
  /** The digest of all bytes, from the running hash if it includes all, else by reading the file. */
  digest(): Promise<Digest>;
  close(): Promise<void>;
}

/** Converts a disk failure: SVC-STO-004 and SVC-STO-005 when space is missing, else SVC-STO-003. */
export function toSpoolFailure(error: unknown, path: string): SvcError {
  if (isSvcError(error)) return error;
  const coded = toWriteError(error, path, { otherwise: 'SVC-STO-003', place: 'state' });
  if (coded.code !== 'SVC-STO-003') return coded;
  const code = (error as NodeJS.ErrnoException).code ?? 'unknown';
  return svcError('SVC-STO-003', { path, ...coded.params, detail: code }, { cause: error });
}

/** Whether the disk failed, not the source. */
export function isSpoolFailure(error: unknown): boolean {
  return isSvcError(error) && /^SVC-STO-00[345]$/.test(error.code);
}

function parseState(bytes: Buffer, digest: Digest, size: number): State | undefined {
  try {
    const state = JSON.parse(bytes.toString('utf8')) as Partial<State>;
    const { received, etag } = state;
    if (!isDigest(state.digest) || state.digest !== digest || state.size !== size) return undefined;
    if (!Number.isSafeInteger(received) || received! < 0 || received! > size) return undefined;
    return { digest, size, received: received!, ...(typeof etag === 'string' ? { etag } : {}) };
  } catch {
    return undefined;
  }
}

async function readState(file: FileHandle, digest: Digest, size: number): Promise<State | undefined> {
  const bytes = Buffer.alloc(stateLength);
  const { bytesRead } = await file.read(bytes, 0, stateLength, 0);
  return parseState(bytes.subarray(0, bytesRead), digest, size);
}

async function hashFile(file: FileHandle, digest: Digest, size: number): Promise<Digest> {
  const hash = createHash(digestAlgorithm(digest));
  const buffer = Buffer.allocUnsafe(readBytes);
  for (let at = 0; at < size; ) {
    const { bytesRead } = await file.read(buffer, 0, Math.min(readBytes, size - at), at);
    if (bytesRead === 0) break;
    hash.update(buffer.subarray(0, bytesRead));
    at += bytesRead;
  }
  return toDigest(digestAlgorithm(digest), hash);
}

/**
 * Opens the partial file of a download at its last durable state.
 *
 * @throws SVC-STO-003, SVC-STO-004, SVC-STO-005
 */
export async function openSpoolFile(
  path: string,
  statePath: string,
  blob: { readonly digest: Digest; readonly size: number },
): Promise<SpoolFile> {
  const { digest, size } = blob;
  const flags = constants.O_RDWR | constants.O_CREAT | constants.O_NOFOLLOW;
  let file: FileHandle | undefined;
  let stateFile: FileHandle | undefined;
  let received = 0;
  let etag: string | undefined;
  try {
    file = await open(path, flags, 0o600);
    stateFile = await open(statePath, flags, 0o600);
    const state = await readState(stateFile, digest, size);
    if (state !== undefined && (await file.stat()).size >= state.received) ({ received, etag } = state);
    await file.truncate(received);
  } catch (error) {
    await Promise.all([file?.close(), stateFile?.close()]);
    throw toSpoolFailure(error, path);
  }

  const data = file;
  const record = stateFile;
  let hash: Hash | undefined = received === 0 ? createHash(digestAlgorithm(digest)) : undefined;
  const behind = createWriteBehind(data, received);
  let durable = received;
  let saving: Promise<void> | undefined;
  let failure: { readonly error: unknown } | undefined;

  const guard = async <T>(work: () => Promise<T>): Promise<T> => {
    try {
      if (failure) throw failure.error;
      return await work();
    } catch (error) {
      throw toSpoolFailure(error, path);
    }
  };
  const writeState = async (): Promise<void> => {
    const state: State = { digest, size, received: durable, ...(etag === undefined ? {} : { etag }) };
    const bytes = Buffer.alloc(stateLength, ' ');
    bytes.write(JSON.stringify(state));
    for (let done = 0; done < bytes.length; )
      done += (await record.write(bytes, done, bytes.length - done, done)).bytesWritten;
    await record.datasync();
  };
  /** Makes the bytes written before its start durable; more may be written meanwhile. */
  const save = async (): Promise<void> => {
    const reached = behind.written;
    await data.datasync();
    durable = reached;
    await writeState();
  };
  const saveBehind = (): void => {
    if (saving !== undefined || behind.written - durable < checkpointBytes) return;
    saving = save()
      .catch((error: unknown) => {
        failure ??= { error };
      })
      .finally(() => {
        saving = undefined;
      });
  };
  const settle = async (): Promise<void> => {
    await behind.settle();
    await saving;
    if (failure) throw failure.error;
  };
  const checkpoint = async (): Promise<void> => {
    await settle();
    await save();
  };

  return {
    get received() {
      return received;
    },
    get etag() {
      return etag;
    },
    setEtag(next) {
      // a longer validator does not fit the record; the range is then requested without a condition
      etag = next !== undefined && next.length <= 200 ? next : undefined;
    },
    append: (chunk, disposable) =>
      guard(async () => {
        hash?.update(chunk);
        received += chunk.length;
        await behind.write(chunk, disposable);
        saveBehind();
      }),
    checkpoint: () => guard(checkpoint),
    restart: () =>
      guard(async () => {
        await settle();
        received = 0;
        durable = 0;
        behind.restart(0);
        etag = undefined;
        hash = createHash(digestAlgorithm(digest));
        // the state is written first: it must not count bytes that are removed
        await writeState();
        await data.truncate(0);
      }),
    digest: () =>
      guard(async () =>
        hash === undefined ? hashFile(data, digest, size) : toDigest(digestAlgorithm(digest), hash.copy()),
      ),
    close: async () => {
      await settle().catch(() => {});
      await saving;
      await Promise.all([data.close(), record.close()]);
    },
  };
}

/** Removes a partial file, then its state. A state without file is ignored. */
export async function removeSpoolFile(path: string, statePath: string): Promise<void> {
  await rm(path, { force: true });
  await rm(statePath, { force: true });
}
