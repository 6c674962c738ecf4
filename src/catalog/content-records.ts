import { type Digest, isDigest } from '../base/digest.ts';
import type { Provenance } from '../contract/common.ts';
import type { Owner } from '../contract/content.ts';
import { type ContentKind, contentKinds } from '../oci/kind.ts';
import { isRepositoryName, isTag } from '../oci/reference.ts';

/** Version of the format of the ledgers and of the store's folder. */
export const storeFormat = 1;

/** First record of either ledger: names the medium. */
export interface MediumChange {
  readonly op: 'medium';
  readonly id: string;
  readonly format: number;
}

/** Facts of a manifest. Without `unverified`, its bytes and its blobs were whole and durable when this was written. */
export interface ManifestChange {
  readonly op: 'manifest';
  readonly digest: Digest;
  readonly type: string;
  readonly size: number;
  readonly artifactType?: string;
  readonly subject?: Digest;
  readonly manifests?: readonly Digest[];
  /** Digest and size of each blob, alternating. */
  readonly blobs?: readonly (Digest | number)[];
  readonly unverified?: true;
}

/** Adds a manifest to a repository. `pushed`: until it is deleted; `held`: from an adopted store, not to be served. */
interface PutChange {
  readonly op: 'put';
  readonly repo: string;
  readonly digest: Digest;
  readonly pushed?: true;
  readonly held?: true;
}

/**
 * Points a tag at a manifest; if it already points there, the owner is added. Otherwise the owner becomes the only one,
 * and with `keeps` the others keep the previous content under an alias.
 */
export interface TagChange {
  readonly op: 'tag';
  readonly repo: string;
  readonly tag: string;
  readonly digest: Digest;
  readonly kind: ContentKind;
  readonly owner: Owner;
  readonly held?: true;
  readonly keeps?: true;
  /** As of `StoreIndex.sinceOf`; only compaction writes it, because its records are not in the order of the changes. */
  readonly since?: number;
}

interface UntagChange {
  readonly op: 'untag';
  readonly repo: string;
  readonly tag: string;
}

/** Removes an owner from a tag; a tag without owners is removed. */
interface DisownChange {
  readonly op: 'disown';
  readonly repo: string;
  readonly tag: string;
  readonly owner: Owner;
}

/** Lifts the hold of a tag. */
interface UnholdChange {
  readonly op: 'unhold';
  readonly repo: string;
  readonly tag: string;
}

/** Removes a manifest and its tags from a repository. */
interface DropChange {
  readonly op: 'drop';
  readonly repo: string;
  readonly digest: Digest;
}

/** Records an upload, or with `from` a mount, by an actor at a time (milliseconds since the epoch). */
interface UploadChange {
  readonly op: 'upload';
  readonly repo: string;
  readonly digest: Digest;
  readonly size: number;
  readonly actor: string;
  readonly at: number;
  readonly from?: string;
}

/** Ends the upload or mount of a blob in a repository. */
interface UnblobChange {
  readonly op: 'unblob';
  readonly repo: string;
  readonly digest: Digest;
}

/** Names blobs of an adopted store whose bytes have been hashed. */
interface VerifiedChange {
  readonly op: 'verified';
  readonly digests: readonly Digest[];
}

/** Records that a published recipe was deleted: no other content may be published under its tag. */
export interface PublishedChange {
  readonly op: 'published';
  readonly repo: string;
  readonly tag: string;
  readonly digest: Digest;
  readonly document?: Digest;
}

/** Forgets the deleted publications of a repository. */
interface UnpublishedChange {
  readonly op: 'unpublished';
  readonly repo: string;
}

export type ContentChange =
  | MediumChange
  | ManifestChange
  | PutChange
  | TagChange
  | UntagChange
  | DisownChange
  | UnholdChange
  | DropChange
  | UploadChange
  | UnblobChange
  | PublishedChange
  | UnpublishedChange
  | VerifiedChange;

const provenances: readonly Provenance[] = [
  'recipe',
  'import',
  'push',
  'vulnerability-database',
  'local-pack',
];

type Json = Readonly<Record<string, unknown>>;

export function isSize(value: unknown): value is number {
  return Number.isSafeInteger(value) && (value as number) >= 0;
}

/** Accepts a recipe's name and version, or a cookbook: a host, its port and a path of maximum lengths fit. */
function isOwnerPart(value: unknown): boolean {
  return value === undefined || (typeof value === 'string' && value.length <= 1024);
}

