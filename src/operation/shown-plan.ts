import type { PreparedSync } from '../engine/sync/prepare-sync.ts';
import type { Store } from '../store/model.ts';

/** Milliseconds after which sources are asked again. */
const maxAge = 60_000;

/**
 * The plan that a trigger has just shown. The run that follows uses it: what was shown is what is done, and the sources
 * are asked once.
 */
export class ShownPlan {
  #shown: { readonly prepared: PreparedSync; readonly head: string; readonly at: number } | undefined;

  keep(prepared: PreparedSync, { head }: Pick<Store, 'head'>): void {
    this.#shown = { prepared, head, at: performance.now() };
  }

  /** Takes the plan, once. Undefined when there is none, when it is old, or when the store has changed since. */
  take({ head, standing }: Pick<Store, 'head' | 'standing'>): PreparedSync | undefined {
    const shown = this.#shown;
    this.#shown = undefined;
    if (shown === undefined || performance.now() - shown.at > maxAge) return undefined;
    return shown.head === head && standing === 'ours' ? shown.prepared : undefined;
  }
}
