import type { Digest } from '../base/digest.ts';
import type { Owner } from '../contract/content.ts';
import type { ContentKind } from '../oci/kind.ts';
import type { Manifest } from '../oci/manifest.ts';
import { effectiveArtifactType } from '../oci/manifest.ts';
import { mediaTypes } from '../oci/media-types.ts';
import { canonicalHost, isAttachmentTag } from '../oci/reference.ts';
import { svcError } from '../text/error.ts';
import type { Publication, TagRecord } from './model.ts';

/** Content about to be put under a tag. The manifest is required when `needsManifests` returns true. */
interface TagCandidate {
  readonly digest: Digest;
  readonly kind?: ContentKind;
  readonly owner: Owner;
  readonly manifest?: Manifest | undefined;
}

interface TagPlace {
  readonly repository: string;
  readonly tag: string;
}

/** Current content of a tag. */
export type TagStanding = Pick<TagRecord, 'digest' | 'kind' | 'owners' | 'held'> & {
  readonly manifest?: Manifest | undefined;
};

/** `set`: the tag will name the candidate. `keep`: the tag keeps its content. */
export type TagDecision = 'set' | 'keep';

/** Limits of the signatures of a recorded recipe that a client may add to, lower than those of a verification. */
export const signatureRoom = { count: 256, bytes: 16_777_216 } as const;

/** Returns the names of the recipes among owners. */
export function recipesOf(owners: readonly Owner[]): readonly string[] {
  return owners.flatMap(({ provenance, recipe }) => (provenance === 'recipe' ? [recipe ?? 'unknown'] : []));
}

/** Returns whether an owner is the recipe published under this tag; any other recipe owns the tag of an ingredient. */
export function isPublisher({ recipe, cookbook }: Owner, { repository, tag }: TagPlace): boolean {
  const slash = repository.lastIndexOf('/');
  if (recipe !== `${repository.slice(slash + 1)}@${tag}`) return false;
  if (cookbook === undefined) return true;
  // the configuration may add a prefix before the relocated cookbook (`storage.basePrefix`)
  const [host = '', ...path] = cookbook.split('/');
  const relocated = `/${[canonicalHost(host).replace(':', '_'), ...path].join('/')}`;
  return `/${repository.slice(0, slash)}`.endsWith(relocated);
}

export function isPacked(owners: readonly Owner[]): boolean {
  return owners.some(({ provenance }) => provenance === 'local-pack');
}

/** Returns the digest of the recipe document of a recipe artifact; undefined for any other manifest. */
export function documentOf(manifest: Manifest | undefined): Digest | undefined {
  if (manifest?.kind !== 'image' || effectiveArtifactType(manifest) !== mediaTypes.recipe) return undefined;
  return (
    manifest.layers.find((layer) => layer.mediaType === mediaTypes.recipe)?.digest ??
    manifest.layers[0]?.digest
  );
}

/** Returns whether a decision depends on the content of the manifests. */
export function needsManifests(
  tag: string,
  standing: TagStanding | undefined,
  published: Publication | undefined,
  { digest, owner }: TagCandidate,
): boolean {
  if (standing === undefined) return published !== undefined && owner.provenance !== 'recipe';
  if (standing.digest === digest) return false;
  if (isAttachmentTag(tag)) return owner.provenance === 'recipe' || recipesOf(standing.owners).length > 0;
  return standing.kind === 'Recipe';
}

/** Returns the signatures of a signature manifest, or the entries of an index of referrers. */
function statementsOf(manifest: Manifest): readonly string[] {
  const entries = manifest.kind === 'image' ? manifest.layers : manifest.manifests;
  // several keys sign one payload: the signatures are in the annotations
  return entries.map(({ digest, annotations = {} }) =>
    JSON.stringify([digest, Object.entries(annotations).sort(([a], [b]) => (a < b ? -1 : 1))]),
  );
}

