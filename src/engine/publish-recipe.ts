import { Readable } from 'node:stream';
import type { Digest } from '../base/digest.ts';
import { svcError } from '../base/error.ts';
import type { Descriptor } from '../oci/descriptor.ts';
import type { CallOptions, ManifestFetcher, ManifestPusher, Prober } from '../oci/ports.ts';
import { formatReference, type Reference, type RepositoryReference } from '../oci/reference.ts';
import { selectRecipeLayer, toRecipeArtifact } from '../recipe/artifact.ts';
import { parseRecipe, requireCooked } from '../recipe/document.ts';
import { readManifest } from './read-manifest.ts';

export interface PublishInput {
  readonly document: Buffer;
  /** Names the document in errors. */
  readonly file: string;
  /** With a tag, without a digest. */
  readonly reference: Reference;
  /** RFC 3339 UTC. */
  readonly created: string;
}

export interface PublishedRecipe {
  readonly reference: string;
  readonly digest: Digest;
  readonly documentDigest: Digest;
  /** The tag had the same document: nothing was written. */
  readonly unchanged: boolean;
}

/** A repository that a recipe can be published in. */
export interface PublishTarget extends ManifestFetcher, ManifestPusher, Pick<Prober, 'hasBlob'> {
  pushBlob(blob: Descriptor, from: () => Readable, options?: CallOptions): Promise<void>;
}

/**
 * Publishes a cooked recipe as the artifact of its cookbook. A published version never changes: the same document again
 * writes nothing, so that signatures stay valid; another one is refused.
 *
 * @throws SVC-VAL-001, SVC-VAL-002 for the document; SVC-REG-001 for the reference, also where it contradicts name or
 *   version; SVC-POL-004 when the tag has other content; what the target throws
 */
export async function publishRecipe(
  open: (place: RepositoryReference) => PublishTarget,
  input: PublishInput,
  call: CallOptions = {},
): Promise<PublishedRecipe> {
  const { document, file, reference: place, created } = input;
  const { tag } = place;
  const reference = formatReference(place);
  if (tag === undefined || place.digest !== undefined)
    throw svcError('SVC-REG-001', { reference, rule: 'must be <registry>/<cookbook>/<name>:<version>' });
  const recipe = requireCooked(parseRecipe(document, file), file);
  const { name, version } = recipe.metadata;
  const segments = place.repository.split('/');
  if (segments.length < 2)
    throw svcError('SVC-REG-001', { reference, rule: 'must name a cookbook before the recipe' });
  if (segments.at(-1) !== name)
    throw svcError('SVC-VAL-001', {
      file,
      path: 'metadata.name',
      rule: `is ${name}, but the reference ends in ${segments.at(-1)}`,
    });
  if (tag !== version)
    throw svcError('SVC-VAL-001', {
      file,
      path: 'metadata.version',
      rule: `is ${version}, but the reference has the tag ${tag}`,
    });

  const artifact = toRecipeArtifact(document, recipe, created);
  const documentDigest = artifact.blobs.at(-1)!.descriptor.digest;
  const repository = open(place);
  const standing = await repository.fetchManifest(tag, call);
  if (standing) {
    const { manifest } = await readManifest(repository, standing, reference, call);
    const published = toLayerDigest(manifest);
    const { digest } = standing.descriptor;
    if (published === documentDigest) return { reference, digest, documentDigest, unchanged: true };
    throw svcError('SVC-POL-004', { reference, published: published ?? digest, candidate: documentDigest });
  }
  for (const { descriptor, bytes } of artifact.blobs)
    if (!(await repository.hasBlob(descriptor, call)))
      await repository.pushBlob(descriptor, () => Readable.from([bytes]), call);
  await repository.pushManifest(tag, artifact.manifest, call);
  return { reference, digest: artifact.manifest.descriptor.digest, documentDigest, unchanged: false };
}

/** The document's digest; undefined when what stands there is no recipe. */
function toLayerDigest(manifest: Parameters<typeof selectRecipeLayer>[0]): Digest | undefined {
  try {
    return selectRecipeLayer(manifest).digest;
  } catch {
    return undefined;
  }
}
