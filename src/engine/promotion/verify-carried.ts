import type { RecipeRecord } from '../../catalog/model.ts';
import type { Descriptor } from '../../oci/descriptor.ts';
import type { SignedSource } from '../../oci/ports.ts';
import { formatReference, parseRepositoryReference } from '../../oci/reference.ts';
import { selectRecipeLayer } from '../../recipe/artifact.ts';
import { requireCooked } from '../../recipe/document.ts';
import { requireIdentity } from '../../recipe/identity.ts';
import type { CookedRecipe } from '../../recipe/model.ts';
import { readRecipeDocument } from '../../recipe/read-document.ts';
import { recipeRepository } from '../../recipe/relocation.ts';
import { collectSignatures, type FoundSignatures } from '../../trust/discover.ts';
import { judgeFound } from '../../trust/judge-found.ts';
import type { TrustPolicy } from '../../trust/model.ts';
import { toScopePath } from '../../trust/scope.ts';
import { type HeldContent, holdSignatures } from '../copy/held-content.ts';
import { readBlob } from '../copy/read-blob.ts';
import { readManifest } from '../copy/read-manifest.ts';
import { toSignatureError } from '../sync/resolve-recipe.ts';

/** A verified recipe, read from local bytes. */
export interface CarriedRecipe {
  readonly document: CookedRecipe;
  readonly layer: Descriptor;
  readonly found: FoundSignatures;
  /** False: a scope admits it without a signature. */
  readonly isSigned: boolean;
}

interface VerifyCarriedOptions {
  readonly source: (repository: string) => SignedSource;
  readonly policy: TrustPolicy;
  readonly allowUnsigned?: boolean;
  readonly signal?: AbortSignal | undefined;
}

/**
 * Verifies a recipe from its current local bytes: artifact, signatures, document. The bytes are held, so that
 * the same bytes are pushed.
 *
 * @throws SVC-SIG-001, SVC-SIG-002, SVC-SIG-003, SVC-VAL-001, SVC-REG-005, errors of the source
 */
export async function verifyCarried(
  record: Pick<RecipeRecord, 'name' | 'version' | 'cookbook' | 'repository' | 'digest'>,
  held: HeldContent,
  options: VerifyCarriedOptions,
): Promise<CarriedRecipe> {
  const { policy, signal, allowUnsigned } = options;
  const call = { signal };
  const cookbook = parseRepositoryReference(record.cookbook);
  const nominal = recipeRepository(cookbook, record.name);
  const reference = `${formatReference(nominal)}:${record.version}`;
  const local = options.source(record.repository);
  const wanted = { mediaType: '', digest: record.digest, size: 0 };
  const { content, manifest } = await readManifest(local, wanted, reference, call);
  held.holdManifest(content);
  const layer = selectRecipeLayer(manifest);
  const found = await collectSignatures(local, record.digest, call);
  holdSignatures(held, found);
  const verdict = await judgeFound(record.digest, found, policy, toScopePath(nominal), { allowUnsigned });
  if (verdict.outcome === 'refused') throw toSignatureError(verdict, reference);
  const bytes = await readBlob(local, layer, reference, call);
  held.holdBlob(layer.digest, bytes);
  const document = requireCooked(await readRecipeDocument(bytes, reference), reference);
  requireIdentity(document, { repository: nominal.repository, tag: record.version }, reference);
  return { document, layer, found, isSigned: verdict.outcome === 'verified' };
}
