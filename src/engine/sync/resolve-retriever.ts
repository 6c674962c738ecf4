import { forEachBounded } from '../../base/concurrency.ts';
import type { Digest } from '../../base/digest.ts';
import { Once } from '../../base/once.ts';
import { formatPlatform } from '../../oci/platform.ts';
import { formatReference, type RepositoryReference } from '../../oci/reference.ts';
import { selectDuplicates } from '../../recipe/duplicates.ts';
import type { Ingredient, Retriever } from '../../recipe/model.ts';
import { localRepository } from '../../recipe/relocation.ts';
import { type SvcError, toSvcError } from '../../text/error.ts';
import { leaveAbsentLayers } from '../copy/leave-absent-layers.ts';
import { nearSource } from '../copy/near-source.ts';
import { type ManifestGraph, readGraph } from '../copy/read-graph.ts';
import { requireDeclared } from '../copy/require-declared.ts';
import {
  type ResolvedRecipe,
  type ResolveOptions,
  resolveRecipe,
  type VerifiedRecipe,
} from './resolve-recipe.ts';

export interface ResolvedIngredient {
  readonly ingredient: Ingredient & { readonly digest: Digest };
  readonly nominal: RepositoryReference;
  /** `<nominal repository>:<version>`. */
  readonly reference: string;
  /** Local repository. */
  readonly repository: string;
  /** The repository that is contacted, where it is not the nominal one. */
  readonly effective?: string;
  readonly graph?: ManifestGraph;
  /** Why it cannot be carried; then `graph` is absent. */
  readonly error?: SvcError;
}

/** A recipe and its ingredients, read as far as possible. */
export interface Resolution {
  readonly recipe: ResolvedRecipe;
  readonly ingredients: readonly ResolvedIngredient[];
}

/** Outcomes of entries by cookbook, name and version, for Retrievers that are resolved by one policy within one reading. */
export type SharedRecipes = Once<string, ResolvedRecipe>;

const entriesAtOnce = 8;
const ingredientsAtOnce = 8;

/**
 * Resolves the entries of a Retriever, each separately. Entries that resolve to the same recipe are merged.
 *
 * @throws only when the signal is aborted
 */
export async function resolveRecipes(
  retriever: Retriever,
  { shared, ...options }: ResolveOptions & { readonly shared?: SharedRecipes | undefined },
): Promise<readonly ResolvedRecipe[]> {
  const resolved = new Array<ResolvedRecipe>(retriever.recipes.length);
  const tagLists = new Once<string, readonly string[]>();
  await forEachBounded(retriever.recipes, entriesAtOnce, async (entry, i) => {
    const resolve = () => resolveRecipe(entry, tagLists, options);
    resolved[i] = await (shared === undefined
      ? resolve()
      : runShared(shared, entry, options.signal, resolve));
  });
  const idle = new Set<number>();
  // recipes of the same name in two cookbooks are different
  const named = resolved.map(({ cookbook, entry, version }) => ({
    name: `${cookbook}/${entry.name}`,
    version,
  }));
  for (const { name, version, entries } of selectDuplicates(named)) {
    options.report.log('warn', 'Several entries of the Retriever resolve to the same recipe', {
      recipe: `${name}:${version}`,
      entries: entries.length,
    });
    const [first, ...others] = entries as [number, ...number[]];
    const alsoRequested = others.map((i) => resolved[i]!.entry.version);
    resolved[first] = { ...resolved[first]!, alsoRequested };
    for (const i of others) idle.add(i);
  }
  for (const recipe of resolved) {
    if (recipe.outcome === 'failed') continue;
    const { reference, entry, digest, verdict } = recipe;
    options.report.log('info', 'Recipe resolved', {
      recipe: reference,
      requested: entry.version,
      digest,
      signature: verdict.outcome,
      trustScope: verdict.trustScope,
    });
  }
  return resolved.filter((_, i) => !idle.has(i));
}

/** @throws only when the signal is aborted */
async function runShared(
  shared: SharedRecipes,
  { cookbook, name, version }: Retriever['recipes'][number],
  signal: AbortSignal | undefined,
  resolve: () => Promise<ResolvedRecipe>,
): Promise<ResolvedRecipe> {
  try {
    return await shared.run(`${formatReference(cookbook)} ${name} ${version}`, async () => {
      const { signatures: _, ...recipe } = (await resolve()) as VerifiedRecipe;
      return recipe as ResolvedRecipe;
    });
  } catch {
    // the work of another Retriever, which was left
    signal?.throwIfAborted();
    return resolve();
  }
}

/**
 * Key of content that is read and transferred once for all recipes that pin it. Ingredients with the same key
 * may be declared differently by their recipes, so no verdict is stored under it.
 */
export function toContentKey({ reference, ingredient }: ResolvedIngredient): string {
  const platforms = ingredient.platforms.map(formatPlatform).sort().join(',');
  return `${reference}@${ingredient.digest} ${platforms}`;
}

/**
 * Reads the manifests that the ingredients of verified recipes reach, from the store where it has them.
 *
 * @throws only when the signal is aborted
 */
export async function resolveIngredients(
  recipes: readonly ResolvedRecipe[],
  options: ResolveOptions,
): Promise<readonly Resolution[]> {
  const { registry, store, held, signal, report } = options;
  const graphs = new Once<string, ManifestGraph>();
  const found = new Map<VerifiedRecipe, ResolvedIngredient[]>();
  const work: {
    recipe: VerifiedRecipe;
    ingredient: VerifiedRecipe['document']['ingredients'][number];
    at: number;
  }[] = [];
  for (const recipe of recipes) {
    if (recipe.outcome === 'failed') continue;
    found.set(recipe, []);
    for (const [at, ingredient] of recipe.document.ingredients.entries())
      work.push({ recipe, ingredient, at });
  }
  await forEachBounded(work, ingredientsAtOnce, async ({ recipe, ingredient, at }) => {
    const reference = `${formatReference(ingredient.ref)}:${ingredient.version}`;
    let known: ResolvedIngredient = { ingredient, nominal: ingredient.ref, reference, repository: '' };
    try {
      known = { ...known, repository: localRepository(ingredient.ref, options.basePrefix) };
      const remote = registry.repository(ingredient.ref);
      if (remote.substituted)
        known = { ...known, effective: `${remote.effective.host}/${remote.effective.repository}` };
      const source = nearSource(held, store, remote);
      const pinned = `${reference}@${ingredient.digest}`;
      const call = { signal };
      const graph = await graphs.run(toContentKey(known), async () => {
        const { platforms } = ingredient;
        const whole = await readGraph(source, ingredient.digest, { ...call, reference: pinned, platforms });
        return leaveAbsentLayers(whole, store, remote, call);
      });
      if (graph.absentLayers)
        report.log(
          'warn',
          'Layers that need not be distributed are not at the registry: the image is stored without them',
          {
            recipe: recipe.key,
            ingredient: ingredient.name,
            digest: ingredient.digest,
            layers: graph.absentLayers,
          },
        );
      requireDeclared(graph, ingredient, pinned);
      known = { ...known, graph };
    } catch (error) {
      signal?.throwIfAborted();
      known = { ...known, error: toSvcError(error) };
    }
    found.get(recipe)![at] = known;
  });
  return recipes.map((recipe) => ({
    recipe,
    ingredients: recipe.outcome === 'failed' ? [] : found.get(recipe)!,
  }));
}
