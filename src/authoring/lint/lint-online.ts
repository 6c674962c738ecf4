import { Readable } from 'node:stream';
import { forEachBounded, Semaphore } from '../../base/concurrency.ts';
import { Once } from '../../base/once.ts';
import { formatDependency, readChartDependencies } from '../../chart/embedded-dependencies.ts';
import { listUnmet } from '../../chart/unmet-dependencies.ts';
import { readJudgedGraph } from '../../engine/copy/judge-graph.ts';
import { selectTag } from '../../engine/sync/resolve-recipe.ts';
import { formatReference } from '../../oci/reference.ts';
import type { Ingredient, Recipe } from '../../recipe/model.ts';
import { isSvcError, type SvcError, toErrorRecord, toSvcError } from '../../text/error.ts';
import { fetchArchive, findAbsentImages } from '../pin/chart-images.ts';
import type { PinSources } from '../pin/pin-ingredient.ts';
import { compareTag } from './compare-tag.ts';
import { type Finding, ingredientPath } from './model.ts';

/** Ingredients that are looked at at once; each has the manifests below it in memory. */
const atOnce = 4;
/** Bytes of the largest file that FAT32 holds. */
const fatLimit = 4_294_967_295;

/**
 * Compares a recipe with its registries. Finds digests that are gone, moved tags, absent platforms, and files that
 * FAT32 cannot hold. Also finds dependencies and images of charts that neither chart nor recipe has. A registry that
 * cannot be asked is a finding.
 *
 * @throws the reason of the signal
 */
export async function lintOnline(
  recipe: Recipe,
  sources: Omit<PinSources, 'tagLists'>,
): Promise<readonly Finding[]> {
  const found: (readonly Finding[])[] = [];
  const all = {
    ...sources,
    tagLists: new Once<string, readonly string[]>(),
    recipe,
    charts: new Semaphore(1),
  };
  await forEachBounded(recipe.ingredients, atOnce, async (ingredient, position) => {
    found[position] = await look(ingredient, position, all);
  });
  return found.flat();
}

interface LintSources extends PinSources {
  readonly recipe: Recipe;
  /** Charts that are read at once; each is in memory. */
  readonly charts: Semaphore;
}

async function look(
  ingredient: Ingredient,
  position: number,
  sources: LintSources,
): Promise<readonly Finding[]> {
  const findings: Finding[] = [];
  try {
    for await (const finding of compare(ingredient, position, sources)) findings.push(finding);
  } catch (error) {
    sources.signal?.throwIfAborted();
    findings.push(toFinding(toSvcError(error), ingredient, position));
  }
  return findings;
}

async function* compare(
  ingredient: Ingredient,
  position: number,
  sources: LintSources,
): AsyncGenerator<Finding> {
  const { registry, tagLists, signal } = sources;
  const { name, ref, digest, platforms } = ingredient;
  const call = { signal };
  const remote = registry.repository(ref);
  const { version } = await selectTag(ingredient, remote, formatReference(ref), tagLists, call);
  const reference = formatReference({ ...ref, tag: version });
  const tagged = await remote.resolve(version, call);
  const difference = compareTag(ingredient, position, { reference, digest: tagged?.digest });
  if (difference !== undefined) yield difference;
  const root = digest ?? tagged?.digest;
  if (root === undefined) return;
  const graph = await readJudgedGraph(remote, root, { ...call, reference, platforms });
  const largest = graph.blobs.reduce((most, { size }) => Math.max(most, size), 0);
  if (largest > fatLimit)
    yield {
      rule: 'large-layer',
      severity: 'warning',
      path: ingredientPath(position),
      params: { name, size: largest },
    };
  if (ingredient.kind === 'HelmChart')
    yield* await sources.charts.run(() =>
      compareChart({ ingredient, position, reference }, sources.recipe, () =>
        fetchArchive(remote, graph, reference, call),
      ),
    );
}

interface LintedChart {
  readonly ingredient: Ingredient;
  readonly position: number;
  /** `<host>/<path>:<tag>` */
  readonly reference: string;
}

/** A chart whose values cannot be read is a warning: a zone can use it all the same. */
async function compareChart(
  { ingredient, position, reference }: LintedChart,
  recipe: Recipe,
  fetchArchive: () => Promise<Buffer>,
): Promise<readonly Finding[]> {
  const { name } = ingredient;
  const path = ingredientPath(position);
  const findings: Finding[] = [];
  try {
    const archive = await fetchArchive();
    const { dependencies } = await readChartDependencies(Readable.from([archive]), reference);
    for (const dependency of listUnmet(dependencies, ingredient, recipe))
      findings.push(toUnmet(formatDependency(dependency), ingredient, path));
    for (const image of await findAbsentImages(archive, reference, recipe.ingredients))
      findings.push({ rule: 'chart-image', severity: 'warning', path, params: { name, ...image } });
  } catch (error) {
    if (!isSvcError(error, 'SVC-VAL-001') && !isSvcError(error, 'SVC-VAL-002')) throw error;
    const record = toErrorRecord(error);
    findings.push({ rule: 'not-checked', severity: 'warning', path, params: { name }, error: record });
  }
  return findings;
}

/** A sync refuses the chart, unless pinning is still to complete it. */
function toUnmet(
  dependency: string,
  { name, digest, vendorDependencies }: Ingredient,
  path: string,
): Finding {
  const isDue = vendorDependencies && digest === undefined;
  return {
    rule: 'chart-dependency',
    severity: isDue ? 'warning' : 'error',
    path,
    params: { name, dependency },
  };
}

function toFinding(error: SvcError, { name, digest }: Ingredient, position: number): Finding {
  const severity = 'error';
  if (isSvcError(error, 'SVC-REG-005') && digest !== undefined)
    return {
      rule: 'digest-gone',
      severity,
      path: ingredientPath(position, 'digest'),
      params: { name, digest },
    };
  if (isSvcError(error, 'SVC-REG-008')) {
    const [missing, available] = [error.params.platforms, error.params.available].map(toList);
    return {
      rule: 'platform-absent',
      severity,
      path: ingredientPath(position, 'platforms'),
      params: { name, missing: missing!, available: available === '' ? '-' : available! },
    };
  }
  return {
    rule: 'not-checked',
    severity,
    path: ingredientPath(position),
    params: { name },
    error: toErrorRecord(error),
  };
}

const toList = (value: unknown): string => (Array.isArray(value) ? value.join(', ') : String(value ?? ''));
