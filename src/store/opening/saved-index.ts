import { createHash, createHmac, timingSafeEqual } from 'node:crypto';
import { type FileHandle, open, rename, unlink } from 'node:fs/promises';
import { endianness } from 'node:os';
import { join } from 'node:path';
import { Pacer } from '../../base/pacer.ts';
import type { Report } from '../../base/report.ts';
import { ContentGraph } from '../../catalog/content-graph.ts';
import type { MediumChange } from '../../catalog/content-records.ts';
import {
  type ColumnName,
  type GraphImage,
  type ImageFigures,
  imageColumns,
  makeColumn,
} from '../../catalog/image/columns.ts';
import { openGuardedFile } from '../../disk/guarded-open.ts';
import { isAbsent } from '../../disk/is-absent.ts';
import { syncFolder } from '../../disk/sync-folder.ts';
import { toWriteError } from '../../disk/write-error.ts';
import type { LedgerPlace } from '../../ledger/ledger.ts';
import { requireSpace, type VolumeLimits } from '../blobs/require-space.ts';
import { RestAbandoned } from '../rest/rest-files.ts';

/** Path of the saved index, relative to the root. It is a cache of this instance: without it, the whole ledger is read. */
export const savedIndexPath = '_svc/index';

/** Raised by each change of the columns, of their order, or of the effect of a record on the graph. */
const indexFormat = 1;
const headerBytes = 4096;
/** Characters of the seal of a header. */
const sealLength = 64;
const pieceBytes = 1 << 20;

const columnNames = Object.keys(imageColumns) as ColumnName[];

/** What the first bytes of the file say, as JSON followed by spaces. */
interface Header {
  readonly format: number;
  readonly endianness: string;
  readonly medium: MediumChange;
  /** The place in the content ledger up to which its records are in the index. */
  readonly place: LedgerPlace;
  readonly figures: ImageFigures;
  /** Numbers in each column. */
  readonly lengths: Readonly<Record<ColumnName, number>>;
  /** Of the columns. */
  readonly sha256: string;
}

/** A saved index whose header this instance wrote. */
export interface SavedIndex extends AsyncDisposable {
  readonly medium: MediumChange;
  readonly place: LedgerPlace;
  /** Reads the graph. @returns undefined when the file is not whole; this is logged */
  read(): Promise<ContentGraph | undefined>;
}

/** Returns the first bytes of a file: the seal of this instance, the JSON of a header, and spaces. */
function sealHeader(text: string, key: Buffer): Buffer {
  const seal = createHmac('sha256', key).update('svc saved index ').update(text).digest('hex');
  return Buffer.from(`${`${seal} ${text}`.padEnd(headerBytes - 1)}\n`);
}

/** @returns undefined when the header is not one that this instance wrote, in this format and on this kind of machine */
function parseHeader(bytes: Buffer, key: Buffer): Header | undefined {
  const text = bytes.toString('utf8', sealLength + 1).trimEnd();
  const sealed = sealHeader(text, key);
  if (sealed.length !== bytes.length || !timingSafeEqual(sealed, bytes)) return undefined;
  const header = JSON.parse(text) as Header;
  return header.format === indexFormat && header.endianness === endianness() ? header : undefined;
}

const sizeOf = (lengths: Header['lengths']): number =>
  columnNames.reduce((sum, name) => sum + lengths[name] * imageColumns[name].BYTES_PER_ELEMENT, 0);

/** Fills the bytes from an offset of a file. @returns false when the file ends before */
async function readInto(file: FileHandle, bytes: Uint8Array, offset: number): Promise<boolean> {
  for (let filled = 0; filled < bytes.length; ) {
    const { bytesRead } = await file.read(bytes, filled, bytes.length - filled, offset + filled);
    if (bytesRead === 0) return false;
    filled += bytesRead;
  }
  return true;
}

/** @returns undefined when the columns do not have the hash of the header */
async function readColumns(file: FileHandle, header: Header): Promise<GraphImage | undefined> {
  const { lengths, figures } = header;
  const hash = createHash('sha256');
  const columns: Record<string, unknown> = { figures };
  /** Pieces are hashed while the next one is read. */
  let hashed: Uint8Array = new Uint8Array(0);
  let offset = headerBytes;
  for (const name of columnNames) {
    const numbers = makeColumn(name, lengths[name], figures.end);
    const bytes = new Uint8Array(numbers.buffer, 0, lengths[name] * numbers.BYTES_PER_ELEMENT);
    for (let at = 0; at < bytes.length; at += pieceBytes) {
      const piece = bytes.subarray(at, at + pieceBytes);
      const isRead = readInto(file, piece, offset + at);
      hash.update(hashed);
      if (!(await isRead)) return undefined;
      hashed = piece;
    }
    offset += bytes.length;
    columns[name] = numbers;
  }
  return hash.update(hashed).digest('hex') === header.sha256 ? (columns as GraphImage) : undefined;
}

