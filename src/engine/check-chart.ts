import { svcError } from '../base/error.ts';
import { selectChartLayer } from '../chart/chart-artifact.ts';
import { type ChartDependencies, readChartDependencies } from '../chart/embedded-dependencies.ts';
import { FileStream } from '../disk/file-stream.ts';
import type { Manifest } from '../oci/manifest.ts';
import type { ManifestContent } from '../oci/ports.ts';
import type { CookedRecipe, Ingredient } from '../recipe/model.ts';
import type { Store } from '../store/model.ts';

/**
 * What a chart whose blobs are in the store declares and carries.
 *
 * @param reference names the chart in errors
 * @throws SVC-SIG-003 when it is no chart, SVC-VAL-002 beyond the limits of one
 */
export async function readStoredChart(
  store: Pick<Store, 'openBlob'>,
  content: ManifestContent,
  manifest: Manifest,
  reference: string,
): Promise<ChartDependencies> {
  const layer = selectChartLayer(content, manifest, reference);
  const { file, size } = await store.openBlob(layer.digest);
  return readChartDependencies(new FileStream(file, size), reference);
}

/**
 * Holds a chart whose blobs are in the store to being usable without its repositories: each declared dependency is
 * embedded, or another chart of the recipe. Nothing is vendored.
 *
 * @throws SVC-SIG-003 when it is no chart, SVC-CHT-001
 */
export async function checkChart(
  store: Pick<Store, 'openBlob'>,
  content: ManifestContent,
  manifest: Manifest,
  ingredient: Ingredient,
  recipe: CookedRecipe,
): Promise<void> {
  const reference = `${ingredient.ref.host}/${ingredient.ref.repository}:${ingredient.version}`;
  const { dependencies } = await readStoredChart(store, content, manifest, reference);
  const others = recipe.ingredients.filter(
    ({ kind, name }) => kind === 'HelmChart' && name !== ingredient.name,
  );
  const isListed = (dependency: string) =>
    others.some(({ name, ref }) => name === dependency || ref.repository.split('/').at(-1) === dependency);
  const missing = dependencies.find(({ name, embedded }) => !embedded && !isListed(name));
  if (missing) throw svcError('SVC-CHT-001', { chart: reference, dependency: missing.name });
}
