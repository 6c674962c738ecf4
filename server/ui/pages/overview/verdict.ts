import type { Run } from '../../../views/runs.ts';

/** Whether the zone has what it wants. */
export type Verdict =
  | { readonly kind: 'closed'; readonly isRefused: boolean }
  | { readonly kind: 'run-failed' }
  | { readonly kind: 'missing'; readonly count: number; readonly total: number }
  | { readonly kind: 'complete'; readonly count: number }
  | { readonly kind: 'here'; readonly count: number }
  | { readonly kind: 'nothing' };

interface Known {
  /** Why no content is served. */
  readonly refusal: string | undefined;
  /** The run that ended last. */
  readonly last: Pick<Run, 'task' | 'recipes'> | undefined;
  /** Recipes of the store. */
  readonly recipes: number;
}

/** Decides whether the zone has what it wants, from the run that ended last. */
export function toVerdict({ refusal, last, recipes }: Known): Verdict {
  if (refusal !== undefined) return { kind: 'closed', isRefused: refusal === 'SVC-MED-032' };
  if (last === undefined) return recipes === 0 ? { kind: 'nothing' } : { kind: 'here', count: recipes };
  const total = last.recipes.length;
  const count = last.recipes.filter(({ status }) => status !== 'done').length;
  if (count > 0) return { kind: 'missing', count, total };
  // the recipes are settled before what concerns the run as a whole, such as prune, can fail
  if (total === 0 && last.task.status === 'failed') return { kind: 'run-failed' };
  if (total === 0) return recipes === 0 ? { kind: 'nothing' } : { kind: 'here', count: recipes };
  return { kind: 'complete', count: total };
}
