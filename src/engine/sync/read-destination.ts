import { forEachBounded } from '../../base/concurrency.ts';
import { type Digest, digestAlgorithm, hashBytes } from '../../base/digest.ts';
import type { ContentStatus } from '../../contract/common.ts';
import type { Descriptor } from '../../oci/descriptor.ts';
import type { CallOptions, ManifestFetcher } from '../../oci/ports.ts';
import { formatReference } from '../../oci/reference.ts';
import type { RemoteRegistry } from '../../remote/model.ts';
import { isSvcError, type SvcError, svcError, toSvcError } from '../../text/error.ts';
import type { Destination } from '../promotion/model.ts';
import { requireNoRecipe } from '../promotion/recipe-tags.ts';
import type { ContentPlan, PlannedWork } from './plan-sync.ts';
import { isInCookbook, toDestination, toRecipeDestination } from './recipe-places.ts';
import type { VerifiedRecipe } from './resolve-recipe.ts';

/** Tags of the destination, before a run. */
export interface DestinationState {
  readonly statuses: Map<PlannedWork, ContentStatus>;
  /** Status of the recipes themselves, as far as it could be requested. */
  readonly recipes: Map<VerifiedRecipe, ContentStatus>;
  readonly problems: { readonly subject: string; readonly error: SvcError }[];
}

/**
 * Whether a tag resolves to the pinned manifest. A registry may name tagged content by another algorithm: it must then
 * have the same bytes under the pin.
 */
async function isPinned(
  repository: ManifestFetcher,
  there: Descriptor,
  pin: Digest,
  call: CallOptions,
): Promise<boolean> {
  if (there.digest === pin || digestAlgorithm(there.digest) === digestAlgorithm(pin))
    return there.digest === pin;
  const pinned = await repository.fetchManifest(pin, call);
  return pinned !== undefined && hashBytes(pinned.bytes, digestAlgorithm(there.digest)) === there.digest;
}

/** Recipes of a run by the tag that each is promoted to; of several, the first. */
function selectClaims({ recipes }: ContentPlan, destination: Destination): ReadonlyMap<string, Digest> {
  const claims = new Map<string, Digest>();
  for (const { resolution } of recipes) {
    const { recipe } = resolution;
    if (recipe.outcome === 'failed') continue;
    try {
      const place = toRecipeDestination(destination, recipe.entry.name);
      const reference = `${formatReference(place)}:${recipe.version}`;
      if (!claims.has(reference)) claims.set(reference, recipe.digest);
    } catch (error) {
      // reported with its recipe
      if (!isSvcError(error, 'SVC-DST-001')) throw error;
    }
  }
  return claims;
}

/** Reads the tags of the destination. Content below them is checked only when it is pushed. */
export async function readDestination(
  content: ContentPlan,
  destination: Destination,
  { registry, signal }: CallOptions & { readonly registry: RemoteRegistry },
): Promise<DestinationState> {
  const statuses = new Map<PlannedWork, ContentStatus>();
  const asked: DestinationState['recipes'] = new Map();
  const problems: DestinationState['problems'] = [];
  const call = { signal };
  const note = (subject: string, error: unknown) => {
    signal?.throwIfAborted();
    const coded = toSvcError(error);
    // an unreachable destination is reported once
    const isKnown = problems.some(
      (other) =>
        other.error.code === coded.code &&
        (other.subject === subject ||
          (coded.params.host !== undefined && other.error.params.host === coded.params.host)),
    );
    if (!isKnown) problems.push({ subject, error: coded });
  };
  const claims = selectClaims(content, destination);
  const works = content.recipes
    .flatMap(({ ingredients }) => ingredients)
    .filter(({ ingredient }) => ingredient.graph);
  await forEachBounded(works, 8, async (work) => {
    const { nominal, ingredient, reference } = work.ingredient;
    try {
      const place = toDestination(destination, nominal);
      const repository = registry.repository(place, { access: 'push' });
      const there = await repository.resolve(work.tag, call);
      const isSame = there !== undefined && (await isPinned(repository, there, ingredient.digest, call));
      if (!isSame && isInCookbook(place.repository, destination)) {
        const named = `${formatReference(place)}:${work.tag}`;
        const tag = { reference: named, current: there?.digest, claimed: claims.get(named) };
        await requireNoRecipe(repository, tag, ingredient.digest, call);
      }
      statuses.set(work, isSame ? 'up-to-date' : there ? 'outdated' : 'new');
    } catch (error) {
      note(reference, error);
    }
  });
  await forEachBounded(content.recipes, 8, async ({ resolution: { recipe } }) => {
    if (recipe.outcome === 'failed') return;
    try {
      const place = toRecipeDestination(destination, recipe.entry.name);
      const repository = registry.repository(place, { access: 'push' });
      const there = await repository.resolve(recipe.version, call);
      const isSame = there?.digest === recipe.digest;
      asked.set(recipe, isSame ? 'up-to-date' : there ? 'outdated' : 'new');
      if (!there || isSame) return;
      const current = await repository.fetchManifest(there.digest, call);
      if (current?.bytes.includes(recipe.layer.digest)) return;
      const reference = `${formatReference(place)}:${recipe.version}`;
      throw svcError('SVC-POL-004', { reference, published: there.digest, candidate: recipe.digest });
    } catch (error) {
      note(recipe.reference, error);
    }
  });
  const first = new Map<string, VerifiedRecipe>();
  for (const { resolution } of content.recipes) {
    const { recipe } = resolution;
    if (recipe.outcome === 'failed' || asked.get(recipe) !== 'new') continue;
    const place = toRecipeDestination(destination, recipe.entry.name);
    const reference = `${formatReference(place)}:${recipe.version}`;
    const taken = first.get(reference) ?? recipe;
    first.set(reference, taken);
    if (taken.layer.digest !== recipe.layer.digest)
      note(
        recipe.reference,
        svcError('SVC-POL-004', { reference, published: taken.digest, candidate: recipe.digest }),
      );
  }
  return { statuses, recipes: asked, problems };
}
