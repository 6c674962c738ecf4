import assert from 'node:assert/strict';
import { setTimeout as pause } from 'node:timers/promises';
import type { Task } from '../../../src/contract/task.ts';
import { settleTask } from '../../kit/instance/settle-task.ts';
import type { RegistryDouble } from '../../kit/result/registry-double.ts';
import type { FaultyInstance } from './start-instance.ts';

/** The task when it has ended; undefined when its instance went first. */
export async function followTask(faulty: FaultyInstance, id: string): Promise<Task | undefined> {
  try {
    return await Promise.race([settleTask(faulty.instance, id), faulty.gone.then(() => undefined)]);
  } catch (error) {
    // a connection may break before the system has told that the process is gone
    await Promise.race([faulty.gone, pause(5000, undefined, { ref: false })]);
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
