import { randomBytes } from 'node:crypto';
import type { Digest } from '../base/digest.ts';

const digestBytes = 32;
const prefixLength = 'sha256:'.length;
const empty = -1;
const removed = -2;

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
  #slots: Int32Array = new Int32Array(4096).fill(empty);
  /** Slots that are not `empty`. */
  #used = 0;
  /** Of every number, so that growing touches nothing else. */
  #hashes: Uint32Array = new Uint32Array(0);
  #capacity = 0;
  /** One more than the largest number given so far. */
  #end = 0;
  readonly #long = new Map<Digest, number>();
  readonly #longNames = new Map<number, Digest>();
  /** Tables filled from hostile media must not be made slow on purpose. */
  readonly #seed = randomBytes(4).readUInt32LE();
  /** The digest that is looked for. */
  readonly #wanted = new Uint32Array(8);

  /** Every number given is below it; some below it are forgotten. */
  get end(): number {
    return this.#end;
  }

  find(digest: Digest): number | undefined {
    if (isLong(digest)) return this.#long.get(digest);
    this.#read(digest);
    const id = this.#slots[this.#probe()]!;
    return id >= 0 ? id : undefined;
  }

  /** As `find`; a digest that has no number gets one. */
  intern(digest: Digest): number {
    if (isLong(digest)) return this.#internLong(digest);
    this.#read(digest);
    const hash = this.#hash();
    let slot = this.#probe(hash);
    const known = this.#slots[slot]!;
    if (known >= 0) return known;
    if (known === empty && (this.#used + 1) * 2 > this.#slots.length) {
      this.#rehash();
      slot = this.#probe(hash);
    }
    const id = this.#take();
    for (let i = 0, at = id * 8; i < 8; i += 1, at += 1) this.#words[at] = this.#wanted[i]!;
    this.#hashes[id] = hash;
    if (this.#slots[slot] === empty) this.#used += 1;
    this.#slots[slot] = id;
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
      const slot = this.#probe();
      if (this.#slots[slot] !== id) return;
      this.#slots[slot] = removed;
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
    if (this.#end === this.#capacity) this.#grow();
    this.#end += 1;
    return this.#end - 1;
  }

  #grow(): void {
    this.#capacity = Math.max(1024, Math.ceil(this.#capacity * 1.5));
    const bytes = new Uint8Array(this.#capacity * digestBytes);
    bytes.set(this.#bytes);
    this.#bytes = bytes;
    this.#words = new Uint32Array(bytes.buffer);
    const hashes = new Uint32Array(this.#capacity);
    hashes.set(this.#hashes);
    this.#hashes = hashes;
  }

  /** Hex into words whose bytes stand in the digest's order. */
  #read(digest: Digest): void {
    const wanted = this.#wanted;
    let at = prefixLength;
    for (let i = 0; i < 8; i += 1) {
      let word = 0;
      for (let shift = 0; shift < 32; shift += 8, at += 2) {
        const high = digest.charCodeAt(at);
        const low = digest.charCodeAt(at + 1);
        const byte = (((high & 15) + (high >> 6) * 9) << 4) | ((low & 15) + (low >> 6) * 9);
        word |= byte << shift;
      }
      wanted[i] = word;
    }
  }

  /** The slot of the wanted digest, or the slot where it belongs. */
  #probe(hash = this.#hash()): number {
    const slots = this.#slots;
    const mask = slots.length - 1;
    let vacant = -1;
    for (let slot = hash & mask; ; slot = (slot + 1) & mask) {
      const id = slots[slot]!;
      if (id === empty) return vacant >= 0 ? vacant : slot;
      if (id === removed) {
        if (vacant < 0) vacant = slot;
      } else if (this.#isWanted(id)) return slot;
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
    return (h ^ (h >>> 15)) >>> 0;
  }

  #rehash(): void {
    const old = this.#slots;
    let live = 0;
    for (let slot = 0; slot < old.length; slot += 1) if (old[slot]! >= 0) live += 1;
    let length = old.length;
    while (length < live * 4) length *= 4;
    const slots = new Int32Array(length).fill(empty);
    const mask = length - 1;
    for (let at = 0; at < old.length; at += 1) {
      const id = old[at]!;
      if (id < 0) continue;
      let slot = this.#hashes[id]! & mask;
      while (slots[slot] !== empty) slot = (slot + 1) & mask;
      slots[slot] = id;
    }
    this.#slots = slots;
    this.#used = live;
  }
}
