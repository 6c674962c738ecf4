import { stat } from 'node:fs/promises';
import { relative, resolve } from 'node:path';
import { isSvcError, svcError } from '../base/error.ts';
import type { Report } from '../base/report.ts';
import type { Config } from '../config/model.ts';
import { openFreshness } from '../engine/medium/freshness.ts';
import { startReading } from '../engine/medium/read-medium.ts';
import { toUnopened } from '../engine/medium/unopened.ts';
import type { MediumVerification } from '../engine/medium/verify-medium.ts';
import type { VerificationProgress } from '../engine/model.ts';
import type { Store } from '../store/model.ts';
import { openStore } from '../store/open-store.ts';
import { loadPolicy } from './load-policy.ts';
import { toStoreOptions } from './to-store-options.ts';
import { createMediumDesk, type MediumWaivers, requireZone } from './verify-medium.ts';

/** A medium as a command stands before it. */
export interface OpenedMedium extends AsyncDisposable {
  /** Absent when what lies there cannot be opened as a store; it is then blocked whole. */
  readonly store: Store | undefined;
  /** @throws SVC-STO-007 when the medium changes meanwhile */
  verify(waivers: MediumWaivers, actor: string, signal?: AbortSignal): Promise<MediumVerification>;
}

export interface OpenMediumOptions {
  readonly report: Report;
  readonly version: string;
  readonly onProgress?: (progress: VerificationProgress) => void;
}

/**
 * Opens the store of a configuration as a carried medium: shared, read-only, changing nothing.
 *
 * @throws SVC-CFG-001 without a zone, SVC-STO-001 without a folder or a readable state, SVC-STO-007 while it is being written
 */
export async function openMedium(config: Config, options: OpenMediumOptions): Promise<OpenedMedium> {
  const zone = requireZone(config.zone);
  const root = config.storage.root!;
  const { report, version } = options;
  await requireFolder(root);
  const policy = await loadPolicy(config, report);
  // most of the time goes into reading, which needs nothing of what is opened meanwhile
  const reading = startReading(root, { isAlone: true });
  let store: Store;
  try {
    store = await openStore({ ...toStoreOptions(config, version, report), access: 'read' });
  } catch (error) {
    await reading.stop(error);
    if (!isSvcError(error) || !(error.code === 'SVC-STO-001' || error.code === 'SVC-STO-008')) throw error;
    // what keeps our own state from being read says nothing about the medium
    const isOurs = config.state.root !== undefined && isBelow(config.state.root, error.params.path);
    if (isOurs) throw error;
    return {
      store: undefined,
      verify: () => toUnopened(root, zone, error),
      [Symbol.asyncDispose]: async () => {},
    };
  }
  for (const notice of store.notices) report.log('warn', notice, { mediaId: store.mediaId });
  const freshness = config.state.root === undefined ? undefined : openFreshness(config.state.root);
  const { onProgress } = options;
  const desk = createMediumDesk({
    store,
    zone,
    policy,
    freshness,
    report,
    reading,
    ...(onProgress ? { onProgress } : {}),
  });
  return {
    store,
    verify: desk.verify,
    [Symbol.asyncDispose]: async () => {
      await reading.stop(new Error('the medium was closed'));
      await store[Symbol.asyncDispose]();
    },
  };
}

function isBelow(folder: string, path: unknown): boolean {
  if (typeof path !== 'string') return false;
  const below = relative(resolve(folder), resolve(path));
  return below !== '..' && !below.startsWith('../');
}

async function requireFolder(root: string): Promise<void> {
  const info = await stat(root).catch((cause) => {
    throw svcError('SVC-STO-001', { path: root }, { cause });
  });
  if (!info.isDirectory()) throw svcError('SVC-STO-001', { path: root, detail: 'not a folder' });
}
