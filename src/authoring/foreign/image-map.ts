import { isBareScalar, isYamlMap, type YamlMap, type YamlValue } from '../../recipe/read-yaml.ts';
import { findNameParts, findOuterParts, joinNameParts } from './name-parts.ts';

/** Keys of texts and maps that name an image. */
export const imageKey = /(?:image|Image)$/;
const hex = /^[0-9a-f]{64}$/;

/** The surroundings of the values that write an image. */
export interface ImageScope {
  /** The tag of an image that writes none; may be empty. */
  readonly appVersion: string;
  /** The registry of all images that write none; '' for none. */
  readonly globalRegistry: string;
  /** Maps around the one that writes the image, in which a registry for it may be. */
  readonly outer: readonly YamlMap[];
}

/** An image as values write it. */
interface WrittenImage {
  readonly image: string;
  /** Members that may write a part of its name: with one, the image is the likely one of several. */
  readonly beside: readonly string[];
}

/** A scalar as Go templates print it; undefined for nothing, for a map and for a list. */
export function toWord(value: YamlValue | undefined): string | undefined {
  if (typeof value === 'string') return value.trim();
  if (!isBareScalar(value) || value.bare === null || typeof value.bare === 'boolean') return undefined;
  return typeof value.bare === 'number' ? String(value.bare) : value.source;
}

/** Names of members whose value is the repository of an image. */
const repositoryMembers = ['repository', 'repo', 'image', 'name'] as const;

/**
 * Reads a map as an image: `repository` (or `repo`, `image`, `name`) beside `tag`, `digest` or `registry`.
 *
 * @param key of the map
 * @returns undefined when it is none; `member` is the one that writes the repository, `read` are those that write the name
 */
export function readImageMap(
  map: YamlMap,
  key: string,
  scope: ImageScope,
): (WrittenImage & { readonly member: string; readonly read: readonly string[] }) | undefined {
  const word = (member: string): string => toWord(map.get(member)) ?? '';
  const isImageMap = imageKey.test(key);
  const has = (member: string): boolean => map.has(member);
  for (const member of repositoryMembers) {
    const written = word(member);
    if (written === '' || /:\/\/|\s/.test(written)) continue;
    const hasTag = has('tag') || has('imageTag') || has('version');
    const isQualified = has('registry') && (hasTag || has('digest'));
    const counts =
      member === 'repository' || member === 'repo'
        ? has('tag') || has('imageTag') || has('digest') || has('registry') || isImageMap
        : member === 'image'
          ? has('tag') || has('imageTag') || has('digest') || isQualified
          : isQualified ||
            (hasTag && isImageMap && toName(map, member, written, key, scope).beside.length > 0);
    if (!counts) continue;
    const composed = compose(written, map, member, key, scope);
    return { ...composed, member, read: [member, ...composed.beside] };
  }
  return undefined;
}

/**
 * Reads a text as an image.
 *
 * @param map that has it, as `key`
 * @returns undefined for a text that cannot be one
 */
export function readImageText(
  text: string,
  map: YamlMap,
  key: string,
  { appVersion, outer }: ImageScope,
): WrittenImage | undefined {
  const written = toWritten(text, appVersion);
  if (written === undefined || hasHost(written))
    return written === undefined ? undefined : { image: written, beside: [] };
  const own = findNameParts(map, { form: 'text', member: key, written, hasRegistry: false });
  const parts = own.length > 0 ? own : findOuterParts(outer);
  return { image: joinNameParts(parts, '', written), beside: parts.map((part) => part.key) };
}

function compose(
  written: string,
  map: YamlMap,
  member: string,
  key: string,
  scope: ImageScope,
): WrittenImage {
  const { appVersion } = scope;
  const word = (name: string): string => toWord(map.get(name)) ?? '';
  const { name, beside } = toName(map, member, written, key, scope);
  const digest = toDigest(word('digest') || word('sha'));
  const hasOwnTag = /:[^/]*$/.test(written) || written.includes('@');
  const own = toTag(map.get('tag')) || toTag(map.get('imageTag'));
  const tag = hasOwnTag ? '' : own || (digest === '' ? appVersion : '');
  const text = `${name}${tag === '' ? '' : `:${tag}`}${digest === '' ? '' : `@${digest}`}`;
  return { image: toWritten(text, appVersion) ?? toUnusable(text), beside };
}

