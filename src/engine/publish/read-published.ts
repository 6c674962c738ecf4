import type { Descriptor } from '../../oci/descriptor.ts';
import { type ContentKind, kindOf } from '../../oci/kind.ts';
import type { CallOptions } from '../../oci/ports.ts';
import { formatReference, type Reference } from '../../oci/reference.ts';
import { selectRecipeLayer } from '../../recipe/artifact.ts';
import { requireCooked } from '../../recipe/document.ts';
import { requireIdentity } from '../../recipe/identity.ts';
import type { CookedRecipe } from '../../recipe/model.ts';
import { readRecipeDocument } from '../../recipe/read-document.ts';
import type { RemoteRepository } from '../../remote/model.ts';
import { svcError } from '../../text/error.ts';
import { fr } from '../../text/language.ts';
import { type Rule, rule } from '../../text/rule.ts';
import { readBlob } from '../copy/read-blob.ts';
import { readManifest } from '../copy/read-manifest.ts';

/** Name of each kind in a sentence. */
const kindNames: Readonly<Record<Exclude<ContentKind, 'Recipe'>, Rule>> = {
  ContainerImage: rule(['a container image', fr`une image de conteneur`]),
  HelmChart: rule(['a Helm chart', fr`un chart Helm`]),
  OCIArtifact: rule(['an artifact of another type', fr`un artefact d’un autre type`]),
  FileSet: rule(['a FileSet', fr`un FileSet`]),
};

/** A recipe as a registry has it: its bytes have their digests, its document is cooked and belongs there. */
export interface PublishedDocument {
  /** `<host>/<path>@<digest>`. */
  readonly reference: string;
  readonly manifest: Descriptor;
  readonly recipe: CookedRecipe;
}

/**
 * Reads a published recipe completely. A tag is resolved once; everything else is read by digest. Its signatures
 * are not looked at.
 *
 * @throws SVC-REG-001 without a tag and a digest, SVC-REG-005 when it is not there, SVC-SIG-002 for other bytes,
 *   SVC-SIG-003 for another artifact, or a recipe that belongs elsewhere, SVC-VAL-001 for an invalid document, errors
 *   of the registry
 */
export async function readPublished(
  repository: RemoteRepository,
  place: Reference,
  call: CallOptions = {},
): Promise<PublishedDocument> {
  const wanted = place.digest ?? place.tag;
  const named = formatReference(place);
  if (wanted === undefined)
    throw svcError('SVC-REG-001', {
      reference: named,
      rule: rule(['must name a tag or a digest', fr`doit nommer une étiquette ou une empreinte`]),
    });
  const found = await repository.fetchManifest(wanted, call);
  if (!found) throw repository.toNotFound(wanted);
  const { content, manifest } = await readManifest(repository, found, named, call);
  const kind = kindOf(manifest);
  if (kind !== 'Recipe')
    throw svcError('SVC-SIG-003', {
      expected: rule(['a recipe', fr`une recette`]),
      actual: kindNames[kind],
      // a digest, as the tag can move until somebody signs it
      reference: formatReference({
        host: place.host,
        repository: place.repository,
        digest: content.descriptor.digest,
      }),
      problem: 'no-recipe',
    });
  const layer = selectRecipeLayer(manifest);
  const recipe = await readRecipeDocument(await readBlob(repository, layer, named, call), named, call);
  const { repository: path, host, tag = recipe.metadata.version } = place;
  requireIdentity(recipe, { repository: path, tag }, named);
  return {
    reference: formatReference({ host, repository: path, digest: content.descriptor.digest }),
    manifest: content.descriptor,
    recipe: requireCooked(recipe, named),
  };
}
