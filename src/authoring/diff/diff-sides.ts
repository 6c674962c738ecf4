import type { RecipeDiff } from '../../contract/authoring.ts';
import type { Context } from '../../operation/context.ts';
import { openPromptRegistry } from '../../operation/prompt-registry.ts';
import type { VersionedName } from '../../recipe/versioned-name.ts';
import type { ViewParts } from '../../view/parts.ts';
import { type OpenedRecipe, openPublishedRecipe, openRecipeDocument } from '../open/open-recipe.ts';
import { openStoredRecipe } from '../open/stored-recipe.ts';
import { diffRecipes } from './diff-recipes.ts';

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
