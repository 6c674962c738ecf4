import { systemClock } from '../../../../src/base/clock.ts';
import { hasStalled, type Pace } from '../../../../src/base/rate.ts';
import type { TaskStatus, TaskType } from '../../../../src/contract/common.ts';
import type { Task } from '../../../../src/contract/task.ts';
import { durationOf } from '../../../../src/task/model.ts';
import type { TaskHead } from '../../../../src/task/storage.ts';
import { tasks } from '../../../../src/text/words/tasks.ts';
import type { Sentence, Words } from '../../../../src/text/words/words.ts';
import { toWaitSentence } from '../../../../src/view/link-words.ts';
import { isRefused } from '../../../../src/view/runs.ts';
import { isInPart, isPartial, partlyOf } from '../../../../src/view/task-state.ts';
import { type Html, html } from '../../html.ts';
import { type BadgeKind, badge } from '../../parts/badge.ts';
import { bar, hatchPattern, toTimeLeft } from '../../parts/bar.ts';
import { toPath } from '../../to-href.ts';

import type { PageCall } from '../../ui-route.ts';
import { underWay } from './item-state.ts';

export const typeWords: Readonly<Record<TaskType, Sentence>> = {
  sync: tasks.sync,
  import: tasks.import,
  'media-import': tasks.mediaImport,
  'media-write': tasks.mediaWrite,
  'layout-export': tasks.layoutExport,
  'layout-import': tasks.layoutImport,
  'fileset-pack': tasks.filesetPack,
};

export const statusWords: Readonly<Record<TaskStatus, Sentence>> = {
  pending: tasks.pending,
  running: tasks.running,
  done: tasks.done,
  failed: tasks.failed,
  cancelled: tasks.cancelled,
};

const kinds: Readonly<Record<TaskStatus, BadgeKind>> = {
  pending: 'plain',
  running: 'running',
  done: 'ok',
  failed: 'bad',
  cancelled: 'stopped',
};

type State = Pick<Task, 'status' | 'waiting' | 'progress' | 'counts'>;

/** Whether a running task has moved nothing for a time. One that waits for a window, or has all its bytes, is not stalled. */
export const isStalled = ({ status, waiting, progress }: Omit<State, 'counts'>): boolean =>
  status === 'running' &&
  waiting === undefined &&
  progress.bytesDone < progress.bytesTotal &&
  hasStalled(progress);

/** The state of a task in a word. */
export function taskState({ say }: Words, task: State): string {
  if (isStalled(task)) return say(tasks.stalledState);
  return say(partlyOf(task) ?? (task.waiting === undefined ? statusWords[task.status] : tasks.paused));
}

/** The look of the state of a task. */
export const taskKind = (task: State): BadgeKind =>
  task.waiting !== undefined || isStalled(task) || isPartial(task)
    ? 'warn'
    : isInPart(task)
      ? 'plain'
      : kinds[task.status];

const fromDisk: ReadonlySet<TaskType> = new Set([
  'media-import',
  'media-write',
  'layout-export',
  'layout-import',
  'fileset-pack',
]);

/** The places to look at where a task has stalled; undefined where it has not. */
export function stallRemedy(words: Words, task: State & Pick<Task, 'type'>): string | undefined {
  if (!isStalled(task)) return undefined;
  const duration = stalledFor(words, task.progress);
  return words.say(fromDisk.has(task.type) ? tasks.stalledDisk : tasks.stalledSource, { duration });
}

/** The state of a task. */
export function taskBadge(words: Words, task: State): Html {
  return badge(taskKind(task), taskState(words, task));
}

/** Share of the bytes of a task that has arrived, from 0 to 1; of its items where no bytes are known. */
export function shareOf({ status, progress, counts }: Pick<Task, 'status' | 'progress' | 'counts'>): number {
  if (status === 'done') return 1;
  const { bytesDone, bytesTotal } = progress;
  if (bytesTotal > 0) return Math.min(1, bytesDone / bytesTotal);
  return counts.total > 0 ? (counts.done + counts.failed + counts.skipped) / counts.total : 0;
}

/**
 * Share of the bytes of a task that does not come because its item has failed, from 0 to 1; of its items where no bytes
 * are known.
 */
