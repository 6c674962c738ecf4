import assert from 'node:assert/strict';
import type { Task } from '../../../src/task/model.ts';
import { eventually } from '../../kit/eventually.ts';
import type { Instance } from '../../kit/instance.ts';

/** The task when it has ended. */
export async function settleTask(instance: Instance, id: string): Promise<Task> {
  return eventually(
    'the end of the task',
    async () => {
      const { status, body } = await instance.api('GET', `/tasks/${id}`);
      assert.equal(status, 200, JSON.stringify(body));
      const task = body.task as Task;
      return (task.status === 'done' || task.status === 'failed') && task;
    },
    60,
  );
}

/** The tasks that have not ended. */
export async function listUnfinished(instance: Instance): Promise<readonly Task[]> {
  const { body } = await instance.api('GET', '/tasks?pageSize=200');
  return (body.tasks as Task[]).filter(({ status }) => status === 'pending' || status === 'running');
}
