import type { Digest } from '../../base/digest.ts';
import {
  type ChartDependencies,
  formatDependency,
  readChartDependencies,
} from '../../chart/embedded-dependencies.ts';
import { listUnmet } from '../../chart/unmet-dependencies.ts';
import { FileStream } from '../../disk/file-stream.ts';
import type { CookedRecipe, Ingredient } from '../../recipe/model.ts';
import type { Store } from '../../store/model.ts';
import { openBlob } from '../../store/open-blob.ts';
import { svcError } from '../../text/error.ts';

/**
 * Reads the name and dependencies of a chart whose archive is in the store.
 *
 * @param archive digest of the chart layer
 * @param reference names the chart in errors
 * @throws SVC-SIG-003 when it is not a chart, SVC-VAL-002 beyond the limits of a chart, errors of the store
 */
export async function readStoredChart(
  store: Store,
  archive: Digest,
  reference: string,
): Promise<ChartDependencies> {
  const { file, size } = await openBlob(store, archive);
  return readChartDependencies(new FileStream(file, size), reference);
}

/**
 * Requires that a chart with its archive in the store is usable without its repositories. Each declared dependency is
 * embedded, or is another chart of this recipe. Nothing is vendored. The result is valid for this recipe only.
 *
 * @param archive digest of the chart layer
 * @returns the contents of the archive
 * @throws SVC-SIG-003 when it is not a chart, SVC-CHT-001
 */
export async function checkChart(
  store: Store,
  archive: Digest,
  ingredient: Ingredient,
  recipe: CookedRecipe,
): Promise<ChartDependencies> {
  const reference = `${ingredient.ref.host}/${ingredient.ref.repository}:${ingredient.version}`;
  const contents = await readStoredChart(store, archive, reference);
  const [missing] = listUnmet(contents.dependencies, ingredient, recipe);
  if (missing) throw svcError('SVC-CHT-001', { chart: reference, dependency: formatDependency(missing) });
  return contents;
}
