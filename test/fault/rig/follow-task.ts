import assert from 'node:assert/strict';
import type { Task } from '../../../src/task/model.ts';
import type { RegistryDouble } from '../../kit/registry-double.ts';
import { settleTask } from './settle-task.ts';
import type { FaultyInstance } from './start-instance.ts';

/** The task when it has ended; undefined when its instance went first. */
export async function followTask(faulty: FaultyInstance, id: string): Promise<Task | undefined> {
  try {
    return await Promise.race([settleTask(faulty.instance, id), faulty.gone.then(() => undefined)]);
  } catch (error) {
    await new Promise((resolve) => setTimeout(resolve, 50));
    if (faulty.isAlive()) throw error;
    return undefined;
  }
}

/** Requests for blobs that had arrived whole before. */
export function requireNothingAgain(double: RegistryDouble, arrived: ReadonlySet<string>): void {
  for (const { method, path } of double.requests) {
    const digest = /\/blobs\/(sha256:[0-9a-f]+)$/.exec(path)?.[1];
    if (method === 'GET' && digest !== undefined)
      assert.ok(!arrived.has(digest), `${path} had arrived and was asked for again`);
  }
}
