import type { Digest } from '../base/digest.ts';
import { Pacer } from '../base/pacer.ts';
import type { AffectedContent } from '../contract/store.ts';
import type { Content } from './content.ts';
import type { ContentGraph } from './content-graph.ts';

/** Search depth: a manifest below an index below an index. Deeper nesting is refused when a manifest is put. */
const levels = 6;

/** Returns, for each of these digests, the manifests that need it directly or indirectly, and the digest itself. */
async function findHolders(
  graph: ContentGraph,
  digests: Iterable<Digest>,
): Promise<Map<number, Set<number>>> {
  const { contents } = graph;
  const pacer = new Pacer();
  /** Number of a content → those of the requested digests that it needs. */
  const below = new Map<number, Set<number>>();
  let frontier = new Set<number>();
  for (const digest of digests) {
    const id = contents.find(digest);
    if (id === undefined) continue;
    below.set(id, new Set([id]));
    frontier.add(id);
  }
  for (let level = 0; level < levels && frontier.size > 0; level += 1) {
    const next = new Set<number>();
    for (let id = 0; id < contents.end; id += 1) {
      if (pacer.isDue()) await pacer.rest();
      const facts = contents.peek(id)?.facts;
      if (facts === undefined) continue;
      for (const child of [...facts.blobs, ...facts.manifests.map((one) => one.id)]) {
        if (!frontier.has(child)) continue;
        const mine = below.get(id) ?? new Set();
        const known = mine.size;
        for (const one of below.get(child)!) mine.add(one);
        below.set(id, mine);
        if (mine.size > known) next.add(id);
      }
    }
    frontier = next;
  }
  return below;
}

function describeHolder(content: Content): AffectedContent[] {
  const tags = content.links?.tags ?? [];
  const homes = content.links?.homes ?? [];
  const untagged = homes.filter((home) => !tags.some((tag) => tag.home === home));
  return [
    ...tags.map(({ home, tag, owners }) => ({
      repository: home.name,
      tag,
      recipes: owners.flatMap(({ recipe }) => (recipe === undefined ? [] : [recipe])).sort(),
    })),
    ...untagged.map(({ name }) => ({ repository: name, recipes: [] })),
  ];
}

/**
 * Finds the dependents of these digests: the tags that reach them with their owning recipes, and repositories that
 * reach them without a tag. Costs one walk over the index for all digests.
 */
export async function findAffected(
  graph: ContentGraph,
  digests: readonly Digest[],
): Promise<ReadonlyMap<Digest, readonly AffectedContent[]>> {
  const affected = new Map<Digest, AffectedContent[]>(digests.map((digest) => [digest, []]));
  if (digests.length === 0) return affected;
  const { contents } = graph;
  for (const [id, needed] of await findHolders(graph, digests)) {
    const content = contents.peek(id);
    const described = content === undefined ? [] : describeHolder(content);
    for (const one of needed) affected.get(contents.digestOf(one))!.push(...described);
  }
  for (const { name, uploads } of graph.repositories.values())
    for (const content of uploads.keys())
      affected.get(content.digest)?.push({ repository: name, recipes: [] });
  for (const [digest, list] of affected) affected.set(digest, dropCovered(list));
  return affected;
}

/** Sorts; a repository without a tag is listed only if none of its tags is. */
function dropCovered(list: readonly AffectedContent[]): AffectedContent[] {
  const byName = new Map(list.map((one) => [`${one.repository}\n${one.tag ?? ''}`, one]));
  const tagged = new Set(list.flatMap(({ repository, tag }) => (tag === undefined ? [] : [repository])));
  return [...byName]
    .filter(([, { repository, tag }]) => tag !== undefined || !tagged.has(repository))
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([, one]) => one);
}
