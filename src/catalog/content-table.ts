import type { Digest, DigestAlgorithm } from '../base/digest.ts';
import { Content } from './content.ts';
import { type DigestColumns, DigestTable } from './digest-table.ts';
import type { StoredGraph } from './image/stored-graph.ts';

const presentFlag = 1;
const soundFlag = 2;
const settledFlag = 4;
const vouchedFlag = 8;

/** The columns of a table, by number. */
export interface TableColumns extends DigestColumns {
  readonly sizes: Float64Array<ArrayBuffer>;
  readonly refs: Uint32Array<ArrayBuffer>;
  readonly uploads: Uint32Array<ArrayBuffer>;
  readonly named: Uint32Array<ArrayBuffer>;
  /** 1 for content that a record vouches for. */
  readonly vouched: Uint8Array<ArrayBuffer>;
}

/** Sizes, counts and flags of every digest of the store, by number, in flat arrays. */
export class ContentTable {
  sizes: Float64Array<ArrayBuffer>;
  refs: Uint32Array<ArrayBuffer>;
  uploads: Uint32Array<ArrayBuffer>;
  /** Number of manifests that name the digest, reached or not: their facts hold its number. */
  named: Uint32Array<ArrayBuffer>;
  #flags: Uint8Array;
  #digests: DigestTable;
  /** Where the facts and links of digests without an object are, and which digests have any there. */
  #stored: StoredGraph | undefined;
  #isStored: Uint8Array = new Uint8Array(0);
  /** Objects of the digests that were requested as `Content`. */
  readonly #objects: (Content | undefined)[] = [];
  #last: { readonly digest: Digest; readonly content: Content } | undefined;
  /**
   * How often content that a repository reaches has appeared, disappeared or changed its size. Content of a known size that
   * is not present counts too when it begins or ends to be reached.
   */
  shifts = 0;
  /** How often the facts of a manifest have been learnt, corrected or forgotten. */
  lessons = 0;

  /** @param expected approximate number of digests */
  constructor(expected = 0) {
    const length = Math.max(1024, expected);
    this.sizes = new Float64Array(length).fill(-1);
    this.refs = new Uint32Array(length);
    this.uploads = new Uint32Array(length);
    this.named = new Uint32Array(length);
    this.#flags = new Uint8Array(length);
    this.#digests = new DigestTable(expected);
  }

  /** Makes a table of columns with room for further digests. The columns are used, not copied. */
  static of(columns: TableColumns): ContentTable {
    const table = new ContentTable();
    table.#digests = DigestTable.of(columns);
    table.sizes = columns.sizes.fill(-1, columns.end);
    table.refs = columns.refs;
    table.uploads = columns.uploads;
    table.named = columns.named;
    table.#flags = new Uint8Array(columns.vouched.length);
    for (let id = 0; id < columns.end; id += 1) if (columns.vouched[id] === 1) table.vouch(id);
    return table;
  }

  /** Names where facts and links are read when they are requested. @param isStored 1 for each number that has any */
  readFrom(stored: StoredGraph, isStored: Uint8Array): void {
    this.#stored = stored;
    this.#isStored = isStored;
  }

  /** The digests as columns, without copies. */
  get digests(): DigestColumns {
    return this.#digests.columns;
  }

  get(digest: Digest): Content | undefined {
    const id = this.#digests.find(digest);
    return id === undefined ? undefined : this.at(id);
  }

  find(digest: Digest): number | undefined {
    return this.#digests.find(digest);
  }

  intern(digest: Digest): number {
    const id = this.#digests.intern(digest);
    if (id >= this.sizes.length) this.#grow();
    return id;
  }

