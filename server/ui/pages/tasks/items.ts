import { selectPage } from '../../../../src/base/page.ts';
import type { QueryOf } from '../../../../src/contract/operation.ts';
import { paging } from '../../../../src/contract/operations/paging.ts';
import { type SortValues, sorting, sortRows } from '../../../../src/contract/operations/sorting.ts';
import { oneOf } from '../../../../src/contract/schema.ts';
import type { ArrivedRecipe } from '../../../../src/contract/status.ts';
import type { Task, TaskBlob, TaskItem, TaskResolution } from '../../../../src/contract/task.ts';
import { isOver } from '../../../../src/task/model.ts';
import { fromErrorRecord, type Message } from '../../../../src/text/error.ts';
import { parts } from '../../../../src/text/words/parts.ts';
import { sync } from '../../../../src/text/words/sync.ts';
import { tasks } from '../../../../src/text/words/tasks.ts';
import type { Counted, Words } from '../../../../src/text/words/words.ts';
import { listRecipes } from '../../../../src/view/recipes.ts';
import { listWaitsNow } from '../../../views/zone/waits.ts';
import { attr, type Html, html } from '../../html.ts';
import { badge } from '../../parts/badge.ts';
import { bar } from '../../parts/bar.ts';
import { shortDigest } from '../../parts/digest.ts';
import { errorLine, wordError } from '../../parts/error.ts';
import { pager, pastEnd } from '../../parts/pager.ts';
import { table } from '../../parts/table.ts';
import { noValue, untrusted, untrustedParts } from '../../parts/text.ts';
import { toPath } from '../../to-href.ts';
import type { PageCall } from '../../ui-route.ts';
import {
  countStates,
  type ItemState,
  itemBadge,
  itemOf,
  itemStates,
  itemWords,
  type JudgedItems,
  judgeItems,
  stateOfItem,
} from './item-state.ts';
import { causesOf, keyOfCause } from './outcome.ts';
import { isStalled } from './task-words.ts';

const perPage = 50;

export const itemFilters = {
  state: { schema: oneOf(...itemStates) },
  ...sorting(['state', 'name', 'bytes', 'finished']),
  page: paging().page,
};
type Call = PageCall<QueryOf<typeof itemFilters>>;

/** A share in percent, with its bytes. */
const sayShare = (
  { say, format }: Words,
  share: number,
  bytes: { readonly used: number; readonly total: number },
): string => `${format.percent(share)} · ${say(parts.bytesOf, bytes)}`;

function blobRow({ words }: PageCall, blob: TaskBlob, kind: 'done' | 'stalled'): Html {
  const { say } = words;
  const { digest, sizeBytes, receivedBytes, resumed } = blob;
  const share = sizeBytes === 0 ? 1 : receivedBytes / sizeBytes;
  return html`<li>${shortDigest(words, digest, say(tasks.digest))} ${bar({ thin: true, parts: [{ kind, share }] })}<span class="muted">${sayShare(words, share, { used: receivedBytes, total: sizeBytes })}${resumed ? html`, ${say(tasks.resumed)}` : ''}</span></li>`;
}

/** The versions of recipes that can be looked at, as `name@version`. */
export async function listHere(call: PageCall): Promise<ReadonlySet<string>> {
  return new Set(
    (await listRecipes(call)).flatMap((each) => ('version' in each ? [`${each.name}@${each.version}`] : [])),
  );
}

/** The recipes that deliveries brought into the zone, where an ended task left items out that they may have brought. */
export async function listArrived(call: PageCall, task: Task): Promise<readonly ArrivedRecipe[]> {
  const isWhole = task.items.every(({ status }) => status === 'done');
  if (!isOver(task) || isWhole) return [];
  return (await listWaitsNow(call, call.identity))?.arrived ?? [];
}

/** The versions that a run selected, by the name of the item that carries each. */
interface Selected {
  readonly by: ReadonlyMap<string, TaskResolution>;
  readonly here: ReadonlySet<string>;
}

/** The name of an item, with a link to its recipe, and the constraint that the version was selected for. */
function itemName({ words: { say } }: PageCall, name: string, { by, here }: Selected): Html {
  // an item without a resolution is named after its recipe too
  const [named = '', ...rest] = name.split('/');
  const { recipe, ingredient, requested, resolved, lowerThan } = by.get(name) ?? {
    recipe: named,
    ingredient: rest.length === 0 ? undefined : rest.join('/'),
    requested: '',
    resolved: '',
  };
  const [own = '', version] = recipe.split('@');
  const shown = here.has(recipe)
    ? html`<a href="${toPath('/recipes/-/{name}', { name: own }, { version })}">${untrustedParts(recipe)}</a>${ingredient === undefined ? '' : html`/${untrusted(ingredient)}`}`
    : untrustedParts(name);
  const selection =
    requested === resolved
      ? ''
      : html` <span class="muted">${untrusted(requested)} → ${untrusted(resolved)}</span>`;
  return html`<span>${shown}${selection}${lowerThan === undefined ? '' : html` ${badge('warn', say(sync.lower, { here: lowerThan }))}`}</span>`;
}

