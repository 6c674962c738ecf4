import type { ListedRecipe } from '../../../../src/operation/list-recipes.ts';
import { recipeWords } from '../../../../src/text/words/recipes.ts';
import type { Words } from '../../../../src/text/words/words.ts';
import type { Html } from '../../html.ts';
import { badge } from '../../parts/badge.ts';

/** Whether a trusted key approved a recipe. */
export function trustBadge({ say }: Words, { verified }: Pick<ListedRecipe, 'verified'>): Html {
  return verified ? badge('ok', say(recipeWords.verified)) : badge('warn', say(recipeWords.unverified));
}
