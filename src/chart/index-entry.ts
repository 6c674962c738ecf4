import type { Digest } from '../base/digest.ts';
import { isJsonObject, type JsonObject } from '../base/json/json-object.ts';
import { parseStrictJson } from '../base/json/parse-json.ts';
import { type ParsedVersion, parseVersionTag } from '../recipe/version.ts';
import { escapeText } from '../text/escape.ts';
import { isChartName } from './chart-reference.ts';

/** Maximum bytes of the config of a listed chart: an index has thousands of them. */
export const listedConfigBytes = 65_536;
/** Maximum depth of the copied values; a chart has three. */
const deepest = 6;

/**
 * Number of the rules by which entries are made, kept with entries that outlive the process. Increment it with every change
 * after which the same chart has another entry, or another reason to be left out.
 */
export const entryRules = 2;

/** A chart as an index lists it. */
export interface IndexEntry {
  readonly name: string;
  readonly version: string;
  readonly parsed: ParsedVersion;
  /** Name of its archive below the index; the name of its provenance file has `.prov` behind it. */
  readonly file: string;
  /** The entry as JSON that is YAML too, in UTF-8: indexes are put together from these bytes. */
  readonly json: Buffer;
}

const isTexts = (value: unknown): value is readonly string[] =>
  Array.isArray(value) && value.every((item) => typeof item === 'string');

/** Takes the members with text of one form; a member of another form would make the whole index unreadable for helm. */
function pickTexts(from: JsonObject, names: readonly string[]): Record<string, unknown> {
  const picked: Record<string, unknown> = {};
  for (const name of names) {
    const value = from[name];
    if (typeof value === 'string' && value !== '') picked[name] = value;
  }
  return picked;
}

function toDependency(value: unknown): unknown {
  if (!isJsonObject(value) || typeof value.name !== 'string') return [];
  return {
    ...pickTexts(value, ['name', 'version', 'repository', 'condition', 'alias']),
    ...(isTexts(value.tags) ? { tags: value.tags } : {}),
    ...(value.enabled === true ? { enabled: true } : {}),
  };
}

/** Members of `Chart.yaml` that are lists or maps, as an index has them. */
function toLists({ annotations, dependencies, keywords, maintainers, sources }: JsonObject): JsonObject {
  return {
    annotations:
      isJsonObject(annotations) && Object.values(annotations).every((value) => typeof value === 'string')
        ? annotations
        : undefined,
    dependencies: Array.isArray(dependencies) ? dependencies.flatMap(toDependency) : undefined,
    keywords: isTexts(keywords) ? keywords : undefined,
    maintainers: Array.isArray(maintainers)
      ? maintainers.filter(isJsonObject).map((one) => pickTexts(one, ['name', 'email', 'url']))
      : undefined,
    sources: isTexts(sources) ? sources : undefined,
  };
}

/**
 * Removes characters from a text that a terminal would obey: controls other than line breaks and tabs, and marks of
 * direction. Also removes those that YAML parsers read differently: line separators, half surrogate pairs and
 * noncharacters (YAML 1.2, section 5.1).
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
  if (typeof value === 'string') return toPlain(value);
  if (Array.isArray(value)) return value.map((item) => sortMembers(item, depth + 1));
  if (!isJsonObject(value)) return value;
  // without a prototype, whose members could have the names of annotations
  const sorted: Record<string, unknown> = Object.create(null);
  for (const name of Object.keys(value).sort()) sorted[toPlain(name)] = sortMembers(value[name], depth + 1);
  return sorted;
}

/** Writes a text as JSON. Most need no escape. */
const quote = (text: string): string =>
  /^[ !#-[\]-~]*$/.test(text) ? `"${text}"` : JSON.stringify(toPlain(text));

/** Members of an entry in the order of their names. */
const members = [
  'annotations',
  'apiVersion',
  'appVersion',
  'condition',
  'created',
  'dependencies',
  'deprecated',
  'description',
  'digest',
  'home',
  'icon',
  'keywords',
  'kubeVersion',
  'maintainers',
  'name',
  'sources',
  'tags',
  'type',
  'urls',
  'version',
] as const;

/** Writes an entry as JSON, member by member: an index has thousands of them. */
function writeEntry(
  config: JsonObject,
  made: Readonly<Record<'created' | 'urls', string> & { readonly digest: string | undefined }>,
): Buffer {
  const lists = toLists(config);
  const write = (name: (typeof members)[number]): string | undefined => {
    if (name === 'created' || name === 'digest' || name === 'urls') return made[name];
    if (name === 'deprecated') return config.deprecated === true ? 'true' : undefined;
    if (name in lists)
      return lists[name] === undefined ? undefined : JSON.stringify(sortMembers(lists[name], 1));
    const text = config[name];
    if (typeof text === 'string' && text !== '') return quote(text);
    return name === 'apiVersion' ? '"v1"' : undefined;
  };
  let json = '';
  for (const name of members) {
    const value = write(name);
    if (value !== undefined) json += `${json === '' ? '{' : ','}"${name}":${value}`;
  }
  return Buffer.from(`${json}}`);
}

const epoch = new Date(0).toISOString();

/** The moment of an annotation (RFC 3339) in UTC; the epoch when it is none. */
function toMoment(text: string | undefined): string {
  if (text === undefined) return epoch;
  if (!/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d{1,9})?(?:Z|[+-]\d\d:\d\d)$/.test(text)) return epoch;
  const at = Date.parse(text);
  return Number.isFinite(at) && at > 0 && at < 253_402_300_800_000 ? new Date(at).toISOString() : epoch;
}

/** Name of the archive of a chart below its index. */
export function toArchiveName(name: string, version: string): string {
  return `${name}-${version}.tgz`;
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
): IndexEntry | { readonly leftOut: 'config' | 'name' | 'version' } {
  let read: unknown;
  try {
    // helm takes the last of two members with one name; others take the first, or none
    read = parseStrictJson(config);
  } catch {
    return { leftOut: 'config' };
  }
  if (!isJsonObject(read)) return { leftOut: 'config' };
  const { name, version } = read;
  if (typeof name !== 'string' || !isChartName(name)) return { leftOut: 'name' };
  const parsed = typeof version === 'string' ? parseVersionTag(version) : undefined;
  if (typeof version !== 'string' || parsed === undefined) return { leftOut: 'version' };
  const file = toArchiveName(name, version);
  const json = writeEntry(read, {
    created: `"${toMoment(created)}"`,
    // helm compares it with the SHA-256 of the downloaded bytes
    digest: archive.startsWith('sha256:') ? `"${archive.slice('sha256:'.length)}"` : undefined,
    urls: `["${file}"]`,
  });
  return { name, version, parsed, file, json };
}

/**
 * Formats the index of a chart repository, in pieces. It is JSON, which is YAML too, as helm reads JSON in a fraction of the
 * time.
 *
 * @param entries sorted by name, and by version from the highest
 */
export function* formatChartIndex(entries: Iterable<Pick<IndexEntry, 'name' | 'json'>>): Generator<Buffer> {
  yield Buffer.from('{"apiVersion": "v1", "generated": "1970-01-01T00:00:00Z", "entries": {\n');
  let open: string | undefined;
  for (const { name, json } of entries) {
    if (name === open) yield between;
    else yield Buffer.from(`${open === undefined ? '' : '\n],\n'}${JSON.stringify(name)}: [\n`);
    yield json;
    open = name;
  }
  // an index without charts has an empty line
  yield Buffer.from(`${open === undefined ? '' : '\n]'}\n}}\n`);
}

const between = Buffer.from(',\n');
