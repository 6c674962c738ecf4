import type { Digest } from '../base/digest.ts';
import { isSvcError, svcError } from '../base/error.ts';
import type { FilesetImage } from '../fileset/model.ts';
import type { Descriptor } from '../oci/descriptor.ts';
import { type ImageManifest, type IndexManifest, ManifestError, parseManifest } from '../oci/manifest.ts';
import { formatPlatform, isSamePlatform, parsePlatform, toPlatform } from '../oci/platform.ts';
import { parseRepositoryReference } from '../oci/reference.ts';
import type { Store } from '../store/model.ts';
import { availablePlatforms, toAbsentPlatforms } from './read-manifest.ts';
import { readOwnPlatform } from './read-own-platform.ts';
import type { FilesetGate, FilesetSetting, SelectedFileset } from './select-fileset.ts';

export type FilesetStore = Pick<Store, 'index' | 'readManifest' | 'repository'>;

/**
 * The image that a version of a file set stands for: its own manifest, or that of one platform of an index.
 *
 * @throws SVC-CFG-001 when an index has several and none is configured, SVC-REG-008 when it has not the one that is,
 *   SVC-FIL-004 for what is no image, SVC-SIG-002 and SVC-STO-001 when the store's files are not what they were
 */
export async function resolveFileset(
  store: FilesetStore,
  gate: Pick<FilesetGate, 'guarded' | 'onAltered'>,
  setting: FilesetSetting,
  { repository, tag, digest }: SelectedFileset,
): Promise<FilesetImage> {
  const { host, repository: path } = parseRepositoryReference(setting.ref);
  const reference = `${host}/${path}:${tag}`;
  const wanted = setting.platform === undefined ? undefined : parsePlatform(setting.platform);
  const read = async (of: Digest) => {
    try {
      const content = await store.readManifest(of);
      if (content) return parseManifest(content.bytes, content.descriptor.mediaType);
    } catch (error) {
      if (error instanceof ManifestError) throw toUnusable(reference, of, error.message);
      if (isSvcError(error, 'SVC-SIG-002') || isSvcError(error, 'SVC-STO-001')) gate.onAltered(of);
      throw error;
    }
    throw toUnusable(reference, of, 'it is not in the store');
  };
  const toImage = (of: Digest, manifest: ImageManifest): FilesetImage => {
    const missing = manifest.layers.find((layer) => store.index.sizeOf(layer.digest) === undefined);
    if (missing) throw toUnusable(reference, missing.digest, 'the layer is not in the store');
    return { reference, digest: of, layers: manifest.layers };
  };

  const root = await read(digest);
  if (root.kind === 'image') {
    if (wanted === undefined) return toImage(digest, root);
    const source = store.repository(repository, { owner: { provenance: 'import' } });
    const own = await readOwnPlatform(source, root, reference);
    // packed folders are for every platform, and say so
    if (own !== undefined && (own.os === 'unknown' || isSamePlatform(own, wanted)))
      return toImage(digest, root);
    throw svcError('SVC-REG-008', {
      reference,
      platforms: [formatPlatform(wanted)],
      available: own === undefined ? [] : [formatPlatform(own)],
    });
  }
  const candidates = imagesOf(root).filter(
    ({ platform }) =>
      wanted === undefined || (platform !== undefined && isSamePlatform(toPlatform(platform), wanted)),
  );
  const present = candidates.filter((child) => store.index.manifest(child.digest) !== undefined);
  if (present.length === 0 && wanted !== undefined) throw toAbsentPlatforms(reference, [wanted], root);
  if (wanted === undefined && present.length > 1) {
    throw svcError('SVC-CFG-001', {
      setting: 'files.filesets[].platform',
      detail: `${setting.name} has several platforms, one must be named: ${availablePlatforms(root).join(', ')}`,
    });
  }
  const [chosen] = present;
  if (chosen === undefined) throw toUnusable(reference, digest, 'no image of the index is in the store');
  const manifest = await read(chosen.digest);
  if (manifest.kind === 'index') throw toUnusable(reference, chosen.digest, 'an index within an index');
  return toImage(chosen.digest, manifest);
}

/** The images of an index; attestations are of an unknown platform. */
function imagesOf(index: IndexManifest): readonly Descriptor[] {
  return index.manifests.filter(({ platform }) => platform?.os !== 'unknown');
}

function toUnusable(reference: string, path: string, rule: string) {
  return svcError('SVC-FIL-004', { reference, path, rule });
}
