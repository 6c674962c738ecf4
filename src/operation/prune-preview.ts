import { requireUnchanged } from '../base/digest.ts';
import { within } from '../base/within.ts';
import type { PrunePreview } from '../contract/recipe.ts';
import { listLowered } from '../engine/sync/plan-sync.ts';
import {
  listErrors,
  type PreparedSync,
  prepareSync,
  type SyncSettings,
} from '../engine/sync/prepare-sync.ts';
import { fingerprintPrune } from '../engine/sync/prune.ts';
import { toShownSource } from '../engine/sync/read-retriever.ts';
import { lateAnswer } from '../remote/transport/failure.ts';
import type { Store } from '../store/model.ts';
import { type ErrorRecord, type SvcError, selectPrincipal, toErrorRecord } from '../text/error.ts';
import { type Context, toSyncSettings } from './context.ts';
import type { ShownPlan } from './shown-plan.ts';

/** Preview of the prune of a triggered sync, or the reason why it is unknown. */
export type PruneProjection = PrunePreview | { readonly error: ErrorRecord };

function prepare(
  context: Context,
  store: Store,
  settings: SyncSettings,
  signal: AbortSignal | undefined,
): Promise<PreparedSync> {
  const { registry, transport, credentials, policy, report, rounds, tags } = context;
  const collaborators = { registry, transport, credentials, policy, report, rounds, tags, signal };
  return prepareSync(settings, collaborators, store);
}

/** @throws any error that prevents a recipe or an ingredient from being resolved */
function requireResolved({ content }: PreparedSync): void {
  const error = selectPrincipal(listErrors(content.recipes.map(({ resolution }) => resolution)));
  if (error) throw error;
}

function toPreview({ content, prune: { items, totalBytes } }: PreparedSync): PrunePreview {
  const lowered = listLowered(content.recipes);
  return {
    items,
    count: items.length,
    totalBytes,
    ...(lowered.length === 0 ? {} : { lowered }),
    fingerprint: fingerprintPrune(items),
  };
}

/** Milliseconds after which a preview that sources keep waiting is an error. */
const previewTimeout = 60_000;

/**
 * Lists the tags that the prune of a sync would remove now. Computed on each call, from the plan of such a sync.
 *
 * @param patience milliseconds to wait for the sources
 * @throws any error that prevents the Retriever, a recipe or an ingredient from being resolved: such a sync
 *   would prune nothing, and an empty list would hide the reason; SVC-REG-002 when the sources take too long
 */
export async function previewPrune(
  context: Context,
  store: Store,
  patience: number = previewTimeout,
): Promise<PrunePreview> {
  const settings = toSyncSettings(context.config, { prune: 'listed', skipDestination: true });
  const late = () => toLate(settings, patience);
  const prepared = await within(patience, undefined, late, (signal) =>
    prepare(context, store, settings, signal),
  );
  requireResolved(prepared);
  return toPreview(prepared);
}

/**
 * Prepares a triggered sync, which includes its prune, for its run, and waits for it as long as its client does.
 *
 * @param judge judges a preparation that was ready in time; when it throws, the run prepares anew
 * @param patience milliseconds
 * @returns undefined when the sources did not answer in that time; the run waits for them
 * @throws the errors of {@link previewPrune} and of `judge`
 */
async function prepareTriggered<T>(
  context: Context,
  store: Store,
  shown: ShownPlan,
  patience: number,
  judge: (prepared: PreparedSync) => T,
): Promise<T | undefined> {
  const settings = toSyncSettings(context.config, { prune: 'listed' });
  const late = toLate(settings, patience);
  const begun = shown.begin(store, (signal) => prepare(context, store, settings, signal));
  try {
    const prepared = await within(
      patience,
      undefined,
      () => late,
      () => begun,
    );
    requireResolved(prepared);
    return judge(prepared);
  } catch (error) {
    if (error === late) return undefined;
    shown.drop(begun);
    throw error;
  }
}

function toLate({ source }: Pick<SyncSettings, 'source'>, patience: number): SvcError {
  return lateAnswer(toShownSource(source), patience);
}

/**
 * Refuses a synchronization if the confirmed preview of its prune no longer holds. Keeps the plan for the run, which
 * decides again before it removes anything. Where the sources do not answer in time, only the run decides.
 *
 * @param fingerprint of the preview that was confirmed
 * @param patience milliseconds to wait for the sources
 * @throws SVC-SRV-007, and the errors of {@link previewPrune}
 */
export async function requireShownPrune(
  context: Context,
  store: Store,
  shown: ShownPlan,
  fingerprint: string,
  patience: number,
): Promise<void> {
  await prepareTriggered(context, store, shown, patience, ({ prune }) =>
    requireUnchanged(fingerprint, () => fingerprintPrune(prune.items), 'prune'),
  );
}

/**
 * Previews the prune of a sync that is about to be triggered, and keeps the plan for that run. Never throws:
 * an error is the answer, so that the sync can be triggered anyway.
 *
 * @param patience milliseconds to wait for the sources; SVC-REG-002 is the answer then
 */
export async function projectPrune(
  context: Context,
  store: Store,
  shown: ShownPlan,
  patience: number,
): Promise<PruneProjection> {
  try {
    const preview = await prepareTriggered(context, store, shown, patience, toPreview);
    if (preview === undefined) throw toLate(toSyncSettings(context.config), patience);
    return preview;
  } catch (error) {
    return { error: toErrorRecord(error) };
  }
}
