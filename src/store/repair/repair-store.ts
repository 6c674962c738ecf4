import { constants } from 'node:fs';
import { realpath, rename } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { systemClock } from '../../base/clock.ts';
import type { Digest } from '../../base/digest.ts';
import type { Report } from '../../base/report.ts';
import type { ContentGraph } from '../../catalog/content-graph.ts';
import { type MediumChange, storeFormat } from '../../catalog/content-records.ts';
import { toSnapshot } from '../../catalog/graph-snapshot.ts';
import type { RecoveredTag } from '../../contract/store.ts';
import { openGuardedFolder } from '../../disk/guarded-folder.ts';
import { openRegular } from '../../disk/guarded-open.ts';
import { isAbsent } from '../../disk/is-absent.ts';
import { toNothing, toReadError } from '../../disk/read-error.ts';
import { removeDurably } from '../../disk/remove-durably.ts';
import { syncFolder } from '../../disk/sync-folder.ts';
import { toWriteError } from '../../disk/write-error.ts';
import { indexPath } from '../../oci/layout.ts';
import { svcError } from '../../text/error.ts';
import { fr } from '../../text/language.ts';
import { rule } from '../../text/rule.ts';
import { rebuildGraph, toAdopted, toAdoptedRecipes } from '../adoption/adopted-records.ts';
import {
  type Corrections,
  countCorrected,
  findCorrections,
  withCorrections,
} from '../adoption/correct-facts.ts';
import { type BlobFile, listBlobFiles } from '../blobs/scan-blobs.ts';
import { newMediumId } from '../medium.ts';
import { closeReading, type Reading, readLedgers } from '../opening/read-ledgers.ts';
import { rememberLedgers } from '../opening/remembered-ledgers.ts';
import { openStoreKey } from '../opening/store-key.ts';
import { acquireStoreLock } from '../opening/store-lock.ts';
import { withMedium } from '../rest/compact-ledgers.ts';
import { mediumManifestLimits, mediumManifestPath, parseMediumHeader } from '../rest/media-manifest.ts';
import { type IndexEntry, indexLimit, parseIndex } from '../rest/read-index.ts';
import { readSmallFile } from '../rest/read-small-file.ts';
import { type Recovery, recoverContent } from './recover-content.ts';

const temporaryFolder = '_svc/tmp';

export interface RepairOptions {
  readonly signal?: AbortSignal | undefined;
  readonly root: string;
  readonly stateRoot?: string | undefined;
  readonly zone?: string | undefined;
  /** Also adopts a foreign store. */
  readonly adopt: boolean;
  readonly report: Report;
  readonly holder: string;
  /** Milliseconds since the epoch. */
  readonly now?: () => number;
}

/** Result of a repair. */
export interface StoreRepair {
  readonly mediaId: string;
  /**
   * Parts of ledger files that do not verify; `offset` 0 when the file is lost from its beginning. `bytes` is
   * 0 when the number of bytes is unknown.
   */
  readonly lost: readonly { readonly path: string; readonly offset: number; readonly bytes: number }[];
  /** Recovered tags whose record was lost. */
  readonly tags: readonly RecoveredTag[];
  /** Tags whose manifest is absent. */
  readonly gone: readonly RecoveredTag[];
  /** Number of manifests that have a record again, or whose record was corrected by their bytes. */
  readonly manifests: number;
  /** Number of blobs that no manifest needs and that are kept for a day. */
  readonly blobs: number;
  /** Whether content recovered without a record is held until a verified recipe reaches it. */
  readonly held: boolean;
}

/**
 * Repairs the ledgers of a store: writes a new generation from every readable record in a batch that
 * verifies, and from the manifests on disk. Requires the exclusive lock. A store whose ledgers verify and
 * agree with its manifests is not changed. An interrupted repair can be repeated.
 *
 * @returns undefined when there is nothing to repair
 * @throws SVC-STO-001 when there is no store; SVC-STO-002, SVC-STO-004, SVC-STO-007; SVC-MED-030 for the
 *   store of another instance in a zone; SVC-CFG-001 when its key is missing
 */
export async function repairStore(options: RepairOptions): Promise<StoreRepair | undefined> {
  const { holder, report, stateRoot, zone } = options;
  const root = await realpath(options.root).catch((cause) => {
    throw toReadError(cause, options.root);
  });
  const reading = { stateRoot, zone, writable: true, salvage: 'both', report } as const;
  // inspected before the lock is acquired: an undamaged store is not changed
  const seen = await readLedgers(root, reading);
  await closeReading(seen);
  if (isSound(seen) && (await isAgreed(root, seen, options))) return undefined;
  await requireRepairable(root, seen, options);
  await using lock = await acquireStoreLock(root, { access: 'write', holder });
  if (lock.mode !== 'exclusive')
    throw svcError('SVC-STO-002', { path: root, ...(lock.notice ? { detail: lock.notice } : {}) });
  const now = await readLedgers(root, reading);
  try {
    return await repair(root, now, options);
  } finally {
    await closeReading(now);
  }
}

