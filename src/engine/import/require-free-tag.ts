import type { Digest } from '../../base/digest.ts';
import { svcError } from '../../base/error.ts';
import type { StoreIndex } from '../../store/model.ts';

/**
 * A unit import never takes a tag away from a recipe, and never changes a published recipe.
 *
 * @throws SVC-POL-002, SVC-POL-004
 */
export function requireFreeTag(
  index: Pick<StoreIndex, 'tag'>,
  repository: string,
  tag: string,
  candidate: Digest,
): void {
  const known = index.tag(repository, tag);
  if (known === undefined || known.held || known.digest === candidate) return;
  const recipes = known.owners.flatMap(({ provenance, recipe }) =>
    provenance === 'recipe' ? [recipe ?? 'unknown'] : [],
  );
  if (recipes.length > 0) throw svcError('SVC-POL-002', { repository: `${repository}:${tag}`, recipes });
  if (known.kind === 'Recipe')
    throw svcError('SVC-POL-004', {
      reference: `${repository}:${tag}`,
      published: known.digest,
      candidate,
    });
}

/** Whether a tag names other content now, which may then be reached by nothing. */
export function isReplacement(
  index: Pick<StoreIndex, 'tag'>,
  repository: string,
  tag: string,
  candidate: Digest,
): boolean {
  const known = index.tag(repository, tag);
  return known !== undefined && known.digest !== candidate;
}
