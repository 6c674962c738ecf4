import type { Plan } from '../../../contract/plan.ts';
import type { Descriptor } from '../../../oci/descriptor.ts';
import type { ContentPlan } from '../plan-sync.ts';
import type { DestinationState } from '../read-destination.ts';

type Asked = Pick<DestinationState, 'statuses' | 'recipes'>;

/**
 * Measures the content that a run pushes into the destination, from the tags that are there. Pure.
 *
 * The bytes are an upper limit. A part that the destination has under another tag is counted. One that several of its
 * repositories need counts for each, because not every registry mounts it. Signatures are not counted: nobody knows
 * them before they are collected.
 */
export function measurePush({ recipes }: ContentPlan, asked: Asked): NonNullable<Plan['promotion']> {
  const pushed = new Map<string, number>();
  let unasked = 0;
  const add = (repository: string, status: string | undefined, contents: readonly Descriptor[]): void => {
    if (status === undefined) unasked += 1;
    else if (status !== 'up-to-date')
      for (const { digest, size } of contents) pushed.set(`${repository} ${digest}`, size);
  };
  for (const { resolution, ingredients } of recipes) {
    const { recipe } = resolution;
    // a recipe that cannot be carried is not promoted
    if (recipe.outcome === 'failed' || resolution.ingredients.some(({ error }) => error)) continue;
    for (const work of ingredients) {
      const { repository, graph } = work.ingredient;
      add(repository, asked.statuses.get(work), graph ? [...graph.manifests, ...graph.blobs] : []);
    }
    add(recipe.repository, asked.recipes.get(recipe), [recipe.descriptor, recipe.config, recipe.layer]);
  }
  let bytes = 0;
  for (const size of pushed.values()) bytes += size;
  return { bytes, unasked };
}
