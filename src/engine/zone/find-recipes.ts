import { forEachBounded } from '../../base/concurrency.ts';
import type { Digest } from '../../base/digest.ts';
import { effectiveArtifactType, ManifestError, parseManifest } from '../../oci/manifest.ts';
import { mediaTypes } from '../../oci/media-types.ts';
import type { CallOptions, ManifestContent } from '../../oci/ports.ts';
import { isAttachmentTag } from '../../oci/reference.ts';
import type { RemoteRegistry } from '../../remote/model.ts';
import { isSvcError } from '../../text/error.ts';
import type { Destination } from '../promotion/model.ts';
import { toRecipeDestination } from '../sync/recipe-places.ts';

/** A tag in the cookbook of a zone whose content says that it is a recipe. Nothing is verified. */
export interface TaggedRecipe {
  readonly name: string;
  readonly version: string;
  /** Repository at the destination. */
  readonly repository: string;
  readonly digest: Digest;
}

/**
 * Lists the recipes in the cookbook of a zone: all tags below each name. Ingredients that are there too are left out.
 *
 * @param names of recipes; those that the registry does not have are passed over
 * @throws errors of the client
 */
export async function findRecipes(
  names: Iterable<string>,
  { registry, destination }: { readonly registry: RemoteRegistry; readonly destination: Destination },
  call: CallOptions,
): Promise<readonly TaggedRecipe[]> {
  const found: TaggedRecipe[] = [];
  await forEachBounded(new Set(names), 4, async (name) => {
    const place = toPlace(destination, name);
    if (place === undefined) return;
    const repository = registry.repository(place, { access: 'push', substitute: false });
    const tags = (await repository.listTags(call)).filter((tag) => !isAttachmentTag(tag));
    await forEachBounded(tags, 4, async (version) => {
      const content = await repository.fetchManifest(version, call);
      if (content === undefined || !isRecipe(content)) return;
      found.push({ name, version, repository: place.repository, digest: content.descriptor.digest });
    });
  });
  const keyOf = ({ name, version }: TaggedRecipe): string => `${name}:${version}`;
  return found.sort((a, b) => (keyOf(a) < keyOf(b) ? -1 : 1));
}

/** @returns undefined for a name that no repository can have */
function toPlace(destination: Destination, name: string) {
  try {
    return toRecipeDestination(destination, name);
  } catch (error) {
    if (isSvcError(error, 'SVC-DST-001')) return undefined;
    throw error;
  }
}

function isRecipe({ bytes, descriptor }: ManifestContent): boolean {
  try {
    return effectiveArtifactType(parseManifest(bytes, descriptor.mediaType)) === mediaTypes.recipe;
  } catch (error) {
    if (error instanceof ManifestError) return false;
    throw error;
  }
}