/** Returns whether a signature manifest contains every signature of another one. */
export function includesSignatures(all: Manifest | undefined, some: Manifest | undefined): boolean {
  if (all === undefined || some === undefined || all.kind !== some.kind) return false;
  const known = new Set(statementsOf(all));
  return statementsOf(some).every((statement) => known.has(statement));
}

/** Returns whether a manifest has more signatures, or more bytes of them, than `signatureRoom` allows. */
function isCrowded(manifest: Manifest | undefined): boolean {
  if (manifest === undefined) return true;
  const entries = manifest.kind === 'image' ? manifest.layers : manifest.manifests;
  const bytes = entries.reduce((sum, { size }) => sum + size, 0);
  return entries.length > signatureRoom.count || bytes > signatureRoom.bytes;
}

/**
 * Decides the change of a tag when content is put under it. Pure: the decision is valid only in the step that records
 * it, while nothing else can change the tag.
 *
 * @param published the recipe published under the tag before it was deleted
 * @throws SVC-POL-004 when a published recipe would change; SVC-POL-002 when the tag, or a signature under it, belongs to
 *   a recipe; SVC-POL-005 when an administrator packed the current content
 */
export function judgeTag(
  place: TagPlace,
  standing: TagStanding | undefined,
  published: Publication | undefined,
  candidate: TagCandidate,
): TagDecision {
  const { repository, tag } = place;
  const { digest, owner } = candidate;
  const by = owner.provenance;
  const document = documentOf(candidate.manifest);
  const reference = `${repository}:${tag}`;
  const isOwn = by === 'recipe' && candidate.kind === 'Recipe' && isPublisher(owner, place);
  if (standing === undefined) {
    if (published === undefined || published.digest === digest) return 'set';
    // only the recipe itself comes back as another manifest, or as another document than a client's
    if (by === 'recipe' ? isOwn : document !== undefined && published.document === document) return 'set';
    throw toImmutable(reference, published, candidate);
  }
  if (standing.digest === digest) return 'set';
  const recipes = recipesOf(standing.owners);
  // adopted content is not served before its source has brought it again
  if (standing.held && by !== 'push') return 'set';
  if (isAttachmentTag(tag)) {
    if (by !== 'recipe' && recipes.length === 0) return 'set';
    // a signature that is already lost has nothing to keep
    if (standing.manifest === undefined) return 'set';
    const isMore = includesSignatures(candidate.manifest, standing.manifest);
    if (isMore && !(by !== 'recipe' && isCrowded(candidate.manifest))) return 'set';
    // a recipe makes room for the signatures that it rests on
    const makesRoom = by === 'recipe' && isCrowded(standing.manifest);
    if (by !== 'push' && !makesRoom && includesSignatures(standing.manifest, candidate.manifest))
      return 'keep';
    if (by === 'recipe') return 'set';
    throw svcError('SVC-POL-002', { repository: reference, recipes });
  }
  if (standing.kind === 'Recipe') {
    const known = { digest: standing.digest, document: documentOf(standing.manifest) };
    const isSame = document !== undefined && document === known.document;
    if (by === 'recipe') {
      // an ingredient of another recipe never replaces a recipe, not even as another manifest of the same document
      if (isOwn && (isSame || !standing.owners.some((one) => isPublisher(one, place)))) return 'set';
    } else if (isSame) return 'keep';
    throw toImmutable(reference, known, candidate);
  }
  if (by !== 'recipe' && recipes.length > 0)
    throw svcError('SVC-POL-002', { repository: reference, recipes });
  if (by !== 'local-pack' && isPacked(standing.owners)) throw svcError('SVC-POL-005', { reference });
  return 'set';
}

function toImmutable(
  reference: string,
  published: { readonly digest: Digest; readonly document?: Digest | undefined },
  { digest, manifest }: TagCandidate,
) {
  return svcError('SVC-POL-004', {
    reference,
    published: published.document ?? published.digest,
    candidate: documentOf(manifest) ?? digest,
  });
}