function isShort(value: unknown): value is string {
  return typeof value === 'string' && value.length <= 512;
}

/** The last repository name found valid: records about one repository follow each other. */
let lastRepository = '';

function isRepository(value: unknown): value is string {
  if (value === lastRepository && lastRepository !== '') return true;
  if (typeof value !== 'string' || !isRepositoryName(value)) return false;
  lastRepository = value;
  return true;
}

/** The last digest found valid: records about one manifest follow each other. */
let lastDigest: unknown;

function isSubject(value: unknown): value is Digest {
  if (value === lastDigest && lastDigest !== undefined) return true;
  if (!isDigest(value)) return false;
  lastDigest = value;
  return true;
}

export const mediumIdPattern = '^[a-z0-9-]{8,64}$';
const mediumId = new RegExp(mediumIdPattern);

export function isMediumId(value: unknown): value is string {
  return typeof value === 'string' && mediumId.test(value);
}

function isOwner(value: unknown): value is Owner {
  if (typeof value !== 'object' || value === null) return false;
  const { provenance, recipe, cookbook, displaced } = value as Json;
  return (
    provenances.includes(provenance as Provenance) &&
    isOwnerPart(recipe) &&
    isOwnerPart(cookbook) &&
    (displaced === undefined || isDisplacement(displaced))
  );
}

function isDisplacement(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false;
  const { tag, order } = value as Json;
  return isTagName(tag) && isSize(order);
}

function isBlobList(value: unknown): boolean {
  if (value === undefined) return true;
  if (!Array.isArray(value) || value.length % 2 !== 0) return false;
  for (let i = 0; i < value.length; i += 2) if (!isDigest(value[i]) || !isSize(value[i + 1])) return false;
  return true;
}

function isTagName(value: unknown): value is string {
  return typeof value === 'string' && isTag(value);
}

const shapes: Readonly<Record<ContentChange['op'], (record: Json) => boolean>> = {
  medium: (r) => isMediumId(r.id) && isSize(r.format),
  manifest: (r) =>
    isSubject(r.digest) &&
    isShort(r.type) &&
    isSize(r.size) &&
    (r.artifactType === undefined || isShort(r.artifactType)) &&
    (r.subject === undefined || isDigest(r.subject)) &&
    (r.manifests === undefined || (Array.isArray(r.manifests) && r.manifests.every(isDigest))) &&
    isBlobList(r.blobs),
  put: (r) => isRepository(r.repo) && isSubject(r.digest),
  tag: (r) =>
    isRepository(r.repo) &&
    isTagName(r.tag) &&
    isSubject(r.digest) &&
    contentKinds.includes(r.kind as ContentKind) &&
    (r.since === undefined || isSize(r.since)) &&
    isOwner(r.owner),
  untag: (r) => isRepository(r.repo) && isTagName(r.tag),
  disown: (r) => isRepository(r.repo) && isTagName(r.tag) && isOwner(r.owner),
  unhold: (r) => isRepository(r.repo) && isTagName(r.tag),
  drop: (r) => isRepository(r.repo) && isDigest(r.digest),
  upload: (r) =>
    isRepository(r.repo) && isDigest(r.digest) && isSize(r.size) && isShort(r.actor) && isSize(r.at),
  unblob: (r) => isRepository(r.repo) && isDigest(r.digest),
  published: (r) =>
    isRepository(r.repo) &&
    isTagName(r.tag) &&
    isDigest(r.digest) &&
    (r.document === undefined || isDigest(r.document)),
  unpublished: (r) => isRepository(r.repo),
  verified: (r) => Array.isArray(r.digests) && r.digests.every(isDigest),
};

/**
 * Reads a record of the content ledger, which on a medium is hostile input.
 *
 * @returns undefined when the value is not a record
 */
export function parseContentChange(value: unknown): ContentChange | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  const op = (value as Json).op as ContentChange['op'];
  if (typeof op !== 'string' || !Object.hasOwn(shapes, op)) return undefined;
  return shapes[op](value as Json) ? (value as unknown as ContentChange) : undefined;
}

/** Returns whether two owners are the same, even if they were displaced from different tags. */
export function isSameOwner(a: Owner, b: Owner): boolean {
  return a.provenance === b.provenance && a.recipe === b.recipe && a.cookbook === b.cookbook;
}
