import type { Digest } from '../../base/digest.ts';
import { selectChartLayer } from '../../chart/chart-artifact.ts';
import type { CallOptions } from '../../oci/ports.ts';
import { formatReference, type Reference } from '../../oci/reference.ts';
import { chooseName, type NamedContent } from '../../recipe/choose-name.ts';
import { isSvcError, svcError } from '../../text/error.ts';
import { readBlob } from '../copy/read-blob.ts';
import { readManifest } from '../copy/read-manifest.ts';
import type { Destination } from '../promotion/model.ts';
import { type CarriedFolder, type HashedFiles, openCarried } from './carried-folder.ts';
import { type CarriedIngredient, listIngredients, toPlace } from './ingredients.ts';
import type { MemoryRegistry } from './memory-registry.ts';
import type { ProofBook, StepCount } from './proof-book.ts';

/** An image that a chart names. */
interface NamedImage {
  readonly reference: Reference;
  /** Path of the value, or place in a template. */
  readonly where: string;
  /** Whether a pod certainly uses it. False: a value switches it off, or other values may write its name. */
  readonly isCertain: boolean;
}

/** The images of a chart, and its dependencies that are not embedded. */
export interface NamedByChart {
  readonly images: readonly NamedImage[];
  readonly dependencies: readonly string[];
}

/**
 * Finds the images that a chart names.
 *
 * @param name of its ingredient
 * @param reference names the chart in errors
 * @throws SVC-SIG-003, SVC-VAL-001, SVC-VAL-002, SVC-CHT-002 for a chart that cannot be read or rendered
 */
export type FindChartImages = (
  archive: Buffer,
  chart: { readonly name: string; readonly reference: string },
) => Promise<NamedByChart>;

interface ChartOptions extends CallOptions {
  readonly registry: MemoryRegistry;
  readonly destination: Destination;
  readonly find: FindChartImages;
  readonly files: HashedFiles;
  /** Whether the zone may have an image whose name is not known here. @param digest undefined where only its tag is known */
  readonly mayHave: (digest: Digest | undefined) => boolean;
}

/** Bytes of the largest chart that is read for its images. */
const archiveLimit = 33_554_432;

/**
 * Requires that every image that a chart names is in the registry of the zone, under its name and with its digest.
 *
 * @returns also whether it is not known of some image if the zone has it
 */
export async function checkCharts(
  book: ProofBook,
  folders: readonly CarriedFolder[],
  options: ChartOptions,
): Promise<StepCount & { readonly isPartial: boolean; readonly isUnsure: boolean }> {
  const charts = listIngredients(folders, 'HelmChart', options.destination);
  let [bytes, isPartial, isUnsure] = [0, false, false];
  const entries = new Map<string, NamedContent>();
  for (const chart of charts) {
    const { reference, ingredient, beside } = chart;
    try {
      const archive = await readArchive(chart, options);
      if (archive === undefined) {
        isPartial = true;
        continue;
      }
      bytes += archive.length;
      const { images, dependencies } = await options.find(archive, { name: ingredient.name, reference });
      for (const dependency of dependencies)
        book.find('charts', 'warning', reference, svcError('SVC-CHT-001', { chart: reference, dependency }));
      if (judgeImages(book, { reference, beside, entries }, images, options)) isUnsure = true;
    } catch (error) {
      options.signal?.throwIfAborted();
      // a person decides: helm may read a chart that is not read here
      if (!isSvcError(error) || error.params.problem === 'absent') throw error;
      book.find('charts', 'warning', reference, error);
    }
  }
  return { checked: charts.length, bytes, isPartial, isUnsure };
}

/**
 * @param entries entries that the proof has named: all of them may be added to one recipe
 * @returns whether the zone may have one of the absent images
 */
function judgeImages(
  book: ProofBook,
  {
    reference: chart,
    beside,
    entries,
  }: Pick<CarriedIngredient, 'reference' | 'beside'> & { readonly entries: Map<string, NamedContent> },
  images: readonly NamedImage[],
  options: Pick<ChartOptions, 'registry' | 'destination' | 'mayHave'>,
): boolean {
  let isUnsure = false;
  // an image that one place certainly uses is named once, with that place
  const absent = new Map<string, NamedImage>();
  for (const image of images) {
    const key = formatReference(image.reference);
    if (isThere(image.reference, options) || absent.get(key)?.isCertain) continue;
    if (image.isCertain || !absent.has(key)) absent.set(key, image);
  }
  for (const [image, { reference, where, isCertain }] of absent) {
    const { host, repository, tag } = reference;
    const content: NamedContent = { kind: 'ContainerImage', reference, version: tag };
    const others = beside.map(({ name: of, kind, ref, version }): [string, NamedContent] => [
      of,
      { kind, reference: ref, version },
    ]);
    const named = [...entries].filter(([, one]) => formatReference(one.reference) !== image);
    const { name } = chooseName(content, new Map([...named, ...others]));
    entries.set(name, content);
    const entry = `- {name: ${name}, kind: ContainerImage, ref: ${host}/${repository}, version: "${tag ?? '*'}"}`;
    const isOpen = options.mayHave(reference.digest);
    const severity = isCertain ? 'error' : 'warning';
    const zone = isOpen ? 'unknown' : undefined;
    isUnsure ||= isOpen;
    book.find('charts', severity, image, svcError('SVC-CLO-001', { chart, image, where, entry, zone }));
  }
  return isUnsure;
}

/** Whether the registry has an image under its name: the digest, else the tag, else any content. */
function isThere(
  { tag, digest, ...nominal }: Reference,
  { registry, destination }: Pick<ChartOptions, 'registry' | 'destination'>,
): boolean {
  const place = toPlace(destination, nominal);
  const held = place && registry.held(place);
  if (held === undefined) return false;
  if (digest !== undefined) return held.manifests.has(digest);
  return tag === undefined ? held.tags.size > 0 : held.tags.has(tag);
}

/** @returns undefined when no folder and no store has it whole @throws SVC-SIG-003 when it is no chart, SVC-REG-009 beyond 32 MiB, SVC-SIG-002 */
async function readArchive(
  { folder, ingredient, repository, reference }: CarriedIngredient,
  { signal, files }: Pick<ChartOptions, 'signal' | 'files'>,
): Promise<Buffer | undefined> {
  const source = openCarried(folder, repository, files);
  const wanted = { mediaType: '', digest: ingredient.digest, size: 0 };
  const { content, manifest } = await readManifest(source, wanted, reference, { signal });
  const layer = selectChartLayer(content.descriptor, manifest, reference);
  if (!files.has(layer.digest)) return undefined;
  return readBlob({ fetchBlob: files.open }, layer, reference, { signal, limit: archiveLimit });
}
