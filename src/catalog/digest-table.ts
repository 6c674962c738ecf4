import { randomBytes } from 'node:crypto';
import { type Digest, type DigestAlgorithm, digestHex, isDigestHex } from '../base/digest.ts';
import { readHexWords, wordsOfDigest } from './hex-words.ts';

const digestBytes = 32;
const prefixLength = 'sha256:'.length;
const empty = -1;
const removed = -2;

function isLong(digest: Digest): boolean {
  return digest.length > prefixLength + 2 * digestBytes;
}

/** The first twelve bits of a digest, from 4096 for sha512: these numbers have the order of the digests. */
export function toBucket(digest: Digest): number {
  return (isLong(digest) ? 4096 : 0) + Number.parseInt(digestHex(digest).slice(0, 3), 16);
}

/** A table as columns. */
export interface DigestColumns {
  readonly end: number;
  /** Eight words for each number, and room for more. */
  readonly words: Uint32Array<ArrayBuffer>;
  readonly slots: Int32Array<ArrayBuffer>;
  /** Slots that are not empty. */
  readonly usedSlots: number;
  readonly seed: number;
  /** The sha512, with their numbers. */
  readonly long: ReadonlyMap<number, Digest>;
}

/**
 * Gives every digest a small number. Half a million digests as strings in a map would cost 150 MiB and a second of each
 * opening. Here a sha256 is its 32 bytes in one array, found through an open-addressing table. The few sha512 are kept
 * as text. A number is never reused: the number of a forgotten digest finds nothing, and never another digest.
 */
export class DigestTable {
  #bytes: Uint8Array = new Uint8Array(0);
  #words: Uint32Array<ArrayBuffer> = new Uint32Array(0);
  /**
   * Number and hash, alternating. A slot with another hash is skipped without reading the digest, which is elsewhere in
   * memory. Growing reads nothing else either.
   */
  #slots: Int32Array<ArrayBuffer>;
  /** Number of slots that are not `empty`. */
  #used = 0;
  #capacity = 0;
  /** One more than the largest number given so far. */
  #end = 0;
  readonly #long = new Map<Digest, number>();
  readonly #longNames = new Map<number, Digest>();
  /** Random, so that digests on a hostile medium cannot be chosen to collide in the table. */
  #seed = randomBytes(4).readUInt32LE();
  readonly #hex = Buffer.alloc(prefixLength + 2 * digestBytes);
  /** The digest that is searched for. */
  readonly #wanted = new Uint32Array(wordsOfDigest);
  /** Hashes of digests that are searched for together. */
  #hashes = new Int32Array(1024);

  /** @param expected approximate number of digests; a table that grows is copied each time */
  constructor(expected = 0) {
    this.#slots = makeSlots(toSlotCount(expected));
    this.#resize(Math.max(1024, expected));
  }

  /** Makes a table of columns, which are used and not copied. */
  static of({ end, words, slots, usedSlots, seed, long }: DigestColumns): DigestTable {
    const table = new DigestTable();
    table.#words = words;
    table.#bytes = new Uint8Array(words.buffer);
    table.#capacity = words.length / wordsOfDigest;
    table.#slots = slots;
    table.#used = usedSlots;
    table.#end = end;
    table.#seed = seed;
    for (const [id, digest] of long) {
      table.#long.set(digest, id);
      table.#longNames.set(id, digest);
    }
    return table;
  }

