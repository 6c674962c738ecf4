import type { Digest } from '../base/digest.ts';
import type { Repository } from './content.ts';
import type { ContentGraph } from './content-graph.ts';
import type { ContentTable } from './content-table.ts';
import type { LostContent } from './model.ts';

/** The numbers of the lost content, valid until the shifts of a table grow. */
interface Known {
  readonly contents: ContentTable;
  readonly shifts: number;
  readonly ids: ReadonlySet<number>;
  /** Whether a manifest needs lost content, valid until the lessons of the table grow too. */
  readonly hits: Map<Digest, boolean>;
  lessons: number;
}

/** Returns the numbers of reached content that is not present now. Content that never came has no size. */
function selectLost(contents: ContentTable): ReadonlySet<number> {
  const { refs, sizes, end } = contents;
  const lost = new Set<number>();
  for (let id = 0; id < end; id += 1)
    if (refs[id]! > 0 && sizes[id]! >= 0 && !contents.isPresent(id)) lost.add(id);
  return lost;
}

/** Lists the numbers of the lost content that a manifest needs, itself included, each once. */
function* walkLost({ contents, ids }: Known, first: number): Generator<number, undefined> {
  const needed = new Set([first]);
  // iteration over a set includes entries added during the iteration
  for (const id of needed) {
    if (ids.has(id)) yield id;
    const facts = contents.peek(id)?.facts;
    for (const child of facts?.manifests ?? []) needed.add(child.id);
    for (const blob of facts?.blobs ?? []) needed.add(blob);
  }
  return undefined;
}

/** Returns whether a repository needs any of some content, by looking for each of it. */
function needsAny(graph: ContentGraph, repository: Repository, ids: ReadonlySet<number>): boolean {
  for (const id of ids) {
    if (graph.needsBlob(repository, { id })) return true;
    if (graph.contents.peek(id)?.links?.homes.includes(repository)) return true;
  }
  return false;
}

/** As `needsAny`, by reading the manifests of the repository. */
function hasAny({ manifests }: Repository, ids: ReadonlySet<number>): boolean {
  for (const [{ id, facts }, { refs }] of manifests)
    if (refs > 0 && (ids.has(id) || facts?.blobs.some((blob) => ids.has(blob)))) return true;
  return false;
}

/** Answers which content is lost. The whole table is read once after each shift, and not for each question. */
export function createLostContent(graph: ContentGraph): LostContent {
  let last: Known | undefined;
  const know = (): Known => {
    const { contents } = graph;
    const { shifts, lessons } = contents;
    if (last?.contents !== contents || last.shifts !== shifts)
      last = { contents, shifts, ids: selectLost(contents), hits: new Map(), lessons };
    if (last.lessons !== lessons) last.hits.clear();
    last.lessons = lessons;
    return last;
  };

  return {
    countLost: () => know().ids.size,
    lostBelow: (root) => {
      const known = know();
      const { contents, ids } = known;
      const first = ids.size === 0 ? undefined : contents.find(root);
      return first === undefined ? [] : [...walkLost(known, first)].map((id) => contents.digestOf(id));
    },
    isLostBelow: (root) => {
      const known = know();
      const { contents, ids, hits } = known;
      const first = ids.size === 0 ? undefined : contents.find(root);
      if (first === undefined) return false;
      const before = hits.get(root);
      if (before !== undefined) return before;
      const isHit = walkLost(known, first).next().done === false;
      hits.set(root, isHit);
      return isHit;
    },
    isLostIn: (name) => {
      const { ids } = know();
      const repository = ids.size === 0 ? undefined : graph.repositories.get(name);
      if (repository === undefined) return false;
      return ids.size < repository.manifests.size
        ? needsAny(graph, repository, ids)
        : hasAny(repository, ids);
    },
  };
}
