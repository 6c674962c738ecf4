import type { ListedRecipe } from '../../../../src/operation/list-recipes.ts';
import { recipeWords } from '../../../../src/text/words/recipes.ts';
import { takesPushesOnly } from '../../../views/retriever.ts';
import type { Html } from '../../html.ts';
import { badge } from '../../parts/badge.ts';
import type { PageCall } from '../../ui-route.ts';

/** Whether a trusted key approved a recipe and was withdrawn since. */
const isWithdrawn = (
  { instance }: Pick<PageCall, 'instance'>,
  { verified, keyFingerprint }: Pick<ListedRecipe, 'verified' | 'keyFingerprint'>,
): boolean =>
  verified &&
  keyFingerprint !== undefined &&
  !instance.context.policy.roots.some(({ fingerprint }) => fingerprint === keyFingerprint);

/** Whether the signature of a recipe has a warning. */
export const isDoubtful = (
  call: Pick<PageCall, 'instance'>,
  recipe: Pick<ListedRecipe, 'verified' | 'keyFingerprint'>,
): boolean => isWithdrawn(call, recipe) || !(recipe.verified || takesPushesOnly(call));

/**
 * Whether a trusted key approved a recipe. A recipe keeps its verdict when its key is withdrawn, and the badge says so. Where
 * nothing is verified, a recipe without a verdict is no warning.
 */
export function trustBadge(
  call: Pick<PageCall, 'words' | 'instance'>,
  recipe: Pick<ListedRecipe, 'verified' | 'keyFingerprint'>,
): Html {
  const { say } = call.words;
  if (isWithdrawn(call, recipe)) return badge('warn', say(recipeWords.keyWithdrawn));
  if (recipe.verified) return badge('ok', say(recipeWords.verified));
  return badge(isDoubtful(call, recipe) ? 'warn' : 'plain', say(recipeWords.unverified));
}
