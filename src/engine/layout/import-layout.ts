import type { Layout } from '../../archive/model.ts';
import { forEachBounded, Semaphore } from '../../base/concurrency.ts';
import type { Digest } from '../../base/digest.ts';
import type { StoreIndex } from '../../catalog/model.ts';
import { openCopyPool } from '../../disk/threads/copy-pool.ts';
import type { CallOptions } from '../../oci/ports.ts';
import { isAttachmentTag } from '../../oci/reference.ts';
import { deleteManifest } from '../../store/delete-content.ts';
import type { RePointedTag, Store } from '../../store/model.ts';
import { openRepository } from '../../store/open-repository.ts';
import { isSvcError, type SvcError, svcError } from '../../text/error.ts';
import { copyGraph } from '../copy/copy-graph.ts';
import { toTransferError } from '../copy/to-transfer-error.ts';
import { requireFreeTag } from '../import/require-free-tag.ts';
import { measureNew } from './measure-new.ts';
import { type ImportTarget, type LostPlan, type PlannedEntry, planImport, planLost } from './plan-import.ts';
import { readLinks } from './read-links.ts';
import { createLayoutTransfer } from './take-blob.ts';

/** Outcome of one entry. */
interface ImportedEntry {
  readonly reference: string;
  /** Absent when it cannot be read. */
  readonly digest?: Digest;
  /** Bytes that were not in the store. */
  readonly movedBytes: number;
  readonly error?: SvcError;
}

interface LayoutImport {
  readonly entries: readonly ImportedEntry[];
  /** Numbers and bytes of distinct content that the entries reach, new or already stored. */
  readonly manifests: number;
  readonly blobs: number;
  readonly bytes: number;
}

interface ImportLayoutOptions extends CallOptions {
  readonly layout: Layout;
  /** Opened for writing. */
  readonly store: Store;
  readonly target: ImportTarget;
  /**
   * Called once, before anything is stored.
   *
   * @param newBytes bytes of the content that the store does not have
   * @param lost entries that cannot be used, which fail
   */
  readonly onPlan?: (
    entries: readonly PlannedEntry[],
    newBytes: number,
    lost: readonly LostPlan[],
  ) => Promise<void> | void;
  /** Somebody confirmed the present content of each tag: an entry fails if its tag has other content by its turn. */
  readonly isConfirmed?: boolean;
  readonly onEntry?: (entry: ImportedEntry) => Promise<void> | void;
  /** Called for each tag that was pointed at other content. */
  readonly onRePointed?: (tag: RePointedTag) => void;
  /** Called with the total number of bytes read so far. */
  readonly onBytes?: (total: number) => void;
}

/** Owner of imported tags. */
const owner = { provenance: 'import' } as const;
/** Number of entries imported at the same time. */
const entriesAtOnce = 4;

/**
 * Imports the entries of a layout into the store, each separately. An entry that is damaged or cannot be named fails
 * with its reason; the others continue. All content is verified against its digest. Content that the store has is not
 * read.
 *
 * @throws the signal's reason, errors that prevent any change of the store
 */
export async function importLayout(options: ImportLayoutOptions): Promise<LayoutImport> {
  const { layout, store, target, onRePointed, signal, isConfirmed = false } = options;
  const planned = planImport(layout.entries, target, await readLinks(layout), layout.lost);
  const lostEntries = planLost(layout.lost);
  const newBytes = await measureNew(layout, store.index);
  const shown = new Map(planned.map((entry) => [entry, currentOf(store.index, entry)]));
  await options.onPlan?.(planned, newBytes, lostEntries);
  await using pool = openCopyPool({ onBytes: options.onBytes, signal });
  const moveBlob = createLayoutTransfer(layout, store, pool);
  const limiter = new Semaphore(pool.concurrency);
  const done: ImportedEntry[] = [];
  const reached = new Set<Digest>();
  const counted = new Set<Digest>();
  /** Content that failed entries have put. */
  const lost: { readonly repository: string; readonly digest: Digest }[] = [];

  const bring = async (entry: PlannedEntry, repository: string): Promise<number> => {
    const { descriptor, reference, tag } = entry;
    if (tag !== undefined) requireFree(store.index, repository, tag, descriptor.digest);
    const put: Digest[] = [];
    let movedBytes = 0;
    await copyGraph(
      layout.source,
      openRepository(store, repository, {
        owner,
        ...(onRePointed ? { onRePointed } : {}),
        ...(isConfirmed ? { require: () => requireShown(store.index, entry, shown.get(entry)) } : {}),
      }),
      descriptor,
      {
        reference,
        limiter,
        moveBlob,
        children: 'where-present',
        foreignLayers: 'where-present',
        onPut: ({ digest }, bytes) => {
          put.push(digest);
          // content of several entries or repositories counts once
          if (bytes === 0 || counted.has(digest)) return;
          counted.add(digest);
          movedBytes += bytes;
        },
        ...(tag === undefined ? {} : { tag }),
        signal,
      },
    ).catch((error: unknown) => {
      for (const digest of put) lost.push({ repository, digest });
      throw error;
    });
    for (const digest of store.index.reach(descriptor.digest)) reached.add(digest);
    return movedBytes;
  };
  const settle = async (entry: PlannedEntry): Promise<void> => {
    signal?.throwIfAborted();
    const { reference, descriptor } = entry;
    let movedBytes = 0;
    let error = entry.error;
    try {
      if (error === undefined) {
        for (const repository of toRepositories(entry, store, planned))
          movedBytes += await bring(entry, repository);
      }
    } catch (thrown) {
      signal?.throwIfAborted();
      error = toTransferError(thrown, reference);
      // these errors apply to all entries
      if (isSvcError(error, 'SVC-MED-030') || isSvcError(error, 'SVC-CFG-001')) throw error;
    }
    const outcome = { reference, digest: descriptor.digest, movedBytes, ...(error ? { error } : {}) };
    done.push(outcome);
    await options.onEntry?.(outcome);
  };

  for (const entries of inSteps(planned)) await forEachBounded(entries, entriesAtOnce, settle);
  await takeBack(store, lost);
  const order = new Map(planned.map(({ reference }, i) => [reference, i]));
  done.sort((a, b) => order.get(a.reference)! - order.get(b.reference)!);
  const unusable = lostEntries.map((entry) => ({ ...entry, movedBytes: 0 }));
  return { entries: [...unusable, ...done], ...weigh(store, reached) };
}

