import type { Digest } from '../base/digest.ts';
import { isBundleType } from '../oci/media-types.ts';
import { fallbackTag, signatureTag } from '../oci/reference.ts';
import type { Content, Repository, Tag } from './content.ts';
import type { ContentGraph } from './content-graph.ts';
import type { ContentTable } from './content-table.ts';
import { createLostContent } from './lost-content.ts';
import type { ManifestRecord, RecipeRecord, StoreIndex, TagRecord } from './model.ts';
import { ProjectedReach } from './projected-reach.ts';
import { toKinds, toNewest, toSummary } from './repository-summary.ts';

interface ContentIndexOptions {
  readonly graph: ContentGraph;
  readonly recipes: () => readonly RecipeRecord[];
  /** Returns the size in bytes of a present file that the ledger does not know. */
  readonly measure: (content: Content) => number | undefined;
  /** Returns whether an upload of this time has not expired. */
  readonly isStanding: (at: number) => boolean;
  /** Returns a test for content that must be kept although no record holds it, as of now. */
  readonly toKept: () => (content: Content) => boolean;
}

/** Merges two sorted lists of names that have no common members. */
function merge(a: readonly string[], b: readonly string[], limit: number | undefined): readonly string[] {
  if (b.length === 0) return a;
  if (a.length === 0) return b;
  return [...a, ...b].sort((x, y) => (x < y ? -1 : 1)).slice(0, limit);
}

function toRecord(contents: ContentTable, content: Content): ManifestRecord | undefined {
  const { digest, size, facts, present } = content;
  if (facts === undefined || !present) return undefined;
  return {
    digest,
    mediaType: facts.mediaType,
    ...(facts.artifactType === undefined ? {} : { artifactType: facts.artifactType }),
    size,
    ...(facts.subject === undefined ? {} : { subject: facts.subject.digest }),
    manifests: facts.manifests.map((child) => child.digest),
    blobs: facts.blobs.map((id) => ({ digest: contents.digestOf(id), size: contents.sizes[id]! })),
  };
}

/** Returns the numbers of the present manifests and blobs reachable from a manifest, itself included. */
function selectReached({ contents }: ContentGraph, root: Digest): ReadonlySet<number> {
  const reached = new Set<number>();
  const first = contents.find(root);
  const todo = first === undefined ? [] : [first];
  for (let id = todo.pop(); id !== undefined; id = todo.pop()) {
    if (!contents.isPresent(id) || reached.has(id)) continue;
    reached.add(id);
    const facts = contents.peek(id)?.facts;
    for (const child of facts?.manifests ?? []) todo.push(child.id);
    for (const blob of facts?.blobs ?? []) if (contents.isPresent(blob)) reached.add(blob);
  }
  return reached;
}

/** Lists the manifests of the known signatures of a subject in a repository, also those whose files are gone. */
function listSignatures(graph: ContentGraph, name: string, subject: Digest): readonly Content[] {
  const repository = graph.repositories.get(name);
  if (repository === undefined) return [];
  const known = (graph.get(subject)?.links?.referrers ?? []).filter(
    (content) => repository.manifests.has(content) && isBundleType(content.facts?.artifactType),
  );
  for (const tag of [signatureTag(subject), fallbackTag(subject)]) {
    const tagged = tag === undefined ? undefined : repository.tags.get(tag)?.content;
    if (tagged !== undefined) known.push(tagged);
  }
  return known;
}

