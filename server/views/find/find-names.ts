import { Pacer } from '../../../src/base/pacer.ts';
import { canonicalHost, isAttachmentTag, isTag } from '../../../src/oci/reference.ts';
import { listRecipes } from '../../../src/view/recipes.ts';
import type { ViewParts } from '../parts.ts';
import type { DigestPlace } from './find-digest.ts';

type Parts = Pick<ViewParts, 'store' | 'gate' | 'instance'>;

/** Maximum number of versions, or of recipes, found by one text. */
export const mostNamed = 50;
/** The ends of a fingerprint that a text is: at least 7 characters of it, or `9c1d44e0…9c1d` as pages shorten it. */
export function parseFingerprint(
  text: string,
): { readonly first: string; readonly last: string } | undefined {
  const [, first, last = ''] =
    /^(?:sha256:)?([0-9a-f]{7,64})(?:(?:…|\.\.\.)([0-9a-f]{4})?)?$/.exec(text.toLowerCase()) ?? [];
  return first === undefined ? undefined : { first, last };
}

/** The name meant by a text, as the pages print names. */
export interface WrittenName {
  /** The name as the store has it: the host of a nominal reference canonical, with `_` before its port. */
  readonly name: string;
  /** After `:`, `@` or a space. */
  readonly version?: string;
}

/** Reads a name with a version or without: `host:5000/shop/web:1.4.0`, `shop@1.4.0`, `shop 1.4.0`. A digest after `@` is left out. */
export function parseWritten(text: string): WrittenName {
  const named = text.replace(/@sha(?:256|512):[0-9a-f]+(?:…|\.\.\.)?$/i, '');
  const [, before = named, version] = /^(.*[^\s:@/])(?::|@|\s+)([^\s:@/]+)$/.exec(named) ?? [];
  const [, host, path] = /^([^/]+)(\/.+)$/.exec(before) ?? [];
  const name =
    host === undefined ? before.toLowerCase() : `${canonicalHost(host).replace(/:(?=[0-9]+$)/, '_')}${path}`;
  return version === undefined ? { name } : { name, version };
}

/**
 * The versions with this tag of repositories whose name is, or ends with, the written name; without one of all.
 *
 * @param how.begins whether tags that only begin with it, such as `1.4.2` for `1.4`, are found too
 */
async function findTags(
  { store: { index }, gate }: Parts,
  name: string | undefined,
  tag: string,
  { begins }: { readonly begins: boolean },
): Promise<readonly DigestPlace[]> {
  if (gate.refusal() !== undefined || !isTag(tag) || isAttachmentTag(tag)) return [];
  const pacer = new Pacer();
  const places: DigestPlace[] = [];
  for (const repository of index.repositories()) {
    if (pacer.isDue()) await pacer.rest();
    if (name !== undefined && repository !== name && !repository.endsWith(`/${name}`)) continue;
    const tags = begins ? index.tagNames(repository).filter((each) => isWithin(each, tag)) : [tag];
    for (const each of tags) {
      const found = index.tag(repository, each);
      if (found === undefined || found.held || isAttachmentTag(each) || !gate.allowsTag(repository, each))
        continue;
      if (places.push({ repository, tag: each }) === mostNamed) return places;
    }
  }
  return places;
}

/** Whether a version is one of a line, as `1.4.2` is one of `1.4`. */
const isWithin = (version: string, line: string): boolean =>
  version.startsWith(line) && /^[.+-]/.test(version.slice(line.length));

/** The recipes that a test chooses. None while the gate is closed: their records are unverified. */
async function selectRecipes(
  parts: Parts,
  isWanted: (recipe: { name: string; version: string; keyFingerprint?: string }) => boolean,
): Promise<readonly DigestPlace[]> {
  const pacer = new Pacer();
  const places: DigestPlace[] = [];
  for (const each of await listRecipes(parts)) {
    if (pacer.isDue()) await pacer.rest();
    if (!('version' in each) || !isWanted(each)) continue;
    const { name, version, cookbook } = each;
    if (places.push({ recipe: name, version, cookbook }) === mostNamed) break;
  }
  return places;
}

/** Whether a text is a version without a name, such as `2.0.1` or `v1.2`. */
export const isBareVersion = (text: string): boolean =>
  /^v?[0-9]+(?:\.[0-9]+)+(?:[-+_][\w.+-]*)?$/.test(text);

/**
 * Finds the versions of recipes and of content that a text names, from memory: at most {@link mostNamed} of each. A version
 * without a name finds all that have it. Where nothing has it, the versions that begin with it are found. The artifact of a found recipe is left out: the page of the recipe has more.
 */
export async function findVersions(parts: Parts, text: string): Promise<readonly DigestPlace[]> {
  const exact = await findNamed(parts, text, { begins: false });
  return exact.length > 0 ? exact : findNamed(parts, text, { begins: true });
}

async function findNamed(
  parts: Parts,
  text: string,
  how: { readonly begins: boolean },
): Promise<readonly DigestPlace[]> {
  const isBare = isBareVersion(text);
  const { name, version } = isBare ? { name: '', version: text } : parseWritten(text);
  if (version === undefined) return [];
  const artifacts = new Set<string>();
  const isNamed = (recipe: { name: string; version: string; repository?: string; tag?: string }): boolean => {
    if (how.begins ? !isWithin(recipe.version, version) : recipe.version !== version) return false;
    if (!isBare && recipe.name !== name && !name.endsWith(`/${recipe.name}`)) return false;
    artifacts.add(`${recipe.repository}:${recipe.tag}`);
    return true;
  };
  const recipes = await selectRecipes(parts, isNamed);
  // all tags of all repositories are too many to compare
  const tags = how.begins && isBare ? [] : await findTags(parts, isBare ? undefined : name, version, how);
  const others = tags.filter(
    (place) => !('repository' in place && artifacts.has(`${place.repository}:${place.tag}`)),
  );
  return [...recipes, ...others];
}

/**
 * Finds the recipes that a key signed, from memory: at most {@link mostNamed}.
 *
 * @param text at least 7 hexadecimal digits of the fingerprint of the key, in any case; other texts find nothing
 */
export async function findSigned(parts: Parts, text: string): Promise<readonly DigestPlace[]> {
  const asked = parseFingerprint(text);
  if (asked === undefined) return [];
  return await selectRecipes(
    parts,
    ({ keyFingerprint }) =>
      keyFingerprint?.startsWith(asked.first) === true && keyFingerprint.endsWith(asked.last),
  );
}
