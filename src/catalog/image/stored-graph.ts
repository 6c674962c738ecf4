import type { Owner } from '../../contract/content.ts';
import type { ContentKind } from '../../oci/kind.ts';
import {
  type Content,
  type Facts,
  type Links,
  type Membership,
  type Repository,
  type StoredRepository,
  Tag,
} from '../content.ts';
import { none } from '../content-links.ts';
import type { ContentTable } from '../content-table.ts';
import { type GraphImage, memberBits } from './columns.ts';

/** The positions of a column by the number that they have there. */
class Grouped {
  readonly #starts: Uint32Array;
  readonly #positions: Uint32Array;

  /** @param base of the numbers of the column; smaller ones are in no group */
  constructor(column: Uint32Array, end: number, base = 0) {
    const starts = new Uint32Array(end + 2);
    for (const number of column) if (number >= base) starts[number - base + 2]! += 1;
    for (let id = 2; id < starts.length; id += 1) starts[id]! += starts[id - 1]!;
    this.#positions = new Uint32Array(starts[end + 1]!);
    for (let at = 0; at < column.length; at += 1) {
      const number = column[at]!;
      if (number < base) continue;
      this.#positions[starts[number - base + 1]!] = at;
      starts[number - base + 1]! += 1;
    }
    this.#starts = starts;
  }

  of(number: number): Uint32Array {
    return this.#positions.subarray(this.#starts[number]!, this.#starts[number + 1]!);
  }
}

/** Returns the first index whose element is greater than a number. The column is in ascending order. */
function firstAbove(column: Uint32Array, number: number): number {
  let [low, high] = [0, column.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (column[middle]! > number) high = middle;
    else low = middle + 1;
  }
  return low;
}

const textOf = (bytes: Uint8Array): string =>
  Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('latin1');

/** The columns that are read later. The others belong to tables that replace them as they grow. */
type LaterColumns = Omit<
  GraphImage,
  'words' | 'slots' | 'sizes' | 'refs' | 'uploads' | 'named' | 'vouched' | 'pairs'
>;

function toLaterColumns(image: GraphImage): LaterColumns {
  const { words: _, slots: _slots, sizes: _sizes, refs: _refs, ...rest } = image;
  const { uploads: _uploads, named: _named, vouched: _vouched, pairs: _pairs, ...later } = rest;
  return later;
}

/**
 * The part of a graph that is read when it is requested: facts and links of one digest, tags and manifests of one
 * repository. It shows the graph as it was stored. A change loads what it changes first: the links of content before one
 * of its tags goes.
 */
export class StoredGraph {
  readonly #image: LaterColumns;
  readonly #contents: ContentTable;
  readonly #texts: readonly string[];
  readonly #owners: readonly (readonly Owner[])[];
  readonly #tagNames: string;
  readonly #members: Grouped;
  readonly #tags: Grouped;
  readonly #subjects: Grouped;
  /** The repositories of the image, in its order. */
  readonly #homes: Repository[] = [];

  constructor(
    image: GraphImage,
    contents: ContentTable,
    { texts, owners }: { readonly texts: readonly string[]; readonly owners: readonly (readonly Owner[])[] },
  ) {
    const { end } = image.figures;
    this.#image = toLaterColumns(image);
    this.#contents = contents;
    this.#texts = texts;
    this.#owners = owners;
    this.#tagNames = textOf(image.tagNames);
    this.#members = new Grouped(image.memberIds, end);
    this.#tags = new Grouped(image.tagIds, end);
    this.#subjects = new Grouped(image.factSubjects, end, 1);
  }

