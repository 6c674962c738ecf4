import { type Digest, digestAlgorithm, hashBytes } from '../../base/digest.ts';
import { isSvcError, svcError } from '../../base/error.ts';
import type { Descriptor } from '../../oci/descriptor.ts';
import { blobsOf, type Manifest, ManifestError, manifestLimits, parseManifest } from '../../oci/manifest.ts';
import { formatPlatform, isSamePlatform, type Platform, toPlatform } from '../../oci/platform.ts';
import { formatReference } from '../../oci/reference.ts';
import { selectChildren } from '../../oci/select-children.ts';
import type { CookedRecipe, Ingredient } from '../../recipe/model.ts';
import { blobPath, checkBlob, type MediumFiles, type ReachedFiles } from './judge-file.ts';

/** A small blob whole, hashed in the buffer that is returned. @throws SVC-MED-012, SVC-MED-014 */
export async function readBlob(files: MediumFiles, digest: Digest, limit: number): Promise<Buffer> {
  const path = blobPath(digest);
  let bytes: Buffer;
  try {
    bytes = await files.read(path, limit);
  } catch (error) {
    throw svcError('SVC-MED-014', {
      path,
      detail: isSvcError(error) ? (error.detail ?? error.code) : 'unreadable',
    });
  }
  const actual = hashBytes(bytes, digestAlgorithm(digest));
  if (actual !== digest) throw svcError('SVC-MED-012', { path, expected: digest, actual });
  return bytes;
}

/** The manifest's own bytes: the buffer that is judged here is the one that its digest is checked against. */
export async function readManifest(
  files: MediumFiles,
  digest: Digest,
  size: number | undefined,
  reached: ReachedFiles,
): Promise<{ readonly manifest: Manifest; readonly bytes: Buffer }> {
  checkBlob(files, digest, size, reached);
  const path = blobPath(digest);
  let bytes: Buffer;
  try {
    bytes = await files.read(path, manifestLimits.bytes);
  } catch (error) {
    throw svcError('SVC-MED-014', {
      path,
      detail: isSvcError(error) ? (error.detail ?? error.code) : 'unreadable',
    });
  }
  const actual = hashBytes(bytes, digestAlgorithm(digest));
  if (actual !== digest) throw svcError('SVC-MED-012', { path, expected: digest, actual });
  try {
    return { manifest: parseManifest(bytes), bytes };
  } catch (error) {
    if (!(error instanceof ManifestError)) throw error;
    throw svcError('SVC-MED-014', { path, detail: error.message });
  }
}

async function readConfigPlatform(files: MediumFiles, config: Descriptor): Promise<Platform | undefined> {
  if (config.size > manifestLimits.bytes) return undefined;
  try {
    const document = JSON.parse(
      (await files.read(blobPath(config.digest), manifestLimits.bytes)).toString('utf8'),
    );
    return typeof document?.os === 'string' && typeof document?.architecture === 'string'
      ? toPlatform(document)
      : undefined;
  } catch {
    return undefined;
  }
}

/**
 * Walks one ingredient from its pinned digest through the manifests' own bytes and checks every file it needs.
 *
 * @throws SVC-MED-010 … SVC-MED-014, SVC-REG-008 (a platform that the recipe demands is not offered), SVC-SIG-003
 */
async function checkIngredient(
  files: MediumFiles,
  ingredient: Ingredient & { readonly digest: Digest },
  reached: ReachedFiles,
): Promise<void> {
  const walked = new Set<Digest>();
  const absent = (platforms: readonly Platform[], available: readonly string[]) =>
    svcError('SVC-REG-008', {
      reference: `${formatReference(ingredient.ref)}:${ingredient.version}`,
      platforms: platforms.map(formatPlatform),
      available,
    });
  const walk = async (digest: Digest, size: number | undefined, depth: number): Promise<void> => {
    if (walked.has(digest)) return;
    walked.add(digest);
    const { manifest } = await readManifest(files, digest, size, reached);
    if (manifest.kind === 'image') {
      for (const blob of blobsOf(manifest)) checkBlob(files, blob.digest, blob.size, reached);
      if (depth === 0 && ingredient.platforms.length > 0) {
        const own = await readConfigPlatform(files, manifest.config);
        const missing = ingredient.platforms.filter((platform) => !own || !isSamePlatform(own, platform));
        if (missing.length > 0) throw absent(missing, own ? [formatPlatform(own)] : []);
      }
      if (depth === 0 && ingredient.artifactType !== undefined) {
        const actual = manifest.artifactType ?? manifest.config.mediaType;
        if (actual !== ingredient.artifactType) {
          throw svcError('SVC-SIG-003', { expected: ingredient.artifactType, actual, reference: digest });
        }
      }
      return;
    }
    if (depth >= manifestLimits.nesting) {
      throw svcError('SVC-MED-014', {
        path: blobPath(digest),
        detail: `nested deeper than ${manifestLimits.nesting}`,
      });
    }
    const { children, missing } = selectChildren(manifest, depth === 0 ? ingredient.platforms : []);
    if (missing.length > 0) {
      const available = manifest.manifests.flatMap((child) =>
        child.platform ? [formatPlatform(toPlatform(child.platform))] : [],
      );
      throw absent(missing, [...new Set(available)]);
    }
    for (const child of children) await walk(child.digest, child.size, depth + 1);
  };
  await walk(ingredient.digest, undefined, 0);
}

/** Checks every ingredient of a verified recipe. @throws as `checkIngredient` does, at the first file that fails */
export async function checkIngredients(
  files: MediumFiles,
  recipe: CookedRecipe,
  reached: ReachedFiles,
): Promise<void> {
  for (const ingredient of recipe.ingredients) await checkIngredient(files, ingredient, reached);
}
