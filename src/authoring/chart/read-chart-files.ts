import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGunzip } from 'node:zlib';
import { MemberNames, requireSafeNames } from '../../chart/member-names.ts';
import { chartLimits, isDamage } from '../../chart/read-archive.ts';
import { TarReader } from '../../disk/tar/reader.ts';
import { isSvcError, svcError } from '../../text/error.ts';
import { fr } from '../../text/language.ts';
import { type Rule, rule } from '../../text/rule.ts';
import { type ChartFiles, deepestCharts } from './chart-tree.ts';

const chartFileLimits = {
  /** Bytes of one file that is kept. */
  fileBytes: 4_194_304,
  /** Bytes of all files that are kept. */
  totalBytes: 67_108_864,
  /** Bytes of one embedded archive. */
  archiveBytes: 33_554_432,
  /** Files that are kept. */
  files: 20_000,
} as const;

const documents = new Set(['Chart.yaml', 'values.yaml', 'requirements.yaml']);

/**
 * Returns whether a file of a chart matters for its images: its documents and templates, those of embedded charts, and
 * archives of embedded charts.
 *
 * @param path below the folder of the chart
 */
export function isChartFile(path: string): boolean {
  const parts = path.split('/');
  if (parts.some((part) => part === '' || part === '.' || part === '..')) return false;
  let at = 0;
  while (parts[at] === 'charts' && parts.length > at + 2) {
    if (/^[._]/.test(parts[at + 1]!)) return false;
    at += 2;
  }
  const [first = '', ...rest] = parts.slice(at);
  // one level further, to know that there are more than are read
  if (at > 2 * deepestCharts)
    return at === 2 * (deepestCharts + 1) && rest.length === 0 && first === 'Chart.yaml';
  if (rest.length === 0) return documents.has(first);
  if (first === 'charts' && rest.length === 1) return /^[^._].*\.tgz$/.test(rest[0]!);
  return first === 'templates' && /\.(?:ya?ml|tpl|txt)$/.test(path);
}

/** Counts the files and bytes read from one chart with all its embedded archives. */
export class ChartBudget {
  readonly #chart: string;
  #unpacked = 0;
  #kept = 0;
  #files = 0;

  /** @param chart name of the chart in errors */
  constructor(chart: string) {
    this.#chart = chart;
  }

  /** @throws SVC-VAL-002 */
  unpack(bytes: number): void {
    this.#unpacked += bytes;
    if (this.#unpacked > chartLimits.unpackedBytes) this.refuse(chartLimits.unpackedBytes);
  }

  /** @throws SVC-VAL-002 */
  keep(bytes: number, path: string): void {
    const limit = path.endsWith('.tgz') ? chartFileLimits.archiveBytes : chartFileLimits.fileBytes;
    if (bytes > limit) this.refuse(limit, path);
    this.#kept += bytes;
    this.#files += 1;
    if (this.#kept > chartFileLimits.totalBytes) this.refuse(chartFileLimits.totalBytes);
    if (this.#files > chartFileLimits.files)
      this.refuse(rule(['{files} files', fr`{files} fichiers`], { files: chartFileLimits.files }));
  }

  refuse(limit: number | Rule, path = ''): never {
    throw svcError('SVC-VAL-002', { limit, file: `${this.#chart} ${path}`.trim().slice(0, 300) });
  }
}

/**
 * Reads the files of a packed chart that matter for its images, embedded archives unpacked, without writing to the disk.
 *
 * @param archive gzipped tar; read to its end or destroyed
 * @param chart name of the chart in errors
 * @throws SVC-SIG-003 when it is unreadable or has an entry that leads outside, SVC-VAL-002 beyond the limits
 */
export async function readChartFiles(
  archive: Readable,
  chart: string,
  budget: ChartBudget = new ChartBudget(chart),
  depth = 0,
): Promise<ChartFiles> {
  const kept = new Map<string, Buffer>();
  const names = new MemberNames();
  let taking: { readonly path: string; readonly chunks: Buffer[] } | undefined;
  const reader = new TarReader(
    {
      begin: (member) => {
        taking = undefined;
        names.add(member);
        requireSafeNames(names, chart);
        if (member.type !== 'file') return;
        // all files are in one folder, which is the chart
        const below = member.path.slice(member.path.indexOf('/') + 1);
        if (!isChartFile(below)) return;
        budget.keep(member.size, below);
        taking = { path: below, chunks: [] };
      },
      content: (chunk) => void taking?.chunks.push(Buffer.from(chunk)),
      end: () => {
        if (taking) kept.set(taking.path, Buffer.concat(taking.chunks));
        taking = undefined;
      },
    },
    { headers: chartLimits.headers, extensionBytes: chartLimits.extensionBytes },
  );
  try {
    await pipeline(archive, createGunzip(), async (unpacked: AsyncIterable<Buffer>) => {
      for await (const chunk of unpacked) {
        budget.unpack(chunk.length);
        reader.write(chunk);
      }
      reader.end();
    });
  } catch (error) {
    if (isSvcError(error) || !isDamage(error)) throw error;
    throw svcError(
      'SVC-SIG-003',
      {
        expected: rule(['a Helm chart archive', fr`une archive de chart Helm`]),
        actual: rule(['a damaged archive', fr`une archive abîmée`]),
        reference: chart,
      },
      { cause: error },
    );
  }
  return unpackEmbedded(kept, chart, budget, depth);
}

/** Replaces the archives of embedded charts by their files. @throws as `readChartFiles` */
export async function unpackEmbedded(
  files: ChartFiles,
  chart: string,
  budget: ChartBudget,
  depth = 0,
): Promise<ChartFiles> {
  const all = new Map<string, Buffer>();
  for (const [path, bytes] of files) {
    if (!path.endsWith('.tgz')) {
      all.set(path, bytes);
      continue;
    }
    if (depth >= deepestCharts) {
      all.set(`${path}/Chart.yaml`, Buffer.alloc(0));
      continue;
    }
    const embedded = await readChartFiles(Readable.from([bytes]), `${chart} ${path}`, budget, depth + 1);
    // the archive's own path becomes a folder, a name that no folder beside it has
    for (const [below, content] of embedded) all.set(`${path}/${below}`, content);
  }
  return all;
}
