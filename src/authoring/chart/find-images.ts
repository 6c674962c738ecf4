import { toText } from '../../chart/embedded-dependencies.ts';
import { isYamlMap, type YamlMap, type YamlValue } from '../../recipe/read-yaml.ts';
import { isSvcError, svcError } from '../../text/error.ts';
import { fr } from '../../text/language.ts';
import { rule } from '../../text/rule.ts';
import { readForeignYaml } from '../foreign/documents.ts';
import { type ChartTree, type DeclaredDependency, isDependency } from './chart-tree.ts';
import { findLiterals } from './find-literals.ts';
import { getValue, mergeValues, toChildValues } from './merge-values.ts';
import { walkValues } from './walk-values.ts';

/** An image that a chart names, with the finder that found it. */
export interface ChartImage {
  /** As the chart composes it: `registry/repository:tag@digest`; the tag may be missing. */
  readonly image: string;
  /** `annotation`: `artifacthub.io/images`; `values`: merged values; `template`: literal text of a template. */
  readonly finder: 'annotation' | 'values' | 'template';
  /** Path of the value from the top chart, or of the file. */
  readonly where: string;
  /** Whether the chart switches the part off that uses it: `enabled: false`, or a dependency that is off. */
  readonly isDisabled: boolean;
  /** Whether other values may write a part of the name: `where` names them. */
  readonly isGuess?: boolean;
}

export interface ChartImages {
  readonly images: readonly ChartImage[];
  /** Declared dependencies that are not embedded, each with the path of its chart. */
  readonly missing: readonly { readonly dependency: DeclaredDependency; readonly where: string }[];
  /** Embedded charts that are too deep to be read, each with the path of the chart that embeds it. */
  readonly unread: readonly { readonly name: string; readonly where: string }[];
}

/** Embedded charts at all levels, one under two aliases counted twice. */
const mostCharts = 1000;

interface FindOptions {
  /** Values of the user in order, later ones over earlier ones. */
  readonly values?: readonly YamlMap[];
  /** Finds the images that templates name literally, too. */
  readonly templates?: boolean;
}

/**
 * Finds the images that a chart and its embedded charts name, without rendering templates. The annotation and the
 * values are claims of the author; only rendering shows the used images.
 *
 * @throws SVC-VAL-001 for a chart with more than 1000 embedded ones
 */
export function findChartImages(chart: ChartTree, options: FindOptions = {}): ChartImages {
  const search = new Search(options.templates ?? false);
  let values = chart.values;
  for (const given of options.values ?? []) values = mergeValues(given, values);
  search.chart(chart, values, '', false);
  return search;
}

class Search {
  readonly images: ChartImage[] = [];
  readonly missing: { dependency: DeclaredDependency; where: string }[] = [];
  readonly unread: { name: string; where: string }[] = [];
  readonly #templates: boolean;
  #charts = 0;

  constructor(templates: boolean) {
    this.#templates = templates;
  }

  /** @param path of its values in those of the top chart, with a dot at its end unless it is empty */
  chart(chart: ChartTree, values: YamlMap, path: string, isOff: boolean): void {
    this.#charts += 1;
    if (this.#charts > mostCharts)
      throw svcError('SVC-VAL-001', {
        file: chart.name,
        rule: rule(
          [
            'must have at most {mostCharts} embedded charts',
            fr`doit avoir au plus {mostCharts} charts embarqués`,
          ],
          { mostCharts },
        ),
      });
    for (const image of readImagesAnnotation(chart.imagesAnnotation)) {
      const where = `${path}Chart.yaml artifacthub.io/images`;
      this.images.push({ image, finder: 'annotation', where, isDisabled: isOff });
    }
    for (const name of chart.unread) this.unread.push({ name, where: `${path}charts/${name}` });
    const keys = new Set<string>();
    for (const embedded of chart.embedded)
      for (const { key, isEnabled } of toUses(embedded, chart, values)) {
        keys.add(key);
        const own = toChildValues(values, key, embedded.values);
        this.chart(embedded, own, `${path}${key}.`, isOff || !isEnabled);
      }
    // values below the name of a dependency belong to it, and were walked with its own defaults
    for (const { name, alias } of chart.dependencies) keys.add(alias ?? name);
    // those of `global` come from the top chart, which was walked with them
    if (path !== '' && !chart.values.has('global')) keys.add('global');
    const own = new Map([...values].filter(([key]) => !keys.has(key)));
    for (const { image, where, isDisabled, isGuess } of walkValues(own, toDefaultTag(chart), values))
      this.images.push({
        image,
        finder: 'values',
        where: `${path}${where}`,
        isDisabled: isOff || isDisabled,
        isGuess,
      });
    if (this.#templates)
      for (const [file, text] of chart.templates)
        for (const { image, line } of findLiterals(text))
          this.images.push({
            image,
            finder: 'template',
            where: `${path}${file} line ${line}`,
            isDisabled: isOff,
          });
    for (const dependency of chart.dependencies)
      if (!chart.embedded.some((each) => each.name === dependency.name))
        this.missing.push({ dependency, where: `${path}${dependency.alias ?? dependency.name}` });
  }
}

/** `v{{ .Chart.AppVersion }}` and `printf "v%s" .Chart.AppVersion`, as charts write it whose tags begin with `v`. */
const prefixedVersion = /(?:v\{\{-?|v%s["'`])[^{}\n]{0,80}\.Chart\.AppVersion/;

/** The tag that an image gets whose values name none: the application version, with a `v` where templates add one. */
function toDefaultTag({ appVersion, templates }: ChartTree): string {
  const isPrefixed = [...templates.values()].some((text) => prefixedVersion.test(text));
  return isPrefixed && appVersion !== '' && !appVersion.startsWith('v') ? `v${appVersion}` : appVersion;
}

/** The names under which a parent renders an embedded chart, and whether each is switched on. */
function toUses(
  embedded: ChartTree,
  parent: ChartTree,
  values: YamlMap,
): readonly { readonly key: string; readonly isEnabled: boolean }[] {
  const declared = parent.dependencies.filter((dependency) => isDependency(embedded, dependency));
  if (declared.length === 0) return [{ key: embedded.name, isEnabled: true }];
  return declared.map((dependency) => ({
    key: dependency.alias ?? dependency.name,
    isEnabled: isEnabled(dependency, values),
  }));
}

/** Whether a dependency is rendered: the first condition that is a boolean decides, then the tags, then it is. */
function isEnabled({ conditions, tags }: DeclaredDependency, values: YamlMap): boolean {
  for (const condition of conditions) {
    const decided = toBoolean(getValue(values, condition));
    if (decided !== undefined) return decided;
  }
  const named = tags.flatMap((tag) => toBoolean(getValue(values, `tags.${tag}`)) ?? []);
  return named.length === 0 || named.includes(true);
}

function toBoolean(value: YamlValue | undefined): boolean | undefined {
  const bare = typeof value === 'object' && 'bare' in value ? value.bare : undefined;
  return typeof bare === 'boolean' ? bare : undefined;
}

/**
 * Reads the annotation `artifacthub.io/images`: YAML, a list of maps with a member `image`. An unreadable annotation names
 * nothing.
 */
function readImagesAnnotation(text: string | undefined): readonly string[] {
  if (text === undefined) return [];
  let list: YamlValue;
  try {
    list = readForeignYaml(text, 'artifacthub.io/images');
  } catch (error) {
    if (isSvcError(error)) return [];
    throw error;
  }
  if (!Array.isArray(list)) return [];
  return (list as readonly YamlValue[]).flatMap((item) =>
    isYamlMap(item) ? (toText(item.get('image')) ?? []) : [],
  );
}
