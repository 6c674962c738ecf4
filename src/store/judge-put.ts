import type { Digest } from '../base/digest.ts';
import { isSvcError, svcError } from '../base/error.ts';
import type { ContentChange } from '../catalog/content-records.ts';
import { isSameOwner } from '../catalog/content-records.ts';
import type { Owner } from '../catalog/model.ts';
import {
  judgeTag,
  needsManifests,
  recipesOf,
  signatureRoom,
  type TagDecision,
  type TagStanding,
} from '../catalog/tag-rules.ts';
import type { ContentKind } from '../oci/kind.ts';
import { type Manifest, ManifestError, parseManifest } from '../oci/manifest.ts';
import { isBundleType } from '../oci/media-types.ts';
import { isAttachmentTag } from '../oci/reference.ts';
import { readStoredManifest } from './read-stored-manifest.ts';
import type { StoreCore } from './store-core.ts';

/** One tag that shall name a manifest of the store. */
export interface TagPut {
  readonly repository: string;
  readonly tag: string;
  readonly digest: Digest;
  readonly kind: ContentKind;
  readonly owner: Owner;
  /** Read from the store where it is needed and not given. */
  readonly manifest?: Manifest;
}

/** Names a tag among those that are being put. */
export function toTagKey({ repository, tag }: Pick<TagPut, 'repository' | 'tag'>): string {
  return `${repository}:${tag}`;
}

/**
 * Reads and parses a manifest of the store; undefined when it is absent or unusable.
 *
 * @throws SVC-STO-00x when it cannot be read now: that is not absence
 */
export async function readParsed(core: StoreCore, digest: Digest): Promise<Manifest | undefined> {
  try {
    const content = await readStoredManifest({ core }, digest);
    return content && parseManifest(content.bytes, content.descriptor.mediaType);
  } catch (error) {
    if (error instanceof ManifestError || isSvcError(error, 'SVC-SIG-002')) return undefined;
    throw error;
  }
}

/**
 * Applies the rules of tags. The caller has the tag for itself until the decision is recorded.
 *
 * @throws what `judgeTag` throws
 */
export async function judgePut(core: StoreCore, put: TagPut): Promise<TagDecision> {
  const { repository, tag, digest } = put;
  const known: TagStanding | undefined = core.graph.tag(repository, tag)?.toRecord();
  const published = core.index.publication(repository, tag);
  if (!needsManifests(tag, known, published, put)) return judgeTag(put, known, published, put);
  const candidate = { ...put, manifest: put.manifest ?? (await readParsed(core, digest)) };
  const standing = known && { ...known, manifest: await readParsed(core, known.digest) };
  return judgeTag(put, standing, published, candidate);
}

/** The records of a decision; none where they would say nothing new. */
export function planTag(core: StoreCore, put: TagPut, decision: TagDecision): ContentChange[] {
  const { repository: repo, tag, owner } = put;
  const known = core.graph.tag(repo, tag);
  if (decision === 'keep') {
    // an owner of signatures owns those that have come to stand beside its own
    if (known === undefined || !isAttachmentTag(tag)) return [];
    if (known.owners.some((other) => isSameOwner(other, owner))) return [];
    return [{ op: 'tag', repo, tag, digest: known.digest, kind: known.kind, owner }];
  }
  const { digest } = put;
  // a recipe stays one when another recipe pins it as an ingredient
  const kind = known?.digest === digest && known.kind === 'Recipe' ? known.kind : put.kind;
  const isSame =
    known?.digest === digest &&
    !known.held &&
    known.kind === kind &&
    known.owners.some((other) => isSameOwner(other, owner));
  return isSame ? [] : [{ op: 'tag', repo, tag, digest, kind, owner, keeps: true }];
}

/**
 * A client adds no signature to a recorded recipe that was admitted unsigned, and not so many to another one that those
 * which count are no longer looked at.
 *
 * @throws SVC-POL-002
 */
export function requireSignatureRoom(
  { index }: Pick<StoreCore, 'index'>,
  repository: string,
  subject: Digest,
  added: { readonly digest: Digest; readonly bytes: number },
): void {
  const tag = index.tagsOf(subject).find((one) => one.repository === repository && one.kind === 'Recipe');
  const recipes = recipesOf(tag?.owners ?? []);
  if (recipes.length === 0) return;
  const record = index
    .recipes()
    .find((one) => one.repository === repository && one.digest === subject && one.tag === tag?.tag);
  const bundles = index
    .referrers(repository, subject)
    .filter(({ artifactType }) => isBundleType(artifactType));
  const bytes = bundles.reduce((sum, { blobs }) => blobs.reduce((all, { size }) => all + size, sum), 0);
  const hasRoom =
    bundles.some(({ digest }) => digest === added.digest) ||
    (bundles.length < signatureRoom.count && bytes + added.bytes <= signatureRoom.bytes);
  if (record?.verified === false || !hasRoom) throw svcError('SVC-POL-002', { repository, recipes });
}
