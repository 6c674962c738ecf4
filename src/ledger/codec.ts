import { createHash, createHmac, createSecretKey, type KeyObject } from 'node:crypto';

/**
 * The entry that the first batch of a generation continues. A ledger file is one generation: an opening line, batches,
 * a commit line over everything before it, and further batches. A batch is a header line followed by its records, one
 * JSON line each.
 *
 * Each batch names the tag of the entry before: no batch can be removed, inserted, or copied from another ledger under
 * the same key.
 */
export interface Predecessor {
  readonly generation: number;
  readonly length: number;
  readonly sequence: number;
  readonly sha256: string;
}

export interface Opening {
  readonly kind: 'opening';
  readonly ledger: string;
  readonly generation: number;
  readonly predecessor: Predecessor | undefined;
}

interface BatchHeader {
  readonly kind: 'batch';
  readonly sequence: number;
  readonly generation: number;
  /** Bytes of the records that follow the header. */
  readonly bytes: number;
  readonly records: number;
  /** Tag of the entry before. */
  readonly after: string;
  /**
   * Sequence of the last batch that would have survived a power cut when this one was written. Absent: that of the batch
   * before. A power cut can take the batches between the two and leave this one, which then does not count either.
   */
  readonly durable?: number | undefined;
  readonly sha256: string;
  readonly hmac: string | undefined;
}

/** Sealed members of a batch besides its records. */
type BatchPlace = Pick<BatchHeader, 'sequence' | 'generation' | 'records' | 'after' | 'durable'>;

export interface Commit {
  readonly kind: 'commit';
  /** Sequence of the last batch before the commit line. */
  readonly sequence: number;
  readonly generation: number;
  /** Bytes before this line. */
  readonly length: number;
  readonly sha256: string;
  readonly hmac: string | undefined;
}

export type EntryHeader = Opening | BatchHeader | Commit;

/** Version of the form of a ledger file. */
export const ledgerFormat = 1;

/** Size of the largest batch that a reader accepts, in bytes; a writer stays far below. */
export const maxBatchBytes: number = 64 << 20;
const maxHeaderBytes = 768;
const tagLength = 32;

export function formatHeader(header: EntryHeader): string {
  const { kind, generation } = header;
  switch (kind) {
    case 'opening': {
      const { ledger, predecessor } = header;
      return `${JSON.stringify({ ledger, format: ledgerFormat, generation, predecessor })}\n`;
    }
    case 'batch': {
      const { sequence, bytes, records, after, durable, sha256, hmac } = header;
      return `${JSON.stringify({ batch: sequence, generation, bytes, records, after, durable, sha256, hmac })}\n`;
    }
    case 'commit': {
      const { sequence, length, sha256, hmac } = header;
      return `${JSON.stringify({ commit: sequence, generation, length, sha256, hmac })}\n`;
    }
  }
}

type HeaderReading =
  | { readonly header: EntryHeader; readonly bytes: number }
  /** The bytes end before the line does. */
  | 'short'
  | 'bad';

/** Reads the header line at `at`. A line is accepted only if `formatHeader` would write it byte for byte. */
export function parseHeader(bytes: Buffer, at: number): HeaderReading {
  const end = bytes.subarray(at, at + maxHeaderBytes).indexOf(0x0a);
  if (end < 0) return bytes.length - at < maxHeaderBytes ? 'short' : 'bad';
  const line = bytes.toString('utf8', at, at + end + 1);
  let value: unknown;
  try {
    value = JSON.parse(line);
  } catch {
    return 'bad';
  }
  const header = toHeader(value);
  if (!header || formatHeader(header) !== line) return 'bad';
  return { header, bytes: end + 1 };
}

/**
 * Reads the first line of a ledger of any format, as far as they have it in common.
 *
 * @returns undefined when the line is not the beginning of a ledger
 */
export function readOpening(
  bytes: Buffer,
): { readonly ledger: string; readonly format: number; readonly generation: number } | undefined {
  const end = bytes.subarray(0, maxHeaderBytes).indexOf(0x0a);
  try {
    const { ledger, format, generation } = JSON.parse(bytes.toString('utf8', 0, Math.max(end, 0))) ?? {};
    if (typeof ledger !== 'string' || !isCount(format) || !isCount(generation)) return undefined;
    return { ledger, format, generation };
  } catch {
    return undefined;
  }
}

