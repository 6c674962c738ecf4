import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';
import { type Digest, toDigest } from '../../base/digest.ts';
import { isSvcError, svcError } from '../../base/error.ts';
import type { Report } from '../../base/report.ts';
import { toChartTag } from '../../chart/chart-artifact.ts';
import { type ChartReference, formatChartReference } from '../../chart/chart-reference.ts';
import { type ChartDependencies, readChartDependencies } from '../../chart/embedded-dependencies.ts';
import { chartLimits } from '../../chart/read-archive.ts';
import {
  chartIndexLimit,
  type IndexedChart,
  readChartIndex,
  selectChart,
} from '../../chart/repository-index.ts';
import { isTag } from '../../oci/reference.ts';
import { type DocumentRequest, fetchDocument, streamDocument } from '../../remote/fetch-document.ts';
import type { Credentials, Hop, Transport } from '../../remote/model.ts';

/** Bytes of a packed chart. */
export const chartLimit: number = chartLimits.unpackedBytes;
const provenanceLimit = 1_048_576;

export interface RepositoryAccess {
  readonly transport: Transport;
  readonly credentials: Credentials;
  readonly retries: number;
  readonly report: Report;
  readonly signal?: AbortSignal | undefined;
  /** Present when a chart named the repository. */
  readonly hop?: Hop | undefined;
}

/** A version of a chart in its repository. */
export interface FoundChart {
  readonly chart: string;
  readonly version: string;
  /** `<repository>/<chart>:<version>` */
  readonly reference: string;
  readonly url: URL;
  /** What the repository says of the archive. */
  readonly digest: Digest | undefined;
  readonly hop: Hop;
}

type Access = Pick<DocumentRequest, 'credentials' | 'retries' | 'signal'>;

function toAccess({ credentials, retries, signal }: RepositoryAccess): Access {
  return { credentials, retries, signal };
}

function toUrl({ urls }: IndexedChart, base: URL, reference: string): URL {
  const [url] = urls;
  if (url !== undefined && URL.canParse(url, base.href)) return new URL(url, base.href);
  throw svcError('SVC-REG-007', {
    reference,
    detail: 'its address in the index of the repository is not a URL',
  });
}

/**
 * Finds a chart in the index of its repository.
 *
 * @param select reads the version that is wanted: as recipes write it, or as charts do
 * @throws SVC-REG-005 without an index or chart, SVC-REG-006 without such a version, SVC-VAL-001, SVC-VAL-002, and what
 *   fetching throws
 */
export async function findChart(
  reference: ChartReference,
  access: RepositoryAccess,
  select: typeof selectChart = selectChart,
): Promise<FoundChart> {
  const { base, chart, version: wanted } = reference;
  const name = formatChartReference(reference);
  const at = new URL('index.yaml', base);
  const index = await fetchDocument(access.transport, {
    ...toAccess(access),
    url: at.href,
    limit: chartIndexLimit,
    purpose: 'chart repository index',
    hop: access.hop,
  });
  const charts = await readChartIndex(index, chart, at.href, access.signal);
  if (charts.length === 0) throw svcError('SVC-REG-005', { reference: name });
  const found = select(charts, wanted, name);
  const full = formatChartReference(reference, found.version);
  // it becomes part of names here, and of a path in an archive
  if (!isTag(toChartTag(found.version)))
    throw svcError('SVC-REG-007', { reference: name, detail: 'its version is not a valid tag' });
  return {
    chart,
    version: found.version,
    reference: full,
    url: toUrl(found, base, full),
    digest: found.digest,
    hop: { kind: 'chart URL', from: at },
  };
}

/**
 * Takes the archive of a chart as it arrives; the whole is checked against what the index says.
 *
 * @param take called again from the start when the transfer broke off
 * @throws SVC-SIG-002, SVC-VAL-002 beyond 256 MiB, and what fetching and `take` throw
 */
export async function streamChart<T>(
  found: FoundChart,
  access: RepositoryAccess,
  take: (bytes: AsyncIterable<Buffer>, announced: number | undefined) => Promise<T>,
): Promise<T & { readonly digest: Digest; readonly size: number }> {
  const request = {
    ...toAccess(access),
    url: found.url.href,
    limit: chartLimit,
    purpose: 'chart',
    hop: found.hop,
  };
  return streamDocument(access.transport, request, async (bytes, announced) => {
    const hash = createHash('sha256');
    let size = 0;
    let isWhole = false;
    const passed = async function* (): AsyncGenerator<Buffer> {
      for await (const chunk of bytes) {
        hash.update(chunk);
        size += chunk.length;
        yield chunk;
      }
      isWhole = true;
    };
    const through = passed();
    const taken = await take(through, announced);
    // whoever takes it may have enough before its end
    while (!isWhole && !(await through.next()).done);
    const digest = toDigest('sha256', hash);
    requireIndexed(found, digest);
    return { ...taken, digest, size };
  });
}

function requireIndexed({ reference, digest: expected }: FoundChart, actual: Digest): void {
  if (expected !== undefined && expected !== actual)
    throw svcError('SVC-SIG-002', { reference, expected, actual });
}

/** An archive must be the chart that it was listed as. @throws SVC-SIG-003 */
export function requireListed({ chart, version, reference }: FoundChart, contents: ChartDependencies): void {
  if (contents.name === chart && contents.version === version) return;
  throw svcError('SVC-SIG-003', {
    expected: `${chart} ${version}`,
    actual: `${contents.name ?? 'no name'} ${contents.version ?? 'no version'}`.slice(0, 300),
    reference,
  });
}

/** Reads what the archive of a chart says of itself; nothing of it is kept. */
export async function readRemoteChart(
  found: FoundChart,
  access: RepositoryAccess,
): Promise<{ readonly contents: ChartDependencies; readonly digest: Digest; readonly size: number }> {
  const read = await streamChart(found, access, async (bytes) => ({
    contents: await readChartDependencies(Readable.from(bytes), found.reference),
  }));
  requireListed(found, read.contents);
  return read;
}

/**
 * The provenance file beside the archive. Some stores of files answer "forbidden" for what is not there: where the
 * archive itself could be had this is an absence, and said.
 *
 * @returns undefined when there is none
 */
export async function fetchProvenance(
  found: FoundChart,
  access: RepositoryAccess,
): Promise<Buffer | undefined> {
  const url = new URL(found.url);
  url.pathname += '.prov';
  try {
    return await fetchDocument(access.transport, {
      ...toAccess(access),
      url: url.href,
      limit: provenanceLimit,
      purpose: 'chart provenance',
      hop: found.hop,
    });
  } catch (error) {
    if (isSvcError(error, 'SVC-REG-005')) return undefined;
    if (!isSvcError(error, 'SVC-REG-003')) throw error;
    access.report.log('warn', 'The provenance file of a chart was refused and is ignored', {
      source: found.reference,
      error,
    });
    return undefined;
  }
}
