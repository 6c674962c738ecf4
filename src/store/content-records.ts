import { type Digest, isDigest } from '../base/digest.ts';
import { type ContentKind, contentKinds } from '../oci/kind.ts';
import { isRepositoryName, isTag } from '../oci/reference.ts';
import type { Owner, Provenance } from './model.ts';

/** The version of what the ledgers and the folder mean. */
export const storeFormat = 1;

/** First record of either ledger: whose ledger it is. */
export interface MediumChange {
  readonly op: 'medium';
  readonly id: string;
  readonly format: number;
}

/** What a manifest says. Not `unverified`: its bytes and its blobs were whole and durable when this was written. */
export interface ManifestChange {
  readonly op: 'manifest';
  readonly digest: Digest;
  readonly type: string;
  readonly size: number;
  readonly artifactType?: string;
  readonly subject?: Digest;
  readonly manifests?: readonly Digest[];
  /** Digest and size in turns. */
  readonly blobs?: readonly (Digest | number)[];
  readonly unverified?: true;
}

/** A manifest belongs to a repository. `pushed`: until it is deleted; `held`: from an adopted store, not to be served. */
export interface PutChange {
  readonly op: 'put';
  readonly repo: string;
  readonly digest: Digest;
  readonly pushed?: true;
  readonly held?: true;
}

/** A tag points at a manifest; the owner is added when it already did, and is alone when it did not. */
export interface TagChange {
  readonly op: 'tag';
  readonly repo: string;
  readonly tag: string;
  readonly digest: Digest;
  readonly kind: ContentKind;
  readonly owner: Owner;
  readonly held?: true;
}

export interface UntagChange {
  readonly op: 'untag';
  readonly repo: string;
  readonly tag: string;
}

/** An owner leaves a tag, which goes with its last owner. */
export interface DisownChange {
  readonly op: 'disown';
  readonly repo: string;
  readonly tag: string;
  readonly owner: Owner;
}

/** The hold of a tag is lifted. */
export interface UnholdChange {
  readonly op: 'unhold';
  readonly repo: string;
  readonly tag: string;
}

/** A manifest leaves a repository with its tags there. */
export interface DropChange {
  readonly op: 'drop';
  readonly repo: string;
  readonly digest: Digest;
}

/** An upload, or with `from` a mount, by an actor at a time (milliseconds since the epoch). */
export interface UploadChange {
  readonly op: 'upload';
  readonly repo: string;
  readonly digest: Digest;
  readonly size: number;
  readonly actor: string;
  readonly at: number;
  readonly from?: string;
}

/** The upload or mount of a blob in a repository has ended. */
export interface UnblobChange {
  readonly op: 'unblob';
  readonly repo: string;
  readonly digest: Digest;
}

/** Blobs of an adopted store whose bytes have been hashed. */
export interface VerifiedChange {
  readonly op: 'verified';
  readonly digests: readonly Digest[];
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

function isShort(value: unknown): value is string {
  return typeof value === 'string' && value.length <= 512;
}

/** Records about one repository follow each other: the name that was found right last. */
let lastRepository = '';

function isRepository(value: unknown): value is string {
  if (value === lastRepository && lastRepository !== '') return true;
  if (typeof value !== 'string' || !isRepositoryName(value)) return false;
  lastRepository = value;
  return true;
}

/** Records about one manifest follow each other: the digest that was found right last. */
let lastDigest: unknown;

function isSubject(value: unknown): value is Digest {
  if (value === lastDigest && lastDigest !== undefined) return true;
  if (!isDigest(value)) return false;
  lastDigest = value;
  return true;
}

export function isMediumId(value: unknown): value is string {
  return typeof value === 'string' && /^[a-z0-9-]{8,64}$/.test(value);
}

function isOwner(value: unknown): value is Owner {
  if (typeof value !== 'object' || value === null) return false;
  const { provenance, recipe, cookbook } = value as Json;
  return (
    provenances.includes(provenance as Provenance) &&
    (recipe === undefined || isShort(recipe)) &&
    (cookbook === undefined || isShort(cookbook))
  );
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
    isOwner(r.owner),
  untag: (r) => isRepository(r.repo) && isTagName(r.tag),
  disown: (r) => isRepository(r.repo) && isTagName(r.tag) && isOwner(r.owner),
  unhold: (r) => isRepository(r.repo) && isTagName(r.tag),
  drop: (r) => isRepository(r.repo) && isDigest(r.digest),
  upload: (r) =>
    isRepository(r.repo) && isDigest(r.digest) && isSize(r.size) && isShort(r.actor) && isSize(r.at),
  unblob: (r) => isRepository(r.repo) && isDigest(r.digest),
  verified: (r) => Array.isArray(r.digests) && r.digests.every(isDigest),
};

/**
 * Reads a record of the content ledger, which on a medium is hostile input.
 *
 * @returns undefined when it is not one
 */
export function parseContentChange(value: unknown): ContentChange | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  const op = (value as Json).op as ContentChange['op'];
  if (typeof op !== 'string' || !Object.hasOwn(shapes, op)) return undefined;
  return shapes[op](value as Json) ? (value as unknown as ContentChange) : undefined;
}

/** Whether two owners are the same claim. */
export function isSameOwner(a: Owner, b: Owner): boolean {
  return a.provenance === b.provenance && a.recipe === b.recipe && a.cookbook === b.cookbook;
}
