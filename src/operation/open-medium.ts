import { realpath, stat } from 'node:fs/promises';
import { relative, resolve } from 'node:path';
import type { Report } from '../base/report.ts';
import type { ConfigWith } from '../config/requirements.ts';
import type { VerificationProgress } from '../contract/medium.ts';
import { isAbsent } from '../disk/is-absent.ts';
import { openPlace, type Place } from '../disk/place/place.ts';
import { toReadError } from '../disk/read-error.ts';
import type { HashedFile, HashOutcome } from '../disk/threads/hash-file.ts';
import { type HashThreads, startHashThreadsBeside } from '../disk/threads/hash-threads.ts';
import { openFreshness } from '../engine/medium/freshness.ts';
import { findReadBack, selectUnchanged } from '../engine/medium/hash-medium.ts';
import { type MediumReading, startReading } from '../engine/medium/read-medium.ts';
import { toUnopened } from '../engine/medium/unopened.ts';
import type { MediumVerification } from '../engine/medium/verify-medium.ts';
import { blobPath } from '../oci/layout.ts';
import type { OpenStoreOptions, Store } from '../store/model.ts';
import { openStore } from '../store/opening/open-store.ts';
import { isSvcError, type SvcError, svcError } from '../text/error.ts';
import type { ErrorCode } from '../text/errors/registry.ts';
import { openCustody } from './custody/open-custody.ts';
import { loadPassportGuard, loadPolicy } from './load-policy.ts';
import { toStoreOptions } from './to-store-options.ts';
import { createMediumVerifier, type MediumWaivers } from './verify-medium.ts';

/** A medium opened by a command. */
interface OpenedMedium extends AsyncDisposable {
  /** Real path of its folder. */
  readonly root: string;
  /** Absent when the folder cannot be opened as a store: the medium is then blocked. */
  readonly store: Store | undefined;
  /** Verifies the medium. @throws SVC-STO-007 when the medium is changed meanwhile */
  verify(waivers: MediumWaivers, actor: string, signal?: AbortSignal): Promise<MediumVerification>;
  /** A small file as the verification hashed it, where it is still the same. None before the verification. */
  readonly hashed: (path: string) => HashOutcome | undefined;
}

interface OpenMediumOptions {
  readonly report: Report;
  readonly version: string;
  readonly onProgress?: (progress: VerificationProgress) => void;
  /** Starts the threads that hash the medium; they end with the reading, or last for the next one. Default: new ones. */
  readonly startThreads?: (() => HashThreads) | undefined;
}

/** A folder that is being read as a medium. */
interface CarriedStore extends AsyncDisposable {
  readonly reading: MediumReading;
  /** Absent when the folder cannot be opened as a store. */
  readonly store: Store | undefined;
  /** Why it cannot. */
  readonly failure: SvcError | undefined;
}

/** Errors of a folder that is no store of this version; `storage.create` decides which one says that there is none. */
const unopened: ReadonlySet<ErrorCode> = new Set(['SVC-STO-001', 'SVC-STO-008', 'SVC-STO-020']);

/**
 * Opens a folder as the store of a carried medium, shared and read-only, and starts to read it.
 *
 * @param place the folder
 * @param readBack as of `startReading`
 * @param startThreads as of `openMedium`
 * @throws SVC-STO-001 when the state cannot be read, SVC-STO-007 while another process writes to it
 */
export async function openCarriedStore(
  place: Place,
  options: Omit<OpenStoreOptions, 'access'>,
  readBack?: ReadonlyMap<string, HashedFile>,
  startThreads: () => HashThreads = startHashThreadsBeside,
): Promise<CarriedStore> {
  const { root, stateRoot, report } = options;
  // reading takes most of the time and does not need the opened store, so it starts first; this thread is otherwise idle
  const reading = startReading(root, readBack === undefined ? { threads: startThreads() } : { readBack });
  let store: Store | undefined;
  let failure: SvcError | undefined;
  try {
    store = await place.during(() =>
      openStore({ ...options, access: 'read', bytesOf: readBack && toBytesOf(root, readBack) }),
    );
  } catch (error) {
    await reading.stop(error);
    if (!isSvcError(error) || !unopened.has(error.code)) throw error;
    // an error of the local state is no verdict on the medium
    if (stateRoot !== undefined && isBelow(stateRoot, error.params.path)) throw error;
    failure = error;
  }
  for (const notice of store?.notices ?? []) report.log('warn', String(notice), { mediaId: store?.mediaId });
  return {
    reading,
    store,
    failure,
    [Symbol.asyncDispose]: async () => {
      await reading.stop(new Error('the medium was closed'));
      await store?.[Symbol.asyncDispose]();
    },
  };
}

