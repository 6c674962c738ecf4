/** Columns of a graph as they are stored, in this order, with the kind of their numbers. */
export const imageColumns = {
  /** The digests: of each sha256 eight words by number, the slots that find them, and the sha512. */
  words: Uint32Array,
  slots: Int32Array,
  longIds: Uint32Array,
  longHex: Uint8Array,
  sizes: Float64Array,
  refs: Uint32Array,
  uploads: Uint32Array,
  named: Uint32Array,
  vouched: Uint8Array,
  /** Slots of the pairs of a repository and a blob. */
  pairs: Uint32Array,
  unvouched: Uint32Array,
  /** Facts by ascending number of their manifest. Texts are numbers in `texts`; those of an optional one are from 1. */
  factIds: Uint32Array,
  factTypes: Uint32Array,
  factArtifacts: Uint32Array,
  /** Number of the subject, from 1. */
  factSubjects: Uint32Array,
  factBlobEnds: Uint32Array,
  factBlobs: Uint32Array,
  factChildEnds: Uint32Array,
  factChildren: Uint32Array,
  /** Repositories, and where their manifests and tags end. */
  names: Uint8Array,
  nameEnds: Uint32Array,
  numbers: Uint32Array,
  shadows: Uint8Array,
  memberEnds: Uint32Array,
  tagEnds: Uint32Array,
  memberIds: Uint32Array,
  memberRefs: Uint32Array,
  memberFlags: Uint8Array,
  tagNames: Uint8Array,
  tagNameEnds: Uint32Array,
  tagIds: Uint32Array,
  tagKinds: Uint8Array,
  tagOwners: Uint32Array,
  tagSince: Float64Array,
  /** The repositories that have versions of a kind. */
  sideHomes: Uint32Array,
  sideKinds: Uint8Array,
  uploadHomes: Uint32Array,
  uploadIds: Uint32Array,
  uploadActors: Uint32Array,
  uploadTimes: Float64Array,
  /** Lines of JSON. */
  texts: Uint8Array,
  owners: Uint8Array,
  publications: Uint8Array,
} as const;

export type ColumnName = keyof typeof imageColumns;

/** Columns that grow with each new digest, and their numbers for each. */
const growing: ReadonlyMap<ColumnName, number> = new Map<ColumnName, number>([
  ['words', 8],
  ['sizes', 1],
  ['refs', 1],
  ['uploads', 1],
  ['named', 1],
  ['vouched', 1],
]);

/**
 * Makes the memory of a column that is read. A column that grows has room for further digests: to grow is to copy it.
 *
 * @param end of the digests, as of `ImageFigures`
 */
export function makeColumn(name: ColumnName, length: number, end: number): Numbers | Int32Array<ArrayBuffer> {
  return new imageColumns[name](length + (growing.get(name) ?? 0) * (1024 + (end >>> 3)));
}

/** Numbers of a graph that are in no column. */
export interface ImageFigures {
  /** One more than the largest number of a digest. */
  readonly end: number;
  readonly usedSlots: number;
  readonly seed: number;
  readonly usedPairs: number;
  readonly livePairs: number;
  /** The last number of a repository, and the last place of a tag. */
  readonly lastNumber: number;
  readonly lastSince: number;
  readonly versions: number;
  readonly kinds: readonly string[];
}

/** A graph as columns. */
export type GraphImage = {
  readonly [N in keyof typeof imageColumns]: InstanceType<(typeof imageColumns)[N]> & {
    readonly buffer: ArrayBuffer;
  };
} & { readonly figures: ImageFigures };

/** Bits of `memberFlags`. */
export const memberBits = { put: 1, pushed: 2, bySubject: 4 } as const;

type Numbers = Uint8Array<ArrayBuffer> | Uint32Array<ArrayBuffer> | Float64Array<ArrayBuffer>;

/** A column that is filled. */
export class Column<A extends Numbers> {
  readonly #make: new (
    length: number,
  ) => A;
  #numbers: A;
  length = 0;

  constructor(make: new (length: number) => A) {
    this.#make = make;
    this.#numbers = new make(1024);
  }

  push(number: number): void {
    if (this.length === this.#numbers.length) {
      const longer = new this.#make(this.length * 2);
      longer.set(this.#numbers);
      this.#numbers = longer;
    }
    this.#numbers[this.length] = number;
    this.length += 1;
  }

  toNumbers(): A {
    return this.#numbers.subarray(0, this.length) as A;
  }
}

const flushAt = 1 << 16;

/** A column of text that is filled. */
export class TextColumn {
  #pieces: Buffer[] = [];
  #text = '';
  /** Characters so far. */
  length = 0;

  push(text: string): void {
    this.#text += text;
    this.length += text.length;
    if (this.#text.length >= flushAt) this.#flush();
  }

  toBytes(): Uint8Array<ArrayBuffer> {
    this.#flush();
    return Buffer.concat(this.#pieces);
  }

  #flush(): void {
    this.#pieces.push(Buffer.from(this.#text));
    this.#text = '';
  }
}
