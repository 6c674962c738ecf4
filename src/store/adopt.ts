import { ContentGraph } from './content-graph.ts';
import type { ContentChange } from './content-records.ts';
import { Pacer } from './pacer.ts';
import type { RecipeBook, RecipeChange } from './recipe-book.ts';

/**
 * What the content ledger of a foreign store says, as the first words of our own: nothing is vouched for, every tag is
 * an import, and with a zone it is held until a verified recipe reaches it.
 */
export function* toAdopted(graph: ContentGraph, isHeld: boolean): Generator<ContentChange> {
  const held = isHeld ? { held: true as const } : {};
  for (const change of graph.snapshot()) {
    switch (change.op) {
      case 'manifest':
        yield { ...change, unverified: true };
        break;
      case 'put':
        yield { ...change, ...held };
        break;
      case 'tag':
        yield { ...change, owner: { provenance: 'import' }, ...held };
        break;
      case 'upload':
      case 'verified':
      case 'medium':
      case 'untag':
      case 'disown':
      case 'unhold':
      case 'drop':
      case 'unblob':
        break;
    }
  }
}

/** What stays of the recipe ledger: nobody here has verified anything, and with a zone nothing counts before that. */
export function* toAdoptedRecipes(book: RecipeBook, isHeld: boolean): Generator<RecipeChange> {
  if (isHeld) return;
  for (const change of book.snapshot()) {
    if (change.op !== 'recipe') yield change;
    else {
      const { keyFingerprint: _fingerprint, trustScope: _scope, ...recipe } = change;
      yield { ...recipe, verified: false };
    }
  }
}

/** A graph of these records over the same files: what is there is there, but nothing is known to be whole. */
export async function rebuildGraph(
  old: ContentGraph,
  changes: Iterable<ContentChange>,
): Promise<ContentGraph> {
  const graph = new ContentGraph();
  const pacer = new Pacer();
  graph.startLoad();
  for (const change of changes) {
    graph.apply(change);
    if (pacer.isDue()) await pacer.rest();
  }
  graph.finishLoad();
  const from = old.contents;
  const to = graph.contents;
  for (let id = 0; id < from.end; id += 1) {
    if (pacer.isDue()) await pacer.rest();
    if (!from.isPresent(id)) continue;
    const next = to.intern(from.digestOf(id));
    to.setPresent(next, true);
    if (to.sizes[next]! < 0) to.sizes[next] = from.sizes[id]!;
  }
  return graph;
}
