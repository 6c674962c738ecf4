import { isBareScalar, isYamlMap, type YamlMap, type YamlValue } from '../recipe/read-yaml.ts';
import { getValue } from './merge-values.ts';

/** An image that values compose. */
interface ValuesImage {
  readonly image: string;
  readonly where: string;
  /** Whether a map around it has `enabled: false`. */
  readonly isDisabled: boolean;
}

const imageKey = /(?:image|Image)$/;
const hex = /^[0-9a-f]{64}$/;

/** A scalar as Go templates print it; undefined for nothing, for a map and for a list. */
function toWord(value: YamlValue | undefined): string | undefined {
  if (typeof value === 'string') return value.trim();
  if (!isBareScalar(value) || value.bare === null || typeof value.bare === 'boolean') return undefined;
  return typeof value.bare === 'number' ? String(value.bare) : value.source;
}

/**
 * Walks merged values for images: maps with `repository` (or `image`, `name`) beside `tag`, `digest` or `registry`, and
 * texts under keys such as `image` and `sidecarImage`. An empty tag is the application version of the chart. A map whose
 * members make no name of an image is returned with their text, so that it can be named as not taken.
 *
 * @param values the part to walk
 * @param appVersion of the chart, as its templates write it in a tag; may be empty
 * @param all merged values of the chart, for `global.imageRegistry`
 */
export function walkValues(values: YamlMap, appVersion: string, all: YamlMap): readonly ValuesImage[] {
  const found: ValuesImage[] = [];
  const globalRegistry =
    toWord(getValue(all, 'global.imageRegistry')) || toWord(getValue(all, 'global.image.registry')) || '';
  const visit = (value: YamlValue, path: string, key: string, isOff: boolean): void => {
    if (Array.isArray(value)) {
      for (const [i, item] of (value as readonly YamlValue[]).entries())
        visit(item, `${path}[${i}]`, key, isOff);
      return;
    }
    if (!isYamlMap(value)) {
      if (typeof value === 'string' && imageKey.test(key)) {
        const image = toWritten(value, appVersion);
        if (image !== undefined) found.push({ image, where: path, isDisabled: isOff });
      }
      return;
    }
    const enabled = value.get('enabled');
    const isDisabled = isOff || (isBareScalar(enabled) && enabled.bare === false);
    const composed = toComposed(value, key, appVersion, globalRegistry);
    if (composed) found.push({ image: composed.image, where: `${path}.${composed.member}`, isDisabled });
    for (const [name, child] of value)
      if (name !== composed?.member) visit(child, path === '' ? name : `${path}.${name}`, name, isDisabled);
  };
  visit(values, '', '', false);
  return found.map(({ where, ...image }) => ({ ...image, where: where.replace(/^\./, '') }));
}

/** Names of members whose value is the repository of an image. */
const repositoryMembers = ['repository', 'repo', 'image', 'name'] as const;

/** Reads a map as an image; undefined when it is none. */
function toComposed(
  map: YamlMap,
  key: string,
  appVersion: string,
  globalRegistry: string,
): { readonly image: string; readonly member: string } | undefined {
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
          : isQualified;
    if (!counts) continue;
    return { image: compose(written, map, appVersion, globalRegistry), member };
  }
  return undefined;
}

function compose(written: string, map: YamlMap, appVersion: string, globalRegistry: string): string {
  const word = (member: string): string => toWord(map.get(member)) ?? '';
  const registry = map.has('registry')
    ? globalRegistry || word('registry')
    : hasHost(written)
      ? ''
      : globalRegistry;
  const repository = registry === '' ? written : `${registry.replace(/\/+$/, '')}/${written}`;
  const digest = toDigest(word('digest') || word('sha'));
  const hasOwnTag = /:[^/]*$/.test(written) || written.includes('@');
  const own = toTag(map.get('tag')) || toTag(map.get('imageTag'));
  const tag = hasOwnTag ? '' : own || (digest === '' ? appVersion : '');
  const text = `${repository}${tag === '' ? '' : `:${tag}`}${digest === '' ? '' : `@${digest}`}`;
  return toWritten(text, appVersion) ?? toUnusable(text);
}

/** A tag as Go templates print it; a list or a map is no tag, and is named as one that cannot be used. */
function toTag(value: YamlValue | undefined): string {
  if (Array.isArray(value)) return '[…]';
  if (isYamlMap(value)) return '{…}';
  // a template takes the application version in place of `false`
  return isBareScalar(value) && value.bare === true ? 'true' : (toWord(value) ?? '');
}

/** A text that is no name of an image, for the list of what was not taken; a shortened one stays unusable. */
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

/** Replaces the application version in a text; undefined for other template actions, and for what cannot be an image. */
function toWritten(text: string, appVersion: string): string | undefined {
  const plain = text.replace(/\{\{-? ?\$?\.Chart\.AppVersion ?-?\}\}/g, appVersion);
  if (plain === '' || plain.length > 1024 || /[\s{}"'<>|,;()]|:\/\//.test(plain)) return undefined;
  return /^[A-Za-z0-9]/.test(plain) ? plain : undefined;
}
