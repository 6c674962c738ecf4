import { readHexWords, wordsOfDigest } from './hex-words.ts';

const opening = Buffer.from('{"op":"manifest","digest":"sha256:');
const toType = Buffer.from('","type":"');
const toSize = Buffer.from('","size":');
const toBlobs = Buffer.from(',"blobs":["sha256:');
const toBlobSize = Buffer.from('",');
const toBlob = Buffer.from(',"sha256:');
const closing = Buffer.from(']}');

const hexLength = 64;
/** As for a media type in any record. */
const longestType = 512;
/** Digits that every safe integer has room for. */
const mostDigits = 15;

const quote = 0x22;
const backslash = 0x5c;
const zero = 0x30;

/** The record of one image: a manifest with blobs, and with nothing that few manifests have. */
export interface PlainManifest {
  readonly type: string;
  /** Bytes. */
  readonly size: number;
  /** Number of blobs. */
  readonly blobs: number;
  /** Index of the manifest's digest in `words`, in digests; its blobs follow. */
  readonly first: number;
}

/**
 * Reads the records of image manifests from the bytes of a ledger. They are most of a ledger, and most of the cost of
 * an opening. JSON would make a temporary string of each digest. Only the form in which this program writes them is
 * read here, byte for byte; everything else is left to JSON.
 *
 * Lines are kept, in the same order, until they are fetched: a batch is judged before its first record is applied.
 */
export class PlainManifests {
  /** Digests of the kept records, eight words each. */
  words: Uint32Array = new Uint32Array(1024 * wordsOfDigest);
  /** Sizes of the same digests in bytes; that of a manifest is in its record. */
  sizes: Float64Array = new Float64Array(1024);
  #used = 0;
  #kept: PlainManifest[] = [];
  #taken = 0;
  #type = '';
  #typeBytes: Uint8Array = new Uint8Array(0);
  /** Offset after the bytes read, or of the end of a number. */
  #at = 0;

  /** Forgets the kept records. */
  clear(): void {
    this.#kept = [];
    this.#taken = 0;
    this.#used = 0;
  }

  /** Returns the oldest record that was not taken. */
  take(): PlainManifest {
    this.#taken += 1;
    return this.#kept[this.#taken - 1]!;
  }

  /**
   * Keeps the record of a line.
   *
   * @param end offset of its line feed
   * @returns false when the line has another form: nothing was kept
   */
  keep(bytes: Buffer, start: number, end: number): boolean {
    const first = this.#used;
    const kept = this.#read(bytes, start, end, first);
    if (kept === undefined) this.#used = first;
    else this.#kept.push(kept);
    return kept !== undefined;
  }

  #read(bytes: Buffer, start: number, end: number, first: number): PlainManifest | undefined {
    this.#at = start;
    if (!this.#skip(bytes, opening, end) || !this.#readDigest(bytes, end)) return undefined;
    if (!this.#skip(bytes, toType, end)) return undefined;
    const type = this.#readType(bytes, end);
    if (type === undefined || !this.#skip(bytes, toSize, end)) return undefined;
    const size = this.#readNumber(bytes, end);
    if (size < 0 || !this.#skip(bytes, toBlobs, end)) return undefined;
    let blobs = 0;
    do {
      if (!this.#readDigest(bytes, end) || !this.#skip(bytes, toBlobSize, end)) return undefined;
      const blobSize = this.#readNumber(bytes, end);
      if (blobSize < 0) return undefined;
      this.sizes[this.#used - 1] = blobSize;
      blobs += 1;
    } while (this.#skip(bytes, toBlob, end));
    if (!this.#skip(bytes, closing, end) || this.#at !== end) return undefined;
    return { type, size, blobs, first };
  }

  /** Skips a text, if the line continues with it. */
  #skip(bytes: Buffer, text: Buffer, end: number): boolean {
    const at = this.#at;
    if (at + text.length > end) return false;
    for (let i = 0; i < text.length; i += 1) if (bytes[at + i] !== text[i]) return false;
    this.#at = at + text.length;
    return true;
  }

  #readDigest(bytes: Buffer, end: number): boolean {
    if (this.#at + hexLength > end) return false;
    if (this.#used === this.sizes.length) this.#grow();
    if (!readHexWords(bytes, this.#at, this.words, this.#used * wordsOfDigest)) return false;
    this.#used += 1;
    this.#at += hexLength;
    return true;
  }

  /** Reads a text of printable ASCII that is not escaped, up to its quote. */
  #readType(bytes: Buffer, end: number): string | undefined {
    const start = this.#at;
    const known = this.#typeBytes;
    let at = start;
    // almost all manifests have the type of the last one
    while (at < end && at - start < known.length && bytes[at] === known[at - start]) at += 1;
    if (at - start !== known.length || bytes[at] !== quote) {
      for (at = start; at < end && bytes[at] !== quote; at += 1) {
        const byte = bytes[at]!;
        if (byte < 0x20 || byte > 0x7e || byte === backslash) return undefined;
      }
      if (at === end || at - start > longestType) return undefined;
      this.#typeBytes = Uint8Array.from(bytes.subarray(start, at));
      this.#type = bytes.toString('latin1', start, at);
    }
    this.#at = at;
    return this.#type;
  }

  /** @returns -1 when there is no number of bytes as JSON writes it */
  #readNumber(bytes: Buffer, end: number): number {
    const start = this.#at;
    let at = start;
    let value = 0;
    for (; at < end; at += 1) {
      const digit = bytes[at]! - zero;
      if (digit < 0 || digit > 9) break;
      value = value * 10 + digit;
    }
    const digits = at - start;
    this.#at = at;
    return digits === 0 || digits > mostDigits || (digits > 1 && bytes[start] === zero) ? -1 : value;
  }

  #grow(): void {
    const words = new Uint32Array(this.words.length * 2);
    words.set(this.words);
    this.words = words;
    const sizes = new Float64Array(this.sizes.length * 2);
    sizes.set(this.sizes);
    this.sizes = sizes;
  }
}
