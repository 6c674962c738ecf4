import type { ListedRecipe } from '../../../../src/operation/list-recipes.ts';
import { recipeWords } from '../../../../src/text/words/recipes.ts';
import { takesPushesOnly } from '../../../views/retriever.ts';
import type { Html } from '../../html.ts';
import { badge } from '../../parts/badge.ts';
import type { PageCall } from '../../ui-route.ts';

/**
 * Whether a trusted key approved a recipe. A recipe keeps its verdict when its key is withdrawn, and the badge says so. Where
 * nothing is verified, a recipe without a verdict is no warning.
 */
export function trustBadge(
  { words: { say }, instance }: Pick<PageCall, 'words' | 'instance'>,
  { verified, keyFingerprint }: Pick<ListedRecipe, 'verified' | 'keyFingerprint'>,
): Html {
  const { roots } = instance.context.policy;
  if (
    verified &&
    keyFingerprint !== undefined &&
    !roots.some(({ fingerprint }) => fingerprint === keyFingerprint)
  )
    return badge('warn', say(recipeWords.keyWithdrawn));
  if (verified) return badge('ok', say(recipeWords.verified));
  return badge(takesPushesOnly({ instance }) ? 'plain' : 'warn', say(recipeWords.unverified));
}
