import type { Rehearsal } from '../scene/rehearsal.ts';
import type { Artifact } from './content.ts';
import { type Origin, publishRecipe } from './origin.ts';

/** The ingredients of each recipe: images by name. */
export type Demand = Readonly<Record<string, Readonly<Record<string, Artifact>>>>;

/** A recipe of its own for each image, by its name. */
export const toDemand = (images: ReadonlyMap<string, Artifact>): Demand =>
  Object.fromEntries([...images].map(([name, image]) => [name, { [name]: image }]));

/**
 * Puts every image at the origin as `shop/<name>:1.0`, publishes the recipes, signed, in version 1.0.0, and writes a
 * Retriever that wants them all.
 *
 * @returns the path of the Retriever
 */
export async function demand(world: Rehearsal, origin: Origin, recipes: Demand): Promise<string> {
  for (const [recipe, images] of Object.entries(recipes)) {
    for (const [name, image] of Object.entries(images)) await origin.put(`shop/${name}`, image, '1.0');
    await publishRecipe(origin, {
      name: recipe,
      version: '1.0.0',
      ingredients: Object.entries(images).map(([name, { manifest }]) => ({
        name,
        repository: `shop/${name}`,
        version: '1.0',
        digest: manifest.descriptor.digest,
      })),
      signatures: [{ signer: world.signer, layout: recipe.length % 2 ? 'classic' : 'bundle' }],
    });
  }
  return world.retriever('zone', {
    cookbook: `${origin.host}/cookbook`,
    recipes: Object.keys(recipes).map((name) => ({ name, version: '^1' })),
  });
}
