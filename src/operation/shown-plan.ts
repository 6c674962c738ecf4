import type { PreparedSync } from '../engine/sync/prepare-sync.ts';
import type { Store } from '../store/model.ts';

/** Maximum age of the plan in milliseconds. */
const maxAge = 60_000;

/**
 * The plan that was shown at a trigger. The next run uses it, so that it does what was shown and queries the
 * sources once.
 */
export class ShownPlan {
  #shown: { readonly prepared: PreparedSync; readonly head: string; readonly at: number } | undefined;

  keep(prepared: PreparedSync, { head }: Pick<Store, 'head'>): void {
    this.#shown = { prepared, head, at: performance.now() };
  }

  /**
   * Returns and removes the plan. Undefined when there is none, when it is too old, or when the store has
   * changed since.
   */
  take({ head, standing }: Pick<Store, 'head' | 'standing'>): PreparedSync | undefined {
    const shown = this.#shown;
    this.#shown = undefined;
    if (shown === undefined || performance.now() - shown.at > maxAge) return undefined;
    return shown.head === head && standing === 'ours' ? shown.prepared : undefined;
  }
}
