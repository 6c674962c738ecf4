import { pipeline } from 'node:stream/promises';
import { createGunzip, createGzip } from 'node:zlib';
import type { Digest } from '../../base/digest.ts';
import { type AddedFile, appendFiles } from '../../chart/append-files.ts';
import type { VendoredDependency } from '../../chart/chart-artifact.ts';
import { isChartName } from '../../chart/chart-reference.ts';
import {
  type ChartDependencies,
  formatDependency,
  readChartDependencies,
} from '../../chart/embedded-dependencies.ts';
import { requireSafeNames } from '../../chart/member-names.ts';
import type { ChartDependency } from '../../contract/content.ts';
import { svcError } from '../../text/error.ts';
import { fr } from '../../text/language.ts';
import { type Rule, rule } from '../../text/rule.ts';
import type { ArchiveShelf } from './archive-shelf.ts';
import { chartLimit, requireListed } from './chart-repository.ts';
import { type FoundDependency, findDependency } from './find-dependency.ts';
import type { ImportCollaborators } from './model.ts';

/** A chart whose archive is on a shelf. */
export interface StoredChart {
  readonly contents: ChartDependencies;
  readonly layer: { readonly digest: Digest; readonly size: number };
}

interface VendoredChart extends StoredChart {
  readonly dependencies: readonly VendoredDependency[];
}

interface VendorOptions extends Omit<ImportCollaborators, 'store'> {
  /** Has the archive of the chart. */
  readonly shelf: ArchiveShelf;
  readonly retries: number;
  /** Names the chart in errors. */
  readonly reference: string;
  /** Address of the chart. */
  readonly from: URL;
  readonly onBytes: (count: number) => void;
  /** Called for each dependency when its archive is on the shelf. */
  readonly onVendored: (found: FoundDependency, archive: VendoredDependency) => void;
}

// charts in use have fewer than ten
const mostDependencies = 100;

/** Dependencies that a chart declares and does not embed. */
export function listMissing({ dependencies }: ChartDependencies): readonly ChartDependency[] {
  return dependencies.filter(({ embedded }) => !embedded);
}

async function bringDependency(
  dependency: ChartDependency,
  options: VendorOptions,
): Promise<{ readonly archive: VendoredDependency; readonly size: number }> {
  const { shelf, reference, from, onBytes, onVendored } = options;
  const { name, repository = '' } = dependency;
  const found = await findDependency(dependency, reference, from, options);
  const { digest, size } = await found.fetch((bytes) => shelf.put(bytes, onBytes));
  const contents = await readChartDependencies(await shelf.open(digest), found.reference);
  requireListed({ chart: name, version: found.version, reference: found.reference }, contents);
  const [lacking] = listMissing(contents);
  if (lacking)
    throw svcError('SVC-CHT-001', { chart: found.reference, dependency: formatDependency(lacking) });
  const archive = { name, version: found.version, repository, digest };
  onVendored(found, archive);
  return { archive, size };
}

/** Requires valid chart names, since they become parts of paths in the archive. @throws SVC-SIG-003 */
function requireNames(names: readonly string[], reference: string): void {
  for (const name of names)
    if (!isChartName(name))
      throw svcError('SVC-SIG-003', {
        expected: rule(['the name of a chart', fr`le nom d’un chart`]),
        actual: name.slice(0, 300),
        reference,
      });
}

/**
 * Adds the missing dependencies of a chart to its archive, like `helm dependency build`, and leaves the rest
 * unchanged. The same chart and dependencies result in the same archive. Signatures of the original do not
 * apply to it.
 *
 * @throws SVC-SIG-003 for an archive with an entry that leads outside, SVC-CHT-001 for a dependency that cannot be
 *   fetched or lacks its own dependencies, SVC-VAL-002 when the result is too large, errors of the fetch
 */
export async function vendorChart(chart: StoredChart, options: VendorOptions): Promise<VendoredChart> {
  const { shelf, reference, signal } = options;
  requireSafeNames(chart.contents, reference);
  const missing = listMissing(chart.contents);
  const tooLarge = (limit: number | Rule) =>
    svcError('SVC-VAL-002', {
      limit,
      file: rule(['{reference} with its dependencies', fr`{reference} avec ses dépendances`], { reference }),
    });
  if (missing.length > mostDependencies)
    throw tooLarge(rule(['{most} dependencies', fr`{most} dépendances`], { most: mostDependencies }));
  requireNames([chart.contents.folder, ...missing.map(({ name }) => name)], reference);
  const dependencies: VendoredDependency[] = [];
  const files: AddedFile[] = [];
  let total = chart.layer.size;
  for (const dependency of missing) {
    signal?.throwIfAborted();
    const { archive, size } = await bringDependency(dependency, options);
    total += size;
    if (total > chartLimit) throw tooLarge(chartLimit);
    const path = `${chart.contents.folder}/charts/${archive.name}-${archive.version}.tgz`;
    // one archive serves all aliases whose range it satisfies
    if (files.some((file) => file.path === path)) continue;
    dependencies.push(archive);
    files.push({
      path,
      size,
      open: () => shelf.open(archive.digest),
    });
  }
  const archive = await shelf.open(chart.layer.digest);
  const layer = await pipeline(
    archive,
    createGunzip(),
    (tar: AsyncIterable<Buffer>) => appendFiles(tar, files, reference),
    createGzip({ level: 9 }),
    (bytes: AsyncIterable<Buffer>) => shelf.put(bytes),
  );
  const contents = await readChartDependencies(await shelf.open(layer.digest), reference);
  // an added archive may have the name of one that is there already
  requireSafeNames(contents, reference);
  const [lacking] = listMissing(contents);
  if (lacking) throw svcError('SVC-CHT-001', { chart: reference, dependency: formatDependency(lacking) });
  return { contents, layer, dependencies };
}
