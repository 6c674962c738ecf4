import type { RecipeRecord, TagRecord } from '../catalog/model.ts';
import type { Config } from '../config/model.ts';
import { isInconclusive } from '../disk/read-error.ts';
import { readBlob } from '../engine/copy/read-blob.ts';
import { readManifest } from '../engine/copy/read-manifest.ts';
import { formatPlatform } from '../oci/platform.ts';
import { formatReference } from '../oci/reference.ts';
import { selectRecipeLayer } from '../recipe/artifact.ts';
import { requireCooked } from '../recipe/document.ts';
import { readRecipeDocument } from '../recipe/read-document.ts';
import { localRepository } from '../recipe/relocation.ts';
import type { Store } from '../store/model.ts';
import { openRepository } from '../store/open-repository.ts';
import { isSvcError } from '../text/error.ts';

/** A recipe that was pushed or published into this store, not synchronized and not verified here. */
export type PublishedRecord = Omit<RecipeRecord, 'runId' | 'zone' | 'resolvedAt'>;

/** A recipe of the store, of either kind. */
export type ListedRecipe = (RecipeRecord | PublishedRecord) & {
  /** Whether the store has lost a part of it; the views of the store say it. */
  readonly damaged?: boolean | undefined;
};

interface Known {
  /** Inputs of the list, with `mark`: it is made again when one of them is another object. */
  readonly synced: readonly RecipeRecord[];
  readonly mark: object;
  readonly all: readonly ListedRecipe[];
  /** Parsed documents, by repository and digest; a digest never changes its content. */
  readonly published: ReadonlyMap<string, PublishedRecord | undefined>;
}

const known = new WeakMap<Store, Known>();

/**
 * Lists the recipes of a store whose tag was not deleted: the synchronized ones, then the published ones. The list is the same object until a
 * recipe changes.
 */
export async function listRecipes(
  config: { readonly storage: Pick<Config['storage'], 'basePrefix'> },
  store: Store,
): Promise<readonly ListedRecipe[]> {
  const { index } = store;
  const synced = index.recipes();
  const mark = index.markOf('Recipe');
  const before = known.get(store);
  if (before !== undefined && before.synced === synced && before.mark === mark) return before.all;
  const recorded = new Set(synced.map(({ repository, tag }) => `${repository}:${tag}`));
  const now = new Map<string, PublishedRecord | undefined>();
  for (const repository of index.repositoriesOf('Recipe')) {
    for (const tag of index.tags(repository)) {
      if (tag.kind !== 'Recipe' || tag.held || recorded.has(`${repository}:${tag.tag}`)) continue;
      const key = `${repository}:${tag.tag}@${tag.digest}`;
      now.set(
        key,
        before?.published.has(key)
          ? before.published.get(key)
          : await readPublished(config, store, repository, tag),
      );
    }
  }
  // the ledger keeps the record of a recipe whose tag was deleted
  const standing = synced.filter(
    ({ repository, tag }) =>
      index.tag(repository, tag) !== undefined || index.publication(repository, tag) === undefined,
  );
  const all = [...standing, ...[...now.values()].filter((record) => record !== undefined)];
  // the next call sees changes made while documents were read, because its mark is another
  known.set(store, { synced, mark, all, published: now });
  return all;
}

/** @returns undefined for an invalid or damaged recipe */
async function readPublished(
  { storage }: { readonly storage: Pick<Config['storage'], 'basePrefix'> },
  store: Store,
  repository: string,
  { tag, digest }: TagRecord,
): Promise<PublishedRecord | undefined> {
  const source = openRepository(store, repository, { owner: { provenance: 'push' } });
  const reference = `${repository}:${tag}`;
  try {
    const found = await source.fetchManifest(digest);
    if (found === undefined) return undefined;
    const { manifest } = await readManifest(source, found, reference);
    const layer = selectRecipeLayer(manifest);
    const document = await readBlob(source, layer, reference);
    const { metadata, ingredients } = requireCooked(await readRecipeDocument(document, reference), reference);
    return {
      name: metadata.name,
      version: metadata.version,
      cookbook: repository.slice(0, Math.max(0, repository.lastIndexOf('/'))),
      repository,
      tag,
      digest,
      documentDigest: layer.digest,
      verified: false,
      ingredients: ingredients.map(({ name, kind, ref, version, digest: pinned, platforms }) => ({
        name,
        kind,
        ref: formatReference(ref),
        repository: localRepository(ref, storage.basePrefix),
        tag: version,
        digest: pinned,
        ...(platforms.length > 0 ? { platforms: platforms.map(formatPlatform) } : {}),
      })),
    };
  } catch (error) {
    if (!isSvcError(error) || isInconclusive(error)) throw error;
    return undefined;
  }
}
