import assert from 'node:assert/strict';
import type { Task } from '../../../src/contract/task.ts';
import { isOver } from '../../../src/task/model.ts';
import { eventually } from './eventually.ts';
import type { Instance } from './instance.ts';

/** The task when it has ended. */
export async function settleTask(instance: Instance, id: string): Promise<Task> {
  return eventually(
    'the end of the task',
    async () => {
      const { status, body } = await instance.api('GET', `/tasks/${id}`);
      assert.equal(status, 200, JSON.stringify(body));
      const task = body.task as Task;
      return isOver(task) && task;
    },
    60,
  );
}

/** Asks for a task by this request, as its administrator would, and waits for its end. */
export async function runTask(instance: Instance, path: string, body: unknown): Promise<Task> {
  const answer = await instance.api('POST', path, body);
  assert.equal(answer.status, 201, JSON.stringify(answer.body));
  return settleTask(instance, answer.body.task.id);
}

/** The tasks that have not ended. */
export async function listUnfinished(instance: Instance): Promise<readonly Task[]> {
  const { body } = await instance.api('GET', '/tasks?pageSize=200');
  return (body.tasks as Task[]).filter(({ status }) => status === 'pending' || status === 'running');
}
