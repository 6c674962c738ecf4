import type { FileHandle } from 'node:fs/promises';
import { releaseMemory } from '../base/release-memory.ts';
import { svcError } from '../text/error.ts';
import {
  type EntryHeader,
  isIntact,
  ledgerFormat,
  maxBatchBytes,
  parseHeader,
  readOpening,
} from './codec.ts';

export interface Entry {
  readonly header: EntryHeader;
  readonly offset: number;
  /** Header and records as they are in the file. Valid until the next call. */
  readonly raw: Buffer;
  /** The records of a batch. Valid until the next call. */
  readonly payload: Buffer;
}

const windowBytes = 1 << 20;
const marker = Buffer.from('{"batch":');

/** Walks the entries of one ledger file. Checks the form of an entry, but not whether it is intact. */
export class LedgerReader {
  readonly #file: FileHandle;
  readonly #size: number;
  #window: Buffer = Buffer.alloc(0);
  /** Offset of the window in the file, and of the next entry in the window. */
  #start = 0;
  #at = 0;
  /** A read of the bytes after the window, started before they are needed. */
  #ahead: { readonly offset: number; readonly bytes: Promise<Buffer> } | undefined;

  constructor(file: FileHandle, size: number) {
    this.#file = file;
    this.#size = size;
  }

  get size(): number {
    return this.#size;
  }

  /** Offset of the next entry. */
  get offset(): number {
    return this.#start + this.#at;
  }

  seek(offset: number): void {
    this.#start = offset;
    this.#at = 0;
    this.#window = Buffer.alloc(0);
  }

  /**
   * @returns `end` at the end of the file, `bad` when there is no whole entry at this offset
   * @throws SVC-STO-008 when the file begins as a ledger of another format: it is not damaged, and must not be repaired
   */
  async next(): Promise<Entry | 'end' | 'bad'> {
    const offset = this.offset;
    if (offset >= this.#size) return 'end';
    let reading = parseHeader(this.#window, this.#at);
    if (reading === 'short' && (await this.#fill(1024))) reading = parseHeader(this.#window, this.#at);
    if (typeof reading === 'string') {
      if (offset === 0) await this.#requireKnownFormat();
      return 'bad';
    }
    const { header } = reading;
    const length = reading.bytes + (header.kind === 'batch' ? header.bytes : 0);
    if (this.#window.length - this.#at < length) {
      if (offset + length > this.#size) return 'bad';
      await this.#fill(length);
      if (this.#window.length - this.#at < length) return 'bad';
    }
    const raw = this.#window.subarray(this.#at, this.#at + length);
    this.#at += length;
    return { header, offset, raw, payload: raw.subarray(reading.bytes) };
  }

  /**
   * Tells a later format from a damaged first line, behind which batches of this format are intact.
   *
   * @throws SVC-STO-008
   */
  async #requireKnownFormat(): Promise<void> {
    const opening = readOpening(this.#window);
    if (opening === undefined || opening.format <= ledgerFormat) return;
    const { ledger, generation, format } = opening;
    const intact = await this.findIntact(ledger, generation, 0, 0);
    if (typeof intact === 'number') return;
    throw svcError('SVC-STO-008', { found: format, supported: ledgerFormat });
  }

  /** Reads the bytes from the current offset to `end` in pieces. */
  async *bytesTo(end: number): AsyncGenerator<Buffer> {
    while (this.offset < end) {
      if (this.#at >= this.#window.length && !(await this.#fill(1))) return;
      const piece = this.#window.subarray(this.#at, this.#at + Math.min(end - this.offset, windowBytes));
      this.#at += piece.length;
      yield piece;
    }
  }

  /**
   * Searches for an intact batch after a failing entry.
   *
   * @param from offset of the failing entry
   * @param after the sequence that the batch must exceed: clusters of an older file may show up after a torn write
   * @param isProof whether only a batch counts before which the failing entry was durable. After a power cut, a batch
   *   can be there without earlier ones of the same sync.
   * @returns its offset; `undecided` when more bytes follow than an interrupted write can have left
   */
  async findIntact(
    ledger: string,
    generation: number,
    from: number,
    after: number,
    isProof = false,
  ): Promise<number | undefined | 'undecided'> {
    const length = this.#size - from;
    // enough for the largest batch and the rounding of a filesystem
    if (length > maxBatchBytes + (1 << 20)) return 'undecided';
    const rest = Buffer.alloc(length);
    const { bytesRead } = await this.#file.read(rest, 0, length, from);
    const bytes = rest.subarray(0, bytesRead);
    // bounds the hashing that forged headers can cause
    let budget = 8 * length + (1 << 20);
    for (let at = bytes.indexOf(marker); at >= 0; at = bytes.indexOf(marker, at + 1)) {
      const reading = parseHeader(bytes, at);
      if (typeof reading === 'string' || reading.header.kind !== 'batch') continue;
      const { header } = reading;
      const start = at + reading.bytes;
      if (header.generation !== generation || header.sequence <= after || start + header.bytes > bytes.length)
        continue;
      if (isProof && header.durable !== undefined && header.durable <= after) continue;
      budget -= header.bytes + 256;
      if (budget < 0) return 'undecided';
      if (isIntact(ledger, header, bytes.subarray(start, start + header.bytes))) return from + at;
    }
    return undefined;
  }

  /** Reads until the window holds `wanted` bytes from the current offset, or the file ends. False: nothing was read. */
  async #fill(wanted: number): Promise<boolean> {
    const left = this.#window.subarray(this.#at);
    const room = Math.min(
      Math.max(windowBytes, wanted - left.length),
      this.#size - this.offset - left.length,
    );
    if (room <= 0) return false;
    const next = await this.#read(this.offset + left.length, room);
    this.#start += this.#at;
    this.#at = 0;
    const old = this.#window;
    this.#window = left.length === 0 ? next : Buffer.concat([left, next]);
    const came = next.length > 0;
    if (left.length > 0) releaseMemory(next);
    releaseMemory(old);
    // the disk reads the next window while the caller works on this one
    const behind = this.#start + this.#window.length;
    this.#ahead = {
      offset: behind,
      bytes: this.#readNow(behind, Math.min(windowBytes, this.#size - behind)),
    };
    this.#ahead.bytes.catch(() => {});
    return came;
  }

  /** Reads `length` bytes at this offset, fewer only where the file ends; uses the bytes that were read ahead. */
  async #read(offset: number, length: number): Promise<Buffer> {
    const ahead = this.#ahead?.offset === offset ? await this.#ahead.bytes : undefined;
    this.#ahead = undefined;
    if (ahead === undefined) return this.#readNow(offset, length);
    if (ahead.length >= length) return ahead;
    return Buffer.concat([ahead, await this.#readNow(offset + ahead.length, length - ahead.length)]);
  }

  async #readNow(offset: number, length: number): Promise<Buffer> {
    const bytes = Buffer.allocUnsafe(Math.max(0, length));
    let filled = 0;
    while (filled < bytes.length) {
      const { bytesRead } = await this.#file.read(bytes, filled, bytes.length - filled, offset + filled);
      if (bytesRead === 0) break;
      filled += bytesRead;
    }
    return bytes.subarray(0, filled);
  }
}
