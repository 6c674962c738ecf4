import assert from 'node:assert/strict';
import { test } from 'node:test';
import { waitForTask } from '../../../commands/client/wait-for-task.ts';
import { renderTasks } from '../../../commands/task/render-task.ts';
import type { Task } from '../../../src/contract/task.ts';
import { base, done } from '../../kit/scene/scripted-instance.ts';

const pending = base as unknown as Task;
const until = '2030-01-02T03:00:00Z';
const waiting = { reason: 'window', until } as const;

test('a list says once why its paused tasks do not go on', () => {
  const list = (tasks: readonly Task[]) => ({
    tasks,
    page: 1,
    pageSize: 25,
    total: tasks.length,
    totalPages: 1,
  });
  const show = (tasks: readonly Task[], language: 'en' | 'fr' = 'en') =>
    renderTasks(list(tasks), { language, width: Number.POSITIVE_INFINITY });
  const held = { ...pending, waiting };
  assert.match(
    show([held, held]),
    /paused.*paused.*\nPaused tasks wait for the next window of transfers, until 2 Jan 2030/s,
  );
  assert.equal(show([held, held]).match(/Paused tasks/g)?.length, 1);
  assert.match(show([held], 'fr'), /Les tâches en pause attendent .*, jusqu’au 2 janv\. 2030/);
  assert.doesNotMatch(show([pending]), /Paused/);
});

test('progress names the window that a task waits for, before its start and after a pause, and tells each wait once', async () => {
  const running = { ...pending, status: 'running' as const };
  const seen: readonly Task[] = [
    { ...pending, waiting },
    running,
    { ...running, waiting },
    { ...running, waiting },
    done as unknown as Task,
  ];
  const labels: string[] = [];
  let told = 0;
  let asked = 0;
  await waitForTask({
    task: pending,
    getTask: async () => seen[asked++]!,
    progress: { update: ({ label }: { label: string }) => labels.push(label) } as never,
    language: 'en',
    signal: AbortSignal.timeout(20_000),
    onWait: () => {
      told += 1;
    },
  });
  const wait = /^waits for the next window of transfers, until 2 Jan 2030/;
  assert.deepEqual(
    labels.map((label) => wait.test(label)),
    [true, false, true, true, false],
  );
  assert.equal(told, 2);
});
