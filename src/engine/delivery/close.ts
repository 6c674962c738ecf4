import type { Digest } from '../../base/digest.ts';
import type { RecipeRecord } from '../../catalog/model.ts';
import { keptBytes } from '../../disk/threads/hash-file.ts';
import { manifestLimits } from '../../oci/manifest.ts';
import type { CallOptions, Source } from '../../oci/ports.ts';
import { formatReference } from '../../oci/reference.ts';
import { selectRecipeLayer } from '../../recipe/artifact.ts';
import { requireCooked } from '../../recipe/document.ts';
import type { CookedRecipe } from '../../recipe/model.ts';
import { readRecipeDocument } from '../../recipe/read-document.ts';
import { lookAtFiles } from '../../store/blobs/look-at-files.ts';
import type { Store } from '../../store/model.ts';
import { openRepository } from '../../store/open-repository.ts';
import { isSvcError, svcError } from '../../text/error.ts';
import { readJudgedGraph } from '../copy/judge-graph.ts';
import { leaveAbsentLayers } from '../copy/leave-absent-layers.ts';
import { listBelow } from '../copy/list-below.ts';
import { readBlob } from '../copy/read-blob.ts';
import { readManifest } from '../copy/read-manifest.ts';
import type { Contents } from '../copy/sum-contents.ts';
import { type SelectedEntry, selectSignatures, toHeldTag } from '../layout/select-entries.ts';

/** Everything that a zone needs of one recipe of the store. */
export interface RecipeClosure {
  readonly record: RecipeRecord;
  /**
   * Content of every medium with the recipe, with sizes in bytes: manifests, the document, signatures, and configurations
   * of at most 4 MiB.
   */
  readonly always: Contents;
  /** All other blobs, with sizes in bytes: a medium may lack them. */
  readonly blobs: Contents;
  /** Places of the manifests in the repositories of the store, with their tags. */
  readonly entries: readonly SelectedEntry[];
}

/** All content of a closure, with sizes in bytes. */
export function toContents({ always, blobs }: Pick<RecipeClosure, 'always' | 'blobs'>): Contents {
  return new Map([...always, ...blobs]);
}

/** Collects the files of one closure. A file that is always there is no absent blob elsewhere. */
class Collection {
  readonly #store: Store;
  readonly always: Map<Digest, number> = new Map();
  readonly blobs: Map<Digest, number> = new Map();
  readonly entries: SelectedEntry[] = [];

  constructor(store: Store) {
    this.#store = store;
  }

  /** Adds a manifest to every medium, and with `blobs` all that it names. @throws SVC-REG-005 */
  addManifest(entry: SelectedEntry, withBlobs: boolean): void {
    const record = this.#store.index.manifest(entry.digest);
    if (!record) throw svcError('SVC-REG-005', { reference: `${entry.repository}@${entry.digest}` });
    this.always.set(entry.digest, record.size);
    this.entries.push(entry);
    if (withBlobs) for (const { digest, size } of record.blobs) this.always.set(digest, size);
  }

