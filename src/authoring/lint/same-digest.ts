import type { Digest } from '../../base/digest.ts';
import { type Finding, ingredientPath, type PureRule } from './model.ts';

/** One digest under two names is often a copied line whose digest was not replaced. */
export const sameDigest: PureRule = function* ({ ingredients }): Generator<Finding> {
  const first = new Map<Digest, string>();
  for (const [position, { name, digest }] of ingredients.entries()) {
    if (digest === undefined) continue;
    const other = first.get(digest);
    if (other === undefined) first.set(digest, name);
    else
      yield {
        rule: 'same-digest',
        severity: 'warning',
        path: ingredientPath(position, 'digest'),
        params: { name, other },
      };
  }
};
