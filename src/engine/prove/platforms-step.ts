import { formatPlatform, isSamePlatform, type Platform } from '../../oci/platform.ts';
import type { CallOptions } from '../../oci/ports.ts';
import { isSvcError, svcError } from '../../text/error.ts';
import { listImages } from '../copy/list-images.ts';
import { readManifest } from '../copy/read-manifest.ts';
import { readOwnPlatform } from '../copy/read-own-platform.ts';
import type { Destination } from '../promotion/model.ts';
import { type CarriedFolder, type HashedFiles, openCarried } from './carried-folder.ts';
import { type CarriedIngredient, listIngredients } from './ingredients.ts';
import type { MemoryRegistry } from './memory-registry.ts';
import type { ProofBook, StepCount } from './proof-book.ts';

interface PlatformOptions extends CallOptions {
  readonly registry: MemoryRegistry;
  readonly destination: Destination;
  readonly platforms: readonly Platform[];
  readonly files: HashedFiles;
}

/** The platforms of an image that the registry has. */
interface LandedPlatforms {
  readonly platforms: readonly Platform[];
  /** Whether a configuration was not read: no folder and no store has it whole. */
  readonly isPartial: boolean;
}

/** Requires that each image of the delivery has every platform in the registry of the zone. */
export async function checkPlatforms(
  book: ProofBook,
  folders: readonly CarriedFolder[],
  options: PlatformOptions,
): Promise<StepCount & Pick<LandedPlatforms, 'isPartial'>> {
  const images =
    options.platforms.length === 0 ? [] : listIngredients(folders, 'ContainerImage', options.destination);
  let isPartial = false;
  for (const image of images) {
    const landed = await listLanded(image, options);
    const { platforms: available } = landed;
    for (const platform of options.platforms) {
      if (available.some((one) => isSamePlatform(one, platform))) continue;
      isPartial ||= landed.isPartial;
      if (landed.isPartial) continue;
      const { reference } = image;
      const error = svcError('SVC-CLO-002', {
        reference,
        platform: formatPlatform(platform),
        available: [...new Set(available.map(formatPlatform))],
      });
      book.find('platforms', 'error', reference, error);
    }
  }
  return { checked: images.length, bytes: 0, isPartial };
}

async function listLanded(
  { folder, ingredient, repository, place, reference }: CarriedIngredient,
  { registry, files, signal }: PlatformOptions,
): Promise<LandedPlatforms> {
  let isPartial = false;
  const carried = openCarried(folder, repository, files);
  const source: typeof carried = {
    ...carried,
    fetchBlob: async (blob, call) => {
      try {
        return await carried.fetchBlob(blob, call);
      } catch (error) {
        isPartial ||= isSvcError(error, 'SVC-REG-005');
        throw error;
      }
    },
  };
  const wanted = { mediaType: '', digest: ingredient.digest, size: 0 };
  const { manifest } = await readManifest(source, wanted, reference, { signal });
  if (manifest.kind === 'image') {
    const own = await readOwnPlatform(source, manifest, reference, { signal }).catch((error: unknown) => {
      if (!isPartial) throw error;
    });
    return { platforms: own === undefined ? [] : [own], isPartial };
  }
  const manifests = registry.held(place)?.manifests;
  const images = await listImages(source, manifest, { reference, signal });
  const platforms = images.flatMap(({ descriptor, platform }) =>
    platform !== undefined && manifests?.has(descriptor.digest) ? [platform] : [],
  );
  return { platforms, isPartial };
}
