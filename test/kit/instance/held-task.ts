import type { Task } from '../../../src/contract/task.ts';
import type { TaskJournal } from '../../../src/task/model.ts';
import type { TaskRunner, Tasks } from '../../../src/task/queue.ts';

/**
 * A task that does nothing by itself. A test sets its progress and its end, which comes at the latest when it is
 * disposed.
 */
export interface HeldTask extends Disposable {
  readonly id: string;
  readonly journal: TaskJournal;
  finish(): void;
}

/** The work of a queue whose tasks are held. */
export function holdTasks(): {
  readonly run: TaskRunner;
  /** Submits a synchronization, and waits until it runs. */
  start(tasks: Tasks): Promise<HeldTask>;
} {
  let finishLast = (): void => {};
  const waiting: ((task: Task, journal: TaskJournal, finish: () => void) => void)[] = [];
  return {
    run: (task, _request, journal, signal) =>
      new Promise((finish, fail) => {
        signal.addEventListener('abort', () => fail(signal.reason), { once: true });
        finishLast = finish;
        waiting.shift()?.(task, journal, finish);
      }),
    start: async (tasks) => {
      // one task runs at a time: that of a test which failed is over
      finishLast();
      const { promise, resolve } = Promise.withResolvers<HeldTask>();
      waiting.push(({ id }, journal, finish) => resolve({ id, journal, finish, [Symbol.dispose]: finish }));
      await tasks.submit({ type: 'sync', reference: '/retriever.yaml', actor: 'alice' });
      return promise;
    },
  };
}
