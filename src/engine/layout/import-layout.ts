import type { Layout } from '../../archive/model.ts';
import { forEachBounded, Semaphore } from '../../base/concurrency.ts';
import type { Digest } from '../../base/digest.ts';
import { isSvcError, type SvcError, svcError } from '../../base/error.ts';
import { openCopyPool } from '../../disk/copy-pool.ts';
import { ManifestError, manifestLimits, parseManifest } from '../../oci/manifest.ts';
import type { CallOptions } from '../../oci/ports.ts';
import { isAttachmentTag } from '../../oci/reference.ts';
import type { Store } from '../../store/model.ts';
import { copyGraph } from '../copy-graph.ts';
import { toTransferError } from '../to-transfer-error.ts';
import { type ImportTarget, isUntagged, type PlannedEntry, planImport } from './plan-import.ts';
import { createLayoutTransfer } from './take-blob.ts';

/** What became of one entry. */
export interface ImportedEntry {
  readonly reference: string;
  readonly digest: Digest;
  /** Bytes that had to be brought. */
  readonly movedBytes: number;
  readonly error?: SvcError;
}

export interface LayoutImport {
  readonly entries: readonly ImportedEntry[];
  /** Distinct content that the entries brought or found, and its bytes. */
  readonly manifests: number;
  readonly blobs: number;
  readonly bytes: number;
}

export interface ImportLayoutOptions extends CallOptions {
  readonly layout: Layout;
  /** Opened for writing. */
  readonly store: Store;
  readonly target: ImportTarget;
  /** Told once, before anything is brought. */
  readonly onPlan?: (entries: readonly PlannedEntry[]) => void;
  readonly onEntry?: (entry: ImportedEntry) => Promise<void> | void;
  /** Bytes read so far, of everything. */
  readonly onBytes?: (total: number) => void;
}

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
  const { layout, store, target, signal } = options;
  const planned = planImport(layout.entries, target, await readSubjects(layout));
  options.onPlan?.(planned);
  await using pool = openCopyPool(options.onBytes ? { onBytes: options.onBytes } : {});
  const onAbort = (): void => void pool[Symbol.asyncDispose]();
  signal?.addEventListener('abort', onAbort, { once: true });
  const moveBlob = createLayoutTransfer(layout, store, pool);
  const lanes = new Semaphore(pool.lanes);
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
      store.repository(repository, { owner: { provenance: 'import' } }),
      descriptor,
      {
        reference,
        lanes,
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

/** What untagged entries refer to. What cannot be read refers to nothing; its own turn says why. */
async function readSubjects({ entries, source }: Layout): Promise<ReadonlyMap<Digest, Digest>> {
  const subjects = new Map<Digest, Digest>();
  await forEachBounded(entries.filter(isUntagged), 8, async ({ digest, size }) => {
    if (size > manifestLimits.bytes) return;
    try {
      const content = await source.fetchManifest(digest);
      const subject = content && parseManifest(content.bytes).subject;
      if (subject) subjects.set(digest, subject.digest);
    } catch (error) {
      if (!(error instanceof ManifestError) && !isSvcError(error)) throw error;
    }
  });
  return subjects;
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

/** What recipes brought under a tag stays under it. @throws SVC-POL-002 */
function requireFree(store: Store, repository: string, tag: string, digest: Digest): void {
  const known = store.index.tag(repository, tag);
  if (known === undefined || known.digest === digest || isAttachmentTag(tag)) return;
  const recipes = known.owners.flatMap(({ recipe }) => (recipe === undefined ? [] : [recipe]));
  if (recipes.length > 0) throw svcError('SVC-POL-002', { repository, recipes });
}

/** Manifests that came with an entry that was lost, as other platforms do, unless something else has them by now. */
async function takeBack(
  store: Store,
  lost: readonly { readonly repository: string; readonly digest: Digest }[],
): Promise<void> {
  const { index } = store;
  for (const { repository, digest } of lost) {
    const isNamed = index.tagsOf(digest).some((tag) => tag.repository === repository);
    if (!isNamed && index.isManifestIn(repository, digest)) await store.deleteManifest(repository, digest);
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