/** Creates the index that answers the registry and the engine from the graph, without reading the disk. */
export function createContentIndex(options: ContentIndexOptions): StoreIndex {
  const { graph, measure, isStanding } = options;

  const sizeOf = (content: Content): number | undefined =>
    content.size >= 0 ? content.size : measure(content);

  const tagOf = (home: Repository | undefined, name: string): Tag | undefined => home?.tags.get(name);

  return {
    repositories: ({ last, limit } = {}) => graph.names.page(last, limit),
    hasRepository: (name) =>
      graph.repositories.get(name)?.isListed === true || graph.shadows.get(name)?.isListed === true,
    versions: () => graph.tally.versions,
    repositoriesOf: (kind) => graph.tally.namesOf(kind),
    markOf: (kind) => graph.tally.markOf(kind),
    isOfKind: (name, kind) => graph.tally.has(name, kind),
    kindsOf: (name) => toKinds(graph, name),
    summaryOf: (name) => toSummary(graph, name),
    newestOf: (name) => toNewest(graph, name),
    tags: (name, { last, limit } = {}) => {
      const open = graph.repositories.get(name);
      const held = graph.shadows.get(name);
      const names = merge(
        open?.tagNames.page(last, limit) ?? [],
        held?.tagNames.page(last, limit) ?? [],
        limit,
      );
      return names.map((tag): TagRecord => (tagOf(open, tag) ?? tagOf(held, tag))!.toRecord());
    },
    tagNames: (name) => {
      const open = graph.repositories.get(name)?.tagNames.page(undefined, undefined) ?? [];
      return merge(open, graph.shadows.get(name)?.tagNames.page(undefined, undefined) ?? [], undefined);
    },
    tag: (name, tag) => graph.tag(name, tag)?.toRecord(),
    sinceOf: (name, tag) => graph.tag(name, tag)?.since,
    displacedFrom: (name, tag) => graph.displacedFrom(name, tag).map((alias) => alias.toRecord()),
    publication: (name, tag) => graph.publications.get(name)?.get(tag),
    hasPublications: (name) => graph.publications.has(name),
    tagsOf: (digest) => (graph.get(digest)?.links?.tags ?? []).map((tag) => tag.toRecord()),
    manifest: (digest) => {
      const content = graph.get(digest);
      return content && toRecord(graph.contents, content);
    },
    isManifestIn: (name, digest) => {
      const content = graph.get(digest);
      if (!content?.present || content.facts === undefined) return false;
      return graph.repositories.get(name)?.manifests.has(content) === true;
    },
    isBlobIn: (name, digest) => {
      const content = graph.get(digest);
      const repository = graph.repositories.get(name);
      if (!content?.present || repository === undefined) return false;
      if (graph.needsBlob(repository, content)) return true;
      const upload = repository.uploads.get(content);
      return upload !== undefined && isStanding(upload.at);
    },
    isBlobNeeded: (name, digest) => {
      const content = graph.get(digest);
      return content !== undefined && graph.needsBlob(graph.repositories.get(name), content);
    },
    digestsBeginning: ({ hex, algorithm, limit }) => {
      const found: Digest[] = [];
      for (const digest of graph.contents.listBeginning(hex, algorithm)) {
        if (found.length === limit) break;
        found.push(digest);
      }
      return found;
    },
    sizeOf: (digest) => {
      const content = graph.get(digest);
      return content?.present ? sizeOf(content) : undefined;
    },
    referrers: (name, subject) => {
      const repository = graph.repositories.get(name);
      const referrers = graph.get(subject)?.links?.referrers ?? [];
      if (repository === undefined) return [];
      return referrers
        .filter((content) => repository.manifests.has(content))
        .map((content) => toRecord(graph.contents, content))
        .filter((record) => record !== undefined)
        .sort((a, b) => (a.digest < b.digest ? -1 : 1));
    },
    *eachReferrer(name, subject) {
      // others come and go while the caller rests
      for (const content of [...(graph.get(subject)?.links?.referrers ?? [])]) {
        const { digest, facts, present } = content;
        if (!present || facts === undefined) continue;
        if (graph.repositories.get(name)?.manifests.has(content) !== true) continue;
        yield facts.artifactType === undefined ? { digest } : { digest, artifactType: facts.artifactType };
      }
    },
    areSignaturesWhole: (name, subject) =>
      listSignatures(graph, name, subject).every(
        (content) =>
          content.present && (content.facts?.blobs ?? []).every((id) => graph.contents.isPresent(id)),
      ),
    signatureFiles: (name, subject) =>
      listSignatures(graph, name, subject).flatMap(({ digest, facts }) => [
        digest,
        ...(facts?.blobs ?? []).map((id) => graph.contents.digestOf(id)),
      ]),
    recipes: () => options.recipes(),
    reach: (root) => new Set([...selectReached(graph, root)].map((id) => graph.contents.digestOf(id))),
    sizeBelow: (root) => {
      let bytes = 0;
      for (const id of selectReached(graph, root)) {
        const size = graph.contents.sizes[id]!;
        bytes += size >= 0 ? size : (measure(graph.contents.at(id)) ?? 0);
      }
      return bytes;
    },
    ...createLostContent(graph),
    *project(change) {
      const projected = yield* ProjectedReach.of(graph, change);
      const isKept = options.toKept();
      let freedBytes = 0;
      for (const digest of projected.released()) {
        const content = graph.get(digest)!;
        if (content.present && !isKept(content)) freedBytes += sizeOf(content) ?? 0;
        yield;
      }
      return {
        freedBytes,
        sizeBelow: (root) => {
          let bytes = 0;
          for (const digest of projected.reach(root)) {
            const content = graph.get(digest);
            bytes += (content?.present ? sizeOf(content) : projected.arrivingSize(digest)) ?? 0;
          }
          return bytes;
        },
      };
    },
  };
}