/** The present target of the tag of an entry. */
function currentOf(
  { tag: find }: Pick<StoreIndex, 'tag'>,
  { repository, tag }: PlannedEntry,
): Digest | undefined {
  return repository === undefined || tag === undefined ? undefined : find(repository, tag)?.digest;
}

/** @throws SVC-SRV-007 when the tag of an entry names neither its former content, nor the entry */
function requireShown(index: Pick<StoreIndex, 'tag'>, entry: PlannedEntry, shown: Digest | undefined): void {
  const current = currentOf(index, entry);
  if (current !== shown && current !== entry.descriptor.digest)
    throw svcError('SVC-SRV-007', { subject: entry.reference });
}

/** Order of import: signatures, then their subjects, then other referrers after their subjects. */
function* inSteps(planned: readonly PlannedEntry[]): Generator<readonly PlannedEntry[]> {
  const isFirst = ({ repository, tag }: PlannedEntry): boolean =>
    repository !== undefined && (tag === undefined || isAttachmentTag(tag));
  yield planned.filter(isFirst);
  yield planned.filter((entry) => !isFirst(entry) && entry.subject === undefined);
  const attached = planned.filter((entry) => !isFirst(entry) && entry.subject !== undefined);
  const known = new Set(attached.map(({ descriptor }) => descriptor.digest));
  const [chained, plain] = [
    attached.filter(({ subject }) => known.has(subject!)),
    attached.filter(({ subject }) => !known.has(subject!)),
  ];
  yield plain;
  // a referrer of a referrer follows it
  for (let left = chained; left.length > 0; ) {
    const waiting = new Set(left.map(({ descriptor }) => descriptor.digest));
    const ready = left.filter(({ subject }) => !waiting.has(subject!));
    yield ready.length > 0 ? ready : left;
    left = ready.length > 0 ? left.filter((entry) => !ready.includes(entry)) : [];
  }
}

/**
 * Repositories to import an entry into.
 *
 * @throws SVC-REG-005 when the subject of an entry without a repository is in none
 */
function toRepositories(
  { repository, subject, reference }: PlannedEntry,
  { index }: Store,
  planned: readonly PlannedEntry[],
): readonly string[] {
  if (repository !== undefined) return [repository];
  const places = new Set(
    planned.flatMap((entry) => (entry.repository === undefined ? [] : [entry.repository])),
  );
  const homes = [...places].filter((place) => subject !== undefined && index.isManifestIn(place, subject));
  if (homes.length === 0) throw svcError('SVC-REG-005', { reference: `${reference} (${subject})` });
  return homes;
}

/** Makes all checks that do not need the manifest. @throws SVC-POL-002, SVC-POL-005 */
export function requireFree(
  index: Pick<StoreIndex, 'tag' | 'publication'>,
  repository: string,
  tag: string,
  digest: Digest,
): void {
  // whether it is the same recipe is known only from its manifest
  if (index.tag(repository, tag)?.kind === 'Recipe') return;
  requireFreeTag(index, { repository, tag }, digest, owner);
}

/** Deletes manifests that failed entries have put, such as other platforms, unless a tag names them. */
async function takeBack(
  store: Store,
  lost: readonly { readonly repository: string; readonly digest: Digest }[],
): Promise<void> {
  const { index } = store;
  for (const { repository, digest } of lost) {
    const isNamed = index.tagsOf(digest).some((tag) => tag.repository === repository);
    if (!isNamed && index.isManifestIn(repository, digest)) await deleteManifest(store, repository, digest);
  }
}

function weigh({ index }: Store, reached: ReadonlySet<Digest>): Omit<LayoutImport, 'entries'> {
  let [manifests, blobs, bytes] = [0, 0, 0];
  for (const digest of reached) {
    if (index.manifest(digest)) manifests += 1;
    else blobs += 1;
    bytes += index.sizeOf(digest) ?? 0;
  }
  return { manifests, blobs, bytes };
}