  /** As `intern`, but returns the object. */
  internContent(digest: Digest): Content {
    // records about one manifest follow each other
    const last = this.#last;
    if (digest === last?.digest && this.#objects[last.content.id] === last.content) return last.content;
    const content = this.at(this.intern(digest));
    this.#last = { digest, content };
    return content;
  }

  /** As `DigestTable.internAllHex`. */
  internAllHex(algorithm: DigestAlgorithm, hexes: readonly string[]): Uint32Array | undefined {
    const ids = this.#digests.internAllHex(algorithm, hexes);
    while (this.#digests.end > this.sizes.length) this.#grow();
    return ids;
  }

  /** As `DigestTable.internAllWords`. */
  internAllWords(words: Uint32Array, from: number, ids: Uint32Array): Uint32Array {
    this.#digests.internAllWords(words, from, ids);
    while (this.#digests.end > this.sizes.length) this.#grow();
    return ids;
  }

  /** Returns the only object of a number, and creates it if necessary. */
  at(id: number): Content {
    const known = this.#objects[id];
    if (known !== undefined) return known;
    const made = new Content(this, id, this.#isStored[id] === 1 ? this.#stored : undefined);
    if (this.#isStored[id] === 1) this.#isStored[id] = 0;
    while (this.#objects.length < id) this.#objects.push(undefined);
    this.#objects[id] = made;
    return made;
  }

  /** Returns the object of a number if it has facts or links, or was requested before. */
  peek(id: number): Content | undefined {
    return this.#isStored[id] === 1 ? this.at(id) : this.#objects[id];
  }

  digestOf(id: number): Digest {
    return this.#digests.digestOf(id);
  }

  /** As of `DigestTable.bucketOf`. */
  bucketOf(id: number): number {
    return this.#digests.bucketOf(id);
  }

  /** Lists present content by the beginning of its digest, as `DigestTable.listBeginning` does. */
  *listBeginning(hex: string, algorithm?: DigestAlgorithm): Generator<Digest, undefined> {
    for (const id of this.#digests.listBeginning(hex, algorithm))
      if (this.isPresent(id)) yield this.digestOf(id);
    return undefined;
  }

  isPresent(id: number): boolean {
    return (this.#flags[id]! & presentFlag) !== 0;
  }

  setPresent(id: number, present: boolean): void {
    if (this.refs[id]! > 0 && this.isPresent(id) !== present) this.shifts += 1;
    this.#set(id, presentFlag, present);
  }

  /** @param size bytes */
  setSize(id: number, size: number): void {
    if (this.refs[id]! > 0 && this.sizes[id] !== size) this.shifts += 1;
    this.sizes[id] = size;
  }

  /** Counts a repository that begins or ends to reach content. */
  countReach(id: number, change: 1 | -1): void {
    const before = this.refs[id]!;
    this.refs[id] = before + change;
    const isTurn = before === 0 || before + change === 0;
    if (isTurn && this.sizes[id]! >= 0 && !this.isPresent(id)) this.shifts += 1;
  }

  isSound(id: number): boolean {
    return (this.#flags[id]! & soundFlag) !== 0;
  }

  isSettled(id: number): boolean {
    return (this.#flags[id]! & settledFlag) !== 0;
  }

  settle(id: number): void {
    this.#set(id, settledFlag, true);
  }

  setSound(id: number, sound: boolean): void {
    this.#set(id, soundFlag, sound);
  }

  /** Whether a record says that the bytes were hashed. `isSound` also tells what this process found. */
  isVouched(id: number): boolean {
    return (this.#flags[id]! & vouchedFlag) !== 0;
  }

  /** Marks content as `isVouched`, and as `isSound` too. */
  vouch(id: number): void {
    this.#set(id, vouchedFlag | soundFlag, true);
  }

  /** Ends `isVouched`. */
  unvouch(id: number): void {
    this.#set(id, vouchedFlag, false);
  }

  /** Marks no file as whole any more. */
  clearSound(): void {
    for (let id = 0; id < this.end; id += 1) this.#flags[id]! &= ~(soundFlag | vouchedFlag);
  }

  /** Forgets a digest that has no holder. */
  delete(id: number): void {
    this.#digests.delete(id);
    this.#objects[id] = undefined;
    if (this.#isStored[id] === 1) this.#isStored[id] = 0;
    this.sizes[id] = -1;
    this.#flags[id] = 0;
  }

  /** One more than the largest number given so far; forgotten numbers below it are neither present nor reached. */
  get end(): number {
    return this.#digests.end;
  }

  /** Forgets all references; files that are present stay known. */
  clear(): void {
    this.shifts += 1;
    this.lessons += 1;
    this.refs.fill(0);
    this.uploads.fill(0);
    this.named.fill(0);
    this.#isStored.fill(0);
    for (let id = 0; id < this.end; id += 1) this.unvouch(id);
    for (const content of this.#objects) {
      if (content === undefined) continue;
      content.facts = undefined;
      content.links = undefined;
    }
  }

  #set(id: number, flag: number, value: boolean): void {
    if (value) this.#flags[id]! |= flag;
    else this.#flags[id]! &= ~flag;
  }

  #grow(): void {
    const length = Math.ceil(this.sizes.length * 1.5);
    const sizes = new Float64Array(length).fill(-1, this.sizes.length);
    sizes.set(this.sizes);
    this.sizes = sizes;
    this.refs = extend(this.refs, new Uint32Array(length));
    this.uploads = extend(this.uploads, new Uint32Array(length));
    this.named = extend(this.named, new Uint32Array(length));
    this.#flags = extend(this.#flags, new Uint8Array(length));
  }
}

function extend<T extends Uint32Array | Uint8Array>(from: T, to: T): T {
  to.set(from);
  return to;
}
