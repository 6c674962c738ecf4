import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { systemClock } from '../base/clock.ts';
import { actors, type Report } from '../base/report.ts';
import type { Holder, Rank } from '../base/shares/shares.ts';
import type { TaskStatus, TaskType } from '../contract/common.ts';
import type { Task, TaskWait } from '../contract/task.ts';
import { type ErrorRecord, isSvcError, svcError, toErrorRecord, toSvcError } from '../text/error.ts';
import { type CommandRecords, openCommandRecords } from './command-records.ts';
import { LiveTask } from './live-task.ts';
import { isOver } from './model.ts';
import { newTask } from './new-task.ts';
import { parseRequest, type TaskRequest } from './request.ts';
import {
  type ListedTask,
  type StoredTask,
  type TaskRecord,
  type TaskStorage,
  toHead,
  toListed,
} from './storage.ts';
import { openTaskFiles } from './task-files.ts';
import { openTaskMemory } from './task-memory.ts';
import { namesOf, type TaskEntry, TaskTable } from './task-table.ts';
import type { TaskActivity, TaskPage, TaskQuery, Tasks, TasksOptions } from './tasks.ts';
import { WaitingTasks } from './waiting-tasks.ts';

export type { TaskPage, TaskQuery, TaskRunner, Tasks, TasksOptions } from './tasks.ts';

const chunkBytes = 64 << 10;

/**
 * Opens the tasks of a state root. A task that was running when the last process stopped is pending again.
 */
export async function openTasks(options: TasksOptions): Promise<Tasks> {
  const { stateRoot, report } = options;
  const records =
    options.storage === undefined && stateRoot !== undefined
      ? await openRecords(stateRoot, report)
      : undefined;
  const storage = options.storage ?? records?.storage ?? openTaskMemory();
  const queue = new Queue(storage, options);
  for (const stored of await storage.load()) queue.adopt(stored);
  const adoptRecords = async (): Promise<void> => {
    for (const listed of (await records?.list()) ?? []) queue.adoptElsewhere(listed);
  };
  await adoptRecords();
  await queue.endCancelled();
  await queue.purge();
  // one reading at a time, in which the next change may be seen already
  let reading = Promise.resolve();
  records?.watch(() => {
    reading = reading
      .then(adoptRecords)
      .then(() => queue.purge())
      .catch((error: unknown) => {
        report.log('warn', 'The tasks of commands cannot be read', { error: toSvcError(error) });
      });
  });
  return queue;
}

/** The tasks of the instance with those that commands have left. */
async function openRecords(stateRoot: string, report: Report): Promise<CommandRecords> {
  const files = await openTaskFiles(join(stateRoot, 'tasks'), report);
  return openCommandRecords(files, { stateRoot, report });
}

class Queue implements Tasks {
  readonly #storage: TaskStorage;
  readonly #options: TasksOptions;
  readonly #table = new TaskTable();
  readonly #waiting = new WaitingTasks();
  readonly #listeners = new Set<(task: () => Task) => void>();
  readonly #idle = new Set<() => void>();
  readonly #settling = new Map<string, Set<() => void>>();
  #sequence = 0;
  #revision = 0;
  /** Number of `whileIdle` calls under way; no task starts while there are any. */
  #holders = 0;
  #started = false;
  #draining = false;
  #current:
    | { readonly entry: TaskEntry; readonly abort: AbortController; readonly over: Promise<void> }
    | undefined;

  constructor(storage: TaskStorage, options: TasksOptions) {
    this.#storage = storage;
    this.#options = options;
  }