/** Whether both ledgers exist, are undamaged, and match the remembered states. */
function isSound({ content, recipes, medium, verdict }: Reading): boolean {
  if (medium === undefined || content.damage || recipes.damage) return false;
  if (content.unreadable > 0 || recipes.unreadable > 0) return false;
  return verdict.reason !== 'older' && verdict.reason !== 'altered';
}

/**
 * Whether an undamaged ledger of this instance agrees with the manifests on disk. A foreign ledger is not
 * corrected.
 */
async function isAgreed(
  root: string,
  { graph, verdict }: Reading,
  { signal }: RepairOptions,
): Promise<boolean> {
  if (verdict.standing !== 'ours') return true;
  const { files } = await listBlobFiles(root);
  const isFound = toFound(files);
  const { facts, unread } = await findCorrections(graph, { root, isFound, isOurs: true, signal });
  if (unread) throw unread;
  return facts.size === 0;
}

function toFound(files: readonly BlobFile[]): (digest: Digest) => boolean {
  const found = new Set(files.map(({ digest }) => digest));
  return (digest) => found.has(digest);
}

/** Whether every batch that verifies is under the key of this instance, and the medium is remembered. */
function isOurs({ content, recipes, verdict, remembered }: Reading, stateRoot: string | undefined): boolean {
  if (verdict.standing === 'ours') return true;
  if (stateRoot === undefined) return false;
  const isUnderKey = [content, recipes].every(({ authors }) => authors.foreign + authors.unkeyed === 0);
  return isUnderKey && remembered !== undefined;
}

async function requireRepairable(
  root: string,
  seen: Reading,
  { stateRoot, zone, adopt }: RepairOptions,
): Promise<void> {
  const { medium, recipeMedium, verdict } = seen;
  if (medium === undefined && recipeMedium === undefined) {
    const { files } = await listBlobFiles(root);
    if (files.length === 0)
      throw svcError('SVC-STO-001', {
        path: root,
        detail: rule(['there is no store', fr`il n’y a pas de stockage`]),
        problem: 'unmade',
      });
  }
  if (medium !== undefined && medium.format !== storeFormat)
    throw svcError('SVC-STO-008', { found: medium.format, supported: storeFormat });
  if (verdict.needsStateRoot)
    throw svcError('SVC-CFG-001', {
      setting: 'state.root',
      detail: rule([
        'is not set, and it holds the key of this store',
        fr`n’est pas défini, alors qu’il contient la clé de ce stockage`,
      ]),
    });
  if (!isOurs(seen, stateRoot) && zone !== undefined && !adopt)
    throw svcError('SVC-MED-030', { mediaId: (medium ?? recipeMedium)?.id, change: 'repair' });
}

async function repair(root: string, reading: Reading, options: RepairOptions): Promise<StoreRepair> {
  const { stateRoot, zone, report, signal } = options;
  const { content, recipes, recipeMedium } = reading;
  const isHeld = zone !== undefined;
  const isForeign = !isOurs(reading, stateRoot);
  const key = stateRoot === undefined ? undefined : await openStoreKey(stateRoot);
  const { generation } = content.state();
  // both files are moved away before anything changes, and kept until the repair is complete, which needs
  // their content
  const inventory = await setAside(root, mediumManifestPath, `media-${generation}.jsonl`);
  const medium: MediumChange = {
    op: 'medium',
    id: reading.medium?.id ?? recipeMedium?.id ?? (await readMediumId(inventory)) ?? newMediumId(),
    format: storeFormat,
  };
  // a reset that was interrupted between the two ledgers has replaced the content ledger only
  if (recipeMedium !== undefined && recipeMedium.id !== medium.id) reading.book.clear();
  const lost = listLost(root, reading);
  let recovery: Recovery = { manifests: 0, tags: [], gone: [], blobs: 0 };
  const { files } = await listBlobFiles(root);
  const isFound = toFound(files);
  const corrections = await findCorrections(reading.graph, { root, isFound, isOurs: !isForeign, signal });
  if (corrections.unread) throw corrections.unread;
  const graph = await toCorrected(reading, corrections, isForeign, isHeld);
  if (isForeign || isContentLost(reading)) {
    const index = await setAside(root, indexPath, `index-${generation}.json`);
    recovery = await recoverContent(graph, {
      root,
      files: new Map(files.map(({ digest, size }) => [digest, size])),
      recipes: isForeign ? [] : reading.book.recipes,
      index: await readIndexCopy(root, index),
      isHeld,
      keepsBlobs: !isHeld,
      now: (options.now ?? systemClock.wall)(),
      signal,
    });
    signal?.throwIfAborted();
    await content.compact(() => withMedium(medium, toSnapshot(graph)), { key, repair: true });
    await removeDurably(index);
  } else if (corrections.facts.size > 0) {
    await content.compact(() => withMedium(medium, toSnapshot(graph)), { key, repair: true });
  }
  const book = isForeign ? toAdoptedRecipes(reading.book, isHeld) : reading.book.snapshot();
  await recipes.compact(() => withMedium(medium, book), { key, repair: true });
  if (stateRoot !== undefined)
    await rememberLedgers(stateRoot, medium.id, { content: content.state(), recipe: recipes.state() });
  await removeDurably(inventory);
  report.log('warn', 'The ledgers of the store were rebuilt', {
    mediaId: medium.id,
    lost: lost.length,
  });
  return {
    mediaId: medium.id,
    lost,
    held: isHeld,
    ...recovery,
    manifests: recovery.manifests + countCorrected(corrections),
  };
}