/** The name of an image without its tag, and the members that may write a part of the name. */
function toName(
  map: YamlMap,
  member: string,
  written: string,
  key: string,
  { globalRegistry, outer }: ImageScope,
): { readonly name: string; readonly beside: readonly string[] } {
  const isQualified = hasHost(written);
  const registry = (
    map.has('registry')
      ? globalRegistry || (toWord(map.get('registry')) ?? '')
      : isQualified
        ? ''
        : globalRegistry
  ).replace(/\/+$/, '');
  const plain = registry === '' ? written : `${registry}/${written}`;
  const last = toLastPart(map, member, written, key);
  if (last !== undefined)
    return { name: `${plain.replace(/\/+$/, '')}/${toWord(map.get(last))}`, beside: [last] };
  if (isQualified) return { name: plain, beside: [] };
  const own = findNameParts(map, { form: 'map', member, written, hasRegistry: registry !== '' });
  const parts = own.length > 0 || registry !== '' ? own : findOuterParts(outer);
  if (parts.length > 0)
    return { name: joinNameParts(parts, registry, written), beside: parts.map((part) => part.key) };
  // a host alone is no repository
  const isHost = registry === '' && /^[a-z0-9-]+(?:\.[a-z0-9-]+)*\.(?:[a-z]{2,})(?::[0-9]+)?$/.test(written);
  return { name: plain, beside: isHost ? [member] : [] };
}

/** The member that may write the last part of a name, when the repository may be the folder of several images. */
function toLastPart(map: YamlMap, member: string, written: string, key: string): string | undefined {
  if (member !== 'repository' && member !== 'repo') return undefined;
  return ['image', ...(imageKey.test(key) ? ['name', 'imageName'] : [])].find((name) => {
    const last = map.get(name);
    if (typeof last !== 'string' || !/^[a-z0-9][a-z0-9._/-]*$/.test(last) || hasHost(last)) return false;
    return written !== last && !written.endsWith(`/${last}`);
  });
}

/** A tag as Go templates print it; a list or a map is no tag, and is named as one that cannot be used. */
function toTag(value: YamlValue | undefined): string {
  if (Array.isArray(value)) return '[…]';
  if (isYamlMap(value)) return '{…}';
  // a template takes the application version in place of `false`
  return isBareScalar(value) && value.bare === true ? 'true' : (toWord(value) ?? '');
}

/** A text that is no name of an image, for the list of omissions; a shortened one stays unusable. */
function toUnusable(text: string): string {
  const line = text.replace(/\s+/g, ' ');
  return line.length > 256 ? `${line.slice(0, 256)}…` : line;
}

function toDigest(text: string): string {
  if (hex.test(text)) return `sha256:${text}`;
  return text.startsWith('sha256:') || text.startsWith('sha512:') ? text : '';
}

/** Whether a repository names its registry. */
function hasHost(repository: string): boolean {
  const slash = repository.indexOf('/');
  return slash > 0 && (/[.:]/.test(repository.slice(0, slash)) || repository.startsWith('localhost/'));
}

/**
 * Replaces the application version in a text; undefined for other template actions, and for texts that cannot be an
 * image.
 */
function toWritten(text: string, appVersion: string): string | undefined {
  const plain = text.replace(/\{\{-? ?\$?\.Chart\.AppVersion ?-?\}\}/g, appVersion);
  if (plain === '' || plain.length > 1024 || /[\s{}"'<>|,;()]|:\/\//.test(plain)) return undefined;
  return /^[A-Za-z0-9]/.test(plain) ? plain : undefined;
}
