import type { Digest } from '../base/digest.ts';
import { escapeText } from '../base/escape.ts';
import { parseVersionTag } from '../recipe/version.ts';
import { isChartName } from './chart-reference.ts';

/** Maximum bytes of the config of a listed chart: an index has thousands of them. */
export const listedConfigBytes = 65_536;
/** Maximum depth of the values that are taken over; a chart has three. */
const deepest = 6;

/** Why a chart is not listed in an index. */
export type LeftOut = 'name' | 'version' | 'config' | 'archive' | 'duplicate';

/** A chart as an index lists it. */
export interface IndexEntry {
  readonly name: string;
  readonly version: string;
  /** Name of its archive below the index; the name of its provenance file has `.prov` behind it. */
  readonly file: string;
  /** The entry as JSON that is YAML too. */
  readonly json: string;
}

/** Members of `Chart.yaml` that an index has (helm, Chart.yaml), by the form of their values. */
const texts = [
  'apiVersion',
  'appVersion',
  'condition',
  'description',
  'home',
  'icon',
  'kubeVersion',
  'tags',
  'type',
] as const;

type Json = Readonly<Record<string, unknown>>;
const isObject = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
const isTexts = (value: unknown): value is readonly string[] =>
  Array.isArray(value) && value.every((item) => typeof item === 'string');

/** Takes the members with text of one form; a member of another form would make the whole index unreadable for helm. */
function pickTexts(from: Json, names: readonly string[]): Record<string, unknown> {
  return Object.fromEntries(
    names.flatMap((name) => {
      const value = from[name];
      return typeof value === 'string' && value !== '' ? [[name, value]] : [];
    }),
  );
}

function toDependency(value: unknown): unknown {
  if (!isObject(value) || typeof value.name !== 'string') return [];
  return {
    ...pickTexts(value, ['name', 'version', 'repository', 'condition', 'alias']),
    ...(isTexts(value.tags) ? { tags: value.tags } : {}),
    ...(value.enabled === true ? { enabled: true } : {}),
  };
}

function toMetadata(config: Json): Record<string, unknown> {
  const { annotations, dependencies, deprecated, keywords, maintainers, sources } = config;
  return {
    ...pickTexts(config, texts),
    ...(isObject(annotations) && Object.values(annotations).every((value) => typeof value === 'string')
      ? { annotations }
      : {}),
    ...(Array.isArray(dependencies) ? { dependencies: dependencies.flatMap(toDependency) } : {}),
    ...(deprecated === true ? { deprecated } : {}),
    ...(isTexts(keywords) ? { keywords } : {}),
    ...(Array.isArray(maintainers)
      ? {
          maintainers: maintainers.filter(isObject).map((one) => pickTexts(one, ['name', 'email', 'url'])),
        }
      : {}),
    ...(isTexts(sources) ? { sources } : {}),
  };
}

/**
 * Leaves out of a text what a terminal would obey, controls other than line breaks and tabs and marks of direction, and
 * what parsers of YAML read differently: line separators, half surrogate pairs and noncharacters (YAML 1.2, section 5.1).
 */
function toPlain(text: string): string {
  if (/^[\n\t\x20-\x7e]*$/.test(text)) return text;
  return [...text].filter((one) => /^[\n\t]$/.test(one) || isShown(one)).join('');
}

const isShown = (character: string): boolean =>
  escapeText(character) === character && !/[\ufffe\uffff]/.test(character);

/** Members of an object in the order of their names, so that the same values give the same bytes, with plain texts. */
function sortMembers(value: unknown, depth = 0): unknown {
  if (depth > deepest) return undefined;
  if (Array.isArray(value)) return value.map((item) => sortMembers(item, depth + 1));
  if (typeof value === 'string') return toPlain(value);
  if (!isObject(value)) return value;
  return Object.fromEntries(
    Object.keys(value)
      .sort()
      .map((name) => [toPlain(name), sortMembers(value[name], depth + 1)]),
  );
}

/** The moment of an annotation (RFC 3339) in milliseconds; 0 when it is none. */
function toMoment(text: string | undefined): number {
  if (text === undefined || !/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d{1,9})?(?:Z|[+-]\d\d:\d\d)$/.test(text))
    return 0;
  const at = Date.parse(text);
  return Number.isFinite(at) && at > 0 && at < 253_402_300_800_000 ? at : 0;
}

/**
 * Makes the entry of a chart from the config of its artifact.
 *
 * @param config bytes of the config, which anybody may have written
 * @param archive digest of the layer with its archive
 * @param created annotation of the manifest with the time of its creation
 */
export function toIndexEntry(
  config: Uint8Array,
  archive: Digest,
  created: string | undefined,
): IndexEntry | { readonly leftOut: LeftOut } {
  let read: unknown;
  try {
    read = JSON.parse(Buffer.from(config).toString('utf8'));
  } catch {
    return { leftOut: 'config' };
  }
  if (!isObject(read)) return { leftOut: 'config' };
  const { name, version } = read;
  if (typeof name !== 'string' || !isChartName(name)) return { leftOut: 'name' };
  if (typeof version !== 'string' || parseVersionTag(version) === undefined) return { leftOut: 'version' };
  const file = `${name}-${version}.tgz`;
  const { apiVersion = 'v1', ...rest } = toMetadata(read);
  const entry = sortMembers({
    apiVersion,
    name,
    version,
    ...rest,
    created: new Date(toMoment(created)).toISOString(),
    // helm compares it with the SHA-256 of what it downloads
    ...(archive.startsWith('sha256:') ? { digest: archive.slice('sha256:'.length) } : {}),
    urls: [file],
  });
  return { name, version, file, json: JSON.stringify(entry) };
}

/**
 * Formats the index of a chart repository. It is JSON, which is YAML too, as helm reads JSON in a fraction of the time.
 *
 * @param entries sorted by name, and by version from the highest
 */
export function toChartIndex(entries: readonly Pick<IndexEntry, 'name' | 'json'>[]): string {
  const groups = new Map<string, string[]>();
  for (const { name, json } of entries) {
    const group = groups.get(name);
    if (group === undefined) groups.set(name, [json]);
    else group.push(json);
  }
  const charts = [...groups].map(([name, items]) => `${JSON.stringify(name)}: [\n${items.join(',\n')}\n]`);
  return `{"apiVersion": "v1", "generated": "1970-01-01T00:00:00Z", "entries": {\n${charts.join(',\n')}\n}}\n`;
}