  adopt({ sequence, head, names, unfinished }: StoredTask): void {
    const entry: TaskEntry = { sequence, head, names, live: unfinished && this.#toLiveTask(unfinished) };
    this.#table.add(entry);
    this.#revision += 1;
    if (entry.live) this.#waiting.adopt(entry);
    this.#sequence = Math.max(this.#sequence, sequence);
  }

  /** Adds a task that a command runs or has run, between the others by its time, or updates its state. */
  adoptElsewhere({ head, names }: ListedTask): void {
    const known = this.#table.find(head.id);
    // the document of the queue itself is never taken from another folder
    if (known?.live !== undefined) return;
    this.#revision += 1;
    if (known !== undefined) {
      known.head = head;
      known.names = names;
      return;
    }
    this.#table.add({ sequence: this.#table.placeAfter(head.createdAt), head, names, live: undefined });
  }

  /** Ends the tasks that were cancelled before the last process stopped. */
  async endCancelled(): Promise<void> {
    for (const entry of [...this.#waiting.all]) {
      const by = entry.live?.task.cancelledBy;
      if (by !== undefined) await this.#endWaiting(entry, by);
    }
  }

  start(): void {
    this.#started = true;
    this.#pump();
  }

  async submit(request: TaskRequest, rank: Rank = 'admin'): Promise<Task> {
    if (this.#draining) throw svcError('SVC-SRV-006', { reason: 'stopping' });
    const holder: Holder = { name: request.actor, rank };
    this.#waiting.reserve(holder);
    this.#sequence += 1;
    const record = {
      sequence: this.#sequence,
      request,
      task: newTask(request, (id) => this.#table.find(id) !== undefined),
    };
    try {
      await this.#storage.create(record);
    } catch (error) {
      this.#waiting.release(holder);
      throw error;
    }
    const live = this.#toLiveTask(record);
    const entry: TaskEntry = { sequence: record.sequence, ...toListed(record.task), live };
    this.#table.add(entry);
    this.#waiting.add(entry);
    this.#emit(() => live.task);
    this.#pump();
    const { waiting } = live.task;
    return waiting === undefined ? record.task : { ...record.task, waiting };
  }

  async cancel(id: string, actor: string): Promise<Task> {
    const entry = this.#table.require(id);
    const { live, head } = entry;
    if (live === undefined && !isOver(head))
      throw svcError('SVC-TSK-007', { task: id, command: head.command ?? 'svc' });
    if (live === undefined || live.isEnding) throw svcError('SVC-TSK-005', { task: id });
    const by = live.cancel(actor);
    if (this.#current?.entry === entry) {
      live.interrupt();
      this.#current.abort.abort(svcError('SVC-TSK-004', { actor: by }));
      await live.logged();
      return this.get(id);
    }
    await this.#endWaiting(entry, by);
    return this.get(id);
  }

  async cancelWaitingOf(isGone: (actor: string) => boolean, by: string): Promise<readonly Task[]> {
    const found = this.#waiting.all.filter(({ head, live }) => live && !live.isEnding && isGone(head.actor));
    return Promise.all(found.map(({ head }) => this.cancel(head.id, by)));
  }

  async get(id: string): Promise<Task> {
    const entry = this.#table.require(id);
    return entry.live?.task ?? entry.unwritten ?? this.#storage.read(id);
  }

  listHeads(query: TaskQuery = {}): ReturnType<Tasks['listHeads']> {
    const { selected, pageOf } = this.#table.select(query);
    return {
      tasks: selected.map((head) => ('items' in head ? toHead(head as Task) : head)),
      ...pageOf,
    };
  }

  names(id: string): readonly string[] {
    return namesOf(this.#table.require(id));
  }

  async list(query: TaskQuery = {}): Promise<TaskPage> {
    const { selected, pageOf } = this.#table.select(query);
    const tasks = await Promise.all(
      selected.map(async (head): Promise<Task> => {
        try {
          return await this.get(head.id);
        } catch (error) {
          // the document was removed or damaged meanwhile: the list contains the head only
          this.#options.report.log('debug', 'A listed task cannot be read', {
            taskId: head.id,
            code: isSvcError(error) ? error.code : 'SVC-SRV-001',
          });
          return { ...head, items: [] };
        }
      }),
    );
    return { tasks, ...pageOf };
  }

  async log(id: string, after = 0): Promise<{ chunk: string; next: number }> {
    this.#table.require(id);
    const { bytes, size } = await this.#storage.readLog(id, after, chunkBytes);
    if (bytes.length === 0) return { chunk: '', next: Math.min(after, size) };
    // lines are shorter than a chunk: bytes after the last end of line are incomplete, or belong to the next
    // chunk
    const whole = bytes.subarray(0, bytes.lastIndexOf(0x0a) + 1);
    return { chunk: whole.toString('utf8'), next: after + whole.length };
  }

  rawLog(id: string): Readable {
    this.#table.require(id);
    return this.#storage.openLog(id);
  }

  get running(): Task | undefined {
    return this.#current?.entry.live?.task;
  }

  pending(type?: TaskType): number {
    const { all } = this.#waiting;
    return type === undefined ? all.length : all.filter(({ head }) => head.type === type).length;
  }

  placeOf(id: string): number | undefined {
    const at = this.#waiting.order.findIndex(({ head }) => head.id === id);
    return at < 0 ? undefined : at + 1;
  }

  counts(): Record<TaskStatus, number> {
    return this.#table.counts();
  }

  get revision(): number {
    return this.#revision;
  }

  activity(): TaskActivity {
    const { head, live } = this.#current?.entry ?? {};
    const waitingSince = this.#waiting.all[0]?.head.createdAt;
    return {
      ...(head && live
        ? { running: { type: head.type, ...live.bytes, isPaused: live.task.waiting !== undefined } }
        : {}),
      ...(waitingSince === undefined ? {} : { waitingSince }),
    };
  }

  review(running?: TaskWait): void {
    const current = this.#current?.entry;
    if (current?.live && !current.live.isEnding) this.#show(current, current.live, running);
    this.#pump();
  }

  /** Shows why a task waits, and says it once in its log. */
  #show({ head }: TaskEntry, live: LiveTask, waiting: TaskWait | undefined): void {
    const was = live.task.waiting;
    if (!live.wait(waiting)) return;
    const { id, runId } = head;
    const report = this.#options.report.child({ taskId: id, runId });
    if (waiting === undefined) {
      live.line('the window is open: the transfers go on');
      report.log('info', 'Task goes on');
      return;
    }
    // a wait whose end has moved is shown, and not reported again
    if (was !== undefined) return;
    const { until } = waiting;
    live.line(`waiting for the next window${until === undefined ? '' : `, which opens at ${until}`}`);
    report.log('info', 'Task waits for the next window', until === undefined ? {} : { until });
  }

  requireIdle(): void {
    const id = this.#current?.entry.head.id;
    if (id !== undefined || this.#holders > 0) throw svcError('SVC-TSK-003', { task: id });
  }

  async whileIdle<T>(work: () => Promise<T>): Promise<T> {
    if (this.#current) throw svcError('SVC-TSK-003', { task: this.#current.entry.head.id });
    this.#holders += 1;
    try {
      return await work();
    } finally {
      this.#holders -= 1;
      this.#pump();
    }
  }

  async idle(): Promise<void> {
    if (!this.#isIdle()) await new Promise<void>((resolve) => this.#idle.add(resolve));
  }

  async settled(id: string): Promise<Task> {
    const entry = this.#table.require(id);
    if (entry.live) {
      const waiters = this.#settling.get(id) ?? new Set();
      this.#settling.set(id, waiters);
      await new Promise<void>((resolve) => waiters.add(resolve));
    }
    return this.get(id);
  }

  onChange(listener: (task: () => Task) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  async drain(grace: number): Promise<void> {
    this.#draining = true;
    this.#releaseIdle();
    const current = this.#current;
    if (!current) return;
    const { live } = current.entry;
    const { waits } = this.#options;
    const stop = (): void => {
      live?.interrupt();
      current.abort.abort(svcError('SVC-SRV-006', { reason: 'stopping' }));
    };
    // the grace period is for work that can end in it
    if (live?.task.waiting !== undefined || waits?.isWaiting) stop();
    const forget = waits?.onWait(stop);
    const toClean = Math.max(1000, Math.min(5000, grace / 4));
    const isOver = await isOverWithin(current.over, Math.max(0, grace - toClean));
    forget?.();
    if (isOver) return;
    stop();
    if (await isOverWithin(current.over, toClean)) return;
    this.#options.report.log(
      'warn',
      'A task did not stop with the instance; it will run again at the next start',
      {
        taskId: current.entry.head.id,
      },
    );
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.drain(0);
    await this.#storage[Symbol.asyncDispose]();
  }

  /** Removes the oldest finished tasks beyond `keepFinished`, with their logs. */
  async purge(): Promise<void> {
    const { keepFinished, report } = this.#options;
    if (keepFinished <= 0) return;
    for (const { head } of this.#table.listFinished().slice(keepFinished)) {
      try {
        await this.#storage.remove(head.id);
        this.#table.delete(head.id);
        this.#revision += 1;
      } catch (error) {
        report.log('warn', 'A finished task could not be removed', {
          taskId: head.id,
          code: isSvcError(error) ? error.code : 'SVC-SRV-001',
        });
      }
    }
  }

  async #explain(error: unknown): Promise<unknown> {
    return this.#options.explain === undefined ? error : this.#options.explain(error);
  }

  #toLiveTask(record: TaskRecord): LiveTask {
    const { id } = record.task;
    return new LiveTask({
      record,
      note: (entry, durable) => this.#storage.note(id, entry, durable),
      log: (text) => this.#storage.appendLog(id, text),
      onChange: (task) => this.#emit(task),
      explain: (error) => this.#explain(error),
      // one task runs at a time: the requests that wait are its own
      retry: () => this.#options.waits?.attempt,
      now: this.#options.now,
    });
  }

  /** Ends a task that has not started, or not again, as cancelled. */
  async #endWaiting(entry: TaskEntry, actor: string): Promise<void> {
    const { live } = entry;
    if (live === undefined || !this.#waiting.remove(entry)) return;
    const { id, runId } = entry.head;
    const report = this.#options.report.child({ taskId: id, runId });
    await this.#settle(entry, live, toErrorRecord(svcError('SVC-TSK-004', { actor })), report);
    this.#releaseIdle();
  }

  #pump(): void {
    const mayStart = this.#started && !this.#draining;
    if (mayStart) this.#cancelGone();
    if (mayStart) this.#showHeld();
    if (this.#current || this.#holders > 0) return;
    const entry = mayStart ? this.#waiting.takeNext() : undefined;
    if (!entry?.live) {
      this.#releaseIdle();
      return;
    }
    const abort = new AbortController();
    const over = this.#runOne(entry, entry.live, abort.signal).finally(() => {
      this.#current = undefined;
      this.#pump();
    });
    this.#current = { entry, abort, over };
  }

  /** Cancels the waiting tasks of accounts that were removed. */
  #cancelGone(): void {
    const { isGone, report } = this.#options;
    if (isGone === undefined) return;
    this.cancelWaitingOf(isGone, actors.system).catch((error: unknown) =>
      report.log('warn', 'A task of a removed account could not be cancelled', {
        code: isSvcError(error) ? error.code : 'SVC-SRV-001',
      }),
    );
  }

