import { once } from 'node:events';
import { PassThrough, type Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGunzip } from 'node:zlib';
import { TarError } from '../disk/tar/error.ts';
import { type TarMember, TarReader } from '../disk/tar/reader.ts';
import { isSvcError, type SvcError, svcError } from '../text/error.ts';
import { fr } from '../text/language.ts';
import { type Rule, rule } from '../text/rule.ts';
import { MemberNames } from './member-names.ts';

export const chartLimits = {
  /** Bytes of an unpacked chart, archives of embedded charts included. */
  unpackedBytes: 268_435_456,
  /** Bytes of one `Chart.yaml` or `requirements.yaml`. */
  documentBytes: 1_048_576,
  /** Bytes of all such documents together. */
  totalDocumentBytes: 16_777_216,
  /** Embedded charts. */
  charts: 10_000,
  /** Headers of one archive: as many as fit into the unpacked bytes. */
  headers: 524_288,
  /** Bytes of one extended header. */
  extensionBytes: 1_048_576,
} as const;

/** The documents of a packed chart. */
interface ChartDocuments {
  /** Name of the folder of its files. */
  readonly folder: string;
  /**
   * By path below that folder: `Chart.yaml`, `requirements.yaml`, `charts/<folder>/Chart.yaml`; `charts/<file>.tgz` has the
   * `Chart.yaml` of that archive.
   */
  readonly documents: ReadonlyMap<string, Buffer>;
  /** The first entry, of the archive or of an embedded one, that a chart must not have; see `requireSafeNames`. */
  readonly unsafe?: Rule;
}

/** Reads the bytes of one member. */
interface Taker {
  write(chunk: Buffer): void | Promise<void>;
  end(): void | Promise<void>;
  /** Called when the archive is not read to its end. */
  abandon?(): void;
}

const chartDocument = 'Chart.yaml';

function toSegments({ path }: TarMember): string[] {
  return path.split('/');
}

/** Returns the path of a relevant file below the chart's folder; undefined for every other file. */
function toPlace(member: TarMember): string | undefined {
  const [, ...parts] = toSegments(member);
  const place = parts.join('/');
  if (place === chartDocument || place === 'requirements.yaml') return place;
  if (parts[0] !== 'charts' || parts[1] === undefined || /^[._]/.test(parts[1])) return undefined;
  if (parts.length === 2) return place.endsWith('.tgz') ? place : undefined;
  return parts.length === 3 && parts[2] === chartDocument ? place : undefined;
}

/** Returns whether an error is caused by the bytes, not by their source. */
export function isDamage(error: unknown): boolean {
  const { code } = error as NodeJS.ErrnoException;
  return error instanceof TarError || code?.startsWith('Z_') === true || code === 'ERR_BUFFER_TOO_LARGE';
}

/** One pass over one chart, with limits for all its archives together. */
class ArchiveScan {
  readonly documents = new Map<string, Buffer>();
  folder = '';
  unsafe: Rule | undefined;
  readonly #chart: string;
  #unpacked = 0;
  #kept = 0;
  #archives = 0;

  /** @param chart name of the chart in errors */
  constructor(chart: string) {
    this.#chart = chart;
  }

