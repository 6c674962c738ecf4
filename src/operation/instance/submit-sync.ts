import type { Task } from '../../contract/task.ts';
import { toShownSource } from '../../engine/sync/read-retriever.ts';
import { isPruning } from '../../task/prune-order.ts';
import { selectPrune, toSyncSettings } from '../context.ts';
import { type PruneProjection, requireShownPrune } from '../prune-preview.ts';
import type { Instance, Requester } from './instance.ts';

interface SyncInput extends Requester {
  readonly prune?: boolean | undefined;
  /** Of the preview of the prune that was confirmed; the sources are asked before the task is created. */
  readonly fingerprint?: string | undefined;
  /** The result of `projectPrune`, for a request without a fingerprint. */
  readonly projection?: PruneProjection | undefined;
  /** Milliseconds to wait for the sources; the run compares the fingerprint in any case. Default: 0. */
  readonly patience?: number;
  /** Aborted when the client gives up; no task is recorded then. */
  readonly signal?: AbortSignal | undefined;
}

/**
 * Creates the task of a synchronization.
 *
 * @throws the reason of the signal, SVC-TSK-002, SVC-CFG-001, SVC-MED-030; with a fingerprint SVC-SRV-007 and the errors of
 *   `previewPrune`
 */
export async function submitSync(
  { context, store, tasks, shown }: Pick<Instance, 'context' | 'store' | 'tasks' | 'shown'>,
  { actor, rank, origin, requestId, prune, projection, patience = 0, signal, ...confirmed }: SyncInput,
): Promise<Task> {
  const { source } = toSyncSettings(context.config);
  const projected = projection && 'fingerprint' in projection ? projection.fingerprint : undefined;
  const fingerprint = confirmed.fingerprint ?? projected;
  const order = selectPrune(context.config, prune, fingerprint === undefined ? 'unknown' : 'shown');
  const prunes = isPruning(order);
  if (prunes && confirmed.fingerprint !== undefined)
    await requireShownPrune(context, store, shown, confirmed.fingerprint, patience);
  signal?.throwIfAborted();
  return tasks.submit(
    {
      type: 'sync',
      reference: toShownSource(source),
      actor,
      origin,
      requestId,
      prune: prunes,
      order,
      ...(prunes && fingerprint !== undefined ? { fingerprint } : {}),
    },
    rank,
  );
}
