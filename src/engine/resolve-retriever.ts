import { forEachBounded } from '../base/concurrency.ts';
import type { Digest } from '../base/digest.ts';
import { type SvcError, toSvcError } from '../base/error.ts';
import type { Report } from '../base/report.ts';
import { formatPlatform } from '../oci/platform.ts';
import { formatReference, type RepositoryReference } from '../oci/reference.ts';
import { selectDuplicates } from '../recipe/duplicates.ts';
import type { Ingredient, Retriever } from '../recipe/model.ts';
import { localRepository } from '../recipe/relocation.ts';
import { withHeld } from './held-content.ts';
import { localFirst } from './local-source.ts';
import { Once } from './once.ts';
import { type ContentGraph, readGraph } from './read-graph.ts';
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
  /** The place that is asked, where it is not the nominal one. */
  readonly effective?: string;
  readonly graph?: ContentGraph;
  /** Why it cannot be carried; there is no graph then. */
  readonly error?: SvcError;
}

/** A recipe with everything it needs read, as far as that is possible. */
export interface Resolution {
  readonly recipe: ResolvedRecipe;
  readonly ingredients: readonly ResolvedIngredient[];
}

const entriesAtOnce = 8;
const ingredientsAtOnce = 8;

/**
 * Resolves the entries of a Retriever; each fails alone. Entries that resolve to one recipe are one.
 *
 * @throws only when the signal is aborted
 */
export async function resolveRecipes(
  retriever: Retriever,
  options: ResolveOptions & { readonly report: Report },
): Promise<readonly ResolvedRecipe[]> {
  const resolved = new Array<ResolvedRecipe>(retriever.recipes.length);
  const tagLists = new Once<string, readonly string[]>();
  await forEachBounded(retriever.recipes, entriesAtOnce, async (entry, i) => {
    resolved[i] = await resolveRecipe(entry, tagLists, options);
  });
  const idle = new Set<number>();
  // the same name from two cookbooks is two recipes
  const named = resolved.map(({ cookbook, entry, version }) => ({
    name: `${cookbook}/${entry.name}`,
    version,
  }));
  for (const { name, version, entries } of selectDuplicates(named)) {
    options.report.log('warn', 'Several entries of the Retriever resolve to the same recipe', {
      recipe: `${name}:${version}`,
      entries: entries.length,
    });
    for (const i of entries.slice(1)) idle.add(i);
  }
  for (const recipe of resolved) {
    const { cookbook, entry, version, digest, verdict } = recipe;
    if (recipe.outcome === 'failed')
      options.report.log('error', 'A recipe cannot be resolved', {
        recipe: `${cookbook}/${entry.name}:${version ?? entry.version}`,
        error: recipe.error,
      });
    else
      options.report.log('info', 'Recipe resolved', {
        recipe: recipe.reference,
        requested: entry.version,
        digest,
        signature: verdict?.outcome,
        trustScope: recipe.verdict.trustScope,
      });
  }
  return resolved.filter((_, i) => !idle.has(i));
}

/** What makes two ingredients the same work. */
export function toWorkKey({ repository, ingredient }: ResolvedIngredient): string {
  const platforms = ingredient.platforms.map(formatPlatform).sort().join(',');
  return `${repository}@${ingredient.digest} ${platforms} ${ingredient.artifactType ?? ''}`;
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
  const { registry, store, held, signal } = options;
  const graphs = new Once<string, ContentGraph>();
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
      const source = withHeld(localFirst(store, remote), held);
      const graph = await graphs.run(toWorkKey(known), () =>
        readGraph(source, ingredient.digest, {
          reference: `${reference}@${ingredient.digest}`,
          platforms: ingredient.platforms,
          artifactType: ingredient.artifactType,
          ...(signal ? { signal } : {}),
        }),
      );
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

/** The ingredients of verified recipes by name only: which tags they have is known without reading any of them. */
export function toUnreadIngredients(
  recipes: readonly ResolvedRecipe[],
  basePrefix: string | undefined,
): readonly Resolution[] {
  return recipes.map((recipe) => ({
    recipe,
    ingredients:
      recipe.outcome === 'failed'
        ? []
        : recipe.document.ingredients.map((ingredient) => ({
            ingredient,
            nominal: ingredient.ref,
            reference: `${formatReference(ingredient.ref)}:${ingredient.version}`,
            repository: localRepository(ingredient.ref, basePrefix),
          })),
  }));
}
