import { forEachBounded } from '../../base/concurrency.ts';
import type { Digest } from '../../base/digest.ts';
import type { Once } from '../../base/once.ts';
import { Pacer } from '../../base/pacer.ts';
import { readJudgedGraph } from '../../engine/copy/judge-graph.ts';
import type { ManifestGraph } from '../../engine/copy/read-graph.ts';
import { readOwnPlatform } from '../../engine/copy/read-own-platform.ts';
import type { Contents } from '../../engine/copy/sum-contents.ts';
import { formatPlatform, toPlatform } from '../../oci/platform.ts';
import type { CallOptions, Source } from '../../oci/ports.ts';
import { formatReference, type RepositoryReference } from '../../oci/reference.ts';
import type { CookedRecipe, Ingredient } from '../../recipe/model.ts';
import { type ErrorRecord, toErrorRecord } from '../../text/error.ts';

/** An ingredient with all parts that a zone needs. */
export interface ClosedIngredient {
  readonly ingredient: Ingredient & { readonly digest: Digest };
  /** Platforms that are carried; empty for content without platforms. */
  readonly platforms: readonly string[];
  readonly contents: Contents;
}

/** An ingredient whose content could not be read. */
export interface OpenIngredient {
  readonly ingredient: Ingredient & { readonly digest: Digest };
  readonly error: ErrorRecord;
}

export interface CloseSources extends CallOptions {
  /** Opens the repository from which an ingredient is read. */
  open(ref: RepositoryReference): Source;
  /** Closures of both sides of a comparison: common ingredients are read once. */
  readonly known: Once<string, Omit<ClosedIngredient, 'ingredient'>>;
  /** Number of failures after which nothing more is read: the others count as failed in the same way. Default: no limit. */
  readonly mostFailures?: number | undefined;
}

/** Ingredients that are closed at once. */
const atOnce = 4;

/**
 * Lists everything that the ingredients of a recipe reach, over their platforms. Reads manifests, and configurations of
 * images whose platform no index names.
 *
 * @returns in the order of the recipe; an ingredient that cannot be read with its error
 * @throws the reason of the signal
 */
export async function closeRecipe(
  { ingredients }: CookedRecipe,
  sources: CloseSources,
): Promise<readonly (ClosedIngredient | OpenIngredient)[]> {
  const closed: (ClosedIngredient | OpenIngredient)[] = [];
  const { mostFailures = Number.POSITIVE_INFINITY } = sources;
  const pacer = new Pacer(2);
  let failures = 0;
  let last: ErrorRecord | undefined;
  await forEachBounded(ingredients, atOnce, async (ingredient, position) => {
    // ingredients refused before a registry is asked never wait for one
    if (pacer.isDue()) await pacer.rest();
    if (last !== undefined && failures >= mostFailures) {
      closed[position] = { ingredient, error: last };
      return;
    }
    try {
      const key = JSON.stringify([formatReference(ingredient.ref), ingredient.digest, ingredient.platforms]);
      const found = await sources.known.run(key, () => closeIngredient(ingredient, sources));
      closed[position] = { ingredient, ...found };
    } catch (error) {
      sources.signal?.throwIfAborted();
      failures += 1;
      last = toErrorRecord(error);
      closed[position] = { ingredient, error: last };
    }
  });
  return closed;
}

async function closeIngredient(
  { ref, version, kind, digest, platforms }: ClosedIngredient['ingredient'],
  { open, signal }: CloseSources,
): Promise<Omit<ClosedIngredient, 'ingredient'>> {
  const call: CallOptions = { signal };
  const reference = formatReference({ ...ref, tag: version });
  const source = open(ref);
  const graph = await readJudgedGraph(source, digest, { ...call, reference, platforms });
  const named =
    platforms.length > 0
      ? platforms.map(formatPlatform)
      : kind === 'ContainerImage'
        ? await listPlatforms(source, graph, { ...call, reference })
        : [];
  return { platforms: named, contents: graph.contents };
}

/** The platforms of an image whose recipe names none. */
async function listPlatforms(
  source: Source,
  { manifest }: ManifestGraph,
  options: CallOptions & { readonly reference: string },
): Promise<readonly string[]> {
  if (manifest.kind === 'image') {
    const own = await readOwnPlatform(source, manifest, options.reference, options);
    return own === undefined ? [] : [formatPlatform(own)];
  }
  const named = manifest.manifests.flatMap(({ platform }) =>
    platform === undefined || platform.os === 'unknown' ? [] : [formatPlatform(toPlatform(platform))],
  );
  return [...new Set(named)];
}
