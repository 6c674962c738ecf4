import { forEachBounded } from '../../base/concurrency.ts';
import { type Digest, digestAlgorithm, hashBytes } from '../../base/digest.ts';
import { Pacer } from '../../base/pacer.ts';
import type { ManifestRecord } from '../../catalog/model.ts';
import { type ChartFacts, type ChartParts, findChartParts, toChartFacts } from '../../chart/chart-facts.ts';
import { readWhole } from '../../disk/plain-file.ts';
import { readAtOnce, readCached, readTogether } from '../../store/blobs/read-ahead.ts';
import type { Store } from '../../store/model.ts';
import { openBlob } from '../../store/open-blob.ts';
import { readStoredManifest } from '../../store/read-stored-manifest.ts';
import { isSvcError, svcError } from '../../text/error.ts';

/** The bytes of three times as many charts are in memory at once, at most 64 KiB a file. */
const usual = 128;
/** Charts that are read at once here. */
const here = 16;
/** Milliseconds for reading these. A disk that needs longer holds the event loop, and is left to the thread after some times. */
const readingTime = 5;
const mostSlow = 3;
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
  /** Charts that the thread reads together; default 128. */
  readonly together?: number;
}

/**
 * Reads the facts of charts from their manifests and configs, in slices. A thread reads from the first chart on. As
 * long as the disk answers at once, this thread reads too, from the last chart on, until both meet. A chart without a
 * manifest or config in the store is skipped.
 *
 * @throws SVC-SIG-002, SVC-STO-014
 */
export async function readCharts(
  store: Store,
  { charts, take, fail, together = usual }: ReadChartsOptions,
): Promise<void> {
  const pacer = new Pacer();
  // charts between these positions are still to be read
  let first = 0;
  let last = charts.length;
  const next = (): readonly StoredChart[] => {
    const some = charts.slice(first, Math.min(last, first + together));
    first += some.length;
    return some;
  };
  const takeEach = async (some: readonly StoredChart[], read: Read): Promise<void> => {
    const others: StoredChart[] = [];
    for (const chart of some) {
      const facts = await toFacts(chart.manifest, read);
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
  };
  const readByThread = async (): Promise<void> => {
    const start = async (some: readonly StoredChart[]) => ({
      some,
      read: await readParts(some, store, (digests) => readTogether(store, digests)),
    });
    // the thread has the next ones when it is done with these
    let ahead = [start(next()), start(next())] as const;
    for (;;) {
      const { some, read } = await ahead[0];
      if (some.length === 0) return;
      ahead = [ahead[1], start(next())];
      await takeEach(some, read);
    }
  };
  const readHere = async (): Promise<void> => {
    for (let slow = 0; slow < mostSlow && first < last; ) {
      if (pacer.isDue()) await pacer.rest();
      const some = charts.slice(Math.max(first, last - here), last);
      last -= some.length;
      const until = performance.now() + readingTime;
      const read = await readParts(some, store, (digests) => readAtOnce(store, digests, until));
      if (performance.now() >= until) slow += 1;
      await takeEach(some, read);
    }
  };
  const stop = (error: unknown): never => {
    last = first;
    throw error;
  };
  const works = [readByThread(), ...(charts.length > here ? [readHere()] : [])];
  // both end before the caller goes on
  for (const outcome of await Promise.allSettled(works.map((work) => work.catch(stop))))
    if (outcome.status === 'rejected') throw outcome.reason;
}

/** Reads manifests and configs. `readChart` handles the unreadable ones. */
async function readParts(
  charts: readonly StoredChart[],
  { index }: Store,
  read: (digests: readonly Digest[]) => Read['bytes'] | Promise<Read['bytes']>,
): Promise<Read> {
  const records = new Map<Digest, ManifestRecord>();
  const wanted: Digest[] = [];
  for (const { manifest } of charts) {
    const record = index.manifest(manifest);
    if (record === undefined) continue;
    records.set(manifest, record);
    // the first blob of a chart is its config
    wanted.push(manifest, ...record.blobs.slice(0, 1).map(({ digest }) => digest));
  }
  return { bytes: await read(wanted), records };
}

/** Facts of a chart whose bytes were all read; undefined when some were not. */
async function toFacts(digest: Digest, { bytes, records }: Read): Promise<ChartFacts | undefined> {
  const manifest = bytes.get(digest);
  const record = records.get(digest);
  if (manifest === undefined || record === undefined) return undefined;
  const parts = await findChartParts(manifest, record.mediaType);
  if ('leftOut' in parts) return parts;
  const config = bytes.get(parts.config.digest);
  return config && toChartFacts(parts, config);
}

/** Reads one chart. @returns undefined when the store lacks a part @throws SVC-SIG-002, SVC-STO-014 */
async function readChart(store: Store, digest: Digest, reference: string): Promise<ChartFacts | undefined> {
  try {
    const content = await readStoredManifest(store, digest);
    if (content === undefined) return undefined;
    const parts = await findChartParts(content.bytes, content.descriptor.mediaType);
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