  /** Shows on each waiting task the reason of its wait, also behind a paused one. */
  #showHeld(): void {
    for (const entry of this.#waiting.all)
      if (entry.live) this.#show(entry, entry.live, this.#options.holds?.(entry.head.type));
  }

  /** Runs one task. Always resolves, so that the next task can start. */
  async #runOne(entry: TaskEntry, live: LiveTask, signal: AbortSignal): Promise<void> {
    const { id, runId } = entry.head;
    const report = this.#options.report.child({ taskId: id, runId });
    let error: ErrorRecord | undefined;
    const forget = this.#options.waits?.onLine((line) => live.line(line));
    try {
      await live.begin(new Date(systemClock.wall()));
      report.log('info', 'Task started', { type: entry.head.type, resumed: live.task.resumed });
      await this.#options.run(live.task, parseRequest(live.request), live, signal);
      const by = live.task.cancelledBy;
      if (signal.aborted && live.hasOpenItems) {
        if (by === undefined) return this.#park(entry, live, report);
        error = toErrorRecord(svcError('SVC-TSK-004', { actor: by }));
      }
    } catch (thrown) {
      const by = live.task.cancelledBy;
      if (signal.aborted && by === undefined) return this.#park(entry, live, report);
      const reason = by === undefined ? await this.#explain(thrown) : svcError('SVC-TSK-004', { actor: by });
      error = toErrorRecord(reason);
      if (!isSvcError(reason)) {
        report.log('error', 'A task ended with an unexpected error', {
          code: error.code,
          stack: reason instanceof Error ? reason.stack : String(reason),
        });
      }
    } finally {
      forget?.();
    }
    await this.#settle(entry, live, error, report);
  }

  #park(entry: TaskEntry, live: LiveTask, report: Report): void {
    live.park();
    entry.head = toHead(live.task);
    this.#waiting.putBack(entry);
    report.log('info', 'Task interrupted; it resumes at the next start');
  }

  async #settle(
    entry: TaskEntry,
    live: LiveTask,
    error: ErrorRecord | undefined,
    report: Report,
  ): Promise<void> {
    const record = live.toEnded(new Date(systemClock.wall()), error);
    const { task } = record;
    await live.logged();
    try {
      await this.#storage.finish(record);
    } catch (cause) {
      entry.unwritten = task;
      report.log('error', 'The end of a task could not be recorded; it will run again at the next start', {
        code: isSvcError(cause) ? cause.code : 'SVC-SRV-001',
        reason: isSvcError(cause) ? cause.detail : String(cause),
      });
    }
    const { head, names } = toListed(task);
    entry.head = head;
    entry.names = names;
    entry.live = undefined;
    this.#emit(() => task);
    report.log(task.status === 'failed' ? 'error' : 'info', 'Task ended', {
      type: task.type,
      status: task.status,
      ...(task.principalCode ? { code: task.principalCode } : {}),
      ...task.counts,
    });
    try {
      await this.#options.onSettled?.(task);
    } catch (cause) {
      report.log('error', 'A step after the end of a task failed', {
        stack: cause instanceof Error ? cause.stack : String(cause),
      });
    }
    await this.purge();
    for (const release of this.#settling.get(task.id) ?? []) release();
    this.#settling.delete(task.id);
  }

  #emit(task: () => Task): void {
    this.#revision += 1;
    for (const listener of this.#listeners) {
      try {
        listener(task);
      } catch (cause) {
        this.#options.report.log('error', 'A listener of tasks failed', { reason: String(cause) });
      }
    }
  }

  #isIdle(): boolean {
    const starts =
      this.#started &&
      !this.#draining &&
      this.#waiting.all.some(({ live }) => live?.task.waiting === undefined);
    return this.#current === undefined && !starts;
  }

  #releaseIdle(): void {
    if (!this.#isIdle()) return;
    for (const release of this.#idle) release();
    this.#idle.clear();
  }
}

/** Returns whether work ends within some milliseconds. */
async function isOverWithin(over: Promise<void>, milliseconds: number): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<false>((resolve) => {
    timer = setTimeout(() => resolve(false), milliseconds);
  });
  try {
    return await Promise.race([over.then(() => true as const), late]);
  } finally {
    clearTimeout(timer);
  }
}
