import type { Digest } from '../base/digest.ts';
import type { ContentChange } from '../catalog/content-records.ts';
import { isSameOwner } from '../catalog/content-records.ts';
import { endsWait } from '../catalog/re-point.ts';
import {
  judgeTag,
  needsManifests,
  recipesOf,
  signatureRoom,
  type TagDecision,
  type TagStanding,
} from '../catalog/tag-rules.ts';
import type { Owner } from '../contract/content.ts';
import type { ContentKind } from '../oci/kind.ts';
import { type Manifest, ManifestError } from '../oci/manifest.ts';
import { isBundleType } from '../oci/media-types.ts';
import { parseManifestInTurns } from '../oci/parse-in-turns.ts';
import { isAttachmentTag } from '../oci/reference.ts';
import { isSvcError, svcError } from '../text/error.ts';
import { readStoredManifest } from './read-stored-manifest.ts';
import type { StoreCore } from './store-core.ts';

/** One tag to set to a manifest of the store. */
export interface TagPut {
  readonly repository: string;
  readonly tag: string;
  readonly digest: Digest;
  readonly kind: ContentKind;
  readonly owner: Owner;
  /** Read from the store when needed and not given. */
  readonly manifest?: Manifest;
}

/** Key of a tag in a set of puts. */
export function toTagKey({ repository, tag }: Pick<TagPut, 'repository' | 'tag'>): string {
  return `${repository}:${tag}`;
}

/**
 * Reads and parses a manifest of the store.
 *
 * @returns undefined when it is absent or cannot be parsed
 * @throws SVC-STO-00x when it cannot be read now: that is not absence
 */
export async function readParsed(core: StoreCore, digest: Digest): Promise<Manifest | undefined> {
  try {
    const content = await readStoredManifest({ core }, digest);
    return content && (await parseManifestInTurns(content.bytes, content.descriptor.mediaType));
  } catch (error) {
    if (error instanceof ManifestError || isSvcError(error, 'SVC-SIG-002')) return undefined;
    throw error;
  }
}

/**
 * Applies the tag rules. The caller must hold the tag exclusively until the decision is recorded.
 *
 * @throws the errors of `judgeTag`
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

/** Plans the records of a decision; none when they would change nothing. */
export function planTag(core: StoreCore, put: TagPut, decision: TagDecision): ContentChange[] {
  const { repository: repo, tag, owner } = put;
  const known = core.graph.tag(repo, tag);
  if (decision === 'keep') {
    // an owner of signatures also becomes an owner of signatures that were added to its own
    if (known === undefined || !isAttachmentTag(tag)) return [];
    if (known.owners.some((other) => isSameOwner(other, owner))) return [];
    return [{ op: 'tag', repo, tag, digest: known.digest, kind: known.kind, owner }];
  }
  const { digest } = put;
  // a recipe keeps its kind when another recipe pins it as an ingredient
  const kind = known?.digest === digest && known.kind === 'Recipe' ? known.kind : put.kind;
  const isSame =
    known?.digest === digest &&
    !known.held &&
    known.kind === kind &&
    known.owners.some((other) => isSameOwner(other, owner) && !endsWait(other, owner));
  return isSame ? [] : [{ op: 'tag', repo, tag, digest, kind, owner, keeps: true }];
}

/**
 * Limits the signatures that a client may add to a recorded recipe: none when the recipe was admitted
 * unsigned, and otherwise at most `signatureRoom`. More would displace valid signatures from those that
 * verification reads.
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
