import { digestHex } from '../../base/digest.ts';
import type { Steps } from '../../base/pacer.ts';
import type { Owner } from '../../contract/content.ts';
import { contentKinds } from '../../oci/kind.ts';
import type { Content, Facts, Repository } from '../content.ts';
import type { ContentGraph } from '../content-graph.ts';
import type { PairColumns } from '../pair-counts.ts';
import { Column, type GraphImage, type ImageFigures, memberBits, TextColumn } from './columns.ts';

/** Parts of a graph that it does not show. */
interface GraphInternals extends Pick<ImageFigures, 'lastNumber' | 'lastSince'> {
  readonly pairs: PairColumns;
  readonly unvouched: Iterable<number>;
}

/** Numbers of digests that are read in one step. */
const idsAtOnce = 1024;

const numbers = () => new Column<Uint32Array<ArrayBuffer>>(Uint32Array);
const bytes = () => new Column<Uint8Array<ArrayBuffer>>(Uint8Array);
const reals = () => new Column<Float64Array<ArrayBuffer>>(Float64Array);

/** Gives values numbers in the order in which they come, and keeps them as lines of JSON. */
class Numbered<T> {
  readonly #numbers = new Map<T, number>();
  readonly lines = new TextColumn();

  numberOf(value: T): number {
    const known = this.#numbers.get(value);
    if (known !== undefined) return known;
    const number = this.#numbers.size;
    this.#numbers.set(value, number);
    this.lines.push(`${JSON.stringify(value)}\n`);
    return number;
  }
}

/** Makes the columns of facts, and of the content that records vouch for. */
function* toFactColumns({ contents }: ContentGraph, texts: Numbered<string>) {
  const { end } = contents;
  const [factIds, factTypes, factArtifacts, factSubjects] = [numbers(), numbers(), numbers(), numbers()];
  const [factBlobEnds, factBlobs, factChildEnds, factChildren] = [numbers(), numbers(), numbers(), numbers()];
  const vouched = new Uint8Array(end);
  const add = (content: Content, facts: Facts): void => {
    const { mediaType, artifactType, subject, manifests, blobs } = facts;
    factIds.push(content.id);
    factTypes.push(texts.numberOf(mediaType));
    factArtifacts.push(artifactType === undefined ? 0 : 1 + texts.numberOf(artifactType));
    factSubjects.push(subject === undefined ? 0 : 1 + subject.id);
    for (const blob of blobs) factBlobs.push(blob);
    factBlobEnds.push(factBlobs.length);
    for (const child of manifests) factChildren.push(child.id);
    factChildEnds.push(factChildren.length);
  };
  for (let id = 0; id < end; id += 1) {
    if (id % idsAtOnce === 0) yield;
    const content = contents.peek(id);
    if (content?.facts !== undefined) add(content, content.facts);
    if (contents.isVouched(id)) vouched[id] = 1;
  }
  return {
    vouched,
    factIds: factIds.toNumbers(),
    factTypes: factTypes.toNumbers(),
    factArtifacts: factArtifacts.toNumbers(),
    factSubjects: factSubjects.toNumbers(),
    factBlobEnds: factBlobEnds.toNumbers(),
    factBlobs: factBlobs.toNumbers(),
    factChildEnds: factChildEnds.toNumbers(),
    factChildren: factChildren.toNumbers(),
  };
}