  /** Adds the signatures of a manifest. */
  async addSignatures(repository: string, subject: Digest): Promise<void> {
    for (const entry of await selectSignatures(this.#store, repository, subject))
      this.addManifest(entry, true);
  }

  finish(record: RecipeRecord): RecipeClosure {
    for (const digest of this.always.keys()) this.blobs.delete(digest);
    return { record, always: this.always, blobs: this.blobs, entries: this.entries };
  }
}

/**
 * Closes a recipe of the store: its document, its ingredients over the platforms of the document, and the signatures of
 * both. Layers that need not be distributed and that the store lacks are left out, as exports do.
 *
 * @throws SVC-REG-005 for a manifest that the store lacks, SVC-REG-008 for a platform that an image lacks, SVC-SIG-002 for
 *   damaged content, SVC-STO-001, SVC-VAL-001; the reason of the signal
 */
export async function closeRecipe(
  store: Store,
  record: RecipeRecord,
  call: CallOptions = {},
): Promise<RecipeClosure> {
  const found = new Collection(store);
  const open = (repository: string) => openRepository(store, repository, { owner: { provenance: 'recipe' } });
  const { repository, tag, digest } = record;
  const recipe = await readDocument(open(repository), record, call);
  found.addManifest({ repository, tag, digest }, true);
  await found.addSignatures(repository, digest);
  for (const [i, ingredient] of recipe.ingredients.entries()) {
    call.signal?.throwIfAborted();
    const place = record.ingredients[i]?.repository ?? '';
    const { ref, version, platforms } = ingredient;
    const reference = formatReference({ ...ref, tag: version });
    const judged = await readJudgedGraph(open(place), ingredient.digest, { ...call, reference, platforms });
    const graph = await leaveAbsentLayers(judged, store, { hasBlob: async () => false }, call);
    for (const manifest of graph.manifests) {
      const isRoot = manifest.digest === ingredient.digest;
      const held = isRoot ? { tag: toHeldTag(store, place, version, manifest.digest) } : {};
      found.addManifest({ repository: place, ...held, digest: manifest.digest }, false);
      await found.addSignatures(place, manifest.digest);
    }
    for (const { digest, size } of graph.blobs) found.blobs.set(digest, size);
    // readers judge platforms by them
    for (const {
      blobs: [config],
    } of graph.manifests)
      if (config !== undefined && config.size <= manifestLimits.bytes)
        found.always.set(config.digest, config.size);
  }
  return found.finish(record);
}

/** Lists the files of the signatures of a recipe and its ingredients, also lost ones. */
function listSigned({ index }: Store, record: RecipeRecord): readonly Digest[] {
  return [record, ...record.ingredients].flatMap(({ repository, digest: root }) =>
    listBelow(root, index).flatMap((digest) => index.signatureFiles(repository, digest)),
  );
}

/**
 * Lists the content of a recipe that the store has lost, each once. Looks at each file, of all platforms: one that is gone,
 * damaged or no file of its size is lost, and counts as absent from here on. Only small files of signatures are read.
 */
export async function lookForLost(store: Store, record: RecipeRecord): Promise<readonly Digest[]> {
  const { index } = store;
  const below = [record, ...record.ingredients].flatMap(({ digest }) => listBelow(digest, index));
  await lookAtFiles(store, new Set(below));
  const blobs = below.flatMap((digest) => index.manifest(digest)?.blobs ?? []);
  await lookAtFiles(store, new Set(blobs.map(({ digest }) => digest)));
  await lookAtSigned(store, listSigned(store, record));
  return listLostBelow(store, record);
}

/** Looks at the files of signatures, and reads small ones. Without this check, an unreadable signature is left out in silence. */
async function lookAtSigned(store: Store, signed: readonly Digest[]): Promise<void> {
  await lookAtFiles(store, signed);
  const small = signed.filter((digest) => (store.index.sizeOf(digest) ?? 0) < keptBytes.file);
  await lookAtFiles(store, small, { reads: true });
}

/** Lists the content of a recipe that is known to be lost, each once. */
function listLostBelow(store: Store, record: RecipeRecord): readonly Digest[] {
  const { index } = store;
  const lost = [record, ...record.ingredients].flatMap(({ digest }) => index.lostBelow(digest));
  const signed = listSigned(store, record).filter((digest) => index.sizeOf(digest) === undefined);
  return [...new Set([...lost, ...signed])];
}

/**
 * As {@link closeRecipe}.
 *
 * @returns undefined where the store has lost a document or a manifest of the recipe, or one is damaged. It counts as
 *   absent from here on
 */
export async function closeWholeRecipe(
  store: Store,
  record: RecipeRecord,
  call: CallOptions = {},
): Promise<RecipeClosure | undefined> {
  try {
    return await closeRecipe(store, record, call);
  } catch (error) {
    if (!isSvcError(error)) throw error;
    await lookAtFiles(store, listRead(store, record), { reads: true });
    if (listLostBelow(store, record).length === 0) throw error;
    return undefined;
  }
}

/**
 * Lists what a medium would carry of a recipe, and the store has lost. Looks at each file: one that is gone, damaged or no
 * file of its size is lost, and counts as absent from here on. Only small files of signatures are read.
 *
 * @param closure undefined where {@link closeWholeRecipe} found none. Content behind a lost manifest is not known
 * @param known content of the zone, which is not carried
 */
export async function listLost(
  store: Store,
  record: RecipeRecord,
  closure: RecipeClosure | undefined,
  known: ReadonlySet<Digest>,
): Promise<readonly Digest[]> {
  if (closure === undefined) return listLostBelow(store, record);
  // the files of a foreign store are judged by its verification
  if (store.standing === 'foreign') return [];
  const { index } = store;
  const { always, blobs, entries } = closure;
  const carried = new Map([...always, ...[...blobs].filter(([digest]) => !known.has(digest))]);
  await lookAtFiles(store, carried.keys());
  // a closure leaves out signatures that cannot be read, and has those of which only the manifest can
  const signed = entries.flatMap(({ repository, digest }) => index.signatureFiles(repository, digest));
  await lookAtSigned(store, signed);
  const lost = [...carried].flatMap(([digest, size]) => (index.sizeOf(digest) === size ? [] : [digest]));
  return [...new Set([...lost, ...signed.filter((digest) => index.sizeOf(digest) === undefined)])];
}

/** Lists the files that a closure reads: manifests, documents, configurations and signatures. */
function listRead(store: Store, record: RecipeRecord): readonly Digest[] {
  const { index } = store;
  const read = new Set(listSigned(store, record));
  for (const { digest: root } of [record, ...record.ingredients])
    for (const digest of listBelow(root, index)) {
      read.add(digest);
      for (const blob of index.manifest(digest)?.blobs ?? [])
        if (blob.size <= manifestLimits.bytes) read.add(blob.digest);
    }
  return [...read];
}

async function readDocument(
  source: Source,
  { name, version, digest }: RecipeRecord,
  call: CallOptions,
): Promise<CookedRecipe> {
  const reference = `${name}@${version}`;
  const { manifest } = await readManifest(source, { mediaType: '', digest, size: 0 }, reference, call);
  const bytes = await readBlob(source, selectRecipeLayer(manifest), reference, call);
  return requireCooked(await readRecipeDocument(bytes, reference, call), reference);
}
