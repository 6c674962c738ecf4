import assert from 'node:assert/strict';
import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { Readable } from 'node:stream';
import { test } from 'node:test';
import { toChartTree } from '../../src/authoring/chart/chart-tree.ts';
import { findChartImages } from '../../src/authoring/chart/find-images.ts';
import { readChartFiles } from '../../src/authoring/chart/read-chart-files.ts';
import { readChartFolder } from '../../src/authoring/chart/read-chart-folder.ts';
import { renderChart } from '../../src/authoring/chart/render-chart.ts';
import { readImageName } from '../../src/authoring/foreign/image-name.ts';
import { readManifests } from '../../src/authoring/foreign/manifests.ts';
import { formatReference } from '../../src/oci/reference.ts';
import { readYaml, type YamlMap } from '../../src/recipe/read-yaml.ts';
import { draftCharts } from '../kit/content/draft-charts.ts';
import { packChart } from '../kit/content/helm-chart.ts';
import { openTempFolder } from '../kit/instance/temp-folder.ts';
import { needs } from '../kit/program/peers.ts';

const toSet = (images: readonly string[]): readonly string[] =>
  [
    ...new Set(
      images.flatMap((image) => {
        const name = readImageName(image);
        return 'reference' in name ? [formatReference(name.reference)] : [];
      }),
    ),
  ].sort();

for (const { make, files, values, onlyRendered = {}, onlyNamed = {} } of draftCharts) {
  test(`the images found are those that helm renders: ${make}`, async (t) => {
    if (!needs(t, 'helm')) return;
    await using folder = await openTempFolder();
    const root = join(folder.path, 'web');
    for (const [path, content] of Object.entries(files)) {
      await mkdir(dirname(join(root, path)), { recursive: true });
      await writeFile(join(root, path), content);
    }
    const valueFile = join(folder.path, 'values.yaml');
    if (values !== undefined) await writeFile(valueFile, values);
    const archive = packChart('web', files);
    const file = join(folder.path, 'web.tgz');
    await writeFile(file, archive);
    const text = await renderChart(file, 'web', {
      valueFiles: values === undefined ? [] : [valueFile],
      path: process.env.PATH ?? '',
    });
    const rendered = toSet(
      readManifests({ file: 'web', text }, { findMore: false }).images.map(({ image }) => image),
    );
    const given = values === undefined ? [] : [readYaml(Buffer.from(values), 'values') as YamlMap];
    for (const tree of [
      toChartTree(await readChartFolder(root), 'web'),
      toChartTree(await readChartFiles(Readable.from([archive]), 'web'), 'web'),
    ]) {
      const { images, missing } = findChartImages(tree, { values: given });
      const found = toSet(images.filter(({ isDisabled }) => !isDisabled).map(({ image }) => image));
      const expected = [
        ...rendered.filter((image) => !Object.hasOwn(onlyRendered, image)),
        ...Object.keys(onlyNamed),
      ].sort();
      assert.deepEqual(found, expected);
      assert.deepEqual(missing, []);
    }
    for (const image of Object.keys(onlyRendered)) assert.ok(rendered.includes(image), image);
    for (const image of Object.keys(onlyNamed)) assert.ok(!rendered.includes(image), image);
  });
}
