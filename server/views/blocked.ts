import type { RecipeVerdict } from '../../src/contract/medium.ts';
import type { ViewParts } from './parts.ts';

/** Lists the recipes that the last verification withholds, while others of the same medium are served. */
export function listBlocked({
  gate,
  operations,
}: Pick<ViewParts, 'gate' | 'operations'>): readonly RecipeVerdict[] {
  if (!gate.guarded || gate.refusal() !== undefined) return [];
  return (operations.media?.verification().report?.recipes ?? []).filter(({ pushable }) => !pushable);
}
