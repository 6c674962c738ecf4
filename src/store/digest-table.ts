import { randomBytes } from 'node:crypto';
import type { Digest, DigestAlgorithm } from '../base/digest.ts';

const digestBytes = 32;
const prefixLength = 'sha256:'.length;
const empty = -1;
const removed = -2;

/** By code unit, of lower-case hexadecimal digits. */
const nibbles = Uint8Array.from({ length: 256 }, (_, c) => (c >= 97 ? c - 87 : c - 48));

function isLong(digest: Digest): boolean {
  return digest.length > prefixLength + 2 * digestBytes;
}

/**
 * Gives every digest a small number. Half a million of them as strings in a map would cost 150 MiB and a second of each
 * opening; here a sha256 is its 32 bytes in one array, found through an open-addressing table. The few sha512 are kept
 * as text. A number is never given twice: who still
 * holds that of a forgotten digest finds nothing under it, and not something else.
 */
export class DigestTable {
  #bytes: Uint8Array = new Uint8Array(0);
  #words: Uint32Array = new Uint32Array(0);
  /**
   * A number and its hash in turns: who does not find the hash need not look at the digest, which lies somewhere else in
   * memory, and growing touches nothing else either.
   */
  #slots: Int32Array;
  /** Slots that are not `empty`. */
  #used = 0;
  #capacity = 0;
  /** One more than the largest number given so far. */
  #end = 0;
  readonly #long = new Map<Digest, number>();
  readonly #longNames = new Map<number, Digest>();
  /** Tables filled from hostile media must not be made slow on purpose. */
  readonly #seed = randomBytes(4).readUInt32LE();
  readonly #hex = Buffer.alloc(prefixLength + 2 * digestBytes);
  /** The digest that is looked for. */
  readonly #wanted = new Uint32Array(8);

  /** @param expected about how many there will be: what grows is copied again and again */
  constructor(expected = 0) {
    this.#slots = makeSlots(toSlotCount(expected));
    this.#resize(Math.max(1024, expected));
  }

  /** Every number given is below it; some below it are forgotten. */
  get end(): number {
    return this.#end;
  }

  find(digest: Digest): number | undefined {
    if (isLong(digest)) return this.#long.get(digest);
    this.#read(digest, prefixLength);
    const id = this.#slots[this.#probe(this.#hash())]!;
    return id >= 0 ? id : undefined;
  }

  /** As `find`; a digest that has no number gets one. */
  intern(digest: Digest): number {
    if (isLong(digest)) return this.#internLong(digest);
    this.#read(digest, prefixLength);
    return this.#internWanted(this.#hash());
  }

  /**
   * As `intern`, of what follows the colon in many digests. What each will be compared with is touched for all of them
   * first: waiting for memory, which takes most of the time, then overlaps.
   */
  internAllHex(algorithm: DigestAlgorithm, hexes: readonly string[]): Uint32Array {
    if (algorithm !== 'sha256')
      return Uint32Array.from(hexes, (hex) => this.#internLong(`${algorithm}:${hex}`));
    const wanted = new Uint32Array(hexes.length * 8);
    const hashes = new Int32Array(hexes.length);
    for (let i = 0; i < hexes.length; i += 1) {
      this.#read(hexes[i]!, 0);
      wanted.set(this.#wanted, i * 8);
      hashes[i] = this.#hash();
    }
    const ids = new Uint32Array(hexes.length);
    const mask = this.#slots.length - 1;
    for (let i = 0; i < ids.length; i += 1) ids[i] = this.#slots[(hashes[i]! << 1) & mask]!;
    for (let i = 0; i < ids.length; i += 1) if (ids[i]! < this.#end) ids[i] = this.#words[ids[i]! * 8]!;
    for (let i = 0; i < ids.length; i += 1) {
      for (let j = 0; j < 8; j += 1) this.#wanted[j] = wanted[i * 8 + j]!;
      ids[i] = this.#internWanted(hashes[i]!);
    }
    return ids;
  }

  /** @param hash of what is wanted */
  #internWanted(hash: number): number {
    let at = this.#probe(hash);
    const known = this.#slots[at]!;
    if (known >= 0) return known;
    // two thirds of the slots, of two places each
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

  /** Hex from this place on into words whose bytes stand in the digest's order. Copied first: twice as fast as asking the string. */
  #read(text: string, from: number): void {
    const hex = this.#hex;
    hex.write(text, 'latin1');
    let at = from;
    for (let i = 0; i < 8; i += 1, at += 8) {
      this.#wanted[i] =
        (nibbles[hex[at]!]! << 4) |
        nibbles[hex[at + 1]!]! |
        (nibbles[hex[at + 2]!]! << 12) |
        (nibbles[hex[at + 3]!]! << 8) |
        (nibbles[hex[at + 4]!]! << 20) |
        (nibbles[hex[at + 5]!]! << 16) |
        (nibbles[hex[at + 6]!]! << 28) |
        (nibbles[hex[at + 7]!]! << 24);
    }
  }

  /** The place of the wanted digest in the slots, or the place where it belongs. */
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

/** A power of two, so that no more than two thirds of the slots are taken: few, for they are looked up at random. */
function toSlotCount(digests: number): number {
  return 2 ** Math.max(12, Math.ceil(Math.log2(1.5 * digests + 1)));
}

function makeSlots(count: number): Int32Array {
  return new Int32Array(2 * count).fill(empty);
}
