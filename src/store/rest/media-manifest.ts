import { createHash, type Hash } from 'node:crypto';
import type { FileHandle } from 'node:fs/promises';
import { type Digest, isDigest, toDigest } from '../../base/digest.ts';
import { measureJson } from '../../base/json/json-gauge.ts';
import type { JsonObject } from '../../base/json/json-object.ts';
import { findRepeatedMember, toRepeatedRule, usualBounds } from '../../base/json/parse-json.ts';
import { isMediumId, isSize, mediumIdPattern, storeFormat } from '../../catalog/content-records.ts';
import { checkValue } from '../../contract/check-value.ts';
import type { mediumHeader } from '../../contract/medium.ts';
import {
  digest,
  inline,
  integer,
  list,
  object,
  type Schema,
  type TypeOf,
  text,
  whole,
} from '../../contract/schema.ts';
import { openGuarded } from '../../disk/guarded-open.ts';
import { isInconclusive, toReadError } from '../../disk/read-error.ts';
import { isSvcError, type SvcError, svcError } from '../../text/error.ts';
import { fr } from '../../text/language.ts';
import { type Rule, rule } from '../../text/rule.ts';
import { textParam } from '../../text/text-param.ts';
import { parseJson, readLines, toUnreadable } from './json-lines.ts';

/** Format of a whole medium, and of one that lacks blobs or has blobs in segments. */
export const mediaFormats = { whole: 1, partial: 2 } as const;
export const mediumManifestPath = 'media.jsonl';

/** Limits that are checked before anything is decoded. */
export const mediumManifestLimits = {
  bytes: 256 << 20,
  headerBytes: 32 << 20,
  lineBytes: 4096,
} as const;

/** The first line of `media.jsonl`. Unsigned: a hint where to look, and no evidence. */
export type MediumHeader = TypeOf<typeof mediumHeader>;

/** Most parts of a delivery. */
export const mostParts = 999;

/** One further line: a file of the store. */
export interface MediumEntry {
  /** Relative to the root, with `/`. */
  readonly path: string;
  readonly size: number;
  readonly digest: Digest;
}

/** A medium manifest that was read to its end. */
export interface ReadManifest {
  readonly header: MediumHeader;
  readonly entries: ReadonlyMap<string, MediumEntry>;
  /** Of the bytes of `media.jsonl`. */
  readonly digest: Digest;
}

interface MediumManifest {
  readonly header: MediumHeader;
  /** The lines in their order, in batches; throws SVC-MED-002 at the first invalid line. */
  readonly entries: AsyncGenerator<readonly MediumEntry[]>;
}

const unreadable = (detail: Rule | string | undefined, mediaId?: string, cause?: unknown): SvcError =>
  toUnreadable(mediumManifestPath, detail, { mediaId, cause });

/** Whether a value is a relative path with `/` that is below the root on every platform. */
function isMediumPath(value: unknown): value is string {
  if (typeof value !== 'string' || value.length === 0 || value.length > 1024) return false;
  if (value.includes('\\') || value.includes('\0') || value.includes(':')) return false;
  return value.split('/').every((part) => part !== '' && part !== '.' && part !== '..');
}

const line = text({ minLength: 1, maxLength: 1024 });
const time = text({ format: 'date-time', maxLength: 40 });
const number = whole({ minimum: 1, maximum: mostParts });

/** The rule of each member of the first line. Further members, at any depth, are of later versions. */
const memberRules: {
  readonly [N in keyof MediumHeader as undefined extends MediumHeader[N] ? `${N}?` : N]-?: Schema;
} = {
  mediaFormat: integer,
  storeFormat: integer,
  mediaId: text({ pattern: mediumIdPattern }),
  zone: line,
  producedBy: object({ version: line, runId: line }),
  resolvedAt: time,
  writtenAt: time,
  recipes: list(object({ name: line, version: line, repository: line, digest })),
  'otherRecipes?': list(digest),
  totals: object({ files: integer, bytes: integer }),
  'delivery?': object({ id: text({ pattern: '^dlv_[0-9a-f]{12}$' }), part: number, parts: number }),
  'base?': object({ zone: line, receipt: digest, sequence: integer }),
  'program?': object({ version: line, files: integer, bytes: integer }),
};
const headerRules = inline(object(memberRules)) as Schema;
const formatRules = inline(object({ mediaFormat: integer, storeFormat: integer })) as Schema;
/** The number of a part of as many. */
const toPartRules = (parts: number | undefined): Schema =>
  inline(object({ delivery: object({ part: whole({ maximum: parts }) }) })) as Schema;