function toHeader(value: unknown): EntryHeader | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  const { generation, sha256, hmac, ...rest } = value as Record<string, unknown>;
  if (!isCount(generation) || generation === 0) return undefined;
  if (typeof rest.ledger === 'string') {
    if (rest.format !== ledgerFormat || (rest.predecessor !== undefined && !isPredecessor(rest.predecessor)))
      return undefined;
    return { kind: 'opening', ledger: rest.ledger, generation, predecessor: rest.predecessor };
  }
  if (!isHex(sha256, 64) || (hmac !== undefined && !isHex(hmac, tagLength))) return undefined;
  if (isCount(rest.batch)) {
    const { batch: sequence, bytes, records, after, durable } = rest;
    if (!isCount(bytes) || bytes > maxBatchBytes || !isCount(records) || !isHex(after, tagLength))
      return undefined;
    if (durable !== undefined && !isCount(durable)) return undefined;
    return { kind: 'batch', sequence, generation, bytes, records, after, durable, sha256, hmac };
  }
  const { commit: sequence, length } = rest;
  if (!isCount(sequence) || !isCount(length)) return undefined;
  return { kind: 'commit', sequence, generation, length, sha256, hmac };
}

function isCount(value: unknown): value is number {
  return Number.isSafeInteger(value) && (value as number) >= 0;
}

function isHex(value: unknown, length: number): value is string {
  return typeof value === 'string' && value.length === length && /^[0-9a-f]*$/.test(value);
}

function isPredecessor(value: unknown): value is Predecessor {
  if (typeof value !== 'object' || value === null) return false;
  const { generation, length, sequence, sha256 } = value as Record<string, unknown>;
  return isCount(generation) && isCount(length) && isCount(sequence) && isHex(sha256, 64);
}

/** Makes the header of a batch over its records' bytes. */
export function sealBatch(
  ledger: string,
  batch: BatchPlace,
  payload: Uint8Array,
  key: Buffer | undefined,
): BatchHeader {
  const sha256 = hashBatch(ledger, batch, payload);
  const hmac = key && sign(key, 'batch', sha256);
  return { kind: 'batch', ...batch, bytes: payload.length, sha256, hmac };
}

/** Makes the commit over everything before it. */
export function sealCommit(
  commit: Pick<Commit, 'sequence' | 'generation' | 'length' | 'sha256'>,
  key: Buffer | undefined,
): Commit {
  return { kind: 'commit', ...commit, hmac: key && sign(key, 'commit', commit.sha256) };
}

/** Returns whether the records match the hash in the header. */
export function isIntact(ledger: string, header: BatchHeader, payload: Uint8Array): boolean {
  return hashBatch(ledger, header, payload) === header.sha256;
}

export type Author = 'verified' | 'unkeyed' | 'foreign';

/** Returns under which key an intact batch or commit was sealed. */
export function toAuthor(header: BatchHeader | Commit, key: Buffer | undefined): Author {
  if (header.hmac === undefined) return 'unkeyed';
  return key && sign(key, header.kind, header.sha256) === header.hmac ? 'verified' : 'foreign';
}

/** Returns the tag that the next batch names in `after`. */
export function toTag(header: EntryHeader): string {
  if (header.kind !== 'opening') return header.hmac ?? header.sha256.slice(0, tagLength);
  return createHash('sha256').update(formatHeader(header)).digest('hex').slice(0, tagLength);
}

/** Marks a record that is not read as JSON. */
export const plain: unique symbol = Symbol('plain');

/**
 * @param isPlain whether a line, from `start` to its line feed at `end`, is a record that its reader knows without JSON
 * @returns undefined when the bytes are not `count` lines of JSON
 */
export function parseRecords(
  payload: Buffer,
  count: number,
  isPlain: (bytes: Buffer, start: number, end: number) => boolean = () => false,
): unknown[] | undefined {
  const records: unknown[] = [];
  try {
    for (let at = 0; at < payload.length; ) {
      const end = payload.indexOf(0x0a, at);
      if (end < 0 || records.length === count) return undefined;
      records.push(isPlain(payload, at, end) ? plain : JSON.parse(payload.toString('utf8', at, end)));
      at = end + 1;
    }
  } catch {
    return undefined;
  }
  return records.length === count ? records : undefined;
}

function hashBatch(ledger: string, batch: BatchPlace, payload: Uint8Array): string {
  const { generation, sequence, records, after, durable } = batch;
  const since = durable === undefined ? '' : ` ${durable}`;
  const context = `${ledger} ${generation} ${sequence} ${records} ${after}${since}\n`;
  return createHash('sha256').update(context).update(payload).digest('hex');
}

/** The keys as node uses them: to make one takes longer than an HMAC of a header. */
const keyObjects = new WeakMap<Buffer, KeyObject>();

function toKeyObject(key: Buffer): KeyObject {
  const known = keyObjects.get(key);
  if (known !== undefined) return known;
  const made = createSecretKey(key);
  keyObjects.set(key, made);
  return made;
}

function sign(key: Buffer, kind: 'batch' | 'commit', sha256: string): string {
  return createHmac('sha256', toKeyObject(key))
    .update(`svc ledger ${kind} ${sha256}`)
    .digest('hex')
    .slice(0, tagLength);
}
