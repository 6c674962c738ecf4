import type { Task } from '../contract/task.ts';
import { runSync, type SyncOutcome } from '../engine/sync/run-sync.ts';
import type { Store } from '../store/model.ts';
import type { TaskJournal } from '../task/model.ts';
import type { PruneOrder } from '../task/prune-order.ts';
import { type Context, toSyncSettings } from './context.ts';
import { openCustody } from './custody/open-custody.ts';
import type { ShownPlan } from './shown-plan.ts';

interface SyncInput {
  /** Store opened for writing. */
  readonly store: Store;
  readonly task: Pick<Task, 'id' | 'runId' | 'actor'>;
  readonly journal: TaskJournal;
  readonly signal?: AbortSignal | undefined;
  /** How it prunes; absent: by the default of the mode. */
  readonly prune?: PruneOrder | undefined;
  /** Plan that the trigger has begun. */
  readonly shown?: ShownPlan | undefined;
  /** Of the preview of the prune that was confirmed. */
  readonly pruneFingerprint?: string | undefined;
}

/**
 * Synchronizes the store with the Retriever, and the destination with the store, as a task.
 *
 * @throws errors of the complete run; recipes that fail are failed items of the journal
 */
export async function sync(context: Context, input: SyncInput): Promise<SyncOutcome> {
  const { registry, transport, credentials, policy, spool, rounds, tags } = context;
  const { store, task, journal, signal, prune, shown, pruneFingerprint } = input;
  return runSync(
    toSyncSettings(context.config, { prune }),
    {
      registry,
      transport,
      credentials,
      policy,
      spool,
      rounds,
      tags,
      signal,
      custody: openCustody(context.config, policy),
      report: context.report.child({ taskId: task.id, runId: task.runId }),
    },
    {
      runId: task.runId,
      actor: task.actor,
      journal,
      store,
      prepared: await shown?.take(store, signal),
      pruneFingerprint,
    },
  );
}
