import { Readable } from 'node:stream';
import type { Digest } from '../../base/digest.ts';
import type { PublishedRecipe } from '../../contract/recipe.ts';
import type { Descriptor } from '../../oci/descriptor.ts';
import type { CallOptions, ManifestFetcher, ManifestPusher, Prober } from '../../oci/ports.ts';
import { formatReference, type RepositoryReference } from '../../oci/reference.ts';
import { selectRecipeLayer, toRecipeArtifact } from '../../recipe/artifact.ts';
import { requireCooked } from '../../recipe/document.ts';
import type { CookedRecipe } from '../../recipe/model.ts';
import { findDocumentLines, readRecipeDocument } from '../../recipe/read-document.ts';
import { MissingBlobsError } from '../../store/missing-blobs.ts';
import { isSvcError, SvcError, svcError } from '../../text/error.ts';
import { fr } from '../../text/language.ts';
import { rule } from '../../text/rule.ts';
import { readManifest } from '../copy/read-manifest.ts';
import type { RecipePlace } from './recipe-place.ts';

interface PublishInput {
  readonly document: Buffer;
  /** Path of the document, for errors. */
  readonly file: string;
  readonly reference: RecipePlace;
  /** Time of creation, RFC 3339 in UTC. */
  readonly created: string;
}

/** A repository that a recipe can be published in. */
export interface PublishTarget extends ManifestFetcher, ManifestPusher, Pick<Prober, 'hasBlob'> {
  pushBlob(blob: Descriptor, from: () => Readable, options?: CallOptions): Promise<void>;
}

/**
 * Publishes a cooked recipe as an artifact of its cookbook. A published version never changes: publishing the
 * same document again writes nothing, so that signatures remain valid; another document is refused.
 *
 * @throws SVC-VAL-001, SVC-VAL-002 for an invalid document, or one whose name or version differs from the
 *   reference; SVC-POL-004 when the tag has other content; errors of the target
 */
export async function publishRecipe(
  open: (place: RepositoryReference) => PublishTarget,
  input: PublishInput,
  call: CallOptions = {},
): Promise<PublishedRecipe> {
  const { document, file, reference: place, created } = input;
  const { tag } = place;
  const reference = formatReference(place);
  const recipe = await readPinned(document, file, call);
  const { name, version } = recipe.metadata;
  const last = place.repository.split('/').at(-1);
  if (last !== name)
    throw svcError('SVC-VAL-001', {
      file,
      path: 'metadata.name',
      rule: rule(
        ['is {name}, but the reference ends in {last}', fr`vaut {name}, mais la référence finit par {last}`],
        { name, last },
      ),
    });
  if (tag !== version)
    throw svcError('SVC-VAL-001', {
      file,
      path: 'metadata.version',
      rule: rule(
        [
          'is {version}, but the reference has the tag {tag}',
          fr`vaut {version}, mais la référence a l’étiquette {tag}`,
        ],
        { version, tag },
      ),
    });

  const artifact = toRecipeArtifact(document, recipe, created);
  const documentDigest = artifact.blobs.at(-1)!.descriptor.digest;
  const repository = open(place);
  /** Digest of the manifest with this document. @throws SVC-POL-004 when it is another document */
  const findPublished = async (): Promise<Digest | undefined> => {
    const existing = await repository.fetchManifest(tag, call);
    if (!existing) return undefined;
    const { manifest } = await readManifest(repository, existing, reference, call);
    const published = toLayerDigest(manifest);
    const { digest } = existing.descriptor;
    if (published === documentDigest) return digest;
    // that of the manifest would be another one each time, as it has the time of publication
    const candidate = documentDigest;
    throw svcError('SVC-POL-004', { reference, published: digest, document: published, candidate });
  };
  const existing = await findPublished();
  if (existing) return { reference, digest: existing, documentDigest, unchanged: true };
  await pushArtifact(repository, tag, artifact, call);
  const own = artifact.manifest.descriptor.digest;
  // of two concurrent publishers a registry keeps the first or the last, so the tag is read again
  const digest = (await findPublished()) ?? own;
  return { reference, digest, documentDigest, unchanged: digest !== own };
}

/** Times that an artifact is pushed again: each time, content beside it was deleted in the same moment. */
const maxRepeats = 3;

/**
 * Pushes the missing parts of an artifact. If other content that shared a blob is deleted meanwhile, the blob goes too:
 * the artifact is then pushed again.
 */
async function pushArtifact(
  repository: PublishTarget,
  tag: string,
  { blobs, manifest }: ReturnType<typeof toRecipeArtifact>,
  call: CallOptions,
): Promise<void> {
  for (let repeats = 0; ; repeats += 1) {
    for (const { descriptor, bytes } of blobs)
      if (!(await repository.hasBlob(descriptor, call)))
        await repository.pushBlob(descriptor, () => Readable.from([bytes]), call);
    try {
      return await repository.pushManifest(tag, manifest, call);
    } catch (error) {
      if (!(error instanceof MissingBlobsError) || repeats === maxRepeats) throw error;
    }
  }
}

/** Digest of the recipe document; undefined when the manifest is not a recipe. */
function toLayerDigest(manifest: Parameters<typeof selectRecipeLayer>[0]): Digest | undefined {
  try {
    return selectRecipeLayer(manifest).digest;
  } catch {
    return undefined;
  }
}

/** Reads a recipe to publish. For one that is not pinned, the error names the line. */
async function readPinned(document: Uint8Array, file: string, call: CallOptions): Promise<CookedRecipe> {
  const recipe = await readRecipeDocument(document, file, call);
  try {
    return requireCooked(recipe, file);
  } catch (error) {
    if (!isSvcError(error, 'SVC-VAL-001')) throw error;
    const [line] = await findDocumentLines(document, [String(error.params.path ?? '')], call);
    const params = { ...error.params, ...(line === undefined ? {} : { line }) };
    throw new SvcError(error.code, params, { cause: error, rules: error.rules });
  }
}
