import { manifestLimits } from '../oci/manifest.ts';
import { isBareScalar, isYamlMap, type YamlMap, type YamlValue } from '../recipe/read-yaml.ts';
import { svcError } from '../text/error.ts';
import { type ChartDependencies, toText } from './embedded-dependencies.ts';

/** Maximum bytes of a document after its aliases are expanded. */
const limit = manifestLimits.bytes;

type Json = string | number | boolean | null | readonly Json[] | { readonly [name: string]: Json };
type Members = Readonly<Record<string, Json | undefined>>;

/** Counts the written bytes, because an alias is short in the source and may be large when expanded. */
class Writer {
  readonly #file: string;
  #left = limit;

  constructor(file: string) {
    this.#file = file;
  }

  spend(bytes: number): void {
    this.#left -= bytes;
    if (this.#left < 0) throw svcError('SVC-VAL-002', { limit, file: this.#file });
  }

  text(value: YamlValue | undefined): string | undefined {
    const text = toText(value);
    if (text === undefined || text === '') return undefined;
    this.spend(Buffer.byteLength(text) + 4);
    return text;
  }

  flag(value: YamlValue | undefined): true | undefined {
    return isBareScalar(value) && value.bare === true ? true : undefined;
  }

  list<T extends Json>(
    value: YamlValue | undefined,
    write: (item: YamlValue) => T | undefined,
  ): readonly T[] | undefined {
    if (!Array.isArray(value)) return undefined;
    const items = (value as readonly YamlValue[]).flatMap((item) => {
      this.spend(1);
      return write(item) ?? [];
    });
    return items.length === 0 ? undefined : (items as T[]);
  }

  texts(value: YamlValue | undefined): readonly string[] | undefined {
    return this.list(value, (item) => this.text(item));
  }

  /** Returns members sorted by name, as encoders of maps write them. */
  record(value: YamlValue | undefined): Readonly<Record<string, string>> | undefined {
    if (!isYamlMap(value) || value.size === 0) return undefined;
    const names = [...value.keys()].sort();
    return Object.fromEntries(
      names.map((name) => {
        this.spend(Buffer.byteLength(name) + 4);
        return [name, this.text(value.get(name)) ?? ''];
      }),
    );
  }

  anything(value: YamlValue): Json {
    this.spend(1);
    if (typeof value === 'string') return this.text(value) ?? '';
    if (isBareScalar(value)) return typeof value.bare === 'bigint' ? Number(value.bare) : value.bare;
    if (!isYamlMap(value)) return (value as readonly YamlValue[]).map((item) => this.anything(item));
    const names = [...value.keys()].sort();
    return Object.fromEntries(
      names.map((name) => {
        this.spend(Buffer.byteLength(name) + 4);
        return [name, this.anything(value.get(name)!)];
      }),
    );
  }

  members(value: YamlValue, write: (map: YamlMap) => Members): { readonly [name: string]: Json } | undefined {
    return isYamlMap(value) ? (write(value) as { readonly [name: string]: Json }) : undefined;
  }
}

/**
 * Returns the config of a chart as `helm push` writes it: the known members of `Chart.yaml`, in helm's order, without
 * empty ones. The same chart gives the same bytes.
 *
 * @param chart name of the chart in errors
 * @throws SVC-VAL-002 when its expanded aliases exceed 4 MiB
 */
export function toChartConfig({ metadata, requirements }: ChartDependencies, chart: string): Buffer {
  const w = new Writer(`${chart} Chart.yaml`);
  const text = (name: string) => w.text(metadata.get(name));
  const toMaintainer = (item: YamlValue) =>
    w.members(item, (map) => ({
      name: w.text(map.get('name')),
      email: w.text(map.get('email')),
      url: w.text(map.get('url')),
    }));
  const toDependency = (item: YamlValue) =>
    w.members(item, (map) => ({
      name: w.text(map.get('name')) ?? '',
      version: w.text(map.get('version')),
      repository: w.text(map.get('repository')) ?? '',
      condition: w.text(map.get('condition')),
      tags: w.texts(map.get('tags')),
      enabled: w.flag(map.get('enabled')),
      'import-values': w.list(map.get('import-values'), (value) => w.anything(value)),
      alias: w.text(map.get('alias')),
    }));
  // helm reads both documents in turn, and the dependencies of `requirements.yaml` win
  const dependencies = requirements.length > 0 ? requirements : metadata.get('dependencies');
  const config: Members = {
    name: text('name'),
    home: text('home'),
    sources: w.texts(metadata.get('sources')),
    version: text('version'),
    description: text('description'),
    keywords: w.texts(metadata.get('keywords')),
    maintainers: w.list(metadata.get('maintainers'), toMaintainer),
    icon: text('icon'),
    apiVersion: text('apiVersion') ?? 'v1',
    condition: text('condition'),
    tags: text('tags'),
    appVersion: text('appVersion'),
    deprecated: w.flag(metadata.get('deprecated')),
    annotations: w.record(metadata.get('annotations')),
    kubeVersion: text('kubeVersion'),
    dependencies: w.list(dependencies, toDependency),
    type: text('type'),
  };
  return Buffer.from(escapeHtml(JSON.stringify(config)));
}

/** Escapes as helm's encoder does, which makes JSON safe in HTML. */
function escapeHtml(json: string): string {
  return json.replaceAll(/[<>&\u2028\u2029]/g, (c) => `\\u${c.charCodeAt(0).toString(16).padStart(4, '0')}`);
}

const image = (name: string): string => `org.opencontainers.image.${name}`;
/** Annotations that the author of a chart cannot override. */
const fixed: ReadonlySet<string> = new Set([image('title'), image('version')]);

/**
 * Returns the annotations that `helm push` gives a chart's manifest, without the time of the push, which would make each
 * conversion a different artifact.
 *
 * @param config as written by `toChartConfig`
 */
export function toChartAnnotations(config: Buffer): Readonly<Record<string, string>> {
  const { annotations, description, home, sources, maintainers, name, version } = JSON.parse(
    config.toString(),
  ) as {
    readonly annotations?: Readonly<Record<string, string>>;
    readonly description?: string;
    readonly home?: string;
    readonly sources?: readonly string[];
    readonly maintainers?: readonly { readonly name?: string; readonly email?: string }[];
    readonly name?: string;
    readonly version?: string;
  };
  const authors = (maintainers ?? [])
    .map(({ name: who = '', email }) => (email === undefined ? who : `${who} (${email})`))
    .join(', ');
  const own = {
    [image('description')]: description,
    [image('url')]: home,
    [image('source')]: sources?.[0],
    [image('authors')]: authors,
    [image('title')]: name,
    [image('version')]: version,
  };
  const all = new Map<string, string>();
  for (const [key, value] of Object.entries(annotations ?? {})) if (!fixed.has(key)) all.set(key, value);
  for (const [key, value] of Object.entries(own))
    if (value !== undefined && value !== '' && !all.has(key)) all.set(key, value);
  return Object.fromEntries([...all].sort(([a], [b]) => (a < b ? -1 : 1)));
}
