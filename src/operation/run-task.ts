import type { TaskType } from '../contract/common.ts';
import type { Task, TaskWait } from '../contract/task.ts';
import type { Link } from '../link/link.ts';
import { createOriginReport } from '../log/origin-report.ts';
import type { Store } from '../store/model.ts';
import type { TaskRunner } from '../task/queue.ts';
import { type Context, selectPrune } from './context.ts';
import { importArtifact } from './import-artifact.ts';
import { importMedium } from './import-medium.ts';
import { runMediaWrite } from './instance/write-requests.ts';
import { runLayoutExport, runLayoutImport, selectPermit } from './run-layout-task.ts';
import type { ShownPlan } from './shown-plan.ts';
import { sync } from './sync.ts';
import type { MediumVerifier } from './verify-medium.ts';

/**
 * Makes the function that runs the tasks of the queue. A task waits for a verification of the medium to end, because it
 * may change files that the verification reads.
 */
export function createTaskRunner(parts: {
  readonly context: Context;
  readonly store: Store;
  readonly verifier: MediumVerifier;
  readonly shown: ShownPlan;
}): TaskRunner {
  const { store, verifier, shown } = parts;
  return async (task, request, journal, signal) => {
    const context = {
      ...parts.context,
      ...parts.context.transfers,
      report: createOriginReport(parts.context.report, request.origin),
    };
    while (verifier.isBusy) {
      journal.line('waiting for the verification of the medium');
      await idleOrAborted(verifier, signal);
    }
    signal.throwIfAborted();
    switch (request.type) {
      case 'sync':
        await sync(context, {
          store,
          task,
          journal,
          signal,
          shown,
          prune: request.order ?? selectPrune(context.config, request.prune),
          pruneFingerprint: request.fingerprint,
        });
        return;
      case 'import':
        await importArtifact(context, { store, task, request, journal, signal });
        return;
      case 'media-import':
        await importMedium(context, {
          root: store.root,
          store,
          verify: verifier.verifyToImport,
          isChanged: () => verifier.clearance.closeIfChanged(),
          waivers: request.parameters,
          actor: request.actor,
          origin: request.origin,
          task,
          journal,
          signal,
        });
        return;
      case 'media-write':
        await runMediaWrite({ context, store, verifier, request, journal, signal });
        return;
      case 'layout-export':
        await runLayoutExport({
          context,
          store,
          permit: selectPermit(store, verifier, request.parameters),
          request,
          journal,
          signal,
          ...toIds(task),
        });
        return;
      case 'layout-import':
        await runLayoutImport({
          context,
          openStore: async () => store,
          request,
          journal,
          signal,
          ...toIds(task),
        });
        return;
      case 'fileset-pack':
        throw new Error('a command packs by itself, and never through the queue');
    }
  };
}

/** The types of tasks that move content from or to other hosts. */
const transferring: ReadonlySet<TaskType> = new Set(['sync', 'import', 'media-import']);

/** Why tasks of a type do not go on now, by the windows of the link. */
export function holdTask(
  { gate, opensAt }: Pick<Link, 'gate' | 'opensAt'>,
  type: TaskType,
): TaskWait | undefined {
  if (gate.isOpen || !transferring.has(type)) return undefined;
  return { reason: 'window', ...(opensAt === undefined ? {} : { until: opensAt }) };
}

const toIds = ({ id, runId }: Task) => ({ taskId: id, runId });

/** Waits until no verification runs, or the signal is aborted. @throws the reason of the signal */
async function idleOrAborted(verifier: Pick<MediumVerifier, 'idle'>, signal: AbortSignal): Promise<void> {
  const aborted = Promise.withResolvers<void>();
  const stop = (): void => aborted.resolve();
  signal.addEventListener('abort', stop, { once: true });
  try {
    signal.throwIfAborted();
    await Promise.race([verifier.idle(), aborted.promise]);
    signal.throwIfAborted();
  } finally {
    signal.removeEventListener('abort', stop);
  }
}