export function failedShareOf({
  progress,
  counts,
  items,
}: Pick<Task, 'progress' | 'counts' | 'items'>): number {
  const failed = items.filter(isRefused);
  if (progress.bytesTotal === 0) return counts.total > 0 ? failed.length / counts.total : 0;
  const missing = failed.reduce(
    (sum, { sizeBytes = 0, transferredBytes }) => sum + Math.max(0, sizeBytes - transferredBytes),
    0,
  );
  return Math.min(missing, progress.bytesTotal - progress.bytesDone) / progress.bytesTotal;
}

/** The bar of a task: hatched while it is stalled. */
export function taskBar({ say }: Words, task: State & Partial<Pick<Task, 'items'>>): Html {
  const failed = task.items === undefined ? 0 : failedShareOf({ ...task, items: task.items });
  const share = shareOf(task);
  const arrived = task.progress.bytesTotal > 0 ? share : share - failed;
  const stalled = isStalled(task);
  return html`${stalled || failed > 0 ? hatchPattern() : ''}${bar({
    parts: [
      { kind: stalled ? 'stalled' : 'done', share: arrived },
      ...(failed > 0 ? [{ kind: 'refused', share: failed } as const] : []),
    ],
    name: say(tasks.progress),
  })}`;
}

/** Seconds without a byte after which the page says so. */
const toldAfter = 10;

/** For how long nothing has moved: ten seconds at a time, later whole minutes, so that it is not told each second. */
export function stalledFor({ format }: Words, { stalledSeconds = 0 }: Pick<Pace, 'stalledSeconds'>): string {
  const step = stalledSeconds < 120 ? toldAfter : 60;
  return format.duration(Math.floor(stalledSeconds / step) * step * 1000);
}

/** The rate on average, where one is known. */
export const averageOf = ({ say }: Words, { averageBytesPerSecond: rate = 0 }: Pace): readonly string[] =>
  rate === 0 ? [] : [say(tasks.average, { rate })];

/** Milliseconds and share of the bytes from which on a measured rate says how long the rest takes. */
const measuredAfter = 300_000;
const measuredShare = 0.01;

/** The time left, as soon as enough has come to tell it. */
function leftOf(
  { say }: Words,
  { progress, startedAt }: Pick<Task, 'progress' | 'startedAt'>,
  now: number,
): readonly string[] {
  const { bytesDone, bytesTotal, secondsLeft } = progress;
  if (secondsLeft === undefined) return [say(tasks.leftUnknown)];
  const isEarly = startedAt !== undefined && now - Date.parse(startedAt) < measuredAfter;
  return isEarly && bytesDone < bytesTotal * measuredShare
    ? [say(tasks.leftUnmeasured)]
    : [say(tasks.left, { left: toTimeLeft(secondsLeft) })];
}

/** Why a task does not go on, and until when, with the time left after that by the rate before; empty for every other task. */
export function waitOf(words: Words, { waiting, progress }: Pick<Task, 'waiting' | 'progress'>): string {
  if (waiting === undefined) return '';
  const { secondsLeft } = progress;
  const left =
    secondsLeft === undefined ? [] : [words.say(tasks.leftThen, { left: toTimeLeft(secondsLeft) })];
  return [toWaitSentence(words, waiting), ...left].join(' · ');
}

/** The host that a running task waits for, and its next attempt. */
const retryOf = ({ say }: Words, { retry }: Task['progress']): readonly string[] =>
  retry === undefined ? [] : [say(tasks.retries, retry)];

/**
 * The pace of a running task: its rate and the time left, the same on average where bytes come with pauses; beside them a pause,
 * the host that is waited for, or the reason why no time is known.
 */
