import { type Digest, parseDigest } from '../../base/digest.ts';
import {
  type ChartArtifact,
  selectChartLayer,
  toChartArtifact,
  toChartTag,
  type VendoredDependency,
  vendoredAnnotation,
  vendoredFromAnnotation,
} from '../../chart/chart-artifact.ts';
import { isChartName } from '../../chart/chart-reference.ts';
import { type ChartDependencies, readChartDependencies } from '../../chart/embedded-dependencies.ts';
import type { ChartDependency } from '../../contract/content.ts';
import { MemoryShelf } from '../../engine/import/archive-shelf.ts';
import { chartLimit } from '../../engine/import/chart-repository.ts';
import { takeLayer } from '../../engine/import/find-dependency.ts';
import type { ImportCollaborators } from '../../engine/import/model.ts';
import { listMissing, type StoredChart, vendorChart } from '../../engine/import/vendor-chart.ts';
import type { CallOptions } from '../../oci/ports.ts';
import { formatReference, isTag, type RepositoryReference } from '../../oci/reference.ts';
import { svcError } from '../../text/error.ts';
import { fr } from '../../text/language.ts';
import { rule } from '../../text/rule.ts';
import type { ChartImage } from '../chart/find-images.ts';
import { readChartImages } from './chart-images.ts';
import type { FoundIngredient } from './pin-ingredient.ts';
import { isChartThere, pushChartArtifact } from './push-chart.ts';

/** Access for fetching, completing and pushing charts. */
export interface VendorAccess extends Omit<ImportCollaborators, 'store' | 'signal'> {
  readonly retries: number;
  /** Repository below which each chart gets its own, of its name. */
  readonly base: RepositoryReference;
  /** Carries out a push. Default: it is done; a caller records it, or leaves it out. */
  readonly run?: (target: string, push: () => Promise<Digest>) => Promise<unknown>;
}

type Place = RepositoryReference & { readonly tag: string };

/** A chart with the dependencies that its author left out, ready to be pushed. */
interface VendoredChart {
  readonly place: Place;
  readonly digest: Digest;
  /** Digest of the chart as its author published it. */
  readonly upstream: Digest;
  readonly dependencies: readonly VendoredDependency[];
  readonly push: () => Promise<void>;
  /**
   * Reads the images that the added dependencies use, and the chart itself does not.
   *
   * @throws SVC-SIG-003, SVC-VAL-001, SVC-VAL-002 for a chart that cannot be read for its images
   */
  readonly readImages: () => Promise<readonly ChartImage[]>;
}

/** Completes the charts of one recipe. Their archives are in memory until all are pushed. */
export class ChartVendor {
  readonly #access: VendorAccess;
  readonly #signal: AbortSignal | undefined;
  readonly #shelf: MemoryShelf;
  readonly #places = new Map<string, Digest>();

  /** @param file name of the recipe in errors */
  constructor(access: VendorAccess, file: string, signal: AbortSignal | undefined) {
    this.#access = access;
    this.#signal = signal;
    this.#shelf = new MemoryShelf(chartLimit, file);
  }

