import { forEachBounded } from '../../base/concurrency.ts';
import type { Digest } from '../../base/digest.ts';
import { Pacer } from '../../base/pacer.ts';
import type { TagRecord } from '../../catalog/model.ts';
import { isPublisher } from '../../catalog/tag-rules.ts';
import type { Owner } from '../../contract/content.ts';
import type { Descriptor } from '../../oci/descriptor.ts';
import type { Store } from '../../store/model.ts';
import { openRepository } from '../../store/open-repository.ts';
import type { PinnedIngredient } from './select-tags.ts';

/** Content of the store, as far as a plan needs it. */
export interface Presence {
  /** A tag that is served; undefined for held ones. */
  tag(repository: string, tag: string): Pick<TagRecord, 'digest' | 'kind' | 'owners'> | undefined;
  /** Digest of the recipe that a tag names where it is published there, by its cookbook or on this instance. */
  recipe(repository: string, tag: string): Digest | undefined;
  /** Whether recipes are, or were, published in a repository. */
  hasRecipes(repository: string): boolean;
  /** Digest of the recipe that a free tag named before it was deleted: no other content is put there. */
  published(repository: string, tag: string): Digest | undefined;
  /** Whether the store has the complete blob or manifest, of the size that the descriptor declares. */
  isPresent(content: Descriptor): boolean;
  /** Whether the store has all signatures of this subject that it has recorded. */
  areSignaturesWhole(repository: string, subject: Digest): boolean;
  /** Whether the ledger records this recipe as complete. */
  isRecorded(cookbook: string, name: string, version: string, digest: Digest): boolean;
  /** Versions of a recipe that the ledger records. */
  storedVersions(cookbook: string, name: string): readonly string[];
  /** Pins of the recorded recipe; of all recorded versions of that name when this one has no record. */
  recordedPins(cookbook: string, name: string, version?: string): readonly PinnedIngredient[];
}

/** Whether a tag names a recipe that is published there; another recipe may have it as an ingredient only. */
function isPublished({ kind, held, owners, ...place }: TagRecord): boolean {
  const publishes = (owner: Owner) => owner.provenance !== 'recipe' || isPublisher(owner, place);
  return kind === 'Recipe' && !held && owners.some(publishes);
}

/** Presence of a store that does not exist yet. */
const nothing: Presence = {
  tag: () => undefined,
  recipe: () => undefined,
  hasRecipes: () => false,
  published: () => undefined,
  isPresent: () => false,
  isRecorded: () => false,
  storedVersions: () => [],
  recordedPins: () => [],
  areSignaturesWhole: () => true,
};

/** Digest and size of content as one text. */
export const toKey = ({ digest, size }: Descriptor): string => `${digest} ${size}`;

/**
 * Reads the content of a plan that the store has. On a fast filesystem each file is checked, so that a lost one is
 * planned again.
 */
export async function readPresence(
  store: Store | undefined,
  contents: Iterable<Descriptor>,
): Promise<Presence> {
  if (!store) return nothing;
  const { index } = store;
  const present = new Set<string>();
  // manifests may declare different sizes of one blob: each is compared with the file
  const asked = new Map<string, Descriptor>();
  for (const content of contents) asked.set(toKey(content), content);
  // blobs are shared by all repositories of the store, so the name is not used
  const anywhere = openRepository(store, '_', { owner: { provenance: 'recipe' } });
  const pacer = new Pacer();
  await forEachBounded(asked.values(), 16, async (content) => {
    if (await anywhere.hasBlob(content)) present.add(toKey(content));
    if (pacer.isDue()) await pacer.rest();
  });
  const recorded = new Set(
    index.recipes().map(({ cookbook, name, version, digest }) => `${cookbook}/${name}:${version}@${digest}`),
  );
  const versions = new Map<string, string[]>();
  for (const { cookbook, name, version } of index.recipes()) {
    const known = versions.get(`${cookbook}/${name}`);
    if (known === undefined) versions.set(`${cookbook}/${name}`, [version]);
    else known.push(version);
  }
  const ofRecipes = new Map<string, boolean>();
  const hasRecipes = (repository: string): boolean => {
    const known =
      ofRecipes.get(repository) ??
      (index.hasPublications(repository) ||
        (index.kindsOf(repository).has('Recipe') && index.tags(repository).some(isPublished)));
    ofRecipes.set(repository, known);
    return known;
  };
  return {
    tag: (repository, tag) => {
      const record = index.tag(repository, tag);
      return record?.held ? undefined : record;
    },
    recipe: (repository, tag) => {
      const record = index.tag(repository, tag);
      if (record !== undefined) return isPublished(record) ? record.digest : undefined;
      return index.publication(repository, tag)?.digest;
    },
    hasRecipes,
    published: (repository, tag) =>
      index.tag(repository, tag) ? undefined : index.publication(repository, tag)?.digest,
    isPresent: (content) => present.has(toKey(content)),
    areSignaturesWhole: (repository, subject) => index.areSignaturesWhole(repository, subject),
    isRecorded: (cookbook, name, version, digest) => recorded.has(`${cookbook}/${name}:${version}@${digest}`),
    storedVersions: (cookbook, name) => versions.get(`${cookbook}/${name}`) ?? [],
    recordedPins: (cookbook, name, version) => {
      const named = index.recipes().filter((one) => one.cookbook === cookbook && one.name === name);
      const same = named.filter((one) => one.version === version);
      return (same.length > 0 ? same : named).flatMap(({ ingredients }) =>
        ingredients.map(({ repository, tag, digest }) => ({ repository, version: tag, digest })),
      );
    },
  };
}