/** @throws SVC-MED-002 naming the first member that breaks its rule */
function requireMembers(header: JsonObject, rules: Schema, mediaId: string | undefined): void {
  try {
    checkValue(header, rules, '', mediumManifestPath);
  } catch (error) {
    if (!isSvcError(error, 'SVC-VAL-001')) throw error;
    const detail = rule(
      [
        'the first line is not valid at {path}: {broken}',
        fr`la première ligne n’est pas valide à {path} : {broken}`,
      ],
      { path: String(error.params.path), broken: textParam(error, 'rule') },
    );
    throw unreadable(detail, mediaId, error);
  }
}

/**
 * Parses the first line.
 *
 * @throws SVC-MED-002, SVC-MED-003 (other medium format), SVC-MED-004 (other store format)
 */
export function parseMediumHeader(line: string): MediumHeader {
  const { depth } = usualBounds;
  if (measureJson(Buffer.from(line), { depth, values: Number.POSITIVE_INFINITY }) !== undefined)
    throw unreadable(
      rule(
        [
          'the first line is nested more than {depth} deep',
          fr`la première ligne est imbriquée sur plus de {depth} niveaux`,
        ],
        { depth },
      ),
      undefined,
    );
  const header = parseJson(line, (cause) =>
    unreadable(
      rule(['the first line is not a header', fr`la première ligne n’est pas un en-tête`]),
      undefined,
      cause,
    ),
  );
  const mediaId = isMediumId(header.mediaId) ? header.mediaId : undefined;
  // other programs may take the other one
  const repeated = findRepeatedMember(line, header);
  if (repeated !== undefined) throw unreadable(toRepeatedRule(repeated), mediaId);
  requireMembers(header, formatRules, mediaId);
  const supports = (
    code: 'SVC-MED-003' | 'SVC-MED-004',
    found: unknown,
    oldest: number,
    supported: number,
  ): void => {
    if (Number(found) < oldest || Number(found) > supported)
      throw svcError(code, { found: Number(found), supported, mediaId });
  };
  supports('SVC-MED-003', header.mediaFormat, mediaFormats.whole, mediaFormats.partial);
  supports('SVC-MED-004', header.storeFormat, storeFormat, storeFormat);
  requireMembers(header, headerRules, mediaId);
  const parsed = header as unknown as MediumHeader;
  const { mediaFormat, delivery } = parsed;
  if (mediaFormat === mediaFormats.partial || delivery !== undefined)
    requireMembers(header, toPartRules(delivery?.parts), mediaId);
  return parsed;
}

/**
 * Parses a medium manifest as a stream: the header immediately, the lines when they are requested.
 *
 * @throws SVC-MED-002, SVC-MED-003, SVC-MED-004
 */
export async function parseMediumManifest(chunks: AsyncIterable<Buffer>): Promise<MediumManifest> {
  const { headerBytes, lineBytes } = mediumManifestLimits;
  const batches = readLines(mediumManifestPath, chunks, [headerBytes, lineBytes]);
  const first = await batches.next();
  if (first.done) throw unreadable(rule(['it is empty', fr`il est vide`]));
  const header = parseMediumHeader(first.value[0]!);
  return { header, entries: parseEntries(header, first.value.slice(1), batches) };
}

async function* parseEntries(
  header: MediumHeader,
  first: readonly string[],
  batches: AsyncGenerator<string[]>,
): AsyncGenerator<readonly MediumEntry[]> {
  const { mediaId, totals } = header;
  let last = '';
  let files = 0;
  let bytes = 0;
  const refuse = (cause?: unknown): SvcError =>
    unreadable(
      rule(['line {line} is not an entry', fr`la ligne {line} n’est pas une entrée`], { line: files + 2 }),
      mediaId,
      cause,
    );
  const parse = (line: string): MediumEntry => {
    const { path, size, digest } = parseJson(line, refuse);
    if (!isMediumPath(path) || !isSize(size) || !isDigest(digest)) throw refuse();
    if (path <= last)
      throw unreadable(
        rule(['line {line} is out of order', fr`la ligne {line} n’est pas à sa place`], { line: files + 2 }),
        mediaId,
      );
    last = path;
    files += 1;
    bytes += size;
    return { path, size, digest };
  };
  if (first.length > 0) yield first.map(parse);
  try {
    for await (const lines of batches) yield lines.map(parse);
  } catch (error) {
    if (!isSvcError(error, 'SVC-MED-002')) throw error;
    throw unreadable(textParam(error, 'detail'), mediaId, error.cause);
  }
  if (files !== totals.files || bytes !== totals.bytes)
    throw unreadable(
      rule(['the totals do not match the lines', fr`les totaux ne correspondent pas aux lignes`]),
      mediaId,
    );
}

