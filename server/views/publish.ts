import { type Digest, hashBytes } from '../../src/base/digest.ts';
import type { RegistryBase } from '../../src/client/node-mirrors.ts';
import type { RecipeMapping } from '../../src/contract/recipe.ts';
import { formatPlatform } from '../../src/oci/platform.ts';
import { formatReference } from '../../src/oci/reference.ts';
import { mapRecipe } from '../../src/operation/map-recipe.ts';
import { requireCooked } from '../../src/recipe/document.ts';
import { readRecipeDocument } from '../../src/recipe/read-document.ts';
import { svcError } from '../../src/text/error.ts';
import type { ViewCaller, ViewParts } from './parts.ts';
import { largestDocument } from './plan.ts';

export interface RecipePreview {
  readonly name: string;
  readonly version: string;
  readonly description?: string;
  /** Of the bytes of the document. */
  readonly documentDigest: Digest;
  /** Each ingredient with its digest, and its reference for nodes. */
  readonly ingredients: RecipeMapping['versions'][number]['ingredients'];
  /** Where this instance would keep the recipe: `<host>/<cookbook>/<name>:<version>`. */
  readonly reference: string;
}

/** The cookbook that is proposed where none is configured. */
const ownCookbook = 'cookbook';

/**
 * Reads a recipe as publishing reads it, without publishing it.
 *
 * @param query.reached address of this instance, as the request reached it
 * @throws SVC-VAL-001, SVC-VAL-002; the reason of the signal
 */
export async function previewRecipe(
  { instance, identity, signal }: Pick<ViewParts, 'instance'> & ViewCaller,
  { document, reached }: { readonly document: string; readonly reached: RegistryBase },
): Promise<RecipePreview> {
  const bytes = Buffer.from(document);
  const file = 'document';
  if (bytes.length > largestDocument) throw svcError('SVC-VAL-002', { limit: largestDocument, file });
  const { metadata, ingredients } = requireCooked(
    await readRecipeDocument(bytes, file, { actor: identity.actor, signal }),
    file,
  );
  const { name, version, description } = metadata;
  const { config } = instance.context;
  const { registry, cookbook: configured } = config.destination;
  const cookbook = registry === undefined ? ownCookbook : configured;
  // the artifact has no digest before it is published; a mapping does not depend on it
  const digest = hashBytes(bytes);
  const mapped = mapRecipe(
    config,
    [
      {
        name,
        version,
        cookbook,
        repository: `${cookbook}/${name}`,
        tag: version,
        digest,
        documentDigest: digest,
        verified: false,
        ingredients: ingredients.map((each) => ({
          name: each.name,
          kind: each.kind,
          ref: formatReference(each.ref),
          repository: each.ref.repository,
          tag: each.version,
          digest: each.digest,
          ...(each.platforms.length > 0 ? { platforms: each.platforms.map(formatPlatform) } : {}),
        })),
      },
    ],
    { recipe: name, reached },
  );
  return {
    name,
    version,
    description,
    documentDigest: digest,
    ingredients: mapped.versions[0]!.ingredients,
    reference: `${reached.host}/${cookbook}/${name}:${version}`,
  };
}
