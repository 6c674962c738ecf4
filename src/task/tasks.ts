import type { Readable } from 'node:stream';
import type { Waits } from '../base/link/waits.ts';
import type { PageOf } from '../base/page.ts';
import type { Report } from '../base/report.ts';
import type { Rank } from '../base/shares/shares.ts';
import type { TaskStatus, TaskType } from '../contract/common.ts';
import type { QueryOf } from '../contract/operation.ts';
import type { listTasks } from '../contract/operations/tasks.ts';
import type { Task, TaskWait } from '../contract/task.ts';
import type { TaskJournal } from './model.ts';
import type { TaskRequest } from './request.ts';
import type { TaskHead, TaskStorage } from './storage.ts';

/**
 * Does the work of one task. An error it throws fails the task, and so does an item it settles as failed.
 * After its signal is aborted it throws, or returns with open items: then the task is run again at the next
 * start.
 */
export type TaskRunner = (
  task: Task,
  request: TaskRequest,
  journal: TaskJournal,
  signal: AbortSignal,
) => Promise<void>;

export interface TasksOptions {
  /** Folder of the tasks; without it they are kept in memory and never resumed. */
  readonly stateRoot?: string | undefined;
  /** Storage to use instead of `stateRoot`. */
  readonly storage?: TaskStorage | undefined;
  /** Number of finished tasks to keep, newest first; 0 keeps all. */
  readonly keepFinished: number;
  readonly report: Report;
  readonly run: TaskRunner;
  /** Finds the reason of a failure of a task or an item, such as a disk that is gone. Default: the error itself. */
  readonly explain?: ((error: unknown) => Promise<unknown>) | undefined;
  /** Returns why tasks of a type do not start now: tasks of other types overtake them. Default: nothing holds them. */
  readonly holds?: ((type: TaskType) => TaskWait | undefined) | undefined;
  /** The waits of the work for its peers, whose lines go to the log of the running task. */
  readonly waits?: Pick<Waits, 'isWaiting' | 'attempt' | 'onWait' | 'onLine'> | undefined;
  /** Whether the account or token of an actor was removed: its waiting tasks are cancelled before the next one starts. */
  readonly isGone?: ((actor: string) => boolean) | undefined;
  /** Milliseconds of a monotonic clock, for the rate of a running task. */
  readonly now?: (() => number) | undefined;
  /**
   * Called after a task has ended and its record was written. An error it throws is logged and has no other
   * effect.
   */
  readonly onSettled?: ((task: Task) => void | Promise<void>) | undefined;
}

export interface TaskQuery extends Omit<QueryOf<typeof listTasks.query>, 'view'> {
  /**
   * Returns the reference as it is shown to the client, which `q` is compared with. Default: the stored
   * reference.
   */
  readonly toReference?: ((task: Pick<Task, 'type' | 'reference'>) => string) | undefined;
}

export interface TaskPage extends PageOf {
  /** Newest first. */
  readonly tasks: readonly Task[];
}

/** Present activity of the queue. */
export interface TaskActivity {
  /** The running task; sizes in bytes. */
  readonly running?: {
    readonly type: TaskType;
    readonly bytesDone: number;
    readonly bytesTotal: number;
    /** Whether it waits for a window of transfers. */
    readonly isPaused: boolean;
  };
  /** Creation of the task that waits the longest (RFC 3339 UTC); absent when none waits. */
  readonly waitingSince?: string;
}

/** The task queue: runs one task at a time, in order of submission, across restarts. */
export interface Tasks extends AsyncDisposable {
  /** Starts running queued tasks. Before this call, tasks are only accepted and stored. */
  start(): void;
  /**
   * Stores a task durably and queues it.
   *
   * @param rank of its actor. Default: that of the instance itself
   * @throws SVC-TSK-002 when the queue, or the share of its actor, is full, SVC-SRV-006 when draining; nothing is stored then
   */
  submit(request: TaskRequest, rank?: Rank): Promise<Task>;
  /**
   * Ends a task that waits, or makes the running one end as soon as its work can stop; the answer does not wait for
   * that. Content stored so far stays, and the next task does not move it again. The cancellation survives a restart.
   *
   * @returns the task with `cancelledBy`; it fails with SVC-TSK-004, unless its work ends before it can be stopped
   * @throws SVC-TSK-001, SVC-TSK-005 when the task has ended, SVC-TSK-007 when a command runs it
   */
  cancel(id: string, actor: string): Promise<Task>;
  /** Cancels, as `cancel` does, the waiting tasks of actors that are gone. @returns them */
  cancelWaitingOf(isGone: (actor: string) => boolean, by: string): Promise<readonly Task[]>;
  /** @throws SVC-TSK-001 */
  get(id: string): Promise<Task>;
  list(query?: TaskQuery): Promise<TaskPage>;
  /** Like {@link list}, from memory, without the members that grow with the work. */
  listHeads(query?: TaskQuery): PageOf & { readonly tasks: readonly TaskHead[] };
  /** The names of the recipes, repositories and ingredients that a task handled, by which lists find it. @throws SVC-TSK-001 */
  names(id: string): readonly string[];
  /**
   * Reads complete lines of a task's log from a byte position, at most 64 KiB; `next` is the position for the
   * next call.
   *
   * @throws SVC-TSK-001
   */
  log(id: string, after?: number): Promise<{ readonly chunk: string; readonly next: number }>;
  /** Opens the complete log. @throws SVC-TSK-001 */
  rawLog(id: string): Readable;
  readonly running: Task | undefined;
  /** Number of queued tasks, of one type or of all. */
  pending(type?: TaskType): number;
  /** The place of a waiting task among those that nothing holds, from 1 on; undefined for every other task. */
  placeOf(id: string): number | undefined;
  counts(): Readonly<Record<TaskStatus, number>>;
  /**
   * Another number whenever a task has come, gone, begun, changed or ended. The bytes and the pace of a running task change
   * without it.
   */
  readonly revision: number;
  /** The running task, and since when a task waits, without building a document. */
  activity(): TaskActivity;
  /**
   * Runs `work` while no task runs; no task is started until it ends.
   *
   * @throws SVC-TSK-003 naming the running task
   */
  whileIdle<T>(work: () => Promise<T>): Promise<T>;
  /** @throws SVC-TSK-003 while a task or the work of `whileIdle` runs */
  requireIdle(): void;
  /**
   * Asks `holds` again, and starts tasks that it no longer holds.
   *
   * @param running why the running task does not go on, if so; logged when it begins and ends
   */
  review(running?: TaskWait): void;
  /** Resolves when no task runs and no queued task will be started. */
  idle(): Promise<void>;
  /** Waits until a task has ended. @throws SVC-TSK-001 */
  settled(id: string): Promise<Task>;
  /**
   * Calls `listener` after each change of a task except changes of its byte counts. `task` builds the
   * document when it is called.
   *
   * @returns a function that removes the listener
   */
  onChange(listener: (task: () => Task) => void): () => void;
  /**
   * Stops accepting and starting tasks. The running task gets most of the grace period to end; then it is
   * aborted, and pending again for the next start. One that waits for a window, or for a peer that asked it to come back
   * later, is aborted at once.
   *
   * @param grace milliseconds; resolves within this time, or within a second if it is shorter, even when the
   *   work ignores its signal
   */
  drain(grace: number): Promise<void>;
}
