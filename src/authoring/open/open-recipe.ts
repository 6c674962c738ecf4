import { type Digest, hashBytes } from '../../base/digest.ts';
import { readBlob } from '../../engine/copy/read-blob.ts';
import { readManifest } from '../../engine/copy/read-manifest.ts';
import type { CallOptions, SignedSource, Source } from '../../oci/ports.ts';
import { formatReference, parseReference, type RepositoryReference } from '../../oci/reference.ts';
import type { Context } from '../../operation/context.ts';
import { selectRecipeLayer } from '../../recipe/artifact.ts';
import { requireIdentity } from '../../recipe/identity.ts';
import type { Recipe } from '../../recipe/model.ts';
import { type DocumentCaller, readRecipeDocument } from '../../recipe/read-document.ts';
import { svcError } from '../../text/error.ts';
import { fr } from '../../text/language.ts';
import { rule } from '../../text/rule.ts';
import { collectSignatures } from '../../trust/discover.ts';
import { judgeFound } from '../../trust/judge-found.ts';
import type { SignatureVerdict, TrustPolicy } from '../../trust/model.ts';
import { toScopePath } from '../../trust/scope.ts';

/** A recipe, and where its content is read. */
export interface OpenedRecipe {
  readonly recipe: Recipe;
  /** File or reference, for errors and reports. */
  readonly named: string;
  readonly documentDigest: Digest;
  /** Digest of the published manifest; absent for a file. */
  readonly digest?: Digest;
  /** Verdict on the signatures under the configured roots; absent for a file. */
  readonly verdict?: SignatureVerdict;
  /** Where ingredients are read. */
  readonly readsFrom: 'registries' | 'store';
  /** Opens the repository of an ingredient. */
  open(ref: RepositoryReference): Source;
}

type Remote = Pick<Context, 'registry' | 'policy'>;

/** Opens a recipe document. @throws SVC-VAL-001, SVC-VAL-002; the reason of the signal of the caller */
export async function openRecipeDocument(
  { registry }: Pick<Remote, 'registry'>,
  { document, file, ...caller }: DocumentCaller & { readonly document: Uint8Array; readonly file: string },
): Promise<OpenedRecipe> {
  return {
    recipe: await readRecipeDocument(document, file, caller),
    named: file,
    documentDigest: hashBytes(document),
    readsFrom: 'registries',
    open: (ref) => registry.repository(ref),
  };
}

/**
 * Opens a published recipe: `<registry>/<cookbook>/<name>:<version>`, or with a digest.
 *
 * @throws SVC-REG-001 for another reference, SVC-REG-005 when there is none, SVC-SIG-002, SVC-SIG-003, SVC-VAL-001, errors
 *   of the registry
 */
export async function openPublishedRecipe(
  { registry, policy }: Remote,
  reference: string,
  call: CallOptions = {},
): Promise<OpenedRecipe> {
  const place = parseReference(reference);
  const wanted = place.digest ?? place.tag;
  if (wanted === undefined)
    throw svcError('SVC-REG-001', {
      reference,
      rule: rule(['must have a version or a digest', fr`doit avoir une version ou une empreinte`]),
    });
  const remote = registry.repository(place);
  const descriptor = await remote.resolve(wanted, call);
  if (!descriptor) throw remote.toNotFound(wanted);
  const read = await readPublished(remote, descriptor.digest, place, policy, call);
  return { ...read, named: reference, readsFrom: 'registries', open: (ref) => registry.repository(ref) };
}

/**
 * Reads a published recipe and judges its signatures.
 *
 * @param place nominal reference of the recipe
 * @throws SVC-SIG-002, SVC-SIG-003, SVC-VAL-001, errors of the source
 */
export async function readPublished(
  source: SignedSource,
  digest: Digest,
  place: RepositoryReference & { readonly tag?: string },
  policy: TrustPolicy,
  call: CallOptions,
): Promise<Omit<OpenedRecipe, 'named' | 'readsFrom' | 'open'>> {
  const reference = formatReference({ ...place, digest });
  const { manifest } = await readManifest(source, { mediaType: '', digest, size: 0 }, reference, call);
  const layer = selectRecipeLayer(manifest);
  const document = await readBlob(source, layer, reference, call);
  const recipe = await readRecipeDocument(document, reference, call);
  requireIdentity(
    recipe,
    { repository: place.repository, tag: place.tag ?? recipe.metadata.version },
    reference,
  );
  const found = await collectSignatures(source, digest, call);
  const verdict = await judgeFound(digest, found, policy, toScopePath(place));
  return { recipe, documentDigest: layer.digest, digest, verdict };
}
