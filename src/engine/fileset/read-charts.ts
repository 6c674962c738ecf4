import { forEachBounded } from '../../base/concurrency.ts';
import { type Digest, digestAlgorithm, hashBytes } from '../../base/digest.ts';
import { isSvcError, svcError } from '../../base/error.ts';
import { Pacer } from '../../base/pacer.ts';
import type { ManifestRecord } from '../../catalog/model.ts';
import { type ChartFacts, type ChartParts, findChartParts, toChartFacts } from '../../chart/chart-facts.ts';
import { readWhole } from '../../disk/plain-file.ts';
import { readCached, readTogether } from '../../store/blobs/read-ahead.ts';
import type { Store } from '../../store/model.ts';
import { openBlob } from '../../store/open-blob.ts';
import { readStoredManifest } from '../../store/read-stored-manifest.ts';

/** Charts whose manifests and configs are read together; these bytes are in memory at once, at most 64 KiB each. */
const together = 256;
/** Charts that are read at once, where their bytes could not be read together. */
const parallel = 16;

/** A chart of the store. */
export interface StoredChart {
  readonly manifest: Digest;
  /** Name in errors. */
  readonly reference: string;
}

/** Manifests and configs that were read, and the records of the manifests. */
interface Read {
  readonly bytes: ReadonlyMap<Digest, Buffer>;
  readonly records: ReadonlyMap<Digest, ManifestRecord>;
}

interface ReadChartsOptions {
  readonly charts: readonly StoredChart[];
  /** Called with the facts of each chart that could be read. */
  readonly take: (manifest: Digest, facts: ChartFacts) => void;
  /** Called with an error of reading one chart, before it is thrown. */
  readonly fail: (manifest: Digest, error: unknown) => void;
}

/**
 * Reads what the manifests and configs of charts say, in slices. A thread reads the next ones meanwhile. A chart of which the
 * store has no manifest or config is skipped.
 *
 * @throws SVC-SIG-002, SVC-STO-014
 */
export async function readCharts(store: Store, { charts, take, fail }: ReadChartsOptions): Promise<void> {
  const pacer = new Pacer();
  let ahead = readParts(store, charts.slice(0, together));
  for (let at = 0; at < charts.length; at += together) {
    const read = await ahead;
    const some = charts.slice(at, at + together);
    ahead = readParts(store, charts.slice(at + together, at + 2 * together));
    const others: StoredChart[] = [];
    for (const chart of some) {
      const facts = toFacts(chart.manifest, read);
      if (facts === undefined) others.push(chart);
      else take(chart.manifest, facts);
      if (pacer.isDue()) await pacer.rest();
    }
    await forEachBounded(others, parallel, async ({ manifest, reference }) => {
      try {
        const facts = await readChart(store, manifest, reference);
        if (facts !== undefined) take(manifest, facts);
      } catch (error) {
        fail(manifest, error);
        throw error;
      }
    });
  }
}

/** Reads manifests and configs. What cannot be read is left to `readChart`. */
async function readParts(store: Store, charts: readonly StoredChart[]): Promise<Read> {
  const records = new Map<Digest, ManifestRecord>();
  const wanted: Digest[] = [];
  for (const { manifest } of charts) {
    const record = store.index.manifest(manifest);
    if (record === undefined) continue;
    records.set(manifest, record);
    // the first blob of a chart is its config
    wanted.push(manifest, ...record.blobs.slice(0, 1).map(({ digest }) => digest));
  }
  return { bytes: await readTogether(store, wanted), records };
}

/** Facts of a chart whose bytes were all read; undefined when some were not. */
function toFacts(digest: Digest, { bytes, records }: Read): ChartFacts | undefined {
  const manifest = bytes.get(digest);
  const record = records.get(digest);
  if (manifest === undefined || record === undefined) return undefined;
  const parts = findChartParts(manifest, record.mediaType);
  if ('leftOut' in parts) return parts;
  const config = bytes.get(parts.config.digest);
  return config && toChartFacts(parts, config);
}

/** Reads one chart. @returns undefined when the store lacks a part of it @throws SVC-SIG-002, SVC-STO-014 */
async function readChart(store: Store, digest: Digest, reference: string): Promise<ChartFacts | undefined> {
  try {
    const content = await readStoredManifest(store, digest);
    if (content === undefined) return undefined;
    const parts = findChartParts(content.bytes, content.descriptor.mediaType);
    return 'leftOut' in parts ? parts : toChartFacts(parts, await readConfig(store, parts, reference));
  } catch (error) {
    if (isSvcError(error, 'SVC-STO-001')) return undefined;
    throw error;
  }
}

/** Reads a config, from the cache or without a stream. @throws SVC-STO-001, SVC-SIG-002 when it was altered */
async function readConfig(store: Store, { config }: ChartParts, reference: string): Promise<Buffer> {
  const { digest, size } = config;
  const known = readCached(store, digest);
  if (known !== undefined) return known;
  const { file } = await openBlob(store, digest);
  try {
    const bytes = await readWhole(file, size);
    const actual = hashBytes(bytes, digestAlgorithm(digest));
    if (actual !== digest) throw svcError('SVC-SIG-002', { reference, expected: digest, actual });
    return bytes;
  } finally {
    await file.close();
  }
}
