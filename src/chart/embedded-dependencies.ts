import type { Readable } from 'node:stream';
import { Pacer } from '../base/pacer.ts';
import type { ChartDependency } from '../contract/content.ts';
import { readDocumentValue } from '../recipe/read-document.ts';
import { isBareScalar, isYamlMap, toItems, type YamlMap, type YamlValue } from '../recipe/read-yaml.ts';
import { isSvcError, svcError } from '../text/error.ts';
import { fr } from '../text/language.ts';
import { type Rule, rule } from '../text/rule.ts';
import { isInHelmRange, parseHelmRange, parseHelmVersion } from './helm-range.ts';
import { readChartArchive } from './read-archive.ts';

export interface ChartDependencies {
  /** Name of the folder of its files. */
  readonly folder: string;
  /** `Chart.yaml` as written. */
  readonly metadata: YamlMap;
  /** Dependencies as written in `requirements.yaml` of an older chart. */
  readonly requirements: readonly YamlValue[];
  readonly name?: string;
  readonly version?: string;
  /** Declared in `Chart.yaml` or, by older charts, in `requirements.yaml`; each name, range and alias once. */
  readonly dependencies: readonly ChartDependency[];
  /** The first entry of the archive that a chart must not have. Callers that publish the archive refuse it. */
  readonly unsafe?: Rule;
}

type Declared = Omit<ChartDependency, 'embedded'>;

/** A chart in `charts/`, with the name and version of its own `Chart.yaml`. */
interface EmbeddedChart {
  readonly name: string | undefined;
  readonly version: string | undefined;
}

/** Formats the name of a dependency for messages. */
export function formatDependency({ name, alias }: ChartDependency): string {
  return alias === undefined ? name : `${name} as ${alias}`;
}

function satisfies(chart: EmbeddedChart, { name, version = '' }: Declared): boolean {
  if (chart.name !== name) return false;
  const range = parseHelmRange(version);
  const own = parseHelmVersion(chart.version ?? '');
  return range !== undefined && own !== undefined && isInHelmRange(own, range);
}

/**
 * Returns whether helm renders the dependency from an embedded chart: one of its name and within its range. Without an
 * alias, a chart of its name that is in the range of no other dependency is enough, as helm renders it anyway.
 */
function isEmbedded(
  dependency: Declared,
  declared: readonly Declared[],
  charts: readonly EmbeddedChart[],
): boolean {
  if (charts.some((chart) => satisfies(chart, dependency))) return true;
  if (dependency.alias !== undefined) return false;
  return charts.some(
    (chart) => chart.name === dependency.name && !declared.some((other) => satisfies(chart, other)),
  );
}

/**
 * Reads which dependencies a packed chart declares and which it embeds, in one pass and without writing to the disk.
 * Callers decide whether a dependency that is not embedded is an error.
 *
 * @param archive the chart layer (gzipped tar); read to its end or destroyed
 * @param chart name of the chart in errors
 * @throws SVC-SIG-003 when the chart is unreadable, SVC-VAL-002 when it unpacks to more than 256 MiB
 */
export async function readChartDependencies(archive: Readable, chart: string): Promise<ChartDependencies> {
  const { folder, documents, unsafe } = await readChartArchive(archive, chart);
  const unreadable = (actual: Rule, cause?: unknown) =>
    svcError(
      'SVC-SIG-003',
      { expected: rule(['a Helm chart archive', fr`une archive de chart Helm`]), actual, reference: chart },
      cause === undefined ? {} : { cause },
    );
  const pacer = new Pacer();
  const read = async (place: string, members?: readonly string[]): Promise<YamlMap | undefined> => {
    const bytes = documents.get(place);
    if (!bytes) return undefined;
    // a chart may embed ten thousand
    if (pacer.isDue()) await pacer.rest();
    const wanted = { duplicateKeys: 'last', ...(members === undefined ? {} : { members }) } as const;
    let value: YamlValue | undefined;
    try {
      value = await readDocumentValue(bytes, place, wanted);
    } catch (error) {
      // it expands beyond the limit when its aliases are replaced
      if (isSvcError(error, 'SVC-VAL-002')) throw error;
      throw unreadable(rule(['its {place} cannot be read', fr`son {place} est illisible`], { place }), error);
    }
    if (isYamlMap(value)) return value;
    throw unreadable(rule(['its {place} is not a map', fr`son {place} n’est pas un objet`], { place }));
  };
  const own = await read('Chart.yaml');
  if (!own) throw unreadable(rule(['no Chart.yaml', fr`pas de Chart.yaml`]));
  const charts: EmbeddedChart[] = [];
  for (const place of documents.keys()) {
    if (!place.startsWith('charts/')) continue;
    const metadata = await read(place, ['name', 'version']);
    charts.push({ name: toText(metadata?.get('name')), version: toText(metadata?.get('version')) });
  }
  const toDeclared = (items: readonly YamlValue[]): readonly Declared[] =>
    items.map((item) => {
      const text = (member: string) => (isYamlMap(item) ? toText(item.get(member)) : undefined);
      const [dependency, version, repository] = ['name', 'version', 'repository'].map(text);
      if (dependency === undefined)
        throw unreadable(rule(['a dependency without a name', fr`une dépendance sans nom`]));
      const alias = text('alias') || undefined;
      return {
        name: dependency,
        ...(version === undefined ? {} : { version }),
        ...(repository === undefined ? {} : { repository }),
        ...(alias === undefined ? {} : { alias }),
      };
    });
  const listed = toDeclared(toItems(own.get('dependencies')));
  const requirements = toItems((await read('requirements.yaml', ['dependencies']))?.get('dependencies'));
  const older = toDeclared(requirements).filter(({ name }) => !listed.some((one) => one.name === name));
  const declared = new Map<string, Declared>();
  for (const one of [...listed, ...older]) {
    const key = JSON.stringify([one.name, one.version, one.alias]);
    if (!declared.has(key)) declared.set(key, one);
  }
  const all = [...declared.values()];
  const name = toText(own.get('name'));
  const version = toText(own.get('version'));
  return {
    folder,
    metadata: own,
    requirements,
    ...(name === undefined ? {} : { name }),
    ...(version === undefined ? {} : { version }),
    ...(unsafe === undefined ? {} : { unsafe }),
    dependencies: all.map((one) => ({ ...one, embedded: isEmbedded(one, all, charts) })),
  };
}

/** Returns a scalar as written. */
export function toText(value: YamlValue | undefined): string | undefined {
  if (typeof value === 'string') return value;
  return isBareScalar(value) && value.bare !== null ? value.source : undefined;
}
