import type { TaskType } from '../../../../src/contract/common.ts';
import type { Task } from '../../../../src/contract/task.ts';
import { isOver } from '../../../../src/task/model.ts';
import type { TaskHead } from '../../../../src/task/storage.ts';
import { tasks } from '../../../../src/text/words/tasks.ts';
import type { Sentence, Words } from '../../../../src/text/words/words.ts';
import type { PageCall } from '../../ui-route.ts';
import { runningOutcome } from './outcome.ts';
import { paceOf, shareOf } from './task-words.ts';

const steps = { verify: 1, compare: 2, send: 3, receipt: 4 } as const;
type ImportStep = keyof typeof steps;

const stepWords: Readonly<Record<ImportStep, Sentence>> = {
  verify: tasks.stepVerify,
  compare: tasks.stepCompare,
  send: tasks.stepSend,
  receipt: tasks.stepReceipt,
};

/** A running task of which lists may know the members that grow with its work. */
type Running = TaskHead & Partial<Pick<Task, 'items' | 'resolutions' | 'verification'>>;

/** Types of tasks whose items every reader may see. */
const open: ReadonlySet<TaskType> = new Set(['sync', 'import', 'media-import']);

/** A task of a list, with its items while it runs: lists have none. */
export function withItems({ tasks: { running } }: Pick<PageCall, 'tasks'>, head: TaskHead): Running {
  if (running?.id !== head.id || !open.has(head.type)) return head;
  const { items, resolutions, verification } = running;
  return { ...head, items, resolutions, verification };
}

/** The outcome so far of a running task of a list; undefined where its items are not known. */
export const outcomeSoFar = (words: Words, task: Running): string | undefined =>
  task.items === undefined ? undefined : runningOutcome(words, { ...task, items: task.items });

/** The present step of the import of a medium; undefined for every other task. */
export function importStep({ type, status, verification, items, progress }: Running): ImportStep | undefined {
  if (type !== 'media-import' || status !== 'running' || items === undefined) return undefined;
  if (verification === undefined) return 'verify';
  const isSettled = items.every((item) => item.status === 'skipped' || isOver({ status: item.status }));
  if (items.length > 0 && isSettled) return 'receipt';
  return progress.bytesDone > 0 ? 'send' : 'compare';
}

/** The present step of an import with its place among all. */
export const sayStep = ({ say }: Words, step: ImportStep): string =>
  say(tasks.step, { number: steps[step], step: say(stepWords[step]) });

/** Whether bytes say how far a running task is: an import has steps without any. */
export function countsBytes(task: Running): boolean {
  const step = importStep(task);
  return step === undefined || step === 'send';
}

/** The share of a running task in per cent; empty where its outcome says the same of its one item under way. */
export function shareBeside({ format }: Words, task: Running, outcome: string): string {
  const percent = format.percent(shareOf(task));
  return outcome.endsWith(percent) ? '' : percent;
}

/** How a running task goes on: its pace, and the present step of an import. */
export function goingOn(words: Words, task: Running): readonly string[] {
  const step = importStep(task);
  if (step === undefined || task.waiting !== undefined) return paceOf(words, task);
  const isIdle = step === 'receipt' && task.progress.bytesDone === 0;
  return [
    sayStep(words, step),
    ...(step === 'send' ? paceOf(words, task) : isIdle ? [words.say(tasks.nothingToSend)] : []),
  ];
}
