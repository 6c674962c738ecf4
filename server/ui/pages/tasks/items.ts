import { selectPage } from '../../../../src/base/page.ts';
import type { ItemStatus } from '../../../../src/contract/common.ts';
import type { QueryOf } from '../../../../src/contract/operation.ts';
import { paging } from '../../../../src/contract/operations/paging.ts';
import { oneOf } from '../../../../src/contract/schema.ts';
import type { Task, TaskBlob, TaskItem } from '../../../../src/contract/task.ts';
import { isOver } from '../../../../src/task/model.ts';
import { fromErrorRecord } from '../../../../src/text/error.ts';
import { renderError } from '../../../../src/text/message.ts';
import { isolate } from '../../../../src/text/words/isolate.ts';
import { parts } from '../../../../src/text/words/parts.ts';
import { tasks } from '../../../../src/text/words/tasks.ts';
import { attr, type Html, html } from '../../html.ts';
import { bar } from '../../parts/bar.ts';
import { pager } from '../../parts/pager.ts';
import { table } from '../../parts/table.ts';
import { code, untrusted } from '../../parts/text.ts';
import { toPath } from '../../to-href.ts';
import type { PageCall } from '../../ui-route.ts';
import { itemBadge, itemWords } from './task-words.ts';

/** States by which items are selected, the most urgent first. */
const itemStates: readonly ItemStatus[] = ['failed', 'running', 'pending', 'done', 'skipped'];
const perPage = 50;

function blobRow({ words: { say } }: PageCall, blob: TaskBlob): Html {
  const { digest, sizeBytes, receivedBytes, resumed } = blob;
  const share = sizeBytes === 0 ? 1 : receivedBytes / sizeBytes;
  return html`<li>${code(digest)} ${bar({ thin: true, parts: [{ kind: 'done', share }] })}<span class="muted">${say(parts.bytesOf, { used: receivedBytes, total: sizeBytes })}${resumed ? html`, ${say(tasks.resumed)}` : ''}</span></li>`;
}

function nameCell(call: PageCall, item: TaskItem): Html {
  const { say, language } = call.words;
  const { name, digest, error, warning, absentLayers = [], blobs = [], status } = item;
  const reason = error ?? warning;
  const open = status === 'running' ? blobs.filter(({ done }) => !done) : [];
  return html`${untrusted(name)}
${digest === undefined ? '' : html`<div class="muted item-digest">${code(digest)}</div>`}
${
  reason === undefined
    ? ''
    : html`<p class="${error ? 'item-error' : 'item-warning'}">${renderError(fromErrorRecord(reason), language, isolate).what} <a href="/help#${reason.code}">${reason.code}</a></p>`
}
${absentLayers.length === 0 ? '' : html`<p class="item-warning">${say(tasks.absentLayers, { count: absentLayers.length })}</p>`}
${open.length === 0 ? '' : html`<ul class="blobs">${open.map((blob) => blobRow(call, blob))}</ul>`}`;
}

function progressCell({ words: { say, format } }: PageCall, item: TaskItem): Html | string {
  const { status, sizeBytes, transferredBytes } = item;
  // a pushed item has no size of its own: its bytes are the sent ones
  if (sizeBytes === undefined)
    return status === 'done' || transferredBytes > 0 ? format.size(transferredBytes) : '';
  if (status !== 'running') return format.size(sizeBytes);
  const share = sizeBytes === 0 ? 1 : transferredBytes / sizeBytes;
  return html`${bar({ thin: true, parts: [{ kind: 'done', share }] })}${say(parts.bytesOf, { used: transferredBytes, total: sizeBytes })}`;
}

function stateLinks({ words: { say, format } }: PageCall, task: Task, selected: string | undefined): Html {
  const link = (state: string | undefined, text: string, count: number): Html =>
    html`<li><a href="${toPath('/tasks/{id}', { id: task.id }, { state })}" ${attr('aria-current', state === selected ? 'true' : undefined)}>${text} <span class="muted">${format.number(count)}</span></a></li>`;
  const present = itemStates.flatMap((state) => {
    const count = task.items.filter(({ status }) => status === state).length;
    return count === 0 && state !== selected ? [] : [link(state, say(itemWords[state]), count)];
  });
  return html`<nav aria-label="${say(tasks.itemsShown)}"><ul class="tags">${link(undefined, say(parts.all), task.items.length)}${present}</ul></nav>`;
}

export const itemFilters = { state: { schema: oneOf(...itemStates) }, ...paging() };

/** The items of a task, the failed ones first; `?state=` selects those of one state. */
export function itemTable(call: PageCall<QueryOf<typeof itemFilters>>, task: Task): Html {
  const { say } = call.words;
  const { state, page } = call.query;
  const rank = ({ status }: TaskItem): number => itemStates.indexOf(status);
  const found = task.items
    .filter(({ status }) => state === undefined || status === state)
    .sort((a, b) => rank(a) - rank(b));
  const { selected, pageOf } = selectPage(found, { page, pageSize: perPage });
  return html`<h2>${say(tasks.items)}</h2>
${task.items.length === 0 ? '' : stateLinks(call, task, state)}
${table<TaskItem>({
  caption: say(tasks.items),
  empty: html`<p>${say(isOver(task) && task.items.length === 0 ? tasks.noItems : tasks.noItemsYet)}</p>`,
  rows: selected,
  columns: [
    { label: say(tasks.item), isHeader: true, cell: (item) => nameCell(call, item) },
    { label: say(tasks.status), cell: (item) => itemBadge(call.words, item) },
    { label: say(tasks.size), isNumber: true, cell: (item) => progressCell(call, item) },
  ],
})}${pager(call, { ...pageOf, pageSize: perPage })}`;
}
