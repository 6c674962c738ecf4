import { type Report, silentReport } from '../../base/report.ts';
import type { Config } from '../../config/model.ts';
import type { Task } from '../../contract/task.ts';
import { openCommandFiles } from '../../task/command-files.ts';
import type { TaskJournal } from '../../task/model.ts';
import { openOptionalRecord } from '../../task/optional-record.ts';
import { openTasks } from '../../task/queue.ts';
import type { TaskRequest } from '../../task/request.ts';
import type { TaskStorage } from '../../task/storage.ts';
import type { SvcError } from '../../text/error.ts';

/** Parameters of the work of a task. */
export interface CommandWork {
  readonly task: Task;
  readonly journal: TaskJournal;
  /** Aborted when the task is cancelled. */
  readonly signal: AbortSignal;
}

export interface CommandTask<R> {
  readonly request: TaskRequest & { readonly command: string };
  /** An interruption by the user cancels the task. */
  readonly signal: AbortSignal | undefined;
  readonly work: (work: CommandWork) => Promise<R>;
  /** Finds the reason of a failure. */
  readonly explain?: ((error: unknown) => Promise<unknown>) | undefined;
  /** Called when the end of the task cannot be recorded: nothing else of it is lost. */
  readonly onUnkept?: ((error: SvcError) => void) | undefined;
  /** Called at each change, and five times a second while bytes move. */
  readonly onChange?: ((task: Task) => void) | undefined;
}

/** How a task of a command ended. */
export interface CommandOutcome<R> {
  readonly task: Task;
  /** Of the work, unless it threw. */
  readonly result?: R;
  /** Error of the work. */
  readonly error?: unknown;
}

/**
 * Runs the work of a command as a task of its own, outside the queue of an instance. Its record under
 * `<state>/commands` belongs to the history of an instance with the same state, also while the command runs and after a
 * kill.
 *
 * @throws SVC-STO-002, SVC-STO-004 when the record cannot be created; nothing is done then
 */
export async function runCommandTask<R>(
  { state, tasks }: { readonly state: { readonly root: string } } & Pick<Config, 'tasks'>,
  report: Report,
  task: CommandTask<R>,
): Promise<CommandOutcome<R>> {
  let ended: Task | undefined;
  const onUnkept = (error: SvcError, of: Task): void => {
    ended = of;
    report.log('error', 'The record of a task could not be kept', { error });
    task.onUnkept?.(error);
  };
  const storage = await openCommandFiles(state.root, { keep: tasks.keepFinished, onUnkept });
  const outcome = await run(storage, report, task);
  // its record is that of the beginning
  return ended === undefined ? outcome : { ...outcome, task: ended };
}

/** For a command that does its work also where no record can be kept. */
export interface UnrecordedOptions {
  /** Called once when no record can be kept. */
  readonly onUnrecorded: (error: SvcError) => void;
  /** Makes this process act as the owner of a folder. */
  readonly actAsOwner: (path: string) => Disposable;
}

/**
 * Runs the work of a command as {@link runCommandTask} does, and also without a state folder, or with one that cannot be
 * written.
 *
 * @returns the result of the work, and the identifier of the task when its record is kept
 * @throws the error of the work; the reason of the signal
 */
export async function runRecorded<R>(
  { state, tasks }: Pick<Config, 'state' | 'tasks'>,
  task: CommandTask<R>,
  options: UnrecordedOptions,
): Promise<{ readonly result: R; readonly taskId?: string }> {
  const storage = openOptionalRecord({ stateRoot: state.root, keep: tasks.keepFinished, ...options });
  // the command itself reports the failure
  const outcome = await run(storage, silentReport, task);
  task.signal?.throwIfAborted();
  if (outcome.error !== undefined) throw outcome.error;
  return { result: outcome.result as R, ...(storage.isRecorded ? { taskId: outcome.task.id } : {}) };
}

async function run<R>(
  storage: TaskStorage,
  report: Report,
  task: CommandTask<R>,
): Promise<CommandOutcome<R>> {
  const { request, signal, work, onChange } = task;
  let outcome: Omit<CommandOutcome<R>, 'task'> = {};
  await using tasks = await openTasks({
    keepFinished: 0,
    report,
    storage,
    explain: task.explain,
    run: async (started, _request, journal, stop) => {
      try {
        outcome = { result: await work({ task: started, journal, signal: stop }) };
      } catch (error) {
        outcome = { error };
        throw error;
      }
    },
  });
  tasks.start();
  const forget = onChange && tasks.onChange((changed) => onChange(changed()));
  const { id } = await tasks.submit(request);
  const cancel = (): void => {
    // one that ends at this moment keeps its end
    tasks.cancel(id, request.actor).catch(() => undefined);
  };
  if (signal?.aborted) cancel();
  signal?.addEventListener('abort', cancel, { once: true });
  const ticker = onChange && setInterval(() => tasks.running && onChange(tasks.running), 200);
  try {
    return { task: await tasks.settled(id), ...outcome };
  } finally {
    signal?.removeEventListener('abort', cancel);
    clearInterval(ticker);
    forget?.();
  }
}