  /** The table as columns, without copies. */
  get columns(): DigestColumns {
    const words = this.#words.subarray(0, this.#end * wordsOfDigest);
    const { end } = this;
    return { end, words, slots: this.#slots, usedSlots: this.#used, seed: this.#seed, long: this.#longNames };
  }

  /** Every number given is below it; some numbers below it are forgotten. */
  get end(): number {
    return this.#end;
  }

  find(digest: Digest): number | undefined {
    if (isLong(digest)) return this.#long.get(digest);
    this.#read(digest, prefixLength);
    const id = this.#slots[this.#probe(this.#hash())]!;
    return id >= 0 ? id : undefined;
  }

  /** As `find`, but gives a number to a digest that has none. */
  intern(digest: Digest): number {
    if (isLong(digest)) return this.#internLong(digest);
    this.#read(digest, prefixLength);
    return this.#internWanted(this.#hash());
  }

  /**
   * As `intern`, for many texts that may be the hexadecimal part of a digest. The memory of all comparisons is touched
   * first, so that the cache misses overlap, which need most of the time.
   *
   * @returns undefined when one is no such text: none got a number
   */
  internAllHex(algorithm: DigestAlgorithm, hexes: readonly string[]): Uint32Array | undefined {
    if (algorithm !== 'sha256') {
      if (!hexes.every((hex) => isDigestHex(algorithm, hex))) return undefined;
      return Uint32Array.from(hexes, (hex) => this.#internLong(`${algorithm}:${hex}`));
    }
    const wanted = new Uint32Array(hexes.length * wordsOfDigest);
    for (let i = 0; i < hexes.length; i += 1) {
      if (hexes[i]!.length !== 2 * digestBytes) return undefined;
      // as latin1, some other letters would be digits
      this.#hex.write(hexes[i]!, 'utf8');
      if (!readHexWords(this.#hex, 0, wanted, i * wordsOfDigest)) return undefined;
    }
    return this.internAllWords(wanted, 0, new Uint32Array(hexes.length));
  }

  /**
   * As `internAllHex`, for sha256 given as words in the byte order of the digests.
   *
   * @param from index of the first digest in `words`, in digests
   * @param ids as many digests as this has room for; filled with their numbers
   * @returns `ids`
   */
  internAllWords(words: Uint32Array, from: number, ids: Uint32Array): Uint32Array {
    const count = ids.length;
    if (this.#hashes.length < count) this.#hashes = new Int32Array(count);
    const hashes = this.#hashes;
    for (let i = 0; i < count; i += 1) {
      this.#want(words, from + i);
      hashes[i] = this.#hash();
    }
    const mask = this.#slots.length - 1;
    for (let i = 0; i < count; i += 1) ids[i] = this.#slots[(hashes[i]! << 1) & mask]!;
    for (let i = 0; i < count; i += 1)
      if (ids[i]! < this.#end) ids[i] = this.#words[ids[i]! * wordsOfDigest]!;
    for (let i = 0; i < count; i += 1) {
      this.#want(words, from + i);
      ids[i] = this.#internWanted(hashes[i]!);
    }
    return ids;
  }

  #want(words: Uint32Array, digest: number): void {
    const wanted = this.#wanted;
    const at = digest * wordsOfDigest;
    for (let i = 0; i < wordsOfDigest; i += 1) wanted[i] = words[at + i]!;
  }

  /** @param hash of the digest in `#wanted` */
  #internWanted(hash: number): number {
    let at = this.#probe(hash);
    const known = this.#slots[at]!;
    if (known >= 0) return known;
    // at most two thirds of the slots, each of two elements
    if (known === empty && (this.#used + 1) * 3 > this.#slots.length) {
      this.#rehash();
      at = this.#probe(hash);
    }
    const id = this.#take();
    this.#words.set(this.#wanted, id * 8);
    if (this.#slots[at] === empty) this.#used += 1;
    this.#slots[at] = id;
    this.#slots[at + 1] = hash;
    return id;
  }

  digestOf(id: number): Digest {
    const long = this.#longNames.get(id);
    if (long !== undefined) return long;
    const at = id * digestBytes;
    return `sha256:${Buffer.from(this.#bytes.buffer, at, digestBytes).toString('hex')}`;
  }

  /** As `toBucket`, without making the text of a digest. */
  bucketOf(id: number): number {
    const long = this.#longNames.get(id);
    if (long !== undefined) return toBucket(long);
    const at = id * digestBytes;
    return (this.#bytes[at]! << 4) | (this.#bytes[at + 1]! >> 4);
  }

  /**
   * Lists the numbers of the digests whose hexadecimal part begins with a text. Reads four bytes of each digest, in order: a
   * millisecond for half a million.
   *
   * @param hex at least 7 lower-case hexadecimal digits
   * @param algorithm undefined: both
   * @returns forgotten digests too, whose number nothing refers to
   */
  listBeginning(hex: string, algorithm?: DigestAlgorithm): readonly number[] {
    const known = Math.min(8, hex.length);
    // in the byte order of `#words`
    const [wanted = 0] = new Uint32Array(
      Uint8Array.from(Buffer.from(hex.slice(0, known).padEnd(8, '0'), 'hex')).buffer,
    );
    const [mask = 0] = new Uint32Array(
      Uint8Array.from(Buffer.from('f'.repeat(known).padEnd(8, '0'), 'hex')).buffer,
    );
    const words = this.#words;
    const end = this.#end * 8;
    const signed = wanted | 0;
    const found: number[] = [];
    if (algorithm !== 'sha512')
      for (let at = 0; at < end; at += 8)
        if ((words[at]! & mask) === signed && !this.#longNames.has(at / 8)) found.push(at / 8);
    if (algorithm !== 'sha256') found.push(...this.#longNames.keys());
    return found.filter((id) => this.digestOf(id).startsWith(hex, prefixLength));
  }

  delete(id: number): void {
    const long = this.#longNames.get(id);
    if (long !== undefined) {
      this.#long.delete(long);
      this.#longNames.delete(id);
    } else {
      this.#wanted.set(this.#words.subarray(id * 8, (id + 1) * 8));
      const at = this.#probe(this.#hash());
      if (this.#slots[at] !== id) return;
      this.#slots[at] = removed;
    }
  }

  #internLong(digest: Digest): number {
    const known = this.#long.get(digest);
    if (known !== undefined) return known;
    const id = this.#take();
    this.#long.set(digest, id);
    this.#longNames.set(id, digest);
    return id;
  }

  #take(): number {
    if (this.#end === this.#capacity) this.#resize(Math.ceil(this.#capacity * 1.5));
    this.#end += 1;
    return this.#end - 1;
  }

  #resize(capacity: number): void {
    this.#capacity = capacity;
    const bytes = new Uint8Array(this.#capacity * digestBytes);
    bytes.set(this.#bytes);
    this.#bytes = bytes;
    this.#words = new Uint32Array(bytes.buffer);
  }

  /** Reads hexadecimal from `from` into words in the byte order of the digest. The copy is twice as fast as `charCodeAt`. */
  #read(text: string, from: number): void {
    this.#hex.write(text, 'latin1');
    readHexWords(this.#hex, from, this.#wanted, 0);
  }

  /** Returns the slot of the wanted digest, or the slot where it belongs. */
  #probe(hash: number): number {
    const slots = this.#slots;
    const mask = slots.length - 1;
    let vacant = -1;
    for (let at = (hash << 1) & mask; ; at = (at + 2) & mask) {
      const id = slots[at]!;
      if (id === empty) return vacant >= 0 ? vacant : at;
      if (id === removed) {
        if (vacant < 0) vacant = at;
      } else if (slots[at + 1] === hash && this.#isWanted(id)) return at;
    }
  }

  #isWanted(id: number): boolean {
    const words = this.#words;
    const wanted = this.#wanted;
    const at = id * 8;
    for (let i = 0; i < 8; i += 1) if (words[at + i] !== wanted[i]) return false;
    return true;
  }

  #hash(): number {
    let h = this.#seed;
    for (let i = 0; i < 8; i += 1) {
      h = Math.imul(h ^ this.#wanted[i]!, 0x9e3779b1);
      h = (h << 13) | (h >>> 19);
    }
    return h ^ (h >>> 15);
  }

  #rehash(): void {
    const old = this.#slots;
    let live = 0;
    for (let at = 0; at < old.length; at += 2) if (old[at]! >= 0) live += 1;
    const next = makeSlots(toSlotCount(Math.ceil(live * 1.5)));
    const mask = next.length - 1;
    for (let from = 0; from < old.length; from += 2) {
      const id = old[from]!;
      if (id < 0) continue;
      const hash = old[from + 1]!;
      let at = (hash << 1) & mask;
      while (next[at] !== empty) at = (at + 2) & mask;
      next[at] = id;
      next[at + 1] = hash;
    }
    this.#slots = next;
    this.#used = live;
  }
}

/** Returns a power of two for a load of at most two thirds: a small table, as it is read at random. */
function toSlotCount(digests: number): number {
  return 2 ** Math.max(12, Math.ceil(Math.log2(1.5 * digests + 1)));
}

function makeSlots(count: number): Int32Array<ArrayBuffer> {
  return new Int32Array(2 * count).fill(empty);
}
