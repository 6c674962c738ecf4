import { toText } from '../../chart/embedded-dependencies.ts';
import { isInHelmRange, parseHelmRange, parseHelmVersion } from '../../chart/helm-range.ts';
import { isYamlMap, toItems, type YamlMap } from '../../recipe/read-yaml.ts';
import { svcError } from '../../text/error.ts';
import { fr } from '../../text/language.ts';
import { type Rule, rule } from '../../text/rule.ts';
import { readHelmMap } from '../foreign/documents.ts';

/** Files of a chart by their paths below its folder: `Chart.yaml`, `charts/redis/values.yaml`. */
export type ChartFiles = ReadonlyMap<string, Buffer>;

/** A dependency as a chart declares it. */
export interface DeclaredDependency {
  readonly name: string;
  readonly version: string;
  readonly repository: string;
  readonly alias: string | undefined;
  /** Paths of values, of which the first that is a boolean decides. */
  readonly conditions: readonly string[];
  readonly tags: readonly string[];
}

/** A chart with the charts that it embeds. */
export interface ChartTree {
  readonly name: string;
  readonly version: string;
  readonly appVersion: string;
  /** Text of the annotation `artifacthub.io/images`. */
  readonly imagesAnnotation: string | undefined;
  readonly isLibrary: boolean;
  readonly values: YamlMap;
  readonly dependencies: readonly DeclaredDependency[];
  readonly embedded: readonly ChartTree[];
  /** Folders and archives of embedded charts that are not read: they are too deep. */
  readonly unread: readonly string[];
  /** Texts of the templates, by path. */
  readonly templates: ReadonlyMap<string, string>;
}

/** Most levels of charts within charts. */
export const deepestCharts = 16;
const none: YamlMap = new Map();

/**
 * Builds the tree of a chart from its files.
 *
 * @param files paths below the folder of the chart
 * @param chart name of the chart in errors
 * @throws SVC-SIG-003 without a readable `Chart.yaml`; SVC-VAL-001, SVC-VAL-002 for values that cannot be read
 */
export function toChartTree(files: ChartFiles, chart: string, depth = 0): ChartTree {
  const unreadable = (actual: Rule) =>
    svcError('SVC-SIG-003', {
      expected: rule(['a Helm chart', fr`un chart Helm`]),
      actual,
      reference: chart,
    });
  const read = (path: string): YamlMap => {
    const bytes = files.get(path);
    if (bytes === undefined) return none;
    const value = readHelmMap(bytes, `${chart} ${path}`);
    if (value === undefined)
      throw unreadable(rule(['its {path} is not a map', fr`son {path} n’est pas un objet`], { path }));
    return value;
  };
  if (!files.has('Chart.yaml')) throw unreadable(rule(['no Chart.yaml', fr`pas de Chart.yaml`]));
  const metadata = read('Chart.yaml');
  const text = (member: string): string => toText(metadata.get(member)) ?? '';
  const annotations = metadata.get('annotations');
  const older = read('requirements.yaml').get('dependencies');
  const declared = older === undefined ? metadata.get('dependencies') : older;
  const embedded = groupEmbedded(files);
  const isDeepest = depth >= deepestCharts;
  return {
    name: text('name'),
    version: text('version'),
    appVersion: text('appVersion'),
    imagesAnnotation: isYamlMap(annotations) ? toText(annotations.get('artifacthub.io/images')) : undefined,
    isLibrary: text('type') === 'library',
    values: read('values.yaml'),
    dependencies: toItems(declared).flatMap((item) => (isYamlMap(item) ? [toDependency(item)] : [])),
    embedded: isDeepest ? [] : toEmbedded(embedded, chart, depth),
    unread: isDeepest ? [...embedded.keys()] : [],
    templates: new Map(
      [...files].flatMap(([path, bytes]) =>
        path.startsWith('templates/') ? [[path, bytes.toString('utf8')] as const] : [],
      ),
    ),
  };
}

function toDependency(map: YamlMap): DeclaredDependency {
  const text = (member: string): string => toText(map.get(member)) ?? '';
  return {
    name: text('name'),
    version: text('version'),
    repository: text('repository'),
    alias: text('alias') || undefined,
    conditions: text('condition')
      .split(',')
      .map((path) => path.trim())
      .filter((path) => path !== ''),
    tags: toItems(map.get('tags')).flatMap((tag) => toText(tag) ?? []),
  };
}

/**
 * The charts of `charts/`: the files of each of its folders with a `Chart.yaml`; archives were unpacked to such folders
 * before.
 */
function groupEmbedded(files: ChartFiles): ReadonlyMap<string, ChartFiles> {
  const folders = new Map<string, Map<string, Buffer>>();
  for (const [path, bytes] of files) {
    const [, folder, rest] = /^charts\/([^/]+)\/(.+)$/.exec(path) ?? [];
    if (folder === undefined || rest === undefined || /^[._]/.test(folder)) continue;
    const own = folders.get(folder) ?? new Map<string, Buffer>();
    folders.set(folder, own.set(rest, bytes));
  }
  return new Map([...folders].filter(([, own]) => own.has('Chart.yaml')));
}

function toEmbedded(
  folders: ReadonlyMap<string, ChartFiles>,
  chart: string,
  depth: number,
): readonly ChartTree[] {
  return [...folders].map(([folder, own]) => toChartTree(own, `${chart} charts/${folder}`, depth + 1));
}

/** Returns whether an embedded chart is the one that a dependency means. */
export function isDependency(chart: ChartTree, { name, version }: DeclaredDependency): boolean {
  if (chart.name !== name) return false;
  const range = parseHelmRange(version);
  const own = parseHelmVersion(chart.version);
  return version === '' || (range !== undefined && own !== undefined && isInHelmRange(own, range));
}
