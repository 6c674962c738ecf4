import type { RecipeVerdict } from '../../src/contract/medium.ts';
import { findVerification } from './media.ts';
import type { ViewParts } from './parts.ts';

/** Lists the recipes that the last verification withholds, while others of the same medium are served. */
export function listBlocked({
  gate,
  instance,
}: Pick<ViewParts, 'gate' | 'instance'>): readonly RecipeVerdict[] {
  if (!gate.guarded || gate.refusal() !== undefined) return [];
  return (findVerification({ instance })?.report?.recipes ?? []).filter(({ pushable }) => !pushable);
}
