/** How a run prunes. */
export type PruneOrder =
  /** It does not. */
  | 'off'
  /** It does not, because no list of the affected tags could be shown, although the default of the mode is to prune. */
  | 'unseen'
  /** It does, as a list shows that can be made before: without recipes of which the source hides a version. */
  | 'listed'
  /** It does, by request without a list: every tag that no recipe needs. */
  | 'asked';

export const pruneOrders: readonly PruneOrder[] = ['off', 'unseen', 'listed', 'asked'];

interface PruneFacts {
  readonly mode: 'passthrough' | 'mirror' | undefined;
  /** `sync.prune`, which is for passthrough. */
  readonly configured: boolean;
  /** The choice for this run; undefined: the default of the mode. */
  readonly choice?: boolean | undefined;
  /** Of a trigger: whether the list was shown. A schedule and a plan have none. */
  readonly preview?: 'shown' | 'unknown' | undefined;
}

/**
 * Decides how a run prunes, for the page, the API, the command line, the schedule and plans alike. Only mirror mode, where
 * prune is on by default, needs a list that was shown; passthrough prunes because its configuration says so.
 */
export function orderPrune({ mode, configured, choice, preview }: PruneFacts): PruneOrder {
  if (choice === false) return 'off';
  if (choice === true) return preview === 'shown' ? 'listed' : 'asked';
  if (mode !== 'mirror') return configured ? 'listed' : 'off';
  return preview === 'unknown' ? 'unseen' : 'listed';
}

/** Whether a run with this order is one that prunes, as far as its recipes allow. */
export const isPruning = (order: PruneOrder): boolean => order === 'listed' || order === 'asked';

/** Why nothing is pruned. A plan without a usable Retriever knows no recipe. */
export type NoPrune = 'not-asked' | 'recipe-failed' | 'unseen' | 'no-retriever';

/** Why a run prunes nothing; undefined when it prunes. @param failed recipes that were not resolved, or failed */
export function whyNoPrune(order: PruneOrder, failed: number): Exclude<NoPrune, 'no-retriever'> | undefined {
  if (order === 'off') return 'not-asked';
  if (failed > 0) return 'recipe-failed';
  return order === 'unseen' ? 'unseen' : undefined;
}
