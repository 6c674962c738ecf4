import type { Digest } from '../../src/base/digest.ts';
import { type ListedRecipe, listRecipes } from '../../src/operation/list-recipes.ts';
import type { ViewParts } from './parts.ts';

type Parts = Pick<ViewParts, 'store' | 'gate' | 'instance'>;

/** What the store of this instance has lost of the content that it has records of. */
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
export function findDamage({ store: { index, standing }, gate }: Pick<Parts, 'store' | 'gate'>): Damage {
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

/** The damage of the store, and the names of the recipes that have it: `<name>@<version>`. */
export async function describeDamage(
  parts: Parts,
): Promise<{ readonly damaged: number; readonly damagedIn: readonly string[] }> {
  const { files, hitsRecipe } = findDamage(parts);
  if (files === 0) return { damaged: 0, damagedIn: [] };
  const recipes = await listRecipes(parts.instance.context.config, parts.store);
  const hit = recipes.filter(hitsRecipe).map(({ name, version }) => `${name}@${version}`);
  return { damaged: files, damagedIn: [...new Set(hit)] };
}
