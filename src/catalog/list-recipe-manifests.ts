import type { Digest } from '../base/digest.ts';
import { Pacer } from '../base/pacer.ts';
import { mediaTypes } from '../oci/media-types.ts';
import type { Content } from './content.ts';
import type { ContentTable } from './content-table.ts';

/** A manifest of a recipe artifact, with the repositories that have it. */
export interface RecipeManifest {
  readonly digest: Digest;
  readonly repositories: readonly string[];
}

/** Whether a digest is known as the manifest of a recipe artifact. */
export function isRecipe(content: Content | undefined): boolean {
  return content?.facts?.artifactType === mediaTypes.recipe;
}

/** The manifests of recipe artifacts that are present, of every owner. */
export async function listRecipeManifests(contents: ContentTable): Promise<readonly RecipeManifest[]> {
  const pacer = new Pacer();
  const found: RecipeManifest[] = [];
  for (let id = 0; id < contents.end; id += 1) {
    if (pacer.isDue()) await pacer.rest();
    const content = contents.peek(id);
    if (content?.present && isRecipe(content))
      found.push({
        digest: content.digest,
        repositories: (content.links?.homes ?? []).map(({ name }) => name),
      });
  }
  return found;
}