export function paceOf(
  words: Words,
  task: Pick<Task, 'progress' | 'waiting' | 'startedAt'>,
  now = systemClock.wall(),
): readonly string[] {
  const { say } = words;
  const { progress, waiting } = task;
  const { bytesDone, bytesTotal, bytesPerSecond = 0, stalledSeconds = 0, pauseSeconds = 0 } = progress;
  if (waiting !== undefined) return [waitOf(words, task)];
  const retry = retryOf(words, progress);
  const left = leftOf(words, task, now);
  const average = averageOf(words, progress);
  if (bytesPerSecond > 0 && average.length === 0)
    return [say(tasks.rate, { rate: bytesPerSecond }), ...retry, ...left];
  if (bytesDone >= bytesTotal && bytesTotal > 0) return [say(tasks.allHere)];
  if (bytesDone === 0) return retry.length > 0 ? retry : [say(tasks.starting)];
  if (stalledSeconds >= toldAfter) {
    const duration = stalledFor(words, progress);
    const pause = pauseSeconds > 0 ? pauseSeconds * 1000 : undefined;
    return [...average, say(tasks.still, { duration, pause }), ...retry, ...left];
  }
  return average.length > 0 ? [...average, ...retry, ...left] : [say(tasks.unmeasured), ...retry];
}

/** A medium of which some recipes were imported: its task has failed, and counts them. Undefined for every other task. */
export function partlyImported(
  { say }: Words,
  { type, status, verification, resolutions = [] }: Task,
): string | undefined {
  if (
    type !== 'media-import' ||
    (status !== 'failed' && status !== 'cancelled') ||
    verification === undefined
  )
    return undefined;
  const isIn = ({ ingredient, destinationStatus }: (typeof resolutions)[number]): boolean =>
    ingredient === undefined && (destinationStatus === 'pushed' || destinationStatus === 'up-to-date');
  const count = resolutions.filter(isIn).length;
  const total = verification.recipes.length;
  return count === 0 || count >= total ? undefined : say(tasks.partly, { count, total });
}

/** Most running items that are named. */
const mostNow = 2;

/** The items that are under way, without the recipes whose ingredients are. */
export function nowOf({ say, format }: Words, { items }: Pick<Task, 'items'>): string {
  const leaves = underWay({ items }).map(({ name }) => name);
  const shown = leaves.slice(0, mostNow);
  if (shown.length === 0) return '';
  return say(tasks.now, { items: format.list(shown), more: leaves.length - shown.length || undefined });
}

/** The tasks whose bytes are those that were not here. */
const bringing: ReadonlySet<TaskType> = new Set(['sync', 'import', 'media-import']);

/** How much of a task came, in the few words that a row of a list has room for. */
export function outcomeText(
  { say }: Words,
  {
    status,
    type,
    progress,
    counts: { done, total },
  }: Pick<TaskHead, 'status' | 'counts' | 'type' | 'progress'>,
): string {
  if (total === 0) return '';
  if (status === 'done' && done === total && progress.bytesDone === 0 && bringing.has(type))
    return say(tasks.allAlreadyHere, { outcome: say(tasks.someItems, { done, total }) });
  if (status === 'running' || status === 'pending' || done === total)
    return say(tasks.someItems, { done, total });
  return done === 0 ? say(tasks.noneOfItems, { total }) : say(tasks.partOfItems, { done, total });
}

/** How long an ended task took. */
export function tookOf({ format }: Words, task: Pick<Task, 'startedAt' | 'finishedAt'>): string | undefined {
  const took = durationOf(task);
  return took === undefined ? undefined : format.duration(took);
}

/** The place of a waiting task in the queue; undefined for every other one. */
export function placeInQueue(
  { tasks: queue, words: { say } }: Pick<PageCall, 'tasks' | 'words'>,
  { id, status }: Pick<Task, 'id' | 'status'>,
): string | undefined {
  const place = status === 'pending' ? queue.placeOf(id) : undefined;
  if (place === undefined) return undefined;
  return place === 1 ? say(tasks.firstInQueue) : say(tasks.inQueue, { place });
}

/** For which task a waiting one waits, with its state, and its place in the queue; undefined for every other task. */
export function waitsBehind(call: Pick<PageCall, 'tasks' | 'words'>, task: Task): Html | undefined {
  const { words } = call;
  const { say } = words;
  const place = placeInQueue(call, task);
  if (place === undefined) return undefined;
  const { running } = call.tasks;
  if (running === undefined) return html`${say(tasks.waitsForTurn)}, ${place}`;
  return html`${say(tasks.waitsBehind)} <a href="${toPath('/tasks/{id}', { id: running.id })}">${say(typeWords[running.type])} <span class="code">${running.id}</span></a> (${taskState(words, running)}), ${place}`;
}