/** Finds the bytes of small files that were read back. */
function toBytesOf(
  root: string,
  readBack: ReadonlyMap<string, HashedFile>,
): NonNullable<OpenStoreOptions['bytesOf']> {
  return (digest) => {
    const bytes = findReadBack(root, blobPath(digest), digest, readBack)?.bytes;
    return bytes && Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
  };
}

/** Starts to read the opened store of this process as a medium. It stays open. */
export function readOwnStore(store: Store): CarriedStore {
  const reading = startReading(store.root);
  return {
    reading,
    store,
    failure: undefined,
    [Symbol.asyncDispose]: async () => {
      await reading.stop(new Error('the proof has ended'));
    },
  };
}

/**
 * Opens the store of a configuration as a carried medium, shared and read-only.
 *
 * @throws SVC-STO-001 when the folder is missing or the state cannot be read, SVC-STO-007 while another
 *   process writes to it
 */
export async function openMedium(
  config: ConfigWith<'storage.root' | 'zone'>,
  options: OpenMediumOptions,
): Promise<OpenedMedium> {
  const { zone } = config;
  const { report, version, onProgress, startThreads } = options;
  const { root, place } = await openMediumFolder(config.storage.root);
  const policy = await loadPolicy(config, report);
  const freshness = config.state.root === undefined ? undefined : openFreshness(config.state.root);
  const storeOptions = { ...toStoreOptions(config, version, report), root };
  const carried = await openCarriedStore(place, storeOptions, undefined, startThreads);
  const { reading, store, failure } = carried;
  const dispose = () => carried[Symbol.asyncDispose]();
  if (store === undefined)
    return {
      root,
      store,
      verify: () =>
        place.during(async () => {
          const verification = await toUnopened(root, zone, failure!, await freshness?.get(zone));
          await place.requireInPlace();
          return verification;
        }),
      hashed: () => undefined,
      [Symbol.asyncDispose]: dispose,
    };
  let hashed: OpenedMedium['hashed'] = () => undefined;
  const verifier = createMediumVerifier({
    store,
    zone,
    policy,
    freshness,
    passports: await loadPassportGuard(config, policy),
    report,
    isReported: true,
    reading,
    custody: openCustody(config, policy),
    ...(onProgress ? { onProgress } : {}),
  });
  return {
    root,
    store,
    verify: async (...args) => {
      const verification = await verifier.verify(...args);
      // a folder without a usable manifest has none
      hashed = selectUnchanged(root, await reading.outcomes.catch(() => new Map()));
      return verification;
    },
    hashed: (path) => hashed(path),
    [Symbol.asyncDispose]: dispose,
  };
}

function isBelow(folder: string, path: unknown): boolean {
  if (typeof path !== 'string') return false;
  const below = relative(resolve(folder), resolve(path));
  return below !== '..' && !below.startsWith('../');
}

/**
 * Finds the folder of a medium.
 *
 * @returns its real path
 * @throws SVC-FIL-005 when it is missing or no folder, SVC-STO-001 when it cannot be read
 */
export async function findMediumFolder(path: string): Promise<string> {
  try {
    const root = await realpath(path);
    if (!(await stat(root)).isDirectory()) throw svcError('SVC-FIL-005', { path, file: path });
    return root;
  } catch (cause) {
    throw toFolderError(cause, path);
  }
}

function toFolderError(cause: unknown, path: string): SvcError {
  if (isAbsent(cause)) return svcError('SVC-FIL-005', { path, disk: path }, { cause, detail: '' });
  return isSvcError(cause) ? cause : toReadError(cause, path);
}

/**
 * Opens the folder of a medium. The path that a person names can be a link; links below the folder are refused.
 *
 * @returns `root`: its real path
 * @throws SVC-FIL-005 when the folder is missing, SVC-STO-001 when it cannot be read
 */
export async function openMediumFolder(
  path: string,
): Promise<{ readonly root: string; readonly place: Place }> {
  const root = await findMediumFolder(path);
  try {
    return { root, place: await openPlace(root) };
  } catch (cause) {
    throw toFolderError(cause, path);
  }
}
