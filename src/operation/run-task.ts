import { svcError } from '../base/error.ts';
import type { Store } from '../store/model.ts';
import type { TaskRunner } from '../task/queue.ts';
import type { Context } from './context.ts';
import { importArtifact } from './import-artifact.ts';
import { importMedium } from './import-medium.ts';
import { runLayoutExport, runLayoutImport } from './run-layout-task.ts';
import { sync } from './sync.ts';
import type { MediumDesk, MediumWaivers } from './verify-medium.ts';

/** The waivers of a stored request; anything else in it is not one. */
function toWaivers(parameters: Readonly<Record<string, unknown>> | undefined): MediumWaivers {
  return {
    allowZoneMismatch: parameters?.allowZoneMismatch === true,
    allowStale: parameters?.allowStale === true,
  };
}

/**
 * Does what the queue of an instance holds. A walk over the medium is waited for: one reads all that the other may
 * change.
 */
export function createTaskRunner(parts: {
  readonly context: Context;
  readonly store: Store;
  readonly desk: MediumDesk;
}): TaskRunner {
  const { context, store, desk } = parts;
  return async (task, request, journal, signal) => {
    while (desk.isBusy) {
      journal.line('waiting for the verification of the medium');
      await desk.idle();
    }
    signal.throwIfAborted();
    switch (request.type) {
      case 'sync':
        await sync(context, { store, task, journal, signal, prune: request.prune });
        return;
      case 'import':
        await importArtifact(context, { store, task, request, journal, signal });
        return;
      case 'media-import':
        await importMedium(context, {
          root: store.root,
          store,
          verify: desk.verify,
          waivers: toWaivers(request.parameters),
          actor: request.actor,
          task,
          journal,
          signal,
        });
        return;
      case 'layout-export':
      case 'layout-import': {
        const { id: taskId, runId } = task;
        const parts = { context, store, desk, request, journal, signal, runId, taskId };
        await (request.type === 'layout-export' ? runLayoutExport(parts) : runLayoutImport(parts));
        return;
      }
      default:
        // A task that a newer version stored.
        throw svcError('SVC-VAL-001', { file: 'task', path: '/type', rule: `cannot run ${request.type}` });
    }
  };
}
