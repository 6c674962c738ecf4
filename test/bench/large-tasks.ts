import { createHash, randomUUID } from 'node:crypto';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Digest } from '../../src/base/digest.ts';
import type { Task, TaskItem } from '../../src/contract/task.ts';
import { formatRecord } from '../../src/task/record-document.ts';
import { countItems } from '../../src/task/storage.ts';

/** Items of the newest synchronization, which also resolved and pruned as many: the largest that the zone had. */
const mostItems = 3000;

const types = ['sync', 'import', 'sync', 'layout-export'] as const;
const digestOf = (text: string): Digest => `sha256:${createHash('sha256').update(text).digest('hex')}`;

/** The identifier of a task of the store; the last one is the newest. */
export const toTaskId = (task: number): string => `tsk_${task.toString(16).padStart(12, '0')}`;

/** The number of the newest of so many tasks that is a synchronization. */
export const toNewestSync = (tasks: number): number => tasks - 1 - ((tasks - 1) % 2);

/** The resolutions of a synchronization of these items, and as many removed tags. */
function toResults(items: readonly TaskItem[]): Pick<Task, 'resolutions' | 'pruned'> {
  return {
    resolutions: items.map(({ name, digest }) => ({
      recipe: name,
      requested: '>=1.0.0',
      resolved: '1.0.0',
      digest: digest!,
      status: 'new',
    })),
    pruned: items.map(({ name, digest }, i) => ({
      repository: `registry.example/team/service-${i}`,
      tag: '0.9.0',
      digest: digest!,
      recipe: name,
    })),
  };
}

/**
 * Writes so many finished tasks with their logs into a state folder, one in ten failed. They are the tasks of a zone
 * after some weeks of hourly synchronizations, when it keeps them all.
 */
export function makeLargeTasks(stateRoot: string, tasks: number): void {
  const folder = join(stateRoot, 'tasks');
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const newestSync = toNewestSync(tasks);
  for (let i = 0; i < tasks; i += 1) {
    const type = types[i % types.length]!;
    const id = toTaskId(i);
    const at = Date.UTC(2026, 0, 1) + i * 3_600_000;
    const isFailed = i % 10 === 0;
    const isLarge = i === newestSync;
    const items = Array.from(
      { length: isLarge ? mostItems : type === 'sync' ? 60 : 5 },
      (_, n): TaskItem => ({
        name: `delivery-${n}@1.${i % 5}.0`,
        digest: digestOf(`${i} ${n}`),
        sizeBytes: 1 << 20,
        status: isFailed && n === 0 ? 'failed' : 'done',
        transferredBytes: 1 << 20,
      }),
    );
    const reference =
      type === 'sync' ? '/etc/svc/retriever.yaml' : `registry.example/team/service-${i}:1.0.0`;
    const task: Task = {
      id,
      runId: randomUUID(),
      type,
      reference,
      actor: 'admin',
      status: isFailed ? 'failed' : 'done',
      createdAt: new Date(at).toISOString(),
      startedAt: new Date(at + 50).toISOString(),
      finishedAt: new Date(at + 90_000).toISOString(),
      resumed: false,
      items,
      counts: countItems(items),
      ...(isLarge ? toResults(items) : {}),
      progress: { bytesDone: items.length << 20, bytesTotal: items.length << 20 },
    };
    const request = { type, reference, actor: 'admin', parameters: {} };
    const record = { sequence: i + 1, request, task } as unknown as Parameters<typeof formatRecord>[0];
    writeFileSync(join(folder, `${id}.json`), formatRecord(record), { mode: 0o600 });
    const log = items.map(({ name }) => `${task.startedAt} fetched ${name}\n`).join('');
    writeFileSync(join(folder, `${id}.log`), log, { mode: 0o600 });
  }
}
