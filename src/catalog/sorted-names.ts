/**
 * A set of names in byte order (they are ASCII, so code unit order is the same). A page costs a binary search, a change
 * one shift of pointers. Names may be added in bulk in any order before the set is read.
 */
export class SortedNames {
  #names: string[] = [];
  #sorted = true;

  get size(): number {
    return this.#names.length;
  }

  /** @param name not in the set yet */
  add(name: string): void {
    const last = this.#names.at(-1);
    if (last === undefined || last < name || !this.#sorted) this.#names.push(name);
    else this.#names.splice(this.#position(name), 0, name);
  }

  /** As `add`, but leaves sorting to `settle`: for filling a large set. */
  load(name: string): void {
    const last = this.#names.at(-1);
    if (last !== undefined && last > name) this.#sorted = false;
    this.#names.push(name);
  }

  settle(): void {
    if (!this.#sorted) this.#names.sort((a, b) => (a < b ? -1 : a > b ? 1 : 0));
    this.#sorted = true;
  }

  delete(name: string): void {
    this.settle();
    const at = this.#position(name);
    if (this.#names[at] === name) this.#names.splice(at, 1);
  }

  /** Returns the names after `last`, at most `limit`. */
  page(last: string | undefined, limit: number | undefined): readonly string[] {
    this.settle();
    let start = 0;
    if (last !== undefined) {
      start = this.#position(last);
      if (this.#names[start] === last) start += 1;
    }
    return this.#names.slice(start, limit === undefined ? undefined : start + limit);
  }

  /** Returns the index of the first name that is not before `name`. */
  #position(name: string): number {
    let low = 0;
    let high = this.#names.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (this.#names[middle]! < name) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}