  /**
   * Adds the missing dependencies to a chart. Nothing is pushed.
   *
   * @returns undefined for a chart that lacks none
   * @throws SVC-CHT-001 for a dependency that cannot be fetched, SVC-POL-004 when the place has another chart, SVC-VAL-002
   *   beyond 256 MiB for all charts of the recipe, SVC-SIG-002, SVC-SIG-003, errors of the registries
   */
  async vendor(found: FoundIngredient): Promise<VendoredChart | undefined> {
    const { remote, reference, digest: upstream } = found;
    const { layer: taken, contents } = await readContents(found, this.#shelf, this.#signal);
    if (listMissing(contents).length === 0) return undefined;
    const place = this.#toPlace(contents, reference);
    const { transport } = this.#access;
    const vendored = await vendorChart(
      { contents, layer: taken },
      {
        ...this.#access,
        signal: this.#signal,
        shelf: this.#shelf,
        reference,
        from: transport.toUrl(remote.effective.host, '/'),
        onBytes: () => {},
        onVendored: () => {},
      },
    );
    const { dependencies } = vendored;
    const artifact = toChartArtifact({ ...vendored, reference, vendored: { from: upstream, dependencies } });
    const { digest } = artifact.manifest.descriptor;
    await isChartThere(place, digest, { ...this.#access, signal: this.#signal });
    this.#claim(place, digest);
    return {
      place,
      digest,
      upstream,
      dependencies,
      push: () => this.#push(place, artifact, vendored.layer.digest),
      readImages: () => this.#readImages(taken.digest, vendored.layer.digest, reference),
    };
  }

  async #readImages(before: Digest, after: Digest, reference: string): Promise<readonly ChartImage[]> {
    const own = await readChartImages(this.#shelf.read(before), reference);
    const known = new Set(own.map(({ image }) => image));
    const all = await readChartImages(this.#shelf.read(after), reference);
    return all.filter(({ image }) => !known.has(image));
  }

  /** @throws SVC-SIG-003 for a chart whose name or version cannot be part of a reference */
  #toPlace({ name = '', version = '' }: ChartDependencies, reference: string): Place {
    const tag = toChartTag(version);
    if (!isChartName(name) || !isTag(tag))
      throw svcError('SVC-SIG-003', {
        expected: rule(['a chart with a name and a version', fr`un chart avec un nom et une version`]),
        actual: `${name} ${version}`.slice(0, 300),
        reference,
      });
    const { host, repository } = this.#access.base;
    return { host, repository: `${repository}/${name}`, tag };
  }

  /** Requires that two charts of the recipe do not want one place. @throws SVC-POL-004 */
  #claim(place: Place, digest: Digest): void {
    const reference = formatReference(place);
    const other = this.#places.get(reference);
    if (other !== undefined && other !== digest)
      throw svcError('SVC-POL-004', { reference, published: other, candidate: digest, content: 'chart' });
    this.#places.set(reference, digest);
  }

  async #push(place: Place, artifact: ChartArtifact, archive: Digest): Promise<void> {
    const { run } = this.#access;
    const push = async (): Promise<Digest> => {
      const access = { ...this.#access, signal: this.#signal };
      await pushChartArtifact(place, artifact, this.#shelf.read(archive), access);
      return artifact.manifest.descriptor.digest;
    };
    await (run === undefined ? push() : run(formatReference(place), push));
  }
}

/** Takes the archive of a chart, and reads its dependencies. */
async function readContents(
  { remote, reference, content, manifest }: FoundIngredient,
  shelf: MemoryShelf,
  signal: AbortSignal | undefined,
): Promise<StoredChart> {
  const announced = selectChartLayer(content.descriptor, manifest, reference);
  const call: CallOptions = { signal };
  const layer = await takeLayer(remote, announced, (bytes) => shelf.put(bytes), call);
  return { layer, contents: await readChartDependencies(await shelf.open(layer.digest), reference) };
}

/**
 * Lists the dependencies that a chart declares and does not embed.
 *
 * @throws SVC-SIG-002, SVC-SIG-003, SVC-VAL-002 beyond 256 MiB, errors of the registry
 */
export async function readMissing(
  found: FoundIngredient,
  signal: AbortSignal | undefined,
): Promise<readonly ChartDependency[]> {
  const shelf = new MemoryShelf(chartLimit, found.reference);
  return listMissing((await readContents(found, shelf, signal)).contents);
}

/** The digest that a chart had before its dependencies were added, as its artifact says. */
export function readUpstream({ manifest }: FoundIngredient): Digest | undefined {
  const { annotations } = manifest;
  return annotations[vendoredAnnotation] === undefined
    ? undefined
    : parseDigest(annotations[vendoredFromAnnotation]);
}
