import { Once } from '../../base/once.ts';
import { Pacer, runInTurns } from '../../base/pacer.ts';
import type { RecipeDiff } from '../../contract/authoring.ts';
import type { Context } from '../../operation/context.ts';
import { openPromptRegistry } from '../../operation/prompt-registry.ts';
import { requireCookedSteps } from '../../recipe/document.ts';
import type { VersionedName } from '../../recipe/versioned-name.ts';
import type { ViewParts } from '../../view/parts.ts';
import { type CloseSources, closeRecipe } from '../open/close-recipe.ts';
import { type OpenedRecipe, openPublishedRecipe, openRecipeDocument } from '../open/open-recipe.ts';
import { openStoredRecipe } from '../open/stored-recipe.ts';
import { type ComparedRecipe, diffRecipesSteps, mostListed } from './compare-recipes.ts';

async function close(
  { recipe, named, documentDigest, digest, open }: OpenedRecipe,
  known: CloseSources['known'],
  signal: AbortSignal | undefined,
): Promise<ComparedRecipe> {
  const sources = { open, known, mostFailures: mostListed, signal };
  const cooked = await runInTurns(requireCookedSteps(recipe, named));
  const ingredients = await closeRecipe(cooked, sources);
  return {
    metadata: recipe.metadata,
    documentDigest,
    digest,
    ingredients,
  };
}

/**
 * Compares two cooked recipes and measures the bytes that a place with the old one needs for the new one.
 *
 * @throws SVC-VAL-001 for a draft; the reason of the signal
 */
export async function diffRecipes(
  before: OpenedRecipe,
  after: OpenedRecipe,
  signal?: AbortSignal,
): Promise<RecipeDiff> {
  // content of two places may differ: only closures of one place are shared
  const known: CloseSources['known'] = new Once();
  const own: CloseSources['known'] = isSamePlace(before, after) ? known : new Once();
  const old = await close(before, known, signal);
  const now = await close(after, own, signal);
  return runInTurns(diffRecipesSteps(old, now), new Pacer(2));
}

/** Whether both are read from registries, or both from a store. */
function isSamePlace(a: OpenedRecipe, b: OpenedRecipe): boolean {
  return a.readsFrom === b.readsFrom;
}

/** One side of a comparison: a document, the reference of a published recipe, or a recipe of the store. */
export type RecipeSide =
  | { readonly document: Buffer }
  | { readonly reference: string }
  | { readonly stored: VersionedName };

/**
 * Opens two recipes and compares them.
 *
 * @param asked.actor of the request; callers take turns when documents are read
 * @throws SVC-VAL-001, SVC-VAL-002, SVC-REG-001, the errors of the registry of a reference and those of the view of the store;
 *   the reason of the signal
 */
export async function diffSides(
  view: ViewParts & { readonly instance: { readonly context: Context } },
  asked: {
    readonly old: RecipeSide;
    readonly new: RecipeSide;
    readonly actor: string;
    readonly signal: AbortSignal;
  },
): Promise<RecipeDiff> {
  const { context } = view.instance;
  const { actor, signal } = asked;
  const remote = { registry: openPromptRegistry(context), policy: context.policy };
  const open = (file: 'old' | 'new'): Promise<OpenedRecipe> => {
    const side = asked[file];
    if ('document' in side)
      return openRecipeDocument(remote, { document: side.document, file, actor, signal });
    if ('reference' in side) return openPublishedRecipe(remote, side.reference, { signal });
    const { basePrefix } = context.config.storage;
    const from = { policy: context.policy, basePrefix };
    return openStoredRecipe(view, from, side.stored, { signal });
  };
  const before = await open('old');
  return diffRecipes(before, await open('new'), signal);
}
