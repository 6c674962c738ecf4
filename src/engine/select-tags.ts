import { type Digest, digestHex } from '../base/digest.ts';
import type { ResolvedIngredient } from './resolve-retriever.ts';

/** The tag of a digest whose own tag names other content: without one, nothing would keep it. */
export function toAliasTag(tag: string, digest: Digest): string {
  return `${tag.slice(0, 110)}-${digestHex(digest).slice(0, 12)}`;
}

/**
 * The local tag of each ingredient. Where recipes pin different content under one tag, the first keeps the tag and the
 * others get one made of tag and digest: both are needed by their digests.
 */
export function selectTags(
  ingredients: readonly ResolvedIngredient[],
): ReadonlyMap<ResolvedIngredient, string> {
  const first = new Map<string, Digest>();
  const tags = new Map<ResolvedIngredient, string>();
  for (const one of ingredients) {
    const { version, digest } = one.ingredient;
    const name = `${one.repository}:${version}`;
    const taken = first.get(name);
    if (taken === undefined) first.set(name, digest);
    tags.set(one, taken === undefined || taken === digest ? version : toAliasTag(version, digest));
  }
  return tags;
}
