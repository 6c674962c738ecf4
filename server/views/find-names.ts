import { Pacer } from '../../src/base/pacer.ts';
import { canonicalHost, isAttachmentTag, isTag } from '../../src/oci/reference.ts';
import { listRecipes } from '../../src/view/recipes.ts';
import type { DigestPlace } from './find-digest.ts';
import type { ViewParts } from './parts.ts';

type Parts = Pick<ViewParts, 'store' | 'gate' | 'instance'>;

/** Maximum number of versions, or of recipes, found by one text. */
export const mostNamed = 50;
/** Characters below which a text is no shortened fingerprint: as git abbreviates. */
const shortest = 7;

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

/** The versions with this tag of repositories whose name is, or ends with, the written name. */
async function findTags(
  { store: { index }, gate }: Parts,
  name: string,
  tag: string,
): Promise<readonly DigestPlace[]> {
  if (gate.refusal() !== undefined || !isTag(tag) || isAttachmentTag(tag)) return [];
  const pacer = new Pacer();
  const places: DigestPlace[] = [];
  for (const repository of index.repositories()) {
    if (pacer.isDue()) await pacer.rest();
    if (repository !== name && !repository.endsWith(`/${name}`)) continue;
    const found = index.tag(repository, tag);
    if (found === undefined || found.held || !gate.allowsTag(repository, tag)) continue;
    if (places.push({ repository, tag }) === mostNamed) break;
  }
  return places;
}

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

/** Finds the versions of recipes and of content that a text names, from memory: at most {@link mostNamed} of each. */
export async function findVersions(parts: Parts, text: string): Promise<readonly DigestPlace[]> {
  const { name, version } = parseWritten(text);
  if (version === undefined) return [];
  const isNamed = (recipe: { name: string; version: string }): boolean =>
    recipe.version === version && (recipe.name === name || name.endsWith(`/${recipe.name}`));
  return [...(await selectRecipes(parts, isNamed)), ...(await findTags(parts, name, version))];
}

/**
 * Finds the recipes that a key signed, from memory: at most {@link mostNamed}.
 *
 * @param text at least 7 hexadecimal digits of the fingerprint of the key, in any case; other texts find nothing
 */
export async function findSigned(parts: Parts, text: string): Promise<readonly DigestPlace[]> {
  const [, hex = ''] = /^(?:sha256:)?([0-9a-f]{7,64})(?:…|\.\.\.)?$/.exec(text.toLowerCase()) ?? [];
  if (hex.length < shortest) return [];
  return await selectRecipes(parts, ({ keyFingerprint }) => keyFingerprint?.startsWith(hex) === true);
}
