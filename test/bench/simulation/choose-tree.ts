import { bytesOf, simulateFleet, type Tree, type TreeForecast } from './fleet-model.ts';

export interface Choice {
  readonly caches: readonly number[];
  readonly forecast: TreeForecast;
}

const simulate = (tree: Tree): TreeForecast => simulateFleet([tree])[0]!;

/** Caches of the inner layer that are tried: one for each further cache is seldom less in all. */
const innerCaches = [1, 2, 3, 4, 6, 8, 12, 16, 24, 32];

/** Seconds that the requests of all nodes take at least: every one reaches the instance, however many caches there are. */
export function leastSeconds({ nodes, load, rates, prices }: Omit<Tree, 'caches'>): number {
  const { manifest, permission } = prices.instance;
  const each = load.images * (load.manifests * manifest + load.blobs.length * permission);
  return (nodes * each) / rates.instanceProcessors;
}

/**
 * Finds the smallest tree with which the last node has everything within so many seconds: the fewest layers, at most two,
 * and of these the fewest caches.
 *
 * @returns undefined when no such tree is quick enough
 */
export function chooseTree(tree: Omit<Tree, 'caches'>, within: number): Choice | undefined {
  if (leastSeconds(tree) > within) return undefined;
  const attempt = (caches: readonly number[]): Choice | undefined => {
    const forecast = simulate({ ...tree, caches });
    return forecast.ends <= within ? { caches, forecast } : undefined;
  };
  const { nodes, rates } = tree;
  /** Receivers that a card serves in time, at most. */
  const served = (card: number): number => Math.floor((within * card) / bytesOf(tree.load));
  const fewest = Math.ceil(nodes / Math.max(1, served(rates.cacheCard)));
  /** The fewest caches that nodes pull from, behind so many caches or the instance; tries ever more, then halves the last step. */
  const search = (inner: readonly number[], most: number): Choice | undefined => {
    let tooFew = fewest - 1;
    let found: Choice | undefined;
    for (let count = fewest; count <= most && found === undefined; ) {
      found = attempt([...inner, count]);
      if (found === undefined) {
        tooFew = count;
        count += Math.ceil(count / 10);
      }
    }
    while (found !== undefined && found.caches.at(-1)! - tooFew > 1) {
      const middle = Math.floor((tooFew + found.caches.at(-1)!) / 2);
      const fewer = attempt([...inner, middle]);
      if (fewer === undefined) tooFew = middle;
      else found = fewer;
    }
    return found;
  };
  const flat = attempt([]);
  if (flat !== undefined) return flat;
  const single = search([], Math.min(nodes, served(rates.instanceCard)));
  if (single !== undefined) return single;
  let best: Choice | undefined;
  for (const inner of innerCaches) {
    if (inner > served(rates.instanceCard)) break;
    // fewer in all than the best so far
    const better = best === undefined ? nodes : best.caches.reduce((sum, count) => sum + count) - 1 - inner;
    best = search([inner], Math.min(nodes, better, inner * served(rates.cacheCard))) ?? best;
  }
  return best;
}
