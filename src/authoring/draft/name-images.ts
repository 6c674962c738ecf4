import { Readable } from 'node:stream';
import type { NamedByChart } from '../../engine/prove/charts-step.ts';
import type { CallOptions } from '../../oci/ports.ts';
import { toChartTree } from '../chart/chart-tree.ts';
import { findChartImages } from '../chart/find-images.ts';
import { readChartFiles } from '../chart/read-chart-files.ts';
import { readImageName } from '../foreign/image-name.ts';
import { readManifests } from '../foreign/manifests.ts';
import type { SourceOptions } from './model.ts';
import { renderArchive } from './read-chart-source.ts';

interface NamingOptions extends CallOptions, Pick<SourceOptions, 'values' | 'path'> {
  /** Whether the user's helm renders the chart. */
  readonly render: boolean;
}

/**
 * Finds the images that a chart names: by its annotation, its values and its templates, and in the rendered manifests where
 * it is rendered. Then only those of the manifests are certain.
 *
 * @param reference names the chart in errors
 * @throws SVC-SIG-003, SVC-VAL-001, SVC-VAL-002 for a chart that cannot be read, SVC-CHT-002 for one that is not rendered
 */
export async function nameChartImages(
  archive: Buffer,
  reference: string,
  options: NamingOptions,
): Promise<NamedByChart> {
  const { values, render } = options;
  const tree = toChartTree(await readChartFiles(Readable.from([archive]), reference), reference);
  const found = findChartImages(tree, { values: values.map((file) => file.values), templates: !render });
  const named = found.images.map(({ image, where, finder, isDisabled, isGuess }) => ({
    image,
    where: finder === 'values' ? `values ${where}` : where,
    isCertain: !render && finder !== 'template' && !isDisabled && isGuess !== true,
  }));
  const text = render ? await renderArchive(reference, archive, options, options) : '';
  const { images } = readManifests({ file: `${reference} (helm template)`, text }, { findMore: false });
  const rendered = images.map(({ image, where, doubt }) => ({
    image,
    where,
    isCertain: doubt === undefined,
  }));
  return {
    images: [...rendered, ...named].flatMap(({ image, ...rest }) => {
      const name = readImageName(image);
      return 'rule' in name ? [] : [{ ...rest, reference: name.reference }];
    }),
    dependencies: found.missing.map(({ dependency }) => `${dependency.name} ${dependency.version}`.trim()),
  };
}