async function* readChunks(file: FileHandle, size: number): AsyncGenerator<Buffer> {
  for (let at = 0; at < size; ) {
    const buffer = Buffer.allocUnsafe(Math.min(1 << 20, size - at));
    const { bytesRead } = await file.read(buffer, 0, buffer.length, at).catch((error: unknown) => {
      throw toReadError(error, mediumManifestPath);
    });
    if (bytesRead === 0)
      throw unreadable(rule(['it was cut off while it was read', fr`il a été coupé pendant la lecture`]));
    at += bytesRead;
    yield buffer.subarray(0, bytesRead);
  }
}

/**
 * Reads the complete medium manifest of a store into a map by path.
 *
 * @param root the store's root; the file is opened without following links
 * @param options `maxBytes`: largest file that is read, in bytes
 * @throws SVC-MED-001 when there is none, SVC-MED-002, SVC-MED-003, SVC-MED-004; SVC-STO-014, SVC-STO-001 when
 *   this user may not read it
 */
export async function readMediumManifest(
  root: string,
  options: { readonly maxBytes?: number } = {},
): Promise<ReadManifest> {
  return withManifest(root, options.maxBytes ?? mediumManifestLimits.bytes, async (chunks) => {
    const hash = createHash('sha256');
    const manifest = await parseMediumManifest(hashing(chunks, hash));
    const entries = new Map<string, MediumEntry>();
    for await (const batch of manifest.entries) for (const entry of batch) entries.set(entry.path, entry);
    return { header: manifest.header, entries, digest: toDigest('sha256', hash) };
  });
}

async function* hashing(chunks: AsyncIterable<Buffer>, hash: Hash): AsyncGenerator<Buffer> {
  for await (const chunk of chunks) {
    hash.update(chunk);
    yield chunk;
  }
}

/**
 * Reads only the first line of the medium manifest of a store.
 *
 * @throws as {@link readMediumManifest}
 */
export function readMediumHeader(root: string): Promise<MediumHeader> {
  return withManifest(root, mediumManifestLimits.bytes, async (chunks) => {
    const { header, entries } = await parseMediumManifest(chunks);
    await entries.return(undefined);
    return header;
  });
}

async function withManifest<T>(
  root: string,
  limit: number,
  read: (chunks: AsyncGenerator<Buffer>) => Promise<T>,
): Promise<T> {
  let file: FileHandle;
  try {
    file = await openGuarded(root, mediumManifestPath);
  } catch (error) {
    const cause = isSvcError(error) ? error.cause : error;
    if ((cause as NodeJS.ErrnoException | undefined)?.code === 'ENOENT')
      throw svcError('SVC-MED-001', { path: mediumManifestPath }, { cause: error });
    if (isInconclusive(error)) throw error;
    throw unreadable(rule(['it cannot be opened', fr`il ne peut pas être ouvert`]), undefined, error);
  }
  try {
    const { size } = await file.stat();
    if (size > limit)
      throw unreadable(rule(['larger than {limit} bytes', fr`plus de {limit} octets`], { limit }));
    return await read(readChunks(file, size));
  } catch (error) {
    throw isSvcError(error)
      ? error
      : unreadable(rule(['it cannot be read', fr`il est illisible`]), undefined, error);
  } finally {
    await file.close();
  }
}

/** Formats the first line of a medium manifest. */
export function formatMediumHeader(header: MediumHeader): string {
  return `${JSON.stringify(header)}\n`;
}

export function formatMediumEntry({ path, size, digest }: MediumEntry): string {
  return `{"path":${JSON.stringify(path)},"size":${size},"digest":"${digest}"}\n`;
}