  readChart(archive: Readable): Promise<void> {
    return this.#read(archive, (member) => {
      const place = toPlace(member);
      if (place === undefined) return undefined;
      if (place === chartDocument) this.folder = toSegments(member)[0]!;
      const keep = (bytes: Buffer) => this.documents.set(place, bytes);
      return place.endsWith('.tgz') ? this.#openArchive(keep) : this.#openDocument(member, place, keep);
    });
  }

  async #read(archive: Readable, open: (member: TarMember) => Taker | undefined): Promise<void> {
    let taker: Taker | undefined;
    const due: (() => void | Promise<void>)[] = [];
    const names = new MemberNames();
    const { headers, extensionBytes } = chartLimits;
    const reader = new TarReader(
      {
        begin: (member) => {
          names.add(member);
          this.unsafe ??= names.unsafe;
          taker = member.type === 'file' ? open(member) : undefined;
        },
        content: (chunk) => {
          const to = taker;
          if (to) due.push(() => to.write(chunk));
        },
        end: () => {
          const to = taker;
          if (to) due.push(() => to.end());
          taker = undefined;
        },
      },
      { headers, extensionBytes },
    );
    try {
      await pipeline(archive, createGunzip(), async (unpacked: AsyncIterable<Buffer>) => {
        for await (const chunk of unpacked) {
          this.#unpacked += chunk.length;
          const limit = chartLimits.unpackedBytes;
          if (this.#unpacked > limit) throw svcError('SVC-VAL-002', { limit, file: this.#chart });
          reader.write(chunk);
          for (const act of due.splice(0)) await act();
        }
        reader.end();
      });
    } finally {
      taker?.abandon?.();
    }
  }

  #openDocument({ size }: TarMember, place: string, keep: (bytes: Buffer) => void): Taker {
    const { documentBytes, totalDocumentBytes, charts } = chartLimits;
    this.#kept += size;
    if (this.documents.size >= charts) throw this.#toTooMany();
    const limit = size > documentBytes ? documentBytes : totalDocumentBytes;
    if (size > limit || this.#kept > totalDocumentBytes)
      throw svcError('SVC-VAL-002', { limit, file: `${this.#chart} ${place}`.slice(0, 300) });
    const chunks: Buffer[] = [];
    return {
      write: (chunk) => void chunks.push(chunk),
      // as in helm, the last member of a name counts
      end: () => keep(Buffer.concat(chunks)),
    };
  }

  #toTooMany(): SvcError {
    return svcError('SVC-VAL-002', {
      limit: rule(['{charts} embedded charts', fr`{charts} charts embarqués`], {
        charts: chartLimits.charts,
      }),
      file: `${this.#chart} charts/`,
    });
  }

  /** Opens an embedded chart that is an archive, with any file name. An unreadable archive embeds no chart. */
  #openArchive(keep: (bytes: Buffer) => void): Taker | undefined {
    this.#archives += 1;
    if (this.#archives > chartLimits.charts) throw this.#toTooMany();
    const feed = new PassThrough();
    let isBroken = false;
    let document: Buffer | undefined;
    const reading = this.#read(feed, (member) => {
      const [, name, ...deeper] = toSegments(member);
      if (name !== chartDocument || deeper.length > 0) return undefined;
      return this.#openDocument(member, member.path, (bytes) => {
        document = bytes;
      });
    }).catch((error: unknown) => {
      isBroken = true;
      document = undefined;
      if (!isDamage(error)) return error;
    });
    const settle = async (): Promise<void> => {
      const error = await reading;
      if (error !== undefined) throw error;
    };
    return {
      write: async (chunk) => {
        if (isBroken) return settle();
        if (feed.write(chunk)) return;
        await Promise.race([once(feed, 'drain').catch(() => {}), reading]);
      },
      end: async () => {
        if (!isBroken) feed.end();
        await settle();
        if (document) keep(document);
      },
      abandon: () => void feed.destroy(),
    };
  }
}

/**
 * Reads the documents of a packed chart in one pass and without writing to the disk.
 *
 * @param archive the chart layer (gzipped tar); read to its end or destroyed
 * @param chart name of the chart in errors
 * @throws SVC-SIG-003 when the archive is unreadable, SVC-VAL-002 beyond the limits
 */
export async function readChartArchive(archive: Readable, chart: string): Promise<ChartDocuments> {
  const scan = new ArchiveScan(chart);
  try {
    await scan.readChart(archive);
  } catch (error) {
    if (isSvcError(error) || !isDamage(error)) throw error;
    const expected = rule(['a Helm chart archive', fr`une archive de chart Helm`]);
    throw svcError(
      'SVC-SIG-003',
      { expected, actual: rule(['a damaged archive', fr`une archive abîmée`]), reference: chart },
      { cause: error },
    );
  }
  const { folder, documents, unsafe } = scan;
  return { folder, documents, ...(unsafe === undefined ? {} : { unsafe }) };
}
