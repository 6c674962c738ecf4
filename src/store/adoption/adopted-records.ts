import { Pacer } from '../../base/pacer.ts';
import { ContentGraph } from '../../catalog/content-graph.ts';
import type { ContentChange, TagChange } from '../../catalog/content-records.ts';
import type { RecipeBook, RecipeChange } from '../../catalog/recipe-book.ts';
import type { StoreCore } from '../store-core.ts';
import { type Corrections, findCorrections, withCorrections } from './correct-facts.ts';

/**
 * Converts the records of a foreign store into the first records of this instance's ledger. Nothing is
 * vouched for. Every tag becomes an import, and with a zone it is held until a verified recipe reaches it.
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
        yield { ...withoutOrder(change), owner: { provenance: 'import' }, ...held };
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

/** This store gets all adopted tags at once; the order that the ledger of another instance claims is no evidence. */
function withoutOrder({ since: _, ...change }: TagChange): TagChange {
  return change;
}

/**
 * Converts the recipe ledger of a foreign store. Recipes count as unverified; with a zone no record is kept.
 */
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
 * Corrects a catalog loaded from a foreign ledger by the bytes of the manifests. Where these are absent or
 * damaged, the record is kept as a hint where to look, until the adoption. No blob is vouched for, because
 * the ledger of another instance is no evidence.
 *
 * @returns the differences between ledger and bytes
 */
export async function correctGraph({
  graph,
  root,
  parts: { bytesOf },
}: Pick<StoreCore, 'graph' | 'root' | 'parts'>): Promise<Corrections> {
  const corrections = await findCorrections(graph, {
    ...{ root, bytesOf },
    isFound: (digest) => graph.contents.isPresent(graph.contents.find(digest) ?? -1),
    isOurs: false,
  });
  const actual = new Map([...corrections.facts].filter(([, facts]) => facts !== undefined));
  if (actual.size > 0)
    graph.become(await rebuildGraph(graph, withCorrections(graph.snapshot(), { facts: actual })));
  graph.contents.clearSound();
  return corrections;
}

/**
 * Builds a catalog from these records over the same files. Presence is copied from the old catalog;
 * everything else, including sizes, comes from the records.
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
