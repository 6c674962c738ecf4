import type { Layout } from '../../archive/model.ts';
import { forEachBounded, Semaphore } from '../../base/concurrency.ts';
import type { Digest } from '../../base/digest.ts';
import { isSvcError, type SvcError, svcError } from '../../base/error.ts';
import { openCopyPool } from '../../disk/threads/copy-pool.ts';
import type { CallOptions } from '../../oci/ports.ts';
import { isAttachmentTag } from '../../oci/reference.ts';
import { deleteManifest } from '../../store/delete-content.ts';
import type { RePointedTag, Store } from '../../store/model.ts';
import { openRepository } from '../../store/open-repository.ts';
import { copyGraph } from '../copy/copy-graph.ts';
import { toTransferError } from '../copy/to-transfer-error.ts';
import { requireFreeTag } from '../import/require-free-tag.ts';
import { type ImportTarget, type PlannedEntry, planImport } from './plan-import.ts';
import { readLinks } from './read-links.ts';
import { createLayoutTransfer } from './take-blob.ts';

/** What became of one entry. */
interface ImportedEntry {
  readonly reference: string;
  readonly digest: Digest;
  /** Bytes that had to be brought. */
  readonly movedBytes: number;
  readonly error?: SvcError;
}

interface LayoutImport {
  readonly entries: readonly ImportedEntry[];
  /** Distinct content that the entries brought or found, and its bytes. */
  readonly manifests: number;
  readonly blobs: number;
  readonly bytes: number;
}

interface ImportLayoutOptions extends CallOptions {
  readonly layout: Layout;
  /** Opened for writing. */
  readonly store: Store;
  readonly target: ImportTarget;
  /** Told once, before anything is brought. */
  readonly onPlan?: (entries: readonly PlannedEntry[]) => void;
  readonly onEntry?: (entry: ImportedEntry) => Promise<void> | void;
  /** Told of each tag that was pointed at other content. */
  readonly onRePointed?: (tag: RePointedTag) => void;
  /** Bytes read so far, of everything. */
  readonly onBytes?: (total: number) => void;
}

/** Whose a tag is that came with a layout. */
const owner = { provenance: 'import' } as const;
/** Entries that come at once. */
const entriesAtOnce = 4;

/**
 * Brings the entries of a layout into the store, each for itself: one that is damaged or cannot be named is lost and
 * says why, its neighbours come. Everything is checked against the digest it is addressed by, and what the store has is
 * not read.
 *
 * @throws the signal's reason, and what keeps the store from being changed at all
 */
export async function importLayout(options: ImportLayoutOptions): Promise<LayoutImport> {
  const { layout, store, target, onRePointed, signal } = options;
  const planned = planImport(layout.entries, target, await readLinks(layout));
  options.onPlan?.(planned);
  await using pool = openCopyPool(options.onBytes ? { onBytes: options.onBytes } : {});
  const onAbort = (): void => void pool[Symbol.asyncDispose]();
  signal?.addEventListener('abort', onAbort, { once: true });
  const moveBlob = createLayoutTransfer(layout, store, pool);
  const limiter = new Semaphore(pool.concurrency);
  const done: ImportedEntry[] = [];
  const reached = new Set<Digest>();
  /** Parts of entries that were lost after all. */
  const lost: { readonly repository: string; readonly digest: Digest }[] = [];

  const bring = async (entry: PlannedEntry, repository: string): Promise<number> => {
    const { descriptor, reference, tag } = entry;
    if (tag !== undefined) requireFree(store, repository, tag, descriptor.digest);
    const put: Digest[] = [];
    const { moved } = await copyGraph(
      layout.source,
      openRepository(store, repository, { owner, ...(onRePointed ? { onRePointed } : {}) }),
      descriptor,
      {
        reference,
        limiter,
        moveBlob,
        children: 'where-present',
        foreignLayers: 'where-present',
        onPut: ({ digest }) => put.push(digest),
        ...(tag === undefined ? {} : { tag }),
        ...(signal ? { signal } : {}),
      },
    ).catch((error: unknown) => {
      for (const digest of put) lost.push({ repository, digest });
      throw error;
    });
    for (const digest of store.index.reach(descriptor.digest)) reached.add(digest);
    return moved.bytes;
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
      // no entry could be brought then
      if (isSvcError(error, 'SVC-MED-030') || isSvcError(error, 'SVC-CFG-001')) throw error;
    }
    const outcome = { reference, digest: descriptor.digest, movedBytes, ...(error ? { error } : {}) };
    done.push(outcome);
    await options.onEntry?.(outcome);
  };

  try {
    for (const entries of inSteps(planned)) await forEachBounded(entries, entriesAtOnce, settle);
    await takeBack(store, lost);
  } finally {
    signal?.removeEventListener('abort', onAbort);
  }
  const order = new Map(planned.map(({ reference }, i) => [reference, i]));
  done.sort((a, b) => order.get(a.reference)! - order.get(b.reference)!);
  return { entries: done, ...weigh(store, reached) };
}

/** Signatures, what they sign, and one after the other what is attached to what has come. */
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
  // what refers to a referrer follows it
  for (let left = chained; left.length > 0; ) {
    const waiting = new Set(left.map(({ descriptor }) => descriptor.digest));
    const ready = left.filter(({ subject }) => !waiting.has(subject!));
    yield ready.length > 0 ? ready : left;
    left = ready.length > 0 ? left.filter((entry) => !ready.includes(entry)) : [];
  }
}

/** @throws SVC-REG-005 when the subject of an entry without a repository has come nowhere */
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

/** @throws SVC-POL-002, SVC-POL-005 for what need not be read to be refused */
function requireFree({ index }: Store, repository: string, tag: string, digest: Digest): void {
  // whether it is the same recipe shows in its manifest
  if (index.tag(repository, tag)?.kind === 'Recipe') return;
  requireFreeTag(index, { repository, tag }, digest, owner);
}

/** Manifests that came with an entry that was lost, as other platforms do, unless something else has them by now. */
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
