import type { ListedRecipe } from '../../../../src/operation/list-recipes.ts';
import { recipeWords } from '../../../../src/text/words/recipes.ts';
import type { Words } from '../../../../src/text/words/words.ts';
import type { TrustRoot } from '../../../../src/trust/model.ts';
import type { Html } from '../../html.ts';
import { badge } from '../../parts/badge.ts';

/**
 * Whether a trusted key approved a recipe.
 *
 * @param roots of today: a recipe keeps its verdict when its key is withdrawn, and the badge says so
 */
export function trustBadge(
  { say }: Words,
  { verified, keyFingerprint }: Pick<ListedRecipe, 'verified' | 'keyFingerprint'>,
  roots: readonly Pick<TrustRoot, 'fingerprint'>[],
): Html {
  if (
    verified &&
    keyFingerprint !== undefined &&
    !roots.some(({ fingerprint }) => fingerprint === keyFingerprint)
  )
    return badge('warn', say(recipeWords.keyWithdrawn));
  return verified ? badge('ok', say(recipeWords.verified)) : badge('warn', say(recipeWords.unverified));
}
