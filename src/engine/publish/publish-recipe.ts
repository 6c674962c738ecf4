import { Readable } from 'node:stream';
import type { Digest } from '../../base/digest.ts';
import { svcError } from '../../base/error.ts';
import type { Descriptor } from '../../oci/descriptor.ts';
import type { CallOptions, ManifestFetcher, ManifestPusher, Prober } from '../../oci/ports.ts';
import { formatReference, type RepositoryReference } from '../../oci/reference.ts';
import { selectRecipeLayer, toRecipeArtifact } from '../../recipe/artifact.ts';
import { requireCooked } from '../../recipe/document.ts';
import { readRecipeDocument } from '../../recipe/read-document.ts';
import { readManifest } from '../copy/read-manifest.ts';
import type { RecipePlace } from './recipe-place.ts';

interface PublishInput {
  readonly document: Buffer;
  /** Names the document in errors. */
  readonly file: string;
  readonly reference: RecipePlace;
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
 * @throws SVC-VAL-001, SVC-VAL-002 for the document, also where name or version contradict the place; SVC-POL-004 when
 *   the tag has other content; what the target throws
 */
export async function publishRecipe(
  open: (place: RepositoryReference) => PublishTarget,
  input: PublishInput,
  call: CallOptions = {},
): Promise<PublishedRecipe> {
  const { document, file, reference: place, created } = input;
  const { tag } = place;
  const reference = formatReference(place);
  const recipe = requireCooked(await readRecipeDocument(document, file), file);
  const { name, version } = recipe.metadata;
  const last = place.repository.split('/').at(-1);
  if (last !== name)
    throw svcError('SVC-VAL-001', {
      file,
      path: 'metadata.name',
      rule: `is ${name}, but the reference ends in ${last}`,
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
  /** The manifest that has published this document already. @throws SVC-POL-004 when it is another document */
  const findPublished = async (): Promise<Digest | undefined> => {
    const standing = await repository.fetchManifest(tag, call);
    if (!standing) return undefined;
    const { manifest } = await readManifest(repository, standing, reference, call);
    const published = toLayerDigest(manifest);
    const { digest } = standing.descriptor;
    if (published === documentDigest) return digest;
    throw svcError('SVC-POL-004', { reference, published: published ?? digest, candidate: documentDigest });
  };
  const standing = await findPublished();
  if (standing) return { reference, digest: standing, documentDigest, unchanged: true };
  for (const { descriptor, bytes } of artifact.blobs)
    if (!(await repository.hasBlob(descriptor, call)))
      await repository.pushBlob(descriptor, () => Readable.from([bytes]), call);
  await repository.pushManifest(tag, artifact.manifest, call);
  const own = artifact.manifest.descriptor.digest;
  // somebody may have published at the same time: a registry keeps the first or the last, and says so only when asked
  const digest = (await findPublished()) ?? own;
  return { reference, digest, documentDigest, unchanged: digest !== own };
}

/** The document's digest; undefined when what stands there is no recipe. */
function toLayerDigest(manifest: Parameters<typeof selectRecipeLayer>[0]): Digest | undefined {
  try {
    return selectRecipeLayer(manifest).digest;
  } catch {
    return undefined;
  }
}
