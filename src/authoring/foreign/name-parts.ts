import type { YamlMap } from '../../recipe/read-yaml.ts';

/** A member that may write a part of the name of an image beside it. */
export interface NamePart {
  readonly key: string;
  /** Without a scheme and a slash at its end; '' for a text that another program must evaluate. */
  readonly value: string;
}

/** Members that say where images are, in any map: `hub`, `imageRegistry`, `repoPrefix`. */
const placeKey =
  /^(?:image|docker|container|default|private)?[-_]?(?:hub|mirror|repo|repository)$|registry|(?:image|docker|repo|repository)[-_]?(?:prefix|base|host|path|org|namespace|project)$/i;
/** Members that may say so in the map of an image, and mean other things elsewhere. */
const maybeKey =
  /^(?:host|hostname|server|org|organi[sz]ation|namespace|domain|project|vendor|owner|account|group|base|path|url|endpoint|location)$|prefix$/i;
/** Members of an image that are no part of its name, and other images. */
const otherKey = /^(?:registry|repository|tag|digest|sha|version)$|tag$|policy/i;

/** Parts of a name: a guess needs no more. */
const mostParts = 8;

/** Whether a text begins with the host of a registry: it has a dot or a port, or is localhost. */
function beginsWithHost(text: string): boolean {
  const [first = ''] = text.split('/');
  if (
    !/^(?:localhost|[a-z0-9-]+(?:\.[a-z0-9-]+)*\.[a-z]{2,}|[0-9]+(?:\.[0-9]+){3})(?::[0-9]+)?$/i.test(first)
  )
    return /^[a-z0-9-]+:[0-9]+$/i.test(first);
  return (
    text.includes('/') ||
    !/\.(?:conf|ya?ml|json|toml|ini|properties|crt|key|pem|sh|py|js|txt|html?|xml|cfg|log)$/i.test(first)
  );
}

/** Whether a text can begin the name of an image: a host, a path or both, without a tag. */
const isPrefix = (text: string): boolean =>
  text.length <= 255 &&
  /^[A-Za-z0-9-]+(?:[._A-Za-z0-9-]*)(?::[0-9]+(?=\/|$))?(?:\/[a-z0-9][a-z0-9._-]*)*$/.test(text);

function toPart(key: string, text: string): NamePart | undefined {
  if (/\{\{|\$\{/.test(text)) return { key, value: '' };
  const isUrl = text.includes('://');
  // the URL of a Git repository is no part of a name
  if (isUrl && !/registry|hub$/i.test(key)) return undefined;
  const value = text.replace(/^[a-z]+:\/\//i, '').replace(/\/+$/, '');
  return isPrefix(value) ? { key, value } : undefined;
}

interface NamePlace {
  /** How the image is written: a text, or the members of a map, of which one is the repository. */
  readonly form: 'text' | 'map';
  /** The member that is the repository or the text. */
  readonly member: string;
  /** The value of this member, without a host. */
  readonly written: string;
  readonly hasRegistry: boolean;
}

/** Members of credentials, of pulling and of other images, which are near the registry and no part of a name. */
const nearKey = /secret|pull|cred|auth|user|pass|token|email|images?$/i;

/** The members of each map that say where images are: one map may surround many images. */
const known = new WeakMap<YamlMap, readonly NamePart[]>();

function findPlaces(map: YamlMap): readonly NamePart[] {
  const before = known.get(map);
  if (before !== undefined) return before;
  const places = [...map].flatMap(([key, value]) =>
    typeof value === 'string' && value.trim() !== '' && placeKey.test(key) && !nearKey.test(key)
      ? (toPart(key, value.trim()) ?? [])
      : [],
  );
  known.set(map, places.slice(0, mostParts));
  return places.slice(0, mostParts);
}

/**
 * Finds the members of a map that may complete the name of an image without a host: `hub: gcr.io/istio` beside `image:
 * pilot`. Which of them a template uses, only rendering shows.
 */
export function findNameParts(map: YamlMap, place: NamePlace): readonly NamePart[] {
  const { form, member, written, hasRegistry } = place;
  const isShort = !written.includes('/');
  if (hasRegistry && !isShort) return [];
  const places = findPlaces(map).filter(
    ({ key }) => key !== member && (form === 'text' || key !== 'registry'),
  );
  if (form === 'text' || !isShort) return places;
  const maybe = [...map].flatMap(([key, value]) => {
    if (key === member || typeof value !== 'string' || value.trim() === '') return [];
    if (otherKey.test(key) || nearKey.test(key) || placeKey.test(key)) return [];
    const text = value.trim();
    const isMeant = maybeKey.test(key) || (!hasRegistry && (beginsWithHost(text) || isPath(text)));
    return isMeant ? (toPart(key, text) ?? []) : [];
  });
  return [...places, ...maybe].slice(0, mostParts);
}

const isPath = (text: string): boolean => /^[a-z0-9][a-z0-9._-]*(?:\/[a-z0-9._-]+)+\/?$/.test(text);

/** Finds a member of the maps around an image that says where images without a host are: `global.hub`. */
export function findOuterParts(scopes: readonly YamlMap[]): readonly NamePart[] {
  for (const scope of scopes) {
    const part = findPlaces(scope).find(({ value }) => value === '' || beginsWithHost(value));
    if (part !== undefined) return [part];
  }
  return [];
}

/**
 * Writes the most likely name of an image whose parts are in several members: the one with a host first.
 *
 * @param registry that is already known; '' for none
 */
export function joinNameParts(parts: readonly NamePart[], registry: string, written: string): string {
  const values = parts.map(({ value }) => value).filter((value) => value !== '');
  const host = values.find(beginsWithHost);
  const others = values.filter((value) => value !== host);
  return [...(host === undefined ? (registry === '' ? [] : [registry]) : [host]), ...others, written].join(
    '/',
  );
}
