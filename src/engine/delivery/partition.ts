import { type Digest, digestAlgorithm } from '../../base/digest.ts';
import type { Contents } from '../copy/sum-contents.ts';
import { sumContents } from '../copy/sum-contents.ts';

/** Limits of one medium. */
export interface PartLimits {
  /** Bytes of all files. */
  readonly bytes: number;
  /** Bytes of a file; absent: no limit. */
  readonly maxFileBytes?: number | undefined;
  /** Files in a folder; absent: no limit. */
  readonly maxFolderEntries?: number | undefined;
}

/** The media of a delivery: those given, or as many of one kind as needed, after some of other kinds. */
export type PartSupply =
  | { readonly given: readonly PartLimits[] }
  | {
      /** Default: none. */
      readonly before?: readonly PartLimits[] | undefined;
      readonly each: PartLimits;
      readonly most: number;
    };

/** A range of a blob as a file of its own. */
export interface PlannedSegment {
  readonly digest: Digest;
  /** Byte of the blob. */
  readonly offset: number;
  /** Bytes. */
  readonly size: number;
}

export interface PlannedPart {
  /** Position among the given media, from 0. */
  readonly place: number;
  /** Whole blobs, with sizes in bytes. */
  readonly blobs: Contents;
  readonly segments: readonly PlannedSegment[];
}

/** Content of a delivery that is to be distributed. */
export interface DistributedContent {
  /** What every part has. */
  readonly always: Contents;
  /** Blobs of each recipe, by the digest of its manifest. A blob can be in several. */
  readonly recipes: ReadonlyMap<Digest, Contents>;
  /** Number of blobs that no part has. */
  readonly absent: number;
  /** Files of the program, which every part has beside its content. */
  readonly program?: readonly { readonly size: number }[] | undefined;
}

/** Why content cannot be distributed. Sizes in bytes. */
export type PartitionFault =
  | {
      readonly fault: 'metadata';
      readonly place: number;
      readonly neededBytes: number;
      readonly limitBytes: number;
    }
  | {
      readonly fault: 'entries';
      readonly place: number;
      readonly entries: number;
      readonly limitEntries: number;
    }
  | {
      readonly fault: 'program';
      readonly place: number;
      readonly neededBytes: number;
      readonly limitBytes: number;
    }
  | {
      readonly fault: 'file';
      readonly place: number;
      readonly size: number;
      readonly limitBytes: number;
    }
  | { readonly fault: 'space'; readonly missingBytes: number }
  | { readonly fault: 'piece'; readonly neededBytes: number; readonly limitBytes: number }
  | { readonly fault: 'parts'; readonly most: number };

/** Bytes below which a blob is not cut to fill the end of a part. */
const leastSegment = 1 << 20;

/**
 * Upper limit of the bytes that records take on each part: ledgers, `media.jsonl`, `index.json`, `absent.jsonl` and the
 * text for people.
 *
 * @param files number of files that are on every part, of blobs that are on one or on none, and of files of the program
 */
export function recordBytes(files: {
  readonly always: number;
  readonly blobs: number;
  readonly program?: number;
}): number {
  return (64 << 10) + files.always * 2048 + (files.blobs + (files.program ?? 0)) * 1024;
}

class Part {
  readonly place: number;
  readonly limits: PartLimits;
  readonly blobs: Map<Digest, number> = new Map();
  readonly segments: PlannedSegment[] = [];
  readonly #entries = { sha256: 0, sha512: 0 };
  free: number;

  constructor(place: number, limits: PartLimits, always: Contents, taken: number) {
    this.place = place;
    this.limits = limits;
    this.free = limits.bytes - taken;
    for (const digest of always.keys()) this.#entries[digestAlgorithm(digest)] += 1;
  }

