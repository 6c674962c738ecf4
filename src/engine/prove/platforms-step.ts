import { formatPlatform, isSamePlatform, type Platform } from '../../oci/platform.ts';
import type { CallOptions } from '../../oci/ports.ts';
import { svcError } from '../../text/error.ts';
import { listImages } from '../copy/list-images.ts';
import { readManifest } from '../copy/read-manifest.ts';
import { readOwnPlatform } from '../copy/read-own-platform.ts';
import type { Destination } from '../promotion/model.ts';
import { type CarriedFolder, openCarried } from './carried-folder.ts';
import { type CarriedIngredient, listIngredients } from './ingredients.ts';
import type { MemoryRegistry } from './memory-registry.ts';
import type { ProofBook, StepCount } from './proof-book.ts';

interface PlatformOptions extends CallOptions {
  readonly registry: MemoryRegistry;
  readonly destination: Destination;
  readonly platforms: readonly Platform[];
}

/** Requires that each image of the delivery has every platform in the registry of the zone. */
export async function checkPlatforms(
  book: ProofBook,
  folders: readonly CarriedFolder[],
  options: PlatformOptions,
): Promise<StepCount> {
  const images =
    options.platforms.length === 0 ? [] : listIngredients(folders, 'ContainerImage', options.destination);
  for (const image of images) {
    const available = await listLanded(image, options);
    for (const platform of options.platforms) {
      if (available.some((one) => isSamePlatform(one, platform))) continue;
      const { reference } = image;
      const error = svcError('SVC-CLO-002', {
        reference,
        platform: formatPlatform(platform),
        available: [...new Set(available.map(formatPlatform))],
      });
      book.find('platforms', 'error', reference, error);
    }
  }
  return { checked: images.length, bytes: 0 };
}

/** The platforms of an image that the registry has. */
async function listLanded(
  { folder, ingredient, repository, place, reference }: CarriedIngredient,
  { registry, signal }: PlatformOptions,
): Promise<readonly Platform[]> {
  const source = openCarried(folder, repository);
  const wanted = { mediaType: '', digest: ingredient.digest, size: 0 };
  const { manifest } = await readManifest(source, wanted, reference, { signal });
  if (manifest.kind === 'image') {
    const own = await readOwnPlatform(source, manifest, reference, { signal });
    return own === undefined ? [] : [own];
  }
  const manifests = registry.held(place)?.manifests;
  const images = await listImages(source, manifest, { reference, signal });
  return images.flatMap(({ descriptor, platform }) =>
    platform !== undefined && manifests?.has(descriptor.digest) ? [platform] : [],
  );
}
