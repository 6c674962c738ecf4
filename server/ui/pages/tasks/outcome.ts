import { isDeepStrictEqual } from 'node:util';
import type { Task, TaskItem } from '../../../../src/contract/task.ts';
import { isOver } from '../../../../src/task/model.ts';
import type { TaskHead } from '../../../../src/task/storage.ts';
import { type ErrorRecord, fromErrorRecord } from '../../../../src/text/error.ts';
import { tasks } from '../../../../src/text/words/tasks.ts';
import type { Words } from '../../../../src/text/words/words.ts';
import { isRecipeItem, isRefusal, isRefused } from '../../../../src/view/runs.ts';
import { wordError } from '../../parts/error.ts';
import { countStates, type ItemState, judgeItems, underWay } from './item-state.ts';
import { partlyImported } from './task-words.ts';

/** Failed items that the head of the page names, and causes that it explains: the others stand at their items. */
const mostNamed = 3;

/** The recipes of a run; one of which an ingredient failed has failed too. Empty where the items are no recipes. */
function recipesOf({ items }: Pick<Task, 'items'>): readonly TaskItem[] {
  const recipes = new Map<string, TaskItem>(
    items.flatMap((item) => (isRecipeItem(item) ? [[item.name, item] as const] : [])),
  );
  for (const item of items) {
    const name = item.name.slice(0, Math.max(0, item.name.lastIndexOf('/')));
    const recipe = recipes.get(name);
    if (recipe !== undefined && item.status === 'failed' && (recipe.status !== 'failed' || isRefused(item)))
      recipes.set(name, { ...item, name });
  }
  return [...recipes.values()];
}

/** Whether a check refused an item: of a medium, one of its content too, as the page of the medium calls it. */
const isBlocked =
  ({ type }: Pick<Task, 'type'>) =>
  ({ error }: Pick<TaskItem, 'error'>): boolean =>
    type === 'media-import' ? isRefusal(error) : (error?.code.startsWith('SVC-SIG-') ?? false);

/** Names of failed items, those that were refused apart from the others. */
function namesOf(
  { format }: Words,
  failed: readonly TaskItem[],
  isNamed: (one: TaskItem) => boolean,
): string | undefined {
  const names = failed.flatMap((one) => (isNamed(one) ? [one.name] : []));
  return names.length === 0 ? undefined : format.list(names);
}

/** The error that explains the end of a task, and the items that have it. */
interface Cause {
  readonly error: ErrorRecord;
  /** Empty where the error is that of the task as a whole. */
  readonly items: readonly string[];
  /** Whether all of them have this very error: that of another one has another subject. */
  readonly isOne: boolean;
}

/** Two errors have one cause where a page explains them by the same sentences. */
export function keyOfCause(words: Words, error: ErrorRecord): string {
  const { cause, action } = wordError(words, fromErrorRecord(error));
  return `${cause} ${action}`;
}

/**
 * The error of a task, else each cause of its failed items with the items that have it: those of the code that represents
 * the task, and of an import each one of a recipe. A code can have several causes, each with a remedy of its own.
 */
export function causesOf(words: Words, { type, error, principalCode, items }: Task): readonly Cause[] {
  if (error !== undefined) return [{ error, items: [], isOne: true }];
  const causes = new Map<string, { error: ErrorRecord; items: string[]; isOne: boolean }>();
  const isMain = ({ error }: Pick<TaskItem, 'error'>): boolean => error?.code === principalCode;
  const isOther = (item: TaskItem): boolean =>
    type === 'media-import' && item.status === 'failed' && isRecipeItem(item) && !isMain(item);
  for (const { name, error } of [...items.filter(isMain), ...items.filter(isOther)]) {
    if (error === undefined) continue;
    const key = keyOfCause(words, error);
    const known = causes.get(key);
    if (known !== undefined) {
      known.items.push(name);
      known.isOne &&= isDeepStrictEqual(error, known.error);
    } else if (causes.size < mostNamed) causes.set(key, { error, items: [name], isOne: true });
  }
  return [...causes.values()];
}

/** Whether the head of the page of a task says its error, because there are no items to count. */
export const saysError = ({ counts, error }: Pick<Task, 'counts' | 'error'>): boolean =>
  counts.total === 0 && error !== undefined;

