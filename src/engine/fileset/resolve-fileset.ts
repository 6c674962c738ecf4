import type { Digest } from '../../base/digest.ts';
import type { FilesetImage } from '../../fileset/model.ts';
import { type ImageManifest, ManifestError } from '../../oci/manifest.ts';
import { parseManifestInTurns } from '../../oci/parse-in-turns.ts';
import { formatPlatform, isSamePlatform, parsePlatform } from '../../oci/platform.ts';
import { parseRepositoryReference } from '../../oci/reference.ts';
import { isDamage } from '../../store/blobs/judge-blob.ts';
import type { Store } from '../../store/model.ts';
import { openRepository } from '../../store/open-repository.ts';
import { readStoredManifest } from '../../store/read-stored-manifest.ts';
import { svcError } from '../../text/error.ts';
import { fr } from '../../text/language.ts';
import { type Rule, rule } from '../../text/rule.ts';
import { type IndexedImage, listImages, namePlatforms } from '../copy/list-images.ts';
import { readOwnPlatform } from '../copy/read-own-platform.ts';
import type { FilesetGate, FilesetSetting, SelectedFileset } from './select-fileset.ts';

type FilesetStore = Store;

/**
 * The image of a version of a FileSet: its own manifest, or that of one platform of an index.
 *
 * @throws SVC-CFG-001 when an index has several platforms and none is configured, SVC-REG-008 when it lacks
 *   the configured one, SVC-FIL-004 for content that is not an image, SVC-SIG-002 and SVC-STO-001 for damaged
 *   files of the store
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
      const content = await readStoredManifest(store, of);
      if (content) return await parseManifestInTurns(content.bytes, content.descriptor.mediaType);
    } catch (error) {
      if (error instanceof ManifestError) throw toUnusable(reference, of, error.rule);
      if (isDamage(error)) gate.onAltered(of);
      throw error;
    }
    throw toUnusable(reference, of, rule(['it is not in the store', fr`il n’est pas dans le stockage`]));
  };
  const toImage = (of: Digest, image: ImageManifest) => toFilesetImage(store, reference, of, image);

  const root = await read(digest);
  const source = openRepository(store, repository, { owner: { provenance: 'import' } });
  if (root.kind === 'image') {
    if (wanted === undefined) return toImage(digest, root);
    const own = await readOwnPlatform(source, root, reference);
    // a packed folder is valid for every platform; its configuration has the operating system `unknown`
    if (own !== undefined && (own.os === 'unknown' || isSamePlatform(own, wanted)))
      return toImage(digest, root);
    throw svcError('SVC-REG-008', {
      reference,
      platforms: [formatPlatform(wanted)],
      available: own === undefined ? [] : [formatPlatform(own)],
    });
  }
  const images = (await listImages(source, root, { reference })).filter(isServable);
  const candidates = images.filter(
    ({ platform }) => wanted === undefined || (platform !== undefined && isSamePlatform(platform, wanted)),
  );
  const present = candidates.filter(
    ({ descriptor }) => store.index.manifest(descriptor.digest) !== undefined,
  );
  if (present.length === 0 && wanted !== undefined)
    throw svcError('SVC-REG-008', {
      reference,
      platforms: [formatPlatform(wanted)],
      available: namePlatforms(images),
    });
  if (wanted === undefined && new Set(present.map(({ descriptor }) => descriptor.digest)).size > 1) {
    throw svcError('SVC-CFG-001', {
      setting: 'files.filesets[].platform',
      detail: rule(
        [
          'is not set, and {name} has several platforms: {platforms}',
          fr`n’est pas défini, et {name} a plusieurs plateformes : {platforms}`,
        ],
        { name: setting.name, platforms: namePlatforms(images).join(', ') },
      ),
    });
  }
  const chosen = present[0]?.descriptor;
  if (chosen === undefined)
    throw toUnusable(
      reference,
      digest,
      rule(['no image of the index is in the store', fr`aucune image de l’index n’est dans le stockage`]),
    );
  const manifest = await read(chosen.digest);
  if (manifest.kind === 'index')
    throw toUnusable(
      reference,
      chosen.digest,
      rule(['an index that is named an image', fr`un index qui est nommé comme une image`]),
    );
  return toImage(chosen.digest, manifest);
}

/** Whether an image below an index is content. BuildKit attaches attestations under an unknown platform. */
export function isServable({ descriptor }: IndexedImage): boolean {
  return descriptor.platform?.os !== 'unknown';
}

/** The layers of an image for serving. @throws SVC-FIL-004 for a layer that is not in the store */
export function toFilesetImage(
  store: FilesetStore,
  reference: string,
  digest: Digest,
  { layers }: ImageManifest,
): FilesetImage {
  const missing = layers.find((layer) => store.index.sizeOf(layer.digest) === undefined);
  if (missing)
    throw toUnusable(
      reference,
      missing.digest,
      rule(['the layer is not in the store', fr`la couche n’est pas dans le stockage`]),
    );
  return { reference, digest, layers };
}

function toUnusable(reference: string, path: string, broken: Rule) {
  return svcError('SVC-FIL-004', { reference, path, rule: broken });
}