/**
 * The cause and the remedy of failed items, each at the first item that has it. Those that lead the page are explained above
 * the items.
 */
function selectRemedies(
  { words }: PageCall,
  task: Task,
  rows: readonly TaskItem[],
): ReadonlyMap<TaskItem, Message> {
  const explained = new Set(causesOf(words, task).map(({ error }) => keyOfCause(words, error)));
  const remedies = new Map<TaskItem, Message>();
  for (const item of rows) {
    if (item.error === undefined) continue;
    const key = keyOfCause(words, item.error);
    if (explained.has(key)) continue;
    explained.add(key);
    remedies.set(item, wordError(words, fromErrorRecord(item.error)));
  }
  return remedies;
}

const shareOfItem = ({ sizeBytes = 0, transferredBytes }: TaskItem): number =>
  sizeBytes === 0 ? 1 : transferredBytes / sizeBytes;

/** How far an item has come. */
function progressOf(call: PageCall, item: TaskItem, isStill: boolean): Html | string {
  const { status, blobs = [], sizeBytes, transferredBytes } = item;
  if (status !== 'running') return '';
  const kind = isStill ? 'stalled' : 'done';
  const open = blobs.filter(({ done }) => !done);
  return html`${
    sizeBytes === undefined
      ? ''
      : html`${bar({ thin: true, parts: [{ kind, share: shareOfItem(item) }] })}<p class="item-remedy muted">${sayShare(call.words, shareOfItem(item), { used: transferredBytes, total: sizeBytes })}</p>`
  }
${open.length === 0 ? '' : html`<ul class="blobs">${open.map((blob) => blobRow(call, blob, kind))}</ul>`}`;
}

function nameCell(
  call: PageCall,
  item: TaskItem,
  selected: Selected,
  {
    remedy,
    isStill,
    isPast,
  }: { readonly remedy: Message | undefined; readonly isStill: boolean; readonly isPast: boolean },
): Html {
  const { say } = call.words;
  const { name, digest, error, warning, absentLayers = [] } = item;
  const reason = error ?? warning;
  return html`${itemName(call, name, selected)}
${digest === undefined ? '' : html`<div class="item-digest">${shortDigest(call.words, digest, say(tasks.digest))}</div>`}
${
  reason === undefined
    ? ''
    : html`<p class="${isPast || stateOfItem(item) === 'cancelled' ? 'item-remedy muted' : error ? 'item-error' : 'item-warning'}">${errorLine(call.words, reason)}</p>`
}
${remedy === undefined ? '' : html`<p class="item-remedy">${remedy.cause}</p><p class="item-remedy">${remedy.action}</p>`}
${absentLayers.length === 0 ? '' : html`<p class="item-warning">${say(tasks.absentLayers, { count: absentLayers.length })}</p>`}
${progressOf(call, item, isStill)}`;
}

function sizeCell({ words: { format } }: PageCall, item: TaskItem): Html | string {
  const { status, sizeBytes, transferredBytes } = item;
  if (sizeBytes === undefined)
    return status === 'done' || transferredBytes > 0 ? format.size(transferredBytes) : noValue;
  return format.size(sizeBytes);
}

/** Items from which on those of a running task that are done are one line. */
const many = 12;

/** The states that the table leaves to one line, unless one of them is asked for. */
const folded: ReadonlySet<ItemState> = new Set(['done', 'here']);

function stateLinks({ words: { say, format }, query }: Call, task: Task, judged: JudgedItems): Html {
  const { state: selected, sort, order } = query;
  const link = (state: string | undefined, text: string, count: number): Html =>
    html`<li><a href="${toPath('/tasks/{id}', { id: task.id }, { state, sort, order })}" ${attr('aria-current', state === selected ? 'true' : undefined)}>${text} <span class="muted">${format.number(count)}</span></a></li>`;
  const counts = countStates(task.items, judged);
  const present = itemStates.flatMap((state) =>
    counts[state] === 0 && state !== selected ? [] : [link(state, say(itemWords[state]), counts[state])],
  );
  return html`<nav aria-label="${say(tasks.itemsShown)}"><ul class="tags">${link(undefined, say(parts.all), task.items.length)}${present}</ul></nav>`;
}

