import { setTimeout as pause } from 'node:timers/promises';
import type { Task, TaskWait } from '../../src/contract/task.ts';
import { isOfProgram } from '../../src/engine/medium/report.ts';
import { isOver } from '../../src/task/model.ts';
import {
  exitCodes,
  fromErrorRecord,
  isSvcError,
  type SvcError,
  selectPrincipal,
  svcError,
  toExitCode,
} from '../../src/text/error.ts';
import { fr, type Language, say } from '../../src/text/language.ts';
import { sayConcealed } from '../../src/text/secrets/concealed.ts';
import { words } from '../../src/text/words/words.ts';
import { toWaitSentence } from '../../src/view/link-words.ts';
import type { Progress } from '../cli/progress.ts';

/** How long an instance may be unreachable before the wait ends, in milliseconds. */
export const defaultPatience = 60_000;

interface WaitOptions {
  readonly task: Task;
  readonly getTask: (id: string) => Promise<Task>;
  readonly progress: Progress;
  readonly language: Language;
  readonly signal: AbortSignal;
  /** Maximum time to wait in milliseconds. Absent: no limit. */
  readonly timeout?: number | undefined;
  /** Called once when the instance no longer answers, and once when it answers again. */
  readonly onReach?: (reached: boolean, error?: SvcError) => void;
  /** Called when the task begins to wait for a window of transfers, and when the end of that wait moves. */
  readonly onWait?: (waiting: TaskWait) => void;
  /**
   * Milliseconds for which the instance may be unreachable, for example during a restart. Default: 60 000.
   */
  readonly patience?: number;
}

export interface WaitOutcome {
  /** The last received state. */
  readonly task: Task;
  readonly gaveUp: boolean;
}

/**
 * Polls a task until it has ended or the time is over. The task continues in both cases.
 *
 * @throws the error that the instance answers; SVC-SRV-003 with the task when it is unreachable for longer than `patience`
 */
export async function waitForTask(options: WaitOptions): Promise<WaitOutcome> {
  const {
    getTask,
    progress,
    language,
    signal,
    timeout,
    onReach,
    onWait,
    patience = defaultPatience,
  } = options;
  let { task } = options;
  const start = performance.now();
  let delay = 100;
  let lostAt: number | undefined;
  let told: TaskWait | undefined;
  const tellWait = ({ waiting }: Task): void => {
    if (waiting !== undefined && (told === undefined || waiting.until !== told.until)) onWait?.(waiting);
    told = waiting;
  };
  tellWait(task);
  while (!isOver(task)) {
    const left = timeout === undefined ? Number.POSITIVE_INFINITY : start + timeout - performance.now();
    if (left <= 0) return { task, gaveUp: true };
    await pause(Math.min(delay, left), undefined, { signal });
    delay = Math.min(delay * 1.5, 1000);
    try {
      task = await getTask(task.id);
      if (lostAt !== undefined) onReach?.(true);
      lostAt = undefined;
    } catch (error) {
      signal.throwIfAborted();
      const isTransient = isSvcError(error, 'SVC-SRV-003') || isSvcError(error, 'SVC-SRV-006');
      if (!isTransient) throw error;
      if (lostAt === undefined) onReach?.(false, error);
      lostAt ??= performance.now();
      if (performance.now() - lostAt > patience) throw withTask(error, task);
      // the progress that was received last is not repeated
      continue;
    }
    tellWait(task);
    const { bytesDone, bytesTotal } = task.progress;
    progress.update({ label: toLabel(task, language), bytesDone, bytesTotal, items: toItems(task) });
  }
  return { task, gaveUp: false };
}

/** The error with the task whose outcome it leaves unknown. */
function withTask(error: SvcError, { id }: Task): SvcError {
  if (error.code !== 'SVC-SRV-003') return error;
  return svcError('SVC-SRV-003', { ...error.params, task: id } as { instance: string; task: string });
}

function toLabel(task: Task, language: Language): string {
  if (task.waiting !== undefined) return toWaitSentence(words[language], task.waiting);
  if (task.status === 'pending') return say(['waiting in the queue', fr`en attente dans la file`], language);
  const running = task.items.filter(({ status }) => status === 'running').map(({ name }) => name);
  if (running.length === 0)
    return task.items.length === 0
      ? say(['resolving', fr`résolution`], language)
      : sayConcealed(task.reference, language);
  return running.length === 1 ? running[0]! : `${running[0]} (+${running.length - 1})`;
}

function toItems({ counts }: Task): string | undefined {
  return counts.total === 0 ? undefined : `${counts.done + counts.failed + counts.skipped}/${counts.total}`;
}

/** Exit code for the outcome of a task. An import from a disk with another program than the listed one is no success. */
export function toTaskExitCode(task: Task): number {
  const { verification } = task;
  if (task.status === 'done')
    return verification?.findings.some(isOfProgram) ? exitCodes.verification : exitCodes.ok;
  const principal = selectTaskError(task);
  return principal === undefined ? exitCodes.failure : toExitCode(principal);
}

/** Selects the principal error of a failed task: its own, or that of an item. */
export function selectTaskError(task: Task): SvcError | undefined {
  if (task.status === 'done') return undefined;
  const records = [task.error, ...task.items.map(({ error }) => error)].filter(
    (record) => record !== undefined,
  );
  const named = records.filter(({ code }) => code === task.principalCode);
  const principal = selectPrincipal(named.length > 0 ? named : records);
  return principal === undefined ? undefined : fromErrorRecord(principal);
}