  /** Makes each repository of the image. */
  makeRepositories(make: (name: string, at: number, stored: StoredRepository) => Repository): void {
    const { nameEnds } = this.#image;
    const names = textOf(this.#image.names);
    for (let at = 0; at < nameEnds.length; at += 1)
      this.#homes.push(make(names.slice(nameEnds[at - 1] ?? 0, nameEnds[at]), at, this.#repositoryAt(at)));
  }

  homeAt(at: number): Repository {
    return this.#homes[at]!;
  }

  /** Returns 1 for each digest that has facts or links here. */
  markStored(): Uint8Array {
    const { figures, factIds, factSubjects, memberIds, tagIds } = this.#image;
    const marks = new Uint8Array(figures.end);
    for (const ids of [factIds, memberIds, tagIds]) for (const id of ids) marks[id] = 1;
    for (const subject of factSubjects) if (subject > 0) marks[subject - 1] = 1;
    return marks;
  }

  factsOf(id: number): Facts | undefined {
    const image = this.#image;
    const at = firstAbove(image.factIds, id) - 1;
    if (image.factIds[at] !== id) return undefined;
    const between = (ends: Uint32Array, column: Uint32Array): number[] => [
      ...column.subarray(ends[at - 1] ?? 0, ends[at]),
    ];
    const [artifact, subject] = [image.factArtifacts[at]!, image.factSubjects[at]!];
    const children = between(image.factChildEnds, image.factChildren);
    return {
      mediaType: this.#texts[image.factTypes[at]!]!,
      artifactType: artifact === 0 ? undefined : this.#texts[artifact - 1],
      subject: subject === 0 ? undefined : this.#contents.at(subject - 1),
      manifests: children.length === 0 ? none : children.map((child) => this.#contents.at(child)),
      blobs: between(image.factBlobEnds, image.factBlobs),
    };
  }

  linksOf(id: number): Links | undefined {
    const { memberRefs, memberFlags, memberEnds, tagEnds } = this.#image;
    const [members, tags, referrers] = [this.#members.of(id), this.#tags.of(id), this.referrersOf(id)];
    if (members.length + tags.length + referrers.length === 0) return undefined;
    const links: Links = { tags: none, homes: none, referrers: none, members: 0 };
    const homes: Repository[] = [];
    for (const member of members) {
      if (memberRefs[member]! > 0) homes.push(this.homeAt(firstAbove(memberEnds, member)));
      if ((memberFlags[member]! & memberBits.put) !== 0) links.members += 1;
    }
    if (homes.length > 0) links.homes = homes;
    if (referrers.length > 0) links.referrers = referrers;
    if (tags.length > 0)
      links.tags = Array.from(
        tags,
        (tag) => this.homeAt(firstAbove(tagEnds, tag)).tags.get(this.#tagNameAt(tag))!,
      );
    return links;
  }

  referrersOf(id: number): Content[] {
    const subjects = this.#subjects.of(id);
    if (subjects.length === 0) return none;
    return Array.from(subjects, (at) => this.#contents.at(this.#image.factIds[at]!));
  }

  #tagNameAt(tag: number): string {
    const { tagNameEnds } = this.#image;
    return this.#tagNames.slice(tagNameEnds[tag - 1] ?? 0, tagNameEnds[tag]);
  }

  #repositoryAt(at: number): StoredRepository {
    const image = this.#image;
    const { memberEnds, tagEnds, memberFlags, memberRefs } = image;
    const [firstMember, lastMember] = [memberEnds[at - 1] ?? 0, memberEnds[at]!];
    const [firstTag, lastTag] = [tagEnds[at - 1] ?? 0, tagEnds[at]!];
    let hasUnreached = false;
    for (let member = firstMember; member < lastMember; member += 1)
      if (memberRefs[member] === 0 && (memberFlags[member]! & memberBits.put) !== 0) hasUnreached = true;
    return {
      tags: lastTag - firstTag,
      manifests: lastMember - firstMember,
      hasUnreached,
      listTags: (home) => this.#listTags(home, firstTag, lastTag),
      listManifests: () => this.#listManifests(firstMember, lastMember),
    };
  }

  *#listTags(home: Repository, first: number, end: number): Generator<Tag> {
    const { tagIds, tagKinds, tagOwners, tagSince, figures } = this.#image;
    for (let tag = first; tag < end; tag += 1)
      yield new Tag(home, {
        tag: this.#tagNameAt(tag),
        content: this.#contents.at(tagIds[tag]!),
        kind: figures.kinds[tagKinds[tag]!] as ContentKind,
        owners: this.#owners[tagOwners[tag]!]!,
        since: tagSince[tag]!,
      });
  }

  *#listManifests(first: number, end: number): Generator<readonly [Content, Membership]> {
    const { memberIds, memberRefs, memberFlags } = this.#image;
    for (let member = first; member < end; member += 1) {
      const flags = memberFlags[member]!;
      yield [
        this.#contents.at(memberIds[member]!),
        {
          refs: memberRefs[member]!,
          put: (flags & memberBits.put) !== 0,
          pushed: (flags & memberBits.pushed) !== 0,
          bySubject: (flags & memberBits.bySubject) !== 0,
        },
      ];
    }
  }
}
