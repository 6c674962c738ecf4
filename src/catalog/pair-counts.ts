const free = 0;
/** Marks a pair whose count has returned to zero; other pairs may follow it in the probe sequence. */
const gone = 0xffff_ffff;
/** A slot is the first number, the second number plus one, and the count. */
const width = 3;

export interface PairColumns {
  readonly slots: Uint32Array<ArrayBuffer>;
  readonly used: number;
  readonly live: number;
}

/**
 * Counts of pairs of numbers. A map for each first number would cost forty bytes a pair, and the garbage collector
 * would walk them all. Here they are in one flat open-addressing table.
 */
export class PairCounts {
  #slots: Uint32Array<ArrayBuffer>;
  /** Number of slots that are not free. */
  #used = 0;
  #live = 0;

  constructor(expected = 0) {
    this.#slots = new Uint32Array(toSlotCount(expected) * width);
  }

  /** Makes counts of columns, which are used and not copied. */
  static of({ slots, used, live }: PairColumns): PairCounts {
    const counts = new PairCounts();
    counts.#slots = slots;
    counts.#used = used;
    counts.#live = live;
    return counts;
  }

  /** The counts as columns, without copies. */
  get columns(): PairColumns {
    return { slots: this.#slots, used: this.#used, live: this.#live };
  }

  has(first: number, second: number): boolean {
    return this.#slots[this.#probe(first, second) + 1] === second + 1;
  }

  /** Returns the count of a pair. */
  count(first: number, second: number): number {
    const at = this.#probe(first, second);
    return this.#slots[at + 1] === second + 1 ? this.#slots[at + 2]! : 0;
  }

  /** @returns the count after adding one */
  add(first: number, second: number): number {
    let at = this.#probe(first, second);
    if (this.#slots[at + 1] === second + 1) {
      this.#slots[at + 2]! += 1;
      return this.#slots[at + 2]!;
    }
    if (this.#slots[at + 1] === free) {
      if ((this.#used + 1) * 3 > (this.#slots.length / width) * 2) {
        this.#rehash();
        at = this.#probe(first, second);
      }
      this.#used += 1;
    }
    this.#live += 1;
    this.#slots[at] = first;
    this.#slots[at + 1] = second + 1;
    this.#slots[at + 2] = 1;
    return 1;
  }

  /** @returns the count after removing one; undefined when the pair was not counted */
  remove(first: number, second: number): number | undefined {
    const at = this.#probe(first, second);
    if (this.#slots[at + 1] !== second + 1) return undefined;
    this.#slots[at + 2]! -= 1;
    const left = this.#slots[at + 2]!;
    if (left === 0) {
      this.#slots[at + 1] = gone;
      this.#live -= 1;
    }
    return left;
  }

  /** Returns the slot of a pair, or the slot where it belongs. */
  #probe(first: number, second: number): number {
    const slots = this.#slots;
    const count = slots.length / width;
    const mask = count - 1;
    let vacant = -1;
    for (let slot = hash(first, second) & mask; ; slot = (slot + 1) & mask) {
      const at = slot * width;
      const found = slots[at + 1]!;
      if (found === free) return vacant >= 0 ? vacant : at;
      if (found === gone) {
        if (vacant < 0) vacant = at;
      } else if (found === second + 1 && slots[at] === first) return at;
    }
  }

  #rehash(): void {
    const old = this.#slots;
    this.#slots = new Uint32Array(toSlotCount(Math.ceil(this.#live * 1.5)) * width);
    this.#used = this.#live;
    for (let from = 0; from < old.length; from += width) {
      const second = old[from + 1]!;
      if (second === free || second === gone) continue;
      const at = this.#probe(old[from]!, second - 1);
      for (let i = 0; i < width; i += 1) this.#slots[at + i] = old[from + i]!;
    }
  }
}

/** Returns a power of two for a load of at most two thirds. */
function toSlotCount(pairs: number): number {
  return 2 ** Math.max(10, Math.ceil(Math.log2(1.5 * pairs + 1)));
}

function hash(first: number, second: number): number {
  const mixed = Math.imul(Math.imul(first, 0x9e37_79b1) ^ second, 0x85eb_ca6b);
  return (mixed ^ (mixed >>> 15)) >>> 0;
}
