import { type Digest, digestHex } from '../base/digest.ts';
import type { Owner } from '../contract/content.ts';
import { isAttachmentTag } from '../oci/reference.ts';
import { isSameOwner } from './content-records.ts';
import type { TagRecord } from './model.ts';

const maxTagLength = 128;
const maxStemLength = 110;
/** Numbers of hexadecimal digits of a digest in an alias, tried in this order. */
const aliasLengths = [12, 24, 48, 64];

/**
 * Returns an alias tag for a digest whose own tag names other content: without a tag, the content would be collected.
 *
 * @param length number of hexadecimal digits of the digest in the alias
 */
export function toAliasTag(tag: string, digest: Digest, length: number = aliasLengths[0]!): string {
  const stem = tag.slice(0, Math.min(maxStemLength, maxTagLength - 1 - length));
  return `${stem}-${digestHex(digest).slice(0, length)}`;
}

/** Returns the start of an alias where the version itself belongs to a recipe: no version, with any suffix. */
export function toIngredientStem(tag: string): string {
  return `ingredient-${tag}`;
}

/** Yields the alias tags of a digest, in the order in which they are tried. */
export function* toAliasTags(tag: string, digest: Digest): Generator<string> {
  for (const length of aliasLengths) yield toAliasTag(tag, digest, length);
  for (let i = 2; ; i += 1) yield `${digestHex(digest).slice(0, 64)}-${i}`;
}

/** Returns whether a tag is one of the aliases that a digest may get in place of the tag that a recipe pins it under. */
export function isAliasOf(alias: string, tag: string, digest: Digest): boolean {
  if (alias.startsWith(`${digestHex(digest).slice(0, 64)}-`)) return true;
  return [tag, toIngredientStem(tag)].some((stem) =>
    aliasLengths.some((length) => toAliasTag(stem, digest, length) === alias),
  );
}

/**
 * Returns the first alias of a digest that is free.
 *
 * @param isFree returns false for some aliases only: there are infinitely many
 */
export function selectAlias(tag: string, digest: Digest, isFree: (alias: string) => boolean): string {
  for (const alias of toAliasTags(tag, digest)) if (!isAttachmentTag(alias) && isFree(alias)) return alias;
  throw new Error('unreachable: aliases are infinitely many');
}

/** A tag before one of its owners points it at other content. */
interface StandingTag {
  readonly tag: string;
  readonly digest: Digest;
  readonly owners: readonly Owner[];
}

interface RePointed {
  /** Owners of the tag from now on. */
  readonly owners: readonly Owner[];
  /** The alias under which the other owners keep the previous content. */
  readonly kept?: { readonly tag: string; readonly owners: readonly Owner[] };
}

/** Returns whether an owner that points a tag elsewhere gives up the previous content. The pins of a recipe stay. */
function givesUp(old: Owner, by: Owner): boolean {
  return old.provenance === by.provenance && old.provenance !== 'recipe';
}

/**
 * Decides the owners of a tag when one of them points it at another digest. The others keep the previous content under
 * an alias. A signature tag is shared by all holders of its subject: its owners stay with it.
 *
 * @param digestAt returns the present target of a tag of the same repository
 * @param displaced aliases of the same repository whose owners had this tag before
 */
export function rePoint(
  { tag, digest, owners }: StandingTag,
  by: Owner,
  {
    digestAt,
    displaced,
  }: {
    readonly digestAt: (tag: string) => Digest | undefined;
    readonly displaced: () => readonly Pick<TagRecord, 'owners'>[];
  },
): RePointed {
  if (isAttachmentTag(tag)) return { owners: withOwner(owners, by) };
  const others = owners.filter((owner) => !givesUp(owner, by));
  if (others.length === 0) return { owners: [by] };
  const isFree = (alias: string) => (digestAt(alias) ?? digest) === digest;
  const order = displaced().reduce((last, one) => Math.max(last, orderOf(one, tag)), 0) + 1;
  // the first tag that an owner had stays the one that it gets back
  const kept = others.map((owner) => ({ ...owner, displaced: owner.displaced ?? { tag, order } }));
  return { owners: [by], kept: { tag: selectAlias(tag, digest, isFree), owners: kept } };
}

/** Number of the last displacement from a tag to an alias; 0: none. */
function orderOf({ owners }: Pick<TagRecord, 'owners'>, tag: string): number {
  return owners.reduce(
    (last, { displaced }) => (displaced?.tag === tag ? Math.max(last, displaced.order) : last),
    0,
  );
}

/** A free tag that returns to its content from before others pointed it elsewhere. */
export interface RestoredTag {
  readonly alias: TagRecord;
  /** The owners that leave the alias, as they are at the alias. */
  readonly leaving: readonly Owner[];
  readonly restored: TagRecord;
}

/**
 * Selects which of the displaced owners get a free tag back: those that were displaced last. Held content gets none
 * back before it is served.
 *
 * @param aliases aliases whose owners had the tag, with the owners that they have once the tag is free
 * @param published recipe published under the tag: no other content comes there
 */
export function selectRestored(
  tag: string,
  aliases: readonly TagRecord[],
  published: Digest | undefined,
): RestoredTag | undefined {
  const waiting = aliases
    .filter(({ held, digest }) => !held && (published === undefined || published === digest))
    .filter((alias) => orderOf(alias, tag) > 0)
    .sort((a, b) => orderOf(b, tag) - orderOf(a, tag));
  const [alias] = waiting;
  if (alias === undefined) return undefined;
  const leaving = alias.owners.filter(({ displaced }) => displaced?.tag === tag);
  const owners = leaving.map(({ displaced: _, ...owner }): Owner => owner);
  return { alias, leaving, restored: { ...alias, tag, owners } };
}

/**
 * Adds an owner to the owners of a tag, unless it is one already. A recipe that puts its content under an alias no
 * longer waits for its former tag: each run selects the tags of its recipes anew.
 */
export function withOwner(owners: readonly Owner[], owner: Owner): readonly Owner[] {
  const known = owners.find((other) => isSameOwner(other, owner));
  if (known === undefined) return [...owners, owner];
  return endsWait(known, owner) ? owners.map((other) => (other === known ? owner : other)) : owners;
}

/** Returns whether a put by `owner` ends the wait of the same owner for the tag that it was displaced from. */
export function endsWait(known: Owner, owner: Owner): boolean {
  return owner.provenance === 'recipe' && known.displaced !== undefined && owner.displaced === undefined;
}
