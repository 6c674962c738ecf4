import { svcError } from '../base/error.ts';
import { readChartDependencies } from '../chart/embedded-dependencies.ts';
import { kindOf } from '../oci/kind.ts';
import type { Manifest } from '../oci/manifest.ts';
import { mediaTypes } from '../oci/media-types.ts';
import type { ManifestContent } from '../oci/ports.ts';
import type { CookedRecipe, Ingredient } from '../recipe/model.ts';
import type { Store } from '../store/model.ts';

const chartLayer = 'application/vnd.cncf.helm.chart.content.v1.tar+gzip';

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
  if (manifest.kind === 'index' || kindOf(manifest) !== 'HelmChart')
    throw svcError('SVC-SIG-003', {
      expected: mediaTypes.helmConfig,
      actual: manifest.kind === 'index' ? content.descriptor.mediaType : manifest.config.mediaType,
      reference,
    });
  const layer = manifest.layers.find(({ mediaType }) => mediaType === chartLayer);
  if (!layer) throw svcError('SVC-SIG-003', { expected: chartLayer, actual: 'no such layer', reference });
  const { file } = await store.openBlob(layer.digest);
  const archive = file.createReadStream({ highWaterMark: 1 << 20 });
  const { dependencies } = await readChartDependencies(archive, reference);
  const others = recipe.ingredients.filter(
    ({ kind, name }) => kind === 'HelmChart' && name !== ingredient.name,
  );
  const isListed = (dependency: string) =>
    others.some(({ name, ref }) => name === dependency || ref.repository.split('/').at(-1) === dependency);
  const missing = dependencies.find(({ name, embedded }) => !embedded && !isListed(name));
  if (missing) throw svcError('SVC-CHT-001', { chart: reference, dependency: missing.name });
}