  get entries(): number {
    return Math.max(this.#entries.sha256, this.#entries.sha512);
  }

  holds(contents: Contents): boolean {
    const { maxFileBytes = Number.POSITIVE_INFINITY, maxFolderEntries = Number.POSITIVE_INFINITY } =
      this.limits;
    const entries = { ...this.#entries };
    let bytes = 0;
    for (const [digest, size] of contents) {
      if (size > maxFileBytes) return false;
      bytes += size;
      entries[digestAlgorithm(digest)] += 1;
    }
    return bytes <= this.free && entries.sha256 <= maxFolderEntries && entries.sha512 <= maxFolderEntries;
  }

  take(contents: Contents): void {
    for (const [digest, size] of contents) {
      this.blobs.set(digest, size);
      this.#entries[digestAlgorithm(digest)] += 1;
      this.free -= size;
    }
  }

  /** Bytes of the rest of a blob that fit in one file; 0 when the rest of the part is too small. */
  room(rest: number): number {
    const size = Math.min(rest, this.free, this.limits.maxFileBytes ?? rest);
    return size <= 0 || (size < rest && size < leastSegment) ? 0 : size;
  }

  /** Takes as much of the rest of a blob as fits in one file. @returns its bytes */
  cut(digest: Digest, offset: number, rest: number): number {
    const size = this.room(rest);
    if (size === 0) return 0;
    this.segments.push({ digest, offset, size });
    this.free -= size;
    return size;
  }
}

/**
 * Distributes content over media, so that the loss of one costs the fewest recipes: recipes with the most bytes first,
 * each into the fullest part that holds it whole. A recipe that no part holds spills blob by blob, and a blob that no
 * part holds is cut. Pure: the same content and limits give the same parts.
 *
 * @returns the parts in use, in the order of the media
 */
export function partition(
  content: DistributedContent,
  supply: PartSupply,
): readonly PlannedPart[] | PartitionFault {
  const all = new Set([...content.recipes.values()].flatMap((blobs) => [...blobs.keys()]));
  const { program = [] } = content;
  const files = {
    always: content.always.size,
    blobs: all.size + content.absent,
    program: program.length,
  };
  const taken = sumContents([content.always]) + recordBytes(files);
  const withProgram = program.reduce((sum, { size }) => sum + size, taken);
  const largest = program.reduce((most, { size }) => Math.max(most, size), 0);
  const parts: Part[] = [];
  const kinds = 'given' in supply ? supply.given : [...(supply.before ?? []), supply.each];
  const open = (place: number): Part => {
    const limits = kinds[Math.min(place, kinds.length - 1)]!;
    return new Part(place, limits, content.always, withProgram);
  };
  for (const [place, limits] of kinds.entries()) {
    if (taken > limits.bytes / 4)
      return { fault: 'metadata', place, neededBytes: taken, limitBytes: Math.floor(limits.bytes / 4) };
    if (withProgram > limits.bytes)
      return { fault: 'program', place, neededBytes: withProgram, limitBytes: limits.bytes };
    const { maxFileBytes = largest } = limits;
    if (largest > maxFileBytes) return { fault: 'file', place, size: largest, limitBytes: maxFileBytes };
    const part = open(place);
    const limitEntries = limits.maxFolderEntries ?? Number.POSITIVE_INFINITY;
    if (part.entries > limitEntries) return { fault: 'entries', place, entries: part.entries, limitEntries };
    if ('given' in supply) parts.push(part);
  }
  const fullest = (fits: (part: Part) => boolean): Part | undefined => {
    let best: Part | undefined;
    for (const part of parts) if ((best === undefined || part.free < best.free) && fits(part)) best = part;
    return best;
  };
  /** Opens further media, up to the first one that helps, if there may be one. Those before it can take other content. */
  const openFor = (fits: (part: Part) => boolean): Part | undefined => {
    if ('given' in supply) return undefined;
    const further: Part[] = [];
    // all media after those of other kinds are alike
    const end = Math.min(supply.most, Math.max(parts.length + 1, kinds.length));
    for (let place = parts.length; place < end; place += 1) {
      const part = open(place);
      further.push(part);
      if (!fits(part)) continue;
      parts.push(...further);
      return part;
    }
    return undefined;
  };
  const place = (contents: Contents): boolean => {
    const fits = (part: Part): boolean => part.holds(contents);
    const part = fullest(fits) ?? openFor(fits);
    part?.take(contents);
    return part !== undefined;
  };
  /** @returns bytes that have no place */
  const cut = (digest: Digest, size: number): number => {
    let offset = 0;
    const fill = (part: Part): void => {
      for (let bytes = -1; bytes !== 0 && offset < size; offset += bytes)
        bytes = part.cut(digest, offset, size - offset);
    };
    for (const part of parts) fill(part);
    const helps = (part: Part): boolean => part.room(size - offset) > 0;
    for (let part = openFor(helps); part; part = openFor(helps)) fill(part);
    return size - offset;
  };

  const left = new Unplaced(content.recipes);
  let missingBytes = 0;
  for (let blobs = left.takeLargest(); blobs; blobs = left.takeLargest()) {
    if (blobs.size === 0 || place(blobs)) continue;
    const sorted = [...blobs].sort(([a, x], [b, y]) => y - x || (a < b ? -1 : 1));
    for (const blob of sorted) if (!place(new Map([blob]))) missingBytes += cut(...blob);
  }
  if (missingBytes > 0) {
    if ('given' in supply) return { fault: 'space', missingBytes };
    if (parts.length >= supply.most) return { fault: 'parts', most: supply.most };
    // a further medium would be opened if it had room
    const neededBytes = Math.max(taken * 4, withProgram + leastSegment);
    return { fault: 'piece', neededBytes, limitBytes: supply.each.bytes };
  }
  if (parts.length === 0) parts.push(open(0));
  const used = parts.filter(({ blobs, segments }) => blobs.size + segments.length > 0);
  return (used.length === 0 ? parts.slice(0, 1) : used).map(({ place, blobs, segments }) => ({
    place,
    blobs,
    segments,
  }));
}

/** Recipes with the blobs that have no place yet. */
class Unplaced {
  readonly #left = new Map<Digest, { readonly blobs: Map<Digest, number>; bytes: number }>();
  /** Recipes of each blob. */
  readonly #users = new Map<Digest, Digest[]>();

  constructor(recipes: ReadonlyMap<Digest, Contents>) {
    for (const [recipe, blobs] of recipes) {
      this.#left.set(recipe, { blobs: new Map(blobs), bytes: sumContents([blobs]) });
      for (const digest of blobs.keys()) {
        const users = this.#users.get(digest);
        if (users) users.push(recipe);
        else this.#users.set(digest, [recipe]);
      }
    }
  }

  /**
   * Takes the recipe with the most bytes; of equal ones that with the lower digest.
   *
   * @returns its blobs, which no other recipe has any more; undefined when there is no recipe left
   */
  takeLargest(): Contents | undefined {
    let largest: Digest | undefined;
    let most = -1;
    for (const [recipe, { bytes }] of this.#left)
      if (bytes > most || (bytes === most && recipe < largest!)) [largest, most] = [recipe, bytes];
    if (largest === undefined) return undefined;
    const { blobs } = this.#left.get(largest)!;
    this.#left.delete(largest);
    for (const [digest, size] of blobs)
      for (const user of this.#users.get(digest)!) {
        const other = this.#left.get(user);
        if (other?.blobs.delete(digest)) other.bytes -= size;
      }
    return blobs;
  }
}
