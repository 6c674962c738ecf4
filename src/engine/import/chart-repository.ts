import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';
import { type Digest, toDigest } from '../../base/digest.ts';
import type { Report } from '../../base/report.ts';
import { toChartTag } from '../../chart/chart-artifact.ts';
import { type ChartReference, formatChartReference } from '../../chart/chart-reference.ts';
import { type ChartDependencies, readChartDependencies } from '../../chart/embedded-dependencies.ts';
import { requireSafeNames } from '../../chart/member-names.ts';
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
import { isSvcError, svcError } from '../../text/error.ts';
import { fr } from '../../text/language.ts';
import { rule } from '../../text/rule.ts';

/** Limit of a packed chart, in bytes. */
export const chartLimit: number = chartLimits.unpackedBytes;
const provenanceLimit = 1_048_576;

export interface RepositoryAccess {
  readonly transport: Transport;
  readonly credentials: Credentials;
  readonly retries: number;
  readonly report: Report;
  readonly signal?: AbortSignal | undefined;
  /** Set when a chart named the repository: the address that chose it. */
  readonly hop?: Hop | undefined;
}

/** A version of a chart in its repository. */
export interface FoundChart {
  readonly chart: string;
  readonly version: string;
  /** `<repository>/<chart>:<version>` */
  readonly reference: string;
  readonly url: URL;
  /** Digest of the archive according to the repository index. */
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
  throw svcError('SVC-REG-009', {
    reference,
    detail: rule([
      'its address in the index of the repository is not a URL',
      fr`son adresse dans l’index du dépôt n’est pas une URL`,
    ]),
  });
}

/**
 * Finds a chart in the index of its repository.
 *
 * @param select selects the requested version, by the rules of recipes or by those of charts
 * @throws SVC-REG-005 without an index or chart, SVC-REG-006 without such a version, SVC-REG-009 for an
 *   invalid URL, version or digest, SVC-VAL-001, SVC-VAL-002, errors of the fetch
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
    purpose: rule(['chart repository index', fr`index du dépôt de charts`]),
    hop: access.hop,
  });
  const charts = await readChartIndex(index, chart, at.href, access.signal);
  if (charts.length === 0) throw svcError('SVC-REG-005', { reference: name });
  const found = await select(charts, wanted, name);
  const full = formatChartReference(reference, found.version);
  if (found.hasForeignDigest === true)
    throw svcError('SVC-REG-009', {
      reference: full,
      detail: rule([
        'its digest in the index of the repository is not a SHA-256 digest',
        fr`son empreinte dans l’index du dépôt n’est pas une empreinte SHA-256`,
      ]),
    });
  // the version becomes part of tags in the store and of a path in an archive
  if (!isTag(toChartTag(found.version)))
    throw svcError('SVC-REG-009', {
      reference: name,
      detail: rule(['its version is not a valid tag', fr`sa version n’est pas une étiquette valide`]),
    });
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
 * Streams the archive of a chart. Its digest is compared with the index when all bytes were read.
 *
 * @param take receives the bytes and, if announced, their number; called again from the start when the
 *   transfer broke off
 * @throws SVC-SIG-002, SVC-VAL-002 beyond 256 MiB, errors of the fetch and of `take`
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
    // `take` may stop before the end; the rest is read for the digest
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

/**
 * Requires the name and version under which the chart was found, and an archive that helm takes.
 *
 * @throws SVC-SIG-003
 */
export function requireListed(
  { chart, version, reference }: Pick<FoundChart, 'chart' | 'version' | 'reference'>,
  contents: Pick<ChartDependencies, 'name' | 'version' | 'unsafe'>,
): void {
  requireSafeNames(contents, reference);
  if (contents.name === chart && contents.version === version) return;
  throw svcError('SVC-SIG-003', {
    expected: `${chart} ${version}`,
    actual: rule(
      ['[{name}|no name] [{version}|no version]', fr`[{name}|pas de nom] [{version}|pas de version]`],
      { name: contents.name?.slice(0, 150), version: contents.version?.slice(0, 150) },
    ),
    reference,
  });
}

/** Reads the name, version and dependencies of a chart from its archive, which is not stored. */
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
 * Fetches the provenance file beside the archive. Some object stores answer "forbidden" for an absent file:
 * this counts as absence and is logged, since the archive itself was readable.
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
      purpose: rule(['chart provenance', fr`provenance du chart`]),
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
