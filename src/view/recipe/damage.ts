import type { Digest } from '../../base/digest.ts';
import { Pacer } from '../../base/pacer.ts';
import type { ListedRecipe } from '../../operation/list-recipes.ts';
import type { ViewParts } from '../parts.ts';

type Parts = Pick<ViewParts, 'store' | 'gate'>;

/** Content on record that the store of this instance has lost. */
export interface Damage {
  /** Files that are gone or in quarantine, and that no synchronization has brought again yet. */
  readonly files: number;
  /** Whether a manifest, or content that it needs, is lost. */
  hitsVersion(digest: Digest): boolean;
  /** Whether a recipe or one of its ingredients is lost in part. */
  hitsRecipe(recipe: Pick<ListedRecipe, 'digest' | 'ingredients'>): boolean;
  hitsRepository(name: string): boolean;
}

/**
 * Reads from the index which content is lost. Every page and every list that shows the state of content asks this. About a
 * medium of another instance its verification says it.
 */
export function findDamage({ store: { index, standing }, gate }: Parts): Damage {
  const files = standing === 'foreign' || gate.guarded ? 0 : index.countLost();
  const hitsVersion = (digest: Digest): boolean => files > 0 && index.isLostBelow(digest);
  return {
    files,
    hitsVersion,
    hitsRecipe: ({ digest, ingredients }) =>
      files > 0 && [digest, ...ingredients.map((each) => each.digest)].some(hitsVersion),
    hitsRepository: (name) => files > 0 && index.isLostIn(name),
  };
}

/** The last marked list of each list of recipes. */
const marked = new WeakMap<object, readonly ListedRecipe[]>();

/**
 * Marks the recipes of which the store has lost a part. The answer is the same object until the recipes or the damage
 * change.
 */
export async function markDamaged(
  parts: Parts,
  recipes: readonly ListedRecipe[],
): Promise<readonly ListedRecipe[]> {
  const { files, hitsRecipe } = findDamage(parts);
  if (files === 0) return recipes;
  const pacer = new Pacer();
  const now: ListedRecipe[] = [];
  for (const recipe of recipes) {
    if (pacer.isDue()) await pacer.rest();
    now.push(hitsRecipe(recipe) ? { ...recipe, damaged: true } : recipe);
  }
  const before = marked.get(recipes);
  if (before?.every(({ damaged }, i) => damaged === now[i]!.damaged)) return before;
  marked.set(recipes, now);
  return now;
}
