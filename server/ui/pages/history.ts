import type { HistoryPage, HistoryRecord } from '../../../src/contract/history.ts';
import type { QueryOf } from '../../../src/contract/operation.ts';
import { listHistory } from '../../../src/contract/operations/history.ts';
import { actionWords, history, outcomeWords } from '../../../src/text/words/history.ts';
import { parts } from '../../../src/text/words/parts.ts';
import { showHistory } from '../../../src/view/history.ts';
import { type Html, html } from '../html.ts';
import { type BadgeKind, badge } from '../parts/badge.ts';
import { apiBase, curlCommand } from '../parts/curl.ts';
import { filters, isFiltered, namesOf, nothingMatches } from '../parts/filters.ts';
import { icon } from '../parts/icons.ts';
import { table } from '../parts/table.ts';
import { terminal } from '../parts/terminal.ts';
import { untrusted } from '../parts/text.ts';
import { toPath } from '../to-href.ts';
import { type Page, type PageCall, page, type UiRoute } from '../ui-route.ts';

const { format: _, ...query } = listHistory.query;
type Call = PageCall<QueryOf<typeof query>>;

const controls = {
  actor: history.actor,
  subject: history.subject,
  action: { label: history.action, words: actionWords },
  outcome: { label: history.outcome, words: outcomeWords },
  from: { label: history.from, isDay: true },
  to: { label: history.to, isDay: true },
} as const;
const names = namesOf(controls);

const kinds: Readonly<Record<HistoryRecord['outcome'], BadgeKind>> = {
  success: 'ok',
  failure: 'bad',
  denied: 'stopped',
};

/** Most characters of a target and of details in a row; the files have all. */
const longest = 300;
const cut = (text: string): string => (text.length > longest ? `${text.slice(0, longest)}…` : text);

const isAction = (action: string): action is keyof typeof actionWords => Object.hasOwn(actionWords, action);

/** The page of the target. Content may be gone: the search says so, and finds the rest of the repository. */
function toSubject({ action, target = '', outcome }: HistoryRecord): string | undefined {
  const family = action.split('.', 1)[0];
  if (target === '' || target.length > 256) return undefined;
  if (family === 'content' || family === 'prune') {
    const repository = /^([^:@]+)[:@]/.exec(target.slice(target.lastIndexOf('/') + 1));
    const name = repository === null ? target : target.slice(0, target.lastIndexOf('/') + 1) + repository[1]!;
    return toPath('/search', {}, { q: name });
  }
  if (family === 'task') return toPath('/tasks/{id}', { id: target });
  if (family === 'account' && action !== 'account.delete' && outcome === 'success')
    return toPath('/admin/accounts/{name}', { name: target });
  return family === 'token' ? '/admin/accounts' : undefined;
}

function subjectCell({ words: { say } }: Call, record: HistoryRecord): Html {
  const { target = '', taskId, details } = record;
  const path = toSubject(record);
  const named = untrusted(cut(target));
  const others = Object.entries(details).map(
    ([name, value]) => `${name}=${typeof value === 'string' ? value : JSON.stringify(value)}`,
  );
  return html`${path === undefined ? named : html`<a href="${path}">${named}</a>`}${
    taskId === undefined
      ? ''
      : html` · <a href="${toPath('/tasks/{id}', { id: taskId })}">${say(history.task)}</a>`
  }${others.length === 0 ? '' : html` <small class="muted">${untrusted(cut(others.join(', ')))}</small>`}`;
}

function recordTable(call: Call, { records, next }: HistoryPage): Html {
  const { say, format } = call.words;
  return table<HistoryRecord>({
    caption: say(history.title),
    empty:
      next !== undefined
        ? html`<p>${say(history.noneYet)}</p>`
        : isFiltered(call, names)
          ? nothingMatches(call, '/history', names)
          : html`<p>${say(history.empty)}</p>`,
    rows: records,
    columns: [
      { label: say(history.time), isHeader: true, cell: ({ ts }) => format.time(ts) },
      { label: say(history.actor), cell: ({ actor }) => untrusted(cut(actor)) },
      {
        label: say(history.action),
        cell: ({ action }) => (isAction(action) ? say(actionWords[action]) : untrusted(cut(action))),
      },
      { label: say(history.subject), cell: (record) => subjectCell(call, record) },
      {
        label: say(history.outcome),
        cell: ({ outcome }) => badge(kinds[outcome], say(outcomeWords[outcome])),
      },
      { label: say(history.origin), cell: ({ origin }) => (origin === undefined ? '–' : untrusted(origin)) },
    ],
  });
}

/** The way on: older records, or the part that was not searched yet. */
function moreOf(call: Call, { records, next, searchedTo }: HistoryPage): Html | string {
  const { say, format } = call.words;
  const { cursor, pageSize, ...selected } = call.query;
  const to = (at: string | undefined): string =>
    toPath('/history', {}, { ...selected, pageSize, cursor: at });
  const isPart = next !== undefined && records.length < (pageSize ?? 50) && searchedTo !== undefined;
  return html`${isPart ? html`<p class="muted">${say(history.searchedTo, { time: format.time(searchedTo) })}</p>` : ''}<p class="buttons">${
    cursor === undefined
      ? ''
      : html`<a class="button button-plain" href="${to(undefined)}">${say(history.newest)}</a>`
  }${
    next === undefined
      ? ''
      : html`<a class="button button-plain" href="${to(next)}">${say(isPart ? history.searchOn : history.older)}</a>`
  }</p>`;
}

/** The page `/history`. @throws SVC-CFG-001 without a state folder */
async function showHistoryPage(call: Call): Promise<Page> {
  const { words } = call;
  const { say } = words;
  const { cursor: _cursor, pageSize: _pageSize, ...selected } = call.query;
  const found = await showHistory(call.instance.context.config, call.query);
  const file = toPath(`${apiBase}/history`, {}, { ...selected, format: 'csv' });
  return {
    title: say(history.title),
    lead: say(history.lead),
    layout: 'wide',
    sections: [
      { id: 'filters', html: filters(call, { path: '/history', section: 'list', query, controls }) },
      {
        id: 'list',
        label: say(parts.results),
        html: html`${found.keep === 0 ? html`<div class="note">${icon('info')}<p>${say(history.off)}</p></div>` : ''}${recordTable(call, found)}${moreOf(call, found)}
<p><a class="button button-plain" href="${file}" download>${icon('download')} ${say(history.download)}</a></p>`,
      },
      {
        id: 'terminal',
        html: terminal(words, ['svc history', curlCommand(call, 'GET', toPath('/history', {}, selected))]),
      },
    ],
  };
}

export const historyPages: readonly UiRoute[] = [
  page({
    method: 'GET',
    path: '/history',
    floor: 'admin',
    title: history.title,
    query,
    page: showHistoryPage,
  }),
];