function* toRepositoryColumns(graph: ContentGraph, texts: Numbered<string>) {
  const owners = new Numbered<readonly Owner[]>();
  const [names, tagNames] = [new TextColumn(), new TextColumn()];
  const [nameEnds, tagNameEnds, homeNumbers] = [numbers(), numbers(), numbers()];
  const [shadows, memberFlags, tagKinds, sideKinds] = [bytes(), bytes(), bytes(), bytes()];
  const [memberEnds, memberIds, memberRefs] = [numbers(), numbers(), numbers()];
  const [tagEnds, tagIds, tagOwners, tagSince] = [numbers(), numbers(), numbers(), reals()];
  const [sideHomes, uploadHomes, uploadIds, uploadActors] = [numbers(), numbers(), numbers(), numbers()];
  const uploadTimes = reals();
  function* add({ name, number, shadow, manifests, tags, kinds, uploads }: Repository): Steps<void> {
    const at = nameEnds.length;
    names.push(name);
    nameEnds.push(names.length);
    homeNumbers.push(number);
    shadows.push(shadow ? 1 : 0);
    for (const [{ id }, { refs, put, pushed, bySubject }] of manifests) {
      memberIds.push(id);
      memberRefs.push(refs);
      memberFlags.push(
        (put ? memberBits.put : 0) |
          (pushed ? memberBits.pushed : 0) |
          (bySubject ? memberBits.bySubject : 0),
      );
      if (memberIds.length % idsAtOnce === 0) yield;
    }
    memberEnds.push(memberIds.length);
    for (const tag of tags.values()) {
      tagNames.push(tag.tag);
      tagNameEnds.push(tagNames.length);
      tagIds.push(tag.content.id);
      tagKinds.push(contentKinds.indexOf(tag.kind));
      tagOwners.push(owners.numberOf(tag.owners));
      tagSince.push(tag.since);
      if (tagIds.length % idsAtOnce === 0) yield;
    }
    tagEnds.push(tagIds.length);
    for (const kind of kinds.keys()) {
      sideHomes.push(at);
      sideKinds.push(contentKinds.indexOf(kind));
    }
    for (const [{ id }, { actor, at: time }] of uploads) {
      uploadHomes.push(at);
      uploadIds.push(id);
      uploadActors.push(texts.numberOf(actor));
      uploadTimes.push(time);
      if (uploadIds.length % idsAtOnce === 0) yield;
    }
    yield;
  }
  for (const side of [graph.repositories, graph.shadows])
    for (const repository of side.values()) yield* add(repository);
  return {
    owners: owners.lines.toBytes(),
    names: names.toBytes(),
    nameEnds: nameEnds.toNumbers(),
    numbers: homeNumbers.toNumbers(),
    shadows: shadows.toNumbers(),
    memberEnds: memberEnds.toNumbers(),
    tagEnds: tagEnds.toNumbers(),
    memberIds: memberIds.toNumbers(),
    memberRefs: memberRefs.toNumbers(),
    memberFlags: memberFlags.toNumbers(),
    tagNames: tagNames.toBytes(),
    tagNameEnds: tagNameEnds.toNumbers(),
    tagIds: tagIds.toNumbers(),
    tagKinds: tagKinds.toNumbers(),
    tagOwners: tagOwners.toNumbers(),
    tagSince: tagSince.toNumbers(),
    sideHomes: sideHomes.toNumbers(),
    sideKinds: sideKinds.toNumbers(),
    uploadHomes: uploadHomes.toNumbers(),
    uploadIds: uploadIds.toNumbers(),
    uploadActors: uploadActors.toNumbers(),
    uploadTimes: uploadTimes.toNumbers(),
  };
}

/**
 * Returns a graph as columns. The largest ones are those of the graph itself and not copied: it must not change before they
 * are written.
 */
export function* toImage(
  graph: ContentGraph,
  { pairs, unvouched, lastNumber, lastSince }: GraphInternals,
): Steps<GraphImage> {
  const { contents, publications, tally } = graph;
  const { end, words, slots, usedSlots, seed, long } = contents.digests;
  const texts = new Numbered<string>();
  const facts = yield* toFactColumns(graph, texts);
  const repositories = yield* toRepositoryColumns(graph, texts);
  const [longIds, longHex] = [numbers(), new TextColumn()];
  for (const [id, digest] of long) {
    longIds.push(id);
    longHex.push(digestHex(digest));
    if (longIds.length % idsAtOnce === 0) yield;
  }
  const published = new TextColumn();
  for (const [repository, tags] of publications) {
    published.push(`${JSON.stringify([repository, [...tags]])}\n`);
    yield;
  }
  return {
    ...facts,
    ...repositories,
    words,
    slots,
    longIds: longIds.toNumbers(),
    longHex: longHex.toBytes(),
    sizes: contents.sizes.subarray(0, end),
    refs: contents.refs.subarray(0, end),
    uploads: contents.uploads.subarray(0, end),
    named: contents.named.subarray(0, end),
    pairs: pairs.slots,
    unvouched: Uint32Array.from(unvouched),
    texts: texts.lines.toBytes(),
    publications: published.toBytes(),
    figures: {
      end,
      usedSlots,
      seed,
      usedPairs: pairs.used,
      livePairs: pairs.live,
      lastNumber,
      lastSince,
      versions: tally.versions,
      kinds: contentKinds,
    },
  };
}
