import { selectPrincipal } from '../base/error.ts';
import { HeldContent } from '../engine/held-content.ts';
import type { PruneItem } from '../engine/model.ts';
import { toOwnership } from '../engine/ownership.ts';
import { type Presence, planContent } from '../engine/plan-sync.ts';
import { planPrune } from '../engine/prune.ts';
import { readRetriever } from '../engine/read-retriever.ts';
import { resolveRecipes, toUnreadIngredients } from '../engine/resolve-retriever.ts';
import type { Store } from '../store/model.ts';
import { type Context, toSyncSettings } from './context.ts';

export interface PrunePreview {
  readonly items: readonly PruneItem[];
  readonly count: number;
  /** Bytes that pruning sets free, each once. */
  readonly totalBytes: number;
}

const unasked: Presence = {
  tag: () => undefined,
  isPresent: () => false,
  isRecorded: () => false,
  areSignaturesWhole: () => true,
};

/**
 * What a prune would remove now: computed anew each time from the Retriever as it resolves.
 *
 * @throws whatever keeps the Retriever or one of its recipes from being resolved, never an empty list in its place
 */
export async function previewPrune(
  context: Context,
  store: Store,
  signal?: AbortSignal,
): Promise<PrunePreview> {
  const { registry, transport, credentials, policy, report, config } = context;
  const settings = toSyncSettings(config, { prune: true });
  const retriever = await readRetriever(settings.source, {
    registry,
    transport,
    credentials,
    retries: settings.retries,
    report,
    signal,
  });
  const options = {
    registry,
    policy,
    store,
    basePrefix: settings.basePrefix,
    held: new HeldContent(),
    signal,
    report,
  };
  const recipes = await resolveRecipes(retriever, options);
  const error = selectPrincipal(
    recipes.flatMap((recipe) => (recipe.outcome === 'failed' ? [recipe.error] : [])),
  );
  if (error) throw error;
  const content = planContent(toUnreadIngredients(recipes, settings.basePrefix), unasked);
  const { items, totalBytes } = await planPrune(store.index, toOwnership(content.recipes, store.index));
  return { items, count: items.length, totalBytes };
}
