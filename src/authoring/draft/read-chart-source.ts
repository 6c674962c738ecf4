import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { isChartName, parseChartReference } from '../../chart/chart-reference.ts';
import { requireListed } from '../../engine/import/chart-repository.ts';
import type { CallOptions } from '../../oci/ports.ts';
import { formatReference } from '../../oci/reference.ts';
import type { RemoteReading } from '../../remote/model.ts';
import { type ChartTree, toChartTree } from '../chart/chart-tree.ts';
import { type ChartImage, findChartImages } from '../chart/find-images.ts';
import { packChart } from '../chart/pack-chart.ts';
import { readChartFiles } from '../chart/read-chart-files.ts';
import { readChartFolder } from '../chart/read-chart-folder.ts';
import { renderChart } from '../chart/render-chart.ts';
import { Collector } from '../foreign/collector.ts';
import { readImageName } from '../foreign/image-name.ts';
import { readManifests } from '../foreign/manifests.ts';
import type { Doubt, SourceContents } from '../foreign/model.ts';
import { fetchClassicChart, fetchOciChart } from '../pin/fetch-chart.ts';
import type { ReadSource, SourceChart, SourceOptions } from './model.ts';

/** Reads a chart of a registry or of a classic repository. */
export async function readChartSource(
  { source, place }: { readonly source: string; readonly place: string },
  access: RemoteReading,
  options: SourceOptions,
): Promise<ReadSource> {
  if (!/^oci:/i.test(place)) {
    const { archive, found } = await fetchClassicChart(parseChartReference(place), access);
    const tree = await readArchive(archive, source);
    requireListed(found, tree);
    return toSource(source, { tree, archive }, access, options);
  }
  const { archive, reference } = await fetchOciChart(place, access);
  const tree = await readArchive(archive, source);
  return toSource(source, { tree, archive, reference }, access, options);
}

export async function readChartArchiveSource(
  { source, archive }: { readonly source: string; readonly archive: Buffer },
  access: RemoteReading,
  options: SourceOptions,
): Promise<ReadSource> {
  return toSource(source, { tree: await readArchive(archive, source), archive }, access, options);
}

export async function readChartFolderSource(
  { source, folder }: { readonly source: string; readonly folder: string },
  access: RemoteReading,
  options: SourceOptions,
): Promise<ReadSource> {
  const tree = toChartTree(await readChartFolder(folder), source);
  if (!options.render) return toSource(source, { tree, folder }, access, options);
  // one copy, without links, is rendered, read for its values and pushed
  const archive = await packChart(folder, isChartName(tree.name) ? tree.name : 'chart');
  return readChartArchiveSource({ source, archive }, access, options);
}

async function readArchive(archive: Buffer, source: string): Promise<ChartTree> {
  return toChartTree(await readChartFiles(Readable.from([archive]), source), source);
}

async function toSource(
  source: string,
  chart: SourceChart,
  access: RemoteReading,
  options: SourceOptions,
): Promise<ReadSource> {
  const { values, render, findMore } = options;
  const rendered =
    render && chart.archive ? await renderArchive(source, chart.archive, access, options) : undefined;
  const named = findChartImages(chart.tree, {
    values: values.map((file) => file.values),
    templates: findMore && !render,
  });
  const found = new Collector(source);
  const certain = new Set<string>();
  if (rendered) {
    const manifests = readManifests({ file: `${source} (helm template)`, text: rendered }, { findMore });
    for (const { image, where, doubt } of manifests.images) {
      found.image(image, where, { doubt });
      certain.add(toKey(image));
    }
    for (const { what, where, reason } of manifests.omissions) found.leaveOut(what, where, reason);
  }
  for (const image of named.images) {
    const name = readImageName(image.image);
    if ('rule' in name) {
      found.leaveOut(image.image, toWhere(image), 'no-image-name');
      continue;
    }
    if (rendered !== undefined && certain.has(toKey(image.image))) continue;
    const isWhole = name.reference.tag !== undefined || name.reference.digest !== undefined;
    const doubt = isWhole || image.isGuess ? toDoubt(image, rendered !== undefined) : 'no-tag';
    found.image(image.image, toWhere(image), { doubt });
  }
  for (const { dependency, where } of named.missing)
    found.leaveOut(`${dependency.name} ${dependency.version}`.trim(), where, 'not-embedded');
  if (!render) {
    for (const { name, where } of named.unread) found.leaveOut(name, where, 'too-deep');
    found.leaveOut(chart.tree.name, 'templates', 'not-rendered');
  }
  return { source, format: 'chart', contents: orderByDoubt(found.contents), chart };
}

const toKey = (image: string): string => {
  const name = readImageName(image);
  return 'rule' in name ? image : formatReference(name.reference);
};

const toWhere = ({ finder, where }: ChartImage): string => (finder === 'values' ? `values ${where}` : where);

function toDoubt({ finder, isDisabled, isGuess }: ChartImage, isRendered: boolean): Doubt | undefined {
  if (finder === 'template') return 'template-text';
  if (isRendered) return finder === 'annotation' ? 'annotation-only' : 'values-only';
  if (isDisabled) return 'disabled';
  return isGuess ? 'name-in-parts' : undefined;
}

/** Puts certain images before proposed ones. */
function orderByDoubt(contents: SourceContents): SourceContents {
  const { images } = contents;
  return {
    ...contents,
    images: [
      ...images.filter(({ doubt }) => doubt === undefined),
      ...images.filter(({ doubt }) => doubt !== undefined),
    ],
  };
}

/** Renders an archive through a temporary file. @throws SVC-CHT-002, SVC-VAL-002 */
export async function renderArchive(
  source: string,
  archive: Buffer,
  { signal }: CallOptions,
  { values, path }: Pick<SourceOptions, 'values' | 'path'>,
): Promise<string> {
  const valueFiles = values.map((file) => file.path);
  const temporary = await mkdtemp(join(tmpdir(), 'svc-chart-'));
  try {
    const file = join(temporary, 'chart.tgz');
    await writeFile(file, archive, { mode: 0o600 });
    return await renderChart(file, source, { valueFiles, path, signal });
  } finally {
    await rm(temporary, { recursive: true, force: true });
  }
}