/** The items that an error is about, while they are few. */
export function namesOfCause({ format }: Words, { items }: Pick<Cause, 'items'>): string {
  return items.length > mostNamed ? `${format.list(items.slice(0, mostNamed))} …` : format.list(items);
}

/**
 * The outcome of a task: the number of recipes that are done, and the names of the others while they are few. A task without
 * recipes counts its items.
 */
export function outcomeOf(words: Words, task: Task): string {
  const { say } = words;
  const partly = partlyImported(words, task);
  if (task.counts.total === 0) {
    const outcome = say(isOver(task) ? tasks.noItems : tasks.noItemsYet);
    return partly === undefined ? outcome : say(tasks.ended, { partly, outcome });
  }
  const recipes = recipesOf(task);
  const [counted, unnamed, named] =
    recipes.length === 0
      ? [task.items, tasks.counts, tasks.outcome]
      : [recipes, tasks.recipeCounts, tasks.recipeOutcome];
  const { stateOf } = judgeItems(task);
  const countOf = (wanted: ItemState): number | undefined =>
    counted.filter((item) => stateOf(item) === wanted).length || undefined;
  const failed = counted.filter(isRefused);
  const isRefusedOne = isBlocked(task);
  const stopped = counted.flatMap((item) => (stateOf(item) === 'cancelled' ? [item.name] : []));
  const total = {
    done: (countOf('done') ?? 0) + (countOf('here') ?? 0),
    total: counted.length,
    waiting: countOf('kept'),
    unreached: countOf('unreached'),
    skipped: countOf('skipped'),
    stopped: stopped.length === 0 ? undefined : namesOfCause(words, { items: stopped }),
  };
  return failed.length > mostNamed
    ? say(unnamed, { ...total, failed: failed.length })
    : say(named, {
        ...total,
        refused: namesOf(words, failed, isRefusedOne),
        failed: namesOf(words, failed, (one) => !isRefusedOne(one)),
      });
}

/** The result of an ended task without items: the delivery that it wrote, or its layout. */
export function resultOf(
  words: Words,
  { written, layout, counts }: Pick<TaskHead, 'written' | 'counts'> & Partial<Pick<Task, 'layout'>>,
): string | undefined {
  if (counts.total > 0) return undefined;
  if (written !== undefined)
    return words.say(written.proved ? tasks.writtenProved : tasks.writtenUnproved, {
      recipes: written.recipes,
      zone: written.zone,
      parts: written.parts,
      bytes: written.bytes,
    });
  if (layout === undefined) return undefined;
  const { manifests, blobs, bytes } = layout;
  return words.say(tasks.resultLine, { manifests, blobs, bytes });
}

/** Items from which on a running task says how many are done, before the bytes of all. */
const severalItems = 2;

type Running = Pick<Task, 'status' | 'type' | 'items' | 'resolutions'>;

/**
 * The outcome so far of a running task, with its failures in the words of an ended one, and the share of its one item under
 * way. Undefined for a task of one item: its bytes tell all.
 */
export function runningOutcome({ say, format }: Words, task: Running): string | undefined {
  const { items } = task;
  if (task.status !== 'running') return undefined;
  const recipes = recipesOf(task);
  const counted = recipes.length === 0 ? items : recipes;
  const failed = counted.filter(isRefused);
  if (items.length < severalItems && failed.length === 0) return undefined;
  const [now, ...others] = underWay(task);
  const isOne = now?.sizeBytes !== undefined && now.sizeBytes > 0 && others.length === 0;
  const refused = failed.filter(isBlocked(task)).length;
  return say(recipes.length === 0 ? tasks.itemsSoFar : tasks.recipesSoFar, {
    done: counted.filter(({ status }) => status === 'done').length,
    total: counted.length,
    refused: refused || undefined,
    failed: failed.length - refused || undefined,
    item: isOne ? now.name : undefined,
    percent: isOne ? format.percent(now.transferredBytes / now.sizeBytes) : undefined,
  });
}

/** The items of a running task that were here already, those that are done, and those that are to come, with the bytes. */
export function itemsSoFar({ say }: Words, task: Running & Pick<Task, 'progress'>): string {
  const counts = countStates(task.items, judgeItems(task));
  const { bytesDone, bytesTotal } = task.progress;
  return say(tasks.itemsLeft, {
    here: counts.here || undefined,
    done: counts.done || undefined,
    left: counts.running + counts.pending,
    bytes: bytesDone,
    total: bytesTotal || undefined,
  });
}