/** The items of a running task that are over, in one line with the way to each. */
function foldedLine(
  { words: { say } }: PageCall,
  { id }: Task,
  counts: Readonly<Record<ItemState, number>>,
): Html {
  const link = (state: 'done' | 'here', sentence: Counted): Html | string =>
    counts[state] === 0
      ? ''
      : html` <a href="${toPath('/tasks/{id}', { id }, { state })}">${say(sentence, { count: counts[state] })}</a>`;
  return html`<p class="muted">${say(tasks.foldedHead)}${link('done', tasks.foldedDone)}${link('here', tasks.foldedHere)}</p>`;
}

/** Bytes of an item as its row shows them: a pushed item has no size of its own, and its bytes are the sent ones. */
const bytesOf = ({ sizeBytes, transferredBytes }: TaskItem): number => sizeBytes ?? transferredBytes;

/** The values by which items are ordered; by state the failed ones come first. */
const toSortValues = ({
  stateOf,
}: JudgedItems): SortValues<TaskItem, 'state' | 'name' | 'bytes' | 'finished'> => ({
  state: (item) => itemStates.indexOf(stateOf(item)),
  name: ({ name }) => name,
  bytes: bytesOf,
  finished: ({ finishedAt }) => finishedAt,
});

/** The items of a task, the failed ones first unless told; `?state=` selects those of one state. */
export function itemTable(
  call: Call,
  task: Task,
  here: ReadonlySet<string>,
  arrived: readonly ArrivedRecipe[],
): Html {
  const { say, format } = call.words;
  const { resolutions = [] } = task;
  const selected = { by: new Map(resolutions.map((each) => [itemOf(each), each])), here };
  const names = new Set(task.items.map(({ name }) => name));
  const settled = resolutions.filter((each) => !names.has(itemOf(each))).length;
  const { state, page, sort, order } = call.query;
  const judged = judgeItems(task, arrived);
  const counts = countStates(task.items, judged);
  const folds =
    !isOver(task) &&
    state === undefined &&
    sort === undefined &&
    task.items.length > many &&
    counts.done + counts.here > 0;
  const isShown = (item: TaskItem): boolean =>
    state === undefined ? !(folds && folded.has(judged.stateOf(item))) : judged.stateOf(item) === state;
  const found = sortRows(task.items.filter(isShown), toSortValues(judged), { sort, order });
  const { selected: rows, pageOf } = selectPage(found, { page, pageSize: perPage });
  const isPast = (item: TaskItem): boolean => judged.arrivedAt(item) !== undefined;
  const remedies = selectRemedies(
    call,
    task,
    rows.filter((item) => !isPast(item)),
  );
  const isStill = isStalled(task);
  // the head of the page has the day of the task
  const day = format.day(task.startedAt ?? task.createdAt);
  const timeOf = (at: string): string => (format.day(at) === day ? format.clock(at) : format.time(at));
  return html`<h2>${say(tasks.items)}</h2>
${task.items.length === 0 ? '' : stateLinks(call, task, judged)}
${table<TaskItem>({
  caption: say(tasks.items),
  empty:
    pastEnd(call, pageOf) ??
    html`<p>${say(task.items.length > 0 ? tasks.noneInState : isOver(task) ? tasks.noItems : tasks.noItemsYet)}</p>`,
  rows,
  list: { call, sort: 'state' },
  columns: [
    {
      label: say(tasks.item),
      isHeader: true,
      sort: 'name',
      cell: (item) =>
        nameCell(call, item, selected, { remedy: remedies.get(item), isStill, isPast: isPast(item) }),
    },
    {
      label: say(tasks.status),
      sort: 'state',
      isState: true,
      isWhole: true,
      cell: (item) => itemBadge(call.words, item, judged, isStill),
    },
    { label: say(tasks.size), isNumber: true, sort: 'bytes', cell: (item) => sizeCell(call, item) },
    ...(task.items.some(({ finishedAt }) => finishedAt !== undefined)
      ? [
          {
            label: say(tasks.itemFinished),
            isTime: true,
            sort: 'finished',
            cell: ({ finishedAt }: TaskItem) => (finishedAt === undefined ? noValue : timeOf(finishedAt)),
          },
        ]
      : []),
  ],
})}${pager(call, { ...pageOf, pageSize: perPage })}${folds ? foldedLine(call, task, counts) : ''}${settled === 0 ? '' : html`<p class="muted">${say(tasks.settled, { count: settled })}</p>`}`;
}