/**
 * Whether records of the content ledger may be missing; they are not when only the recipe ledger is damaged.
 */
function isContentLost({ content, medium, verdict }: Reading): boolean {
  const isDamaged = content.damage !== undefined || content.unreadable > 0;
  return medium === undefined || isDamaged || verdict.reason !== undefined;
}

/**
 * Builds the catalog of the repaired store from its records, corrected by the bytes of the manifests. Those of a
 * foreign store are converted as by an adoption.
 */
async function toCorrected(
  { graph }: Reading,
  corrections: Corrections,
  isForeign: boolean,
  isHeld: boolean,
): Promise<ContentGraph> {
  const corrected =
    corrections.facts.size === 0
      ? graph
      : await rebuildGraph(graph, withCorrections(graph.snapshot(), corrections));
  return isForeign ? rebuildGraph(corrected, toAdopted(corrected, isHeld)) : corrected;
}

/** Reads the medium identifier from a `media.jsonl` that was moved away. */
async function readMediumId(path: string): Promise<string | undefined> {
  const file = await openRegular(path, constants.O_RDONLY).catch(toNothing);
  if (file === undefined) return undefined;
  try {
    if ((await file.stat()).size > mediumManifestLimits.bytes) return undefined;
    for await (const line of file.readLines()) return parseMediumHeader(line).mediaId;
    return undefined;
  } catch {
    return undefined;
  } finally {
    await file.close();
  }
}

/**
 * Moves `index.json` or `media.jsonl` to the temporary folder, where an interrupted repair finds it again.
 * The name contains the ledger generation, so that no other file is mistaken for it. The next writer removes
 * it.
 */
async function setAside(root: string, name: string, as: string): Promise<string> {
  const folder = join(root, temporaryFolder);
  await (await openGuardedFolder(root, temporaryFolder, { create: true, mode: 0o755 })).close();
  try {
    await rename(join(root, name), join(folder, as));
    await syncFolder(folder);
    await syncFolder(root);
  } catch (error) {
    if (!isAbsent(error)) throw toWriteError(error, join(root, name));
  }
  return join(folder, as);
}

/**
 * @returns an empty list when the file is absent or cannot be parsed: then only the records are used
 * @throws SVC-STO-014
 */
async function readIndexCopy(root: string, path: string): Promise<readonly IndexEntry[]> {
  const text = await readSmallFile(root, relative(root, path), indexLimit);
  return parseIndex(text?.toString() ?? '') ?? [];
}

/** Lists the parts of the ledgers that do not verify, and parts that are remembered but absent. */
function listLost(root: string, { content, recipes, remembered }: Reading): StoreRepair['lost'] {
  const sides = [
    [content, remembered?.content],
    [recipes, remembered?.recipe],
  ] as const;
  return sides.flatMap(([ledger, known]) => {
    const path = ledger.path.slice(root.length + 1);
    const { generation, length } = ledger.state();
    if (generation === 0) return [{ path, offset: 0, bytes: known?.length ?? 0 }];
    const parts = ledger.lost.map(({ offset, bytes }) => ({ path, offset, bytes }));
    const isSame = known?.generation === generation && parts.length === 0;
    const tail = known !== undefined && isSame ? known.length - length : 0;
    return tail > 0 ? [...parts, { path, offset: length, bytes: tail }] : parts;
  });
}
