import { Pacer } from '../../base/pacer.ts';
import { ContentGraph } from '../../catalog/content-graph.ts';
import type { ContentChange } from '../../catalog/content-records.ts';
import type { RecipeBook, RecipeChange } from '../../catalog/recipe-book.ts';
import type { StoreCore } from '../store-core.ts';
import { type Corrections, findCorrections, withCorrections } from './correct-facts.ts';

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
      case 'published':
        yield change;
        break;
      case 'unpublished':
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

/**
 * Makes a graph that came from a foreign ledger say what the bytes of the manifests say. Where they are gone or damaged,
 * the ledger's word stays as a hint where to look, and ends with the adoption. Nothing is known to be whole: that was
 * somebody else's word too.
 *
 * @returns where the ledger said something else
 */
export async function correctGraph({ graph, root }: Pick<StoreCore, 'graph' | 'root'>): Promise<Corrections> {
  const corrections = await findCorrections(graph, {
    root,
    isFound: (digest) => graph.contents.isPresent(graph.contents.find(digest) ?? -1),
    isOurs: false,
  });
  const said = new Map([...corrections.facts].filter(([, facts]) => facts !== undefined));
  if (said.size > 0)
    graph.become(await rebuildGraph(graph, withCorrections(graph.snapshot(), { facts: said })));
  graph.contents.clearSound();
  return corrections;
}

/**
 * A graph of these records over the same files: what is there is there. Nothing is known of it but what the records say,
 * not even a size.
 */
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
  }
  return graph;
}
