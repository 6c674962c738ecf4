import type { ItemStatus } from '../../../../src/contract/common.ts';
import type { ArrivedRecipe } from '../../../../src/contract/status.ts';
import type { Task, TaskItem, TaskResolution } from '../../../../src/contract/task.ts';
import { isOver } from '../../../../src/task/model.ts';
import { tasks } from '../../../../src/text/words/tasks.ts';
import type { Sentence, Words } from '../../../../src/text/words/words.ts';
import { isRecipeItem, isRefused } from '../../../../src/view/runs.ts';
import type { Html } from '../../html.ts';
import { type BadgeKind, badge } from '../../parts/badge.ts';

/**
 * A state of an item as the page tells it apart: `skipped` is one that the task did not want, and `arrived` one that it did not
 * bring and that came later.
 */
export type ItemState = ItemStatus | 'cancelled' | 'here' | 'kept' | 'unreached' | 'arrived';

/** States by which items are selected, the most urgent first. */
export const itemStates: readonly ItemState[] = [
  'failed',
  'cancelled',
  'running',
  'pending',
  'kept',
  'unreached',
  'skipped',
  'arrived',
  'done',
  'here',
];

export const itemWords: Readonly<Record<ItemState, Sentence>> = {
  pending: tasks.pending,
  running: tasks.running,
  done: tasks.itemDone,
  failed: tasks.itemFailed,
  cancelled: tasks.itemCancelled,
  skipped: tasks.notWanted,
  here: tasks.alreadyHere,
  kept: tasks.itemWaiting,
  unreached: tasks.notReached,
  arrived: tasks.arrivedSince,
};

const kinds: Readonly<Record<ItemState, BadgeKind>> = {
  pending: 'plain',
  running: 'running',
  done: 'ok',
  failed: 'bad',
  cancelled: 'stopped',
  skipped: 'plain',
  here: 'plain',
  kept: 'warn',
  unreached: 'stopped',
  arrived: 'ok',
};

/** The state of an item by itself: one that a cancelled task did not finish did not fail. */
export const stateOfItem = (item: Pick<TaskItem, 'status' | 'error'>): ItemStatus | 'cancelled' =>
  item.status === 'failed' && !isRefused(item) ? 'cancelled' : item.status;

/** The name of the item that carries a resolved version. */
export const itemOf = ({ recipe, ingredient }: TaskResolution): string =>
  ingredient === undefined ? recipe : `${recipe}/${ingredient}`;

/** Whether the content of an item is on other disks of its delivery. */
const awaitsDisks = ({ status, warning }: Pick<TaskItem, 'status' | 'warning'>): boolean =>
  status === 'skipped' && warning?.code === 'SVC-MED-041';

/** The items of a task, as a page tells them apart. */
export interface JudgedItems {
  readonly stateOf: (item: TaskItem) => ItemState;
  /** The parts of the delivery that the content of an item is on. */
  readonly partsOf: (item: TaskItem) => readonly number[];
  /** When the content of an item came that this task did not bring; undefined of any other. */
  readonly arrivedAt: (item: TaskItem) => string | undefined;
}

type Judged = Pick<Task, 'type' | 'status' | 'items' | 'resolutions' | 'finishedAt'>;

/** The states of items whose content a task did not bring. */
const lacking: ReadonlySet<ItemState> = new Set(['failed', 'cancelled', 'kept', 'unreached']);

/**
 * Judges the items of a task; an ingredient waits with its recipe, and arrives with it.
 *
 * @param arrived the recipes that deliveries brought into the zone. Default: not known
 */
export function judgeItems(task: Judged, arrived: readonly ArrivedRecipe[] = []): JudgedItems {
  const isImport = task.type === 'media-import';
  const present = new Set(
    (task.resolutions ?? []).flatMap((each) =>
      (isImport ? each.destinationStatus : each.status) === 'up-to-date' ? [itemOf(each)] : [],
    ),
  );
  const waiting = new Map(task.items.flatMap((item) => (awaitsDisks(item) ? [[item.name, item]] : [])));
  const waiterOf = ({ name }: TaskItem): TaskItem | undefined =>
    waiting.get(name) ?? waiting.get(name.slice(0, Math.max(0, name.lastIndexOf('/'))));
  const taken = (item: TaskItem): ItemState => {
    const state = stateOfItem(item);
    if (state === 'done') return item.transferredBytes === 0 && present.has(item.name) ? 'here' : state;
    if (state !== 'skipped') return state;
    if (waiterOf(item) !== undefined) return 'kept';
    // one that was left out on purpose has its time
    return item.finishedAt === undefined && isOver(task) ? 'unreached' : state;
  };
  const times = new Map(arrived.map(({ digest, landedAt }) => [digest, landedAt]));
  const digests = new Map(task.items.map(({ name, digest }) => [name, digest]));
  const arrivedAt = (item: TaskItem): string | undefined => {
    const { name } = item;
    const recipe = isRecipeItem(item) ? name : name.slice(0, Math.max(0, name.lastIndexOf('/')));
    const digest = digests.get(recipe);
    const at = digest && times.get(digest);
    const isLater = at !== undefined && task.finishedAt !== undefined && at > task.finishedAt;
    const state = taken(item);
    // an import leaves nothing out on purpose
    const isLacking = lacking.has(state) || (isImport && state === 'skipped');
    return isLater && isLacking ? at : undefined;
  };
  return {
    stateOf: (item) => (arrivedAt(item) === undefined ? taken(item) : 'arrived'),
    arrivedAt,
    partsOf: (item) => {
      const { parts, foreign } = waiterOf(item)?.warning?.params ?? {};
      // of a delivery of others, nothing is kept
      if (foreign !== undefined) return [];
      return Array.isArray(parts) ? parts.map(Number) : [];
    },
  };
}

/** The items under way, without the recipes whose ingredients are. */
export function underWay({ items }: Pick<Task, 'items'>): readonly TaskItem[] {
  const running = items.filter(({ status }) => status === 'running');
  return running.filter(({ name }) => !running.some((other) => other.name.startsWith(`${name}/`)));
}

/** How many of some items are in each state. */
export function countStates(
  items: readonly TaskItem[],
  { stateOf }: JudgedItems,
): Readonly<Record<ItemState, number>> {
  const counts = Object.fromEntries(itemStates.map((state) => [state, 0])) as Record<ItemState, number>;
  for (const item of items) counts[stateOf(item)] += 1;
  return counts;
}

/**
 * The state of an item in a word. One may wait for other disks.
 *
 * @param isStill whether its task has stalled
 */
export function itemBadge(
  { say, format }: Words,
  item: TaskItem,
  judged: JudgedItems,
  isStill = false,
): Html {
  if (item.status === 'running' && isStill) return badge('warn', say(tasks.stalledState));
  const state = judged.stateOf(item);
  const at = judged.arrivedAt(item);
  if (at !== undefined) {
    const sentence = item.status === 'failed' ? tasks.failedThen : tasks.arrivedAt;
    return badge(kinds.arrived, say(sentence, { day: format.day(at) }));
  }
  const parts = state === 'kept' ? judged.partsOf(item) : [];
  return badge(kinds[state], parts.length > 0 ? say(tasks.keptFor, { parts }) : say(itemWords[state]));
}
