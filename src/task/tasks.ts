import type { Readable } from 'node:stream';
import type { PageOf, PageQuery } from '../base/page.ts';
import type { Report } from '../base/report.ts';
import type { Task, TaskJournal, TaskStatus, TaskType } from './model.ts';
import type { TaskRequest } from './request.ts';
import type { TaskStorage } from './storage.ts';

/**
 * Does the work of one task. What it throws fails the task; items it settled as failed fail it too. Once its signal is
 * aborted it throws, or returns with items left open: the task is run again at the next start.
 */
export type TaskRunner = (
  task: Task,
  request: TaskRequest,
  journal: TaskJournal,
  signal: AbortSignal,
) => Promise<void>;

export interface TasksOptions {
  /** Where tasks are kept; without it they live in memory and are never resumed. */
  readonly stateRoot?: string | undefined;
  /** Keeps the tasks instead. */
  readonly storage?: TaskStorage | undefined;
  /** Finished tasks kept, newest first; 0 keeps all. */
  readonly keepFinished: number;
  readonly report: Report;
  readonly run: TaskRunner;
  /** Called after a task has ended and is kept; what it throws is reported and changes nothing. */
  readonly onSettled?: ((task: Task) => void | Promise<void>) | undefined;
}

export interface TaskQuery extends PageQuery {
  /** Part of the id, run id, reference or actor, whatever its case. */
  readonly q?: string | undefined;
  /** The reference as the asker sees it, by which it is found. Default: as it is. */
  readonly toReference?: ((task: Pick<Task, 'type' | 'reference'>) => string) | undefined;
  readonly status?: TaskStatus | undefined;
  readonly type?: TaskType | undefined;
}

export interface TaskPage extends PageOf {
  /** Newest first. */
  readonly tasks: readonly Task[];
}

/** The queue: one task at a time, in order of submission, across restarts. */
export interface Tasks extends AsyncDisposable {
  /** Begins to run what waits. Until then tasks are taken and kept only. */
  start(): void;
  /**
   * Keeps a task, durably, and queues it.
   *
   * @throws SVC-TSK-002 when the queue is full, SVC-SRV-006 when draining; nothing is kept then
   */
  submit(request: TaskRequest): Promise<Task>;
  /** @throws SVC-TSK-001 */
  get(id: string): Promise<Task>;
  list(query?: TaskQuery): Promise<TaskPage>;
  /**
   * Whole lines of a task's log from a byte cursor on, at most 64 KiB; `next` is the cursor to go on with.
   *
   * @throws SVC-TSK-001
   */
  log(id: string, after?: number): Promise<{ readonly chunk: string; readonly next: number }>;
  /** The whole log. @throws SVC-TSK-001 */
  rawLog(id: string): Readable;
  /** The task under way. */
  readonly running: Task | undefined;
  /** How many wait, of one type or of all. */
  pending(type?: TaskType): number;
  counts(): Readonly<Record<TaskStatus, number>>;
  /**
   * Does something while no task runs, and starts none meanwhile.
   *
   * @throws SVC-TSK-003 naming the task that runs
   */
  whileIdle<T>(work: () => Promise<T>): Promise<T>;
  /** Resolves when nothing runs, and nothing waits that will be started. */
  idle(): Promise<void>;
  /** The task once it has ended. @throws SVC-TSK-001 */
  settled(id: string): Promise<Task>;
  /** Calls back at each change of a task but its byte counts; `task` is made when asked for. The answer ends it. */
  onChange(listener: (task: () => Task) => void): () => void;
  /**
   * Takes and starts nothing more, gives the running task most of the time to end, then aborts it: it is pending again
   * for the next start.
   *
   * @param grace milliseconds; resolves within it, or a second, even when the work ignores its signal
   */
  drain(grace: number): Promise<void>;
}
