import { randomBytes, randomUUID } from 'node:crypto';
import { toStamp } from '../base/clock.ts';
import type { Task } from '../contract/task.ts';
import type { TaskRequest } from './request.ts';

/**
 * Creates the document of a task that waits for its start.
 *
 * @param isTaken tells whether an identifier is in use
 */
export function newTask(request: TaskRequest, isTaken: (id: string) => boolean): Task {
  let id: string;
  do id = `tsk_${randomBytes(6).toString('hex')}`;
  while (isTaken(id));
  return {
    id,
    runId: randomUUID(),
    ...(request.requestId === undefined ? {} : { requestId: request.requestId }),
    type: request.type,
    reference: request.reference,
    actor: request.actor,
    ...(request.command === undefined ? {} : { command: request.command }),
    status: 'pending',
    createdAt: toStamp(),
    resumed: false,
    ...(request.type === 'sync' && request.prune !== undefined ? { prune: request.prune } : {}),
    items: [],
    counts: { total: 0, done: 0, failed: 0, skipped: 0 },
    progress: { bytesDone: 0, bytesTotal: 0 },
  };
}
