import { Readable } from 'node:stream';
import { selectChartLayer } from '../../chart/chart-artifact.ts';
import type { ManifestGraph } from '../../engine/copy/read-graph.ts';
import type { CallOptions } from '../../oci/ports.ts';
import { canonicalHost, formatReference, type Reference } from '../../oci/reference.ts';
import { selectVersion } from '../../recipe/constraint.ts';
import { mostEntries } from '../../recipe/document-reader.ts';
import type { Ingredient } from '../../recipe/model.ts';
import type { RemoteRepository } from '../../remote/model.ts';
import { svcError } from '../../text/error.ts';
import { fr } from '../../text/language.ts';
import { rule } from '../../text/rule.ts';
import { deepestCharts, toChartTree } from '../chart/chart-tree.ts';
import { type ChartImage, findChartImages } from '../chart/find-images.ts';
import { readChartFiles } from '../chart/read-chart-files.ts';
import { readImageName } from '../foreign/image-name.ts';
import { readChartLayer } from './fetch-chart.ts';

/** Bytes of the largest chart that is read for its images: charts in use have fewer than one million. */
const archiveLimit = 33_554_432;

/** An image that a chart uses and a recipe does not have. */
export interface AbsentImage {
  /** Path of the value in the chart, or of the annotation. */
  readonly where: string;
  readonly image: string;
  /** `<host>/<path>` */
  readonly ref: string;
  readonly version?: string;
}

/**
 * Fetches the archive of a chart.
 *
 * @param graph of the chart
 * @param reference names the chart in errors
 * @throws SVC-SIG-002, SVC-SIG-003 when it is no chart, SVC-VAL-002 beyond 32 MiB, errors of the registry
 */
export function fetchArchive(
  remote: RemoteRepository,
  { root, manifest }: Pick<ManifestGraph, 'root' | 'manifest'>,
  reference: string,
  call: CallOptions,
): Promise<Buffer> {
  const layer = selectChartLayer(root, manifest, reference);
  return readChartLayer(remote, layer, reference, call, archiveLimit);
}

/**
 * Finds the images that a chart uses and the recipe does not have. Templates are not rendered, and parts that the chart
 * switches off do not count.
 *
 * @param archive of the chart
 * @param reference names the chart in errors
 * @throws SVC-SIG-003 when it is no chart, SVC-VAL-001, SVC-VAL-002 for a chart that cannot be read for its images
 */
export async function findAbsentImages(
  archive: Buffer,
  reference: string,
  ingredients: readonly Ingredient[],
): Promise<readonly AbsentImage[]> {
  const absent = selectAbsent(await readChartImages(archive, reference), ingredients);
  if (absent.length > mostEntries)
    throw svcError('SVC-VAL-001', {
      file: reference,
      rule: rule(['must have at most {most} entries', fr`doit avoir au plus {most} entrées`], {
        most: mostEntries,
      }),
    });
  return absent;
}

/**
 * Finds the images of a chart by its annotation and its values, those of the charts that it embeds included.
 *
 * @param archive of the chart
 * @param reference names the chart in errors
 * @throws SVC-SIG-003 when it is no chart, SVC-VAL-001, SVC-VAL-002 for a chart that cannot be read for its images
 */
export async function readChartImages(archive: Buffer, reference: string): Promise<readonly ChartImage[]> {
  if (archive.length > archiveLimit) throw svcError('SVC-VAL-002', { limit: archiveLimit, file: reference });
  const files = await readChartFiles(Readable.from([archive]), reference);
  const { images, unread } = findChartImages(toChartTree(files, reference));
  if (unread.length > 0)
    throw svcError('SVC-VAL-001', {
      file: reference,
      path: unread[0]!.where,
      rule: rule(
        [
          'must have at most {levels} levels of embedded charts',
          fr`doit avoir au plus {levels} niveaux de charts embarqués`,
        ],
        { levels: deepestCharts },
      ),
    });
  return images;
}

/** The images that are switched on, whose name is certain, and that no ingredient has, each once. */
export function selectAbsent(
  images: readonly ChartImage[],
  ingredients: readonly Ingredient[],
): readonly AbsentImage[] {
  const known = new Map<string, Ingredient[]>();
  for (const ingredient of ingredients) {
    if (ingredient.kind !== 'ContainerImage') continue;
    const place = toPlace(ingredient.ref);
    const here = known.get(place);
    if (here === undefined) known.set(place, [ingredient]);
    else here.push(ingredient);
  }
  const absent = new Map<string, AbsentImage>();
  for (const { image, where, isDisabled, isGuess } of images) {
    const name = isDisabled || isGuess ? undefined : readImageName(image);
    if (name === undefined || 'rule' in name) continue;
    const { reference } = name;
    const ref = toPlace(reference);
    const full = formatReference(reference);
    if (absent.has(full) || known.get(ref)?.some((one) => isOf(one, reference))) continue;
    const { tag } = reference;
    absent.set(full, { where, image: full, ref, ...(tag === undefined ? {} : { version: tag }) });
  }
  return [...absent.values()];
}

const toPlace = ({ host, repository }: Pick<Reference, 'host' | 'repository'>): string =>
  `${canonicalHost(host)}/${repository}`;

/** Whether an ingredient of this repository is the image. One that is named without tag and digest may be any. */
function isOf({ version, digest }: Ingredient, image: Reference): boolean {
  if (image.digest !== undefined && digest !== undefined) return image.digest === digest;
  return image.tag === undefined || selectVersion(version, [image.tag]) !== undefined;
}
