import type { Digest } from '../../base/digest.ts';
import { judgeImage } from '../../fileset/judge-image.ts';
import type { Descriptor } from '../../oci/descriptor.ts';
import type { CallOptions } from '../../oci/ports.ts';
import type { Store } from '../../store/model.ts';
import { openBlob } from '../../store/open-blob.ts';
import { openRepository } from '../../store/open-repository.ts';
import type { SvcError } from '../../text/error.ts';
import { listImages } from '../copy/list-images.ts';
import { readManifest } from '../copy/read-manifest.ts';
import { isServable, toFilesetImage } from './resolve-fileset.ts';

/**
 * Checks whether a FileSet of the store can be served: its image, or each image of its index that the store
 * has.
 *
 * @param reference names it in errors
 * @returns SVC-FIL-004 for the first image that cannot be served
 * @throws errors of reading the store
 */
export async function judgeFileset(
  store: Store,
  repository: string,
  root: Descriptor,
  options: CallOptions & { readonly reference: string },
): Promise<SvcError | undefined> {
  const { reference } = options;
  const source = openRepository(store, repository, { owner: { provenance: 'recipe' } });
  const { manifest } = await readManifest(source, root, reference, options);
  const images =
    manifest.kind === 'image'
      ? [root]
      : (await listImages(source, manifest, options)).filter(isServable).map(({ descriptor }) => descriptor);
  const judgedImages = new Set<Digest>();
  for (const descriptor of images) {
    // one image may be named for any number of platforms
    if (judgedImages.has(descriptor.digest)) continue;
    judgedImages.add(descriptor.digest);
    if (store.index.manifest(descriptor.digest) === undefined) continue;
    const { manifest: image } = await readManifest(source, descriptor, reference, options);
    if (image.kind === 'index') continue;
    const judged = toFilesetImage(store, reference, descriptor.digest, image);
    const refusal = await judgeImage(judged, (digest) => openBlob(store, digest), options);
    if (refusal) return refusal;
  }
  return undefined;
}
