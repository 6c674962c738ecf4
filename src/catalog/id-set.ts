/** A set of small whole numbers. */
export class IdSet {
  #bits: Uint8Array = new Uint8Array(1024);

  has(id: number): boolean {
    return ((this.#bits[id >>> 3] ?? 0) & (1 << (id & 7))) !== 0;
  }

  add(id: number): void {
    const at = id >>> 3;
    if (at >= this.#bits.length) {
      const bits = new Uint8Array(Math.max(at + 1, this.#bits.length * 2));
      bits.set(this.#bits);
      this.#bits = bits;
    }
    this.#bits[at]! |= 1 << (id & 7);
  }

  *[Symbol.iterator](): Generator<number> {
    for (let at = 0; at < this.#bits.length; at += 1) {
      const byte = this.#bits[at]!;
      for (let bit = 0; byte >>> bit > 0; bit += 1) if (byte & (1 << bit)) yield at * 8 + bit;
    }
  }
}