/** Logs that the whole ledger is read, although there is a saved index. */
export function logUnused(root: string, report: Report, reason: string, error?: unknown): undefined {
  const path = join(root, savedIndexPath);
  report.log('info', 'The saved index of the store is not used', { path, reason, error });
}

/**
 * Opens the saved index of a store. Nothing in it counts before its place was found in the ledger.
 *
 * @param root real path of the store
 * @returns undefined when there is none that this instance wrote; this is logged, unless there is none at all
 */
export async function openSavedIndex(
  root: string,
  key: Buffer,
  report: Report,
): Promise<SavedIndex | undefined> {
  const refuse = (reason: string, error?: unknown): undefined => logUnused(root, report, reason, error);
  const opened = await openGuardedFile(root, savedIndexPath).catch((error: unknown) =>
    isAbsent(error) ? undefined : refuse('unreadable', error),
  );
  if (opened === undefined) return undefined;
  const { file, size } = opened;
  const close = (): Promise<void> => file.close();
  try {
    const bytes = Buffer.alloc(headerBytes);
    const header = (await readInto(file, bytes, 0)) ? parseHeader(bytes, key) : undefined;
    if (header === undefined || size !== headerBytes + sizeOf(header.lengths)) {
      await close();
      return refuse(header === undefined ? 'not of this instance and version' : 'not whole');
    }
    return {
      medium: header.medium,
      place: header.place,
      read: async () => {
        try {
          const image = await readColumns(file, header);
          return image === undefined ? refuse('not whole') : ContentGraph.of(image);
        } catch (error) {
          return refuse('unreadable', error);
        }
      },
      [Symbol.asyncDispose]: close,
    };
  } catch (error) {
    await close();
    return refuse('unreadable', error);
  }
}

interface SavingOptions {
  readonly root: string;
  readonly key: Buffer;
  readonly limits: VolumeLimits;
  readonly medium: MediumChange;
  readonly graph: ContentGraph;
  /** Returns the end of the content ledger, where all its records are durable. */
  readonly place: () => LedgerPlace | undefined;
  /** Aborted when a change of the store starts. */
  readonly signal: AbortSignal;
}

/** @throws RestAbandoned when the store changes: the change waits for it */
async function toImageInTurns(graph: ContentGraph, pacer: Pacer, signal: AbortSignal): Promise<GraphImage> {
  const steps = graph.image();
  for (;;) {
    const { done, value } = steps.next();
    if (done) return value;
    if (!pacer.isDue()) continue;
    await pacer.rest();
    if (signal.aborted) throw new RestAbandoned();
  }
}

/**
 * Saves the index in slices, and replaces the file once the new one is durable.
 *
 * @returns the place up to which it has the records; undefined when the ledger is not at rest
 * @throws RestAbandoned when the store changes; SVC-STO-002, SVC-STO-004, SVC-STO-005. The file is then as before.
 */
export async function saveIndex(options: SavingOptions): Promise<LedgerPlace | undefined> {
  const { root, key, limits, medium, graph, signal } = options;
  const place = options.place();
  if (place === undefined) return undefined;
  const pacer = new Pacer();
  const image = await toImageInTurns(graph, pacer, signal);
  const lengths = Object.fromEntries(columnNames.map((name) => [name, image[name].length]));
  const header = { format: indexFormat, endianness: endianness(), medium, place, figures: image.figures };
  const isChanged = (): boolean =>
    signal.aborted || graph.contents.end !== image.figures.end || options.place()?.sha256 !== place.sha256;
  const folder = join(root, '_svc', 'tmp');
  const [path, unfinished] = [join(root, savedIndexPath), join(folder, 'index')];
  const size = sizeOf(lengths as Header['lengths']);
  try {
    await requireSpace(folder, size, limits);
    await unlink(unfinished).catch(() => {});
    const file = await open(unfinished, 'wx', 0o600);
    try {
      const hash = createHash('sha256');
      let offset = headerBytes;
      for (const name of columnNames) {
        const { buffer, byteOffset, byteLength } = image[name];
        for (let at = 0; at < byteLength; at += pieceBytes) {
          const piece = new Uint8Array(buffer, byteOffset + at, Math.min(pieceBytes, byteLength - at));
          hash.update(piece);
          await file.write(piece, 0, piece.length, offset + at);
          if (pacer.isDue()) await pacer.rest();
          if (isChanged()) throw new RestAbandoned();
        }
        offset += byteLength;
      }
      const whole = { ...header, lengths: lengths as Header['lengths'], sha256: hash.digest('hex') };
      await file.write(sealHeader(JSON.stringify(whole), key), 0, headerBytes, 0);
      await file.datasync();
    } finally {
      await file.close();
    }
    if (isChanged()) throw new RestAbandoned();
    await rename(unfinished, path);
    await syncFolder(join(root, '_svc'));
    return place;
  } catch (error) {
    await unlink(unfinished).catch(() => {});
    throw error instanceof RestAbandoned ? error : toWriteError(error, path, { size });
  }
}
