import type { ContentKind } from '../oci/kind.ts';
import { selectNewest } from '../recipe/version.ts';
import type { Repository } from './content.ts';
import type { ContentGraph } from './content-graph.ts';
import type { ContentTable } from './content-table.ts';
import type { RepositorySummary } from './model.ts';

/** Returns the served and the held repository of a name, if they have content. */
function sidesOf(graph: ContentGraph, name: string): readonly Repository[] {
  const served = graph.repositories.get(name);
  const held = graph.shadows.get(name);
  // most repositories have one side
  if (held === undefined) return served?.isListed ? [served] : [];
  return [served, held].filter((side) => side?.isListed === true) as Repository[];
}

/** Returns the number of versions of each kind in a repository, held ones included. */
export function toKinds(graph: ContentGraph, name: string): ReadonlyMap<ContentKind, number> {
  const [first, second] = sidesOf(graph, name);
  if (first === undefined || second === undefined) return first?.kinds ?? new Map();
  const all = new Map(first.kinds);
  for (const [kind, count] of second.kinds) all.set(kind, (all.get(kind) ?? 0) + count);
  return all;
}

/** Returns the newest version of a repository, held ones included. */
export function toNewest(graph: ContentGraph, name: string): string | undefined {
  const [first, second] = sidesOf(graph, name);
  if (second === undefined) return first?.newest;
  return selectNewest([first, second].flatMap((side) => side?.newest ?? []));
}

function countBytes(contents: ContentTable, sides: readonly Repository[]): number {
  const reached = new Set<number>();
  for (const { manifests } of sides)
    for (const [{ id, facts }, { refs }] of manifests) {
      if (refs === 0) continue;
      reached.add(id);
      for (const blob of facts?.blobs ?? []) reached.add(blob);
    }
  let bytes = 0;
  for (const id of reached) if (contents.isPresent(id)) bytes += Math.max(0, contents.sizes[id]!);
  return bytes;
}

/** Returns the known size, or counts it; for a repository with two sides, it is counted each time. */
function sizeOf(contents: ContentTable, sides: readonly Repository[]): number {
  const [only, other] = sides;
  if (only === undefined || other !== undefined) return countBytes(contents, sides);
  const { shifts } = contents;
  if (only.size?.shifts !== shifts) only.size = { bytes: countBytes(contents, sides), shifts };
  return only.size.bytes;
}

/** Returns the totals of a repository; undefined when no repository has this name. */
export function toSummary(graph: ContentGraph, name: string): RepositorySummary | undefined {
  const sides = sidesOf(graph, name);
  if (sides.length === 0) return undefined;
  const kinds = toKinds(graph, name);
  let versions = 0;
  for (const count of kinds.values()) versions += count;
  const served = sides.filter(({ shadow }) => !shadow);
  return {
    versions,
    kinds,
    owners: [...new Set(sides.flatMap(({ owners }) => [...owners]))].flat(),
    sizeBytes: sizeOf(graph.contents, sides),
    held: versions > 0 && served.every((side) => side.kinds.size === 0),
  };
}
