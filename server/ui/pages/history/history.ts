import { graveActions } from '../../../../src/contract/history.ts';
import { askedWords, graveWords, history } from '../../../../src/text/words/history.ts';
import { media } from '../../../../src/text/words/media.ts';
import { parts } from '../../../../src/text/words/parts.ts';
import type { Sentence } from '../../../../src/text/words/words.ts';
import { findHistory, type HistoryForm } from '../../../../src/view/history.ts';
import { showVerification, takesMedia } from '../../../views/media.ts';
import { type Html, html } from '../../html.ts';
import { answer } from '../../parts/badge.ts';
import { apiBase, curlCommand } from '../../parts/curl.ts';
import { filters, isFiltered, nothingMatches } from '../../parts/filters.ts';
import { icon } from '../../parts/icons.ts';
import { columnForm, table } from '../../parts/table.ts';
import { terminal } from '../../parts/terminal.ts';
import { noValue, untrusted } from '../../parts/text.ts';
import { toPath } from '../../to-href.ts';
import { type Page, type PageCall, page, type UiRoute } from '../../ui-route.ts';
import { evidenceLink } from '../evidence.ts';
import { actorLink } from './actor.ts';
import { chainSection } from './chain.ts';
import { subjectCell } from './details.ts';
import { type HistoryEvent, toEvents } from './events.ts';
import {
  type HistoryCall as Call,
  controls,
  filterNames as names,
  historyQuery as query,
  sayTotals,
  wordFilter,
} from './filter.ts';
import { printedPage, toPrinted } from './printed.ts';
import { showRecordPage } from './record.ts';
import { cut, kindOf, nameActor, outcomeBadge, outcomeOf, showAction } from './subject.ts';

type Read = Awaited<ReturnType<typeof findHistory>>;
/** A page of the history, with one row an event. */
interface Found extends Omit<Read, 'found'> {
  readonly found: readonly HistoryEvent[];
  /** Number of its records, before those of one event were joined. */
  readonly count: number;
}

/** Most names that the field of the actor suggests. */
const mostSuggested = 200;

/** The accounts and tokens of the instance, and the actors of the shown records, as suggestions. */
async function listActors({ accounts, can }: Call, { found }: Found): Promise<readonly string[]> {
  // the accounts without a record are for administrators
  const known = can('admin') ? accounts : undefined;
  const people = (await known?.list()) ?? [];
  const tokens = (await known?.tokens.list()) ?? [];
  const names = [
    ...found.map(({ record: { actor } }) => cut(actor)),
    ...people.map(({ name }) => name),
    ...tokens.map(({ name }) => `token:${name}`),
  ];
  return [...new Set(names)].slice(0, mostSuggested).sort();
}

/** A short address, without letters that change the direction of a line. */
const isAddress = (origin: string): boolean => /^[\d.:a-f]{3,16}$/.test(origin);

const pageOf = (id: string): string => toPath('/history/{record}', { record: id });

function recordTable(call: Call, { found, next }: Found): Html {
  const { say, format } = call.words;
  const { cursor: _cursor, ...kept } = call.query;
  return table<HistoryEvent>({
    caption: say(history.title),
    empty:
      next !== undefined
        ? html`<p>${say(history.noneYet)}</p>`
        : isFiltered(call, names)
          ? nothingMatches(call, '/history', names, controls)
          : html`<p>${say(history.empty)}</p>`,
    rows: found,
    isBrief: true,
    list: { call, name: 'history', sort: 'time', hasOneKey: true },
    toneOf: ({ record }) => {
      const kind = kindOf(record);
      return kind === 'warn' || kind === 'bad' ? kind : undefined;
    },
    columns: [
      {
        label: say(history.time),
        isHeader: true,
        isTime: true,
        sort: 'time',
        cell: ({ record: { ts }, id }) =>
          id === undefined
            ? format.time(ts)
            : html`<a id="${id}" href="${pageOf(id)}" title="${say(history.openRecord)}">${format.time(ts)}</a>`,
      },
      {
        id: 'actor',
        label: say(history.actor),
        cell: ({ record }) => actorLink(call, record, kept),
      },
      {
        label: say(history.action),
        isWhole: true,
        cell: ({ record }) => showAction(call, record),
      },
      {
        id: 'subject',
        label: say(history.subject),
        cell: (event) => subjectCell(call, event, event.id === undefined ? undefined : pageOf(event.id)),
      },
      {
        id: 'outcome',
        label: say(history.outcome),
        isState: true,
        cell: ({ record }) => outcomeBadge(call, record),
      },
      {
        id: 'origin',
        label: say(history.origin),
        isBelow: true,
        cell: ({ record: { origin } }) =>
          origin === undefined ? noValue : isAddress(origin) ? origin : untrusted(origin),
      },
    ],
  });
}

/** The way on: older records, or the part that was not searched yet. */
function moreOf(call: Call, { count, next, searchedTo }: Found): Html | string {
  const { say, format } = call.words;
  const { cursor, pageSize, ...selected } = call.query;
  const isAsc = call.query.order === 'asc';
  const to = (at: string | undefined): string =>
    toPath('/history', {}, { ...selected, pageSize, cursor: at });
  const isPart = next !== undefined && count < (pageSize ?? 50) && searchedTo !== undefined;
  return html`${isPart ? html`<p class="muted">${say(isAsc ? history.searchedUpTo : history.searchedTo, { time: format.time(searchedTo) })}</p>` : ''}<p class="buttons">${
    cursor === undefined
      ? ''
      : html`<a class="button button-plain" href="${to(undefined)}">${say(isAsc ? history.oldest : history.newest)}</a>`
  }${
    next === undefined
      ? ''
      : html`<a class="button button-plain" href="${to(next)}">${say(isPart ? (isAsc ? history.searchForward : history.searchOn) : isAsc ? history.newer : history.older)}</a>`
  }</p>`;
}

/** Questions that auditors ask first, each as a filter of its own, and the ways to take the records away. */
function firstWays(call: Call): Html {
  const { say } = call.words;
  const { cursor: _cursor, pageSize: _pageSize, ...selected } = call.query;
  const file = (format: HistoryForm, title: Sentence): Html =>
    html`<a class="button button-quiet" href="${toPath(`${apiBase}/history`, {}, { ...selected, format })}" download title="${say(title)}">${format.toUpperCase()}</a>`;
  const questions = Object.entries(askedWords).map(([action, text]) => {
    const to = toPath('/history', {}, { action });
    return action === call.query.action
      ? html`<b>${icon('ok')} <a href="${to}" aria-current="true">${say(text)}</a></b>`
      : html`<a href="${to}">${say(text)}</a>`;
  });
  return html`<span class="list-head"><span>${say(history.oftenAsked)}${say(parts.colon)}</span>${questions}${file('csv', history.download)}${file('jsonl', history.asLines)}<a class="button button-quiet" href="${toPrinted(selected)}" title="${say(history.printAll)}">${say(parts.printPage)}</a></span>`;
}

/** Most names in a verdict. */
const mostNamed = 3;

/** For a filter of actions: the shown records that took a protection or content away, and their actors. */
function sayGrave({ words, query }: Call, { found }: Pick<Found, 'found'>): readonly string[] {
  const { say, format } = words;
  if (query.action === undefined) return [];
  return Object.entries(graveActions).flatMap(([kind, actions]: [string, readonly string[]]) => {
    const records = found.flatMap(({ record }) => (actions.includes(record.action) ? [record] : []));
    if (records.length === 0) return [];
    const names = [...new Set(records.map(({ actor }) => nameActor(words, actor)))];
    const others = names.length - mostNamed;
    const more = others > 0 ? [say(history.otherActors, { count: others })] : [];
    const actors = format.list([...names.slice(0, mostNamed), ...more]);
    const several = names.length > 1 ? actors : undefined;
    return say(graveWords[kind as keyof typeof graveActions], { count: records.length, actors, several });
  });
}

/** Whether an action of the records shown is one to look at, was denied or failed, or has no outcome, with the way to those. */
function answerOf(call: Call, { found }: Found): Html | string {
  const { say } = call.words;
  if (found.length === 0) return '';
  const countOf = (...outcomes: readonly ReturnType<typeof outcomeOf>[]): number =>
    found.filter(({ record }) => outcomes.includes(outcomeOf(record))).length;
  const failed = countOf('failure', 'part', 'unproved');
  const [denied, open] = [countOf('denied'), countOf('open')];
  const { cursor: _cursor, ...selected } = call.query;
  const troubles = denied + failed + open;
  const [grave, ...graves] = sayGrave(call, { found });
  if (troubles === 0 && grave === undefined)
    return answer({
      kind: 'ok',
      mark: say(history.stampQuiet),
      what: say(history.quiet, { count: found.length }),
      notes: [firstWays(call)],
    });
  const to = toPath('/history', {}, { ...selected, outcome: ['denied', 'failure', 'open'] });
  const step =
    call.query.outcome !== undefined || troubles === 0
      ? ''
      : html`<p class="answer-step"><a class="button button-plain" href="${to}">${say(history.onlyTroubled)}</a></p>`;
  const some = (count: number): number | undefined => (count === 0 ? undefined : count);
  const counts = { denied: some(denied), failed: some(failed), open: some(open) };
  const troubled = say(history.troubled, { count: found.length, ...counts });
  return answer({
    kind: 'warn',
    mark: say(history.stampTroubled),
    what: grave ?? troubled,
    lines: grave === undefined ? [] : [...graves, troubles === 0 ? '' : troubled],
    notes: [firstWays(call)],
    step,
  });
}

/** The report of the medium, for readers who may not open the page of the medium. */
function reportLink(call: PageCall): Html | string {
  if (call.can('operator') || !takesMedia(call) || showVerification(call).report === undefined) return '';
  return html`<p><a class="button button-plain" href="/media/report">${call.words.say(media.print)}</a></p>`;
}

/** The filter that is set, above the list, with the way to drop it. */
function filterLine(call: Call, { found }: Found): Html | string {
  const { say } = call.words;
  // an empty list says it itself
  if (found.length === 0 || !isFiltered(call, names)) return '';
  return html`<p class="screen-only">${say(history.filter)}${say(parts.colon)} ${untrusted(wordFilter(call))} · <a href="/history">${say(parts.dropFilter)}</a></p>`;
}

/** Whether the list has every record that the filter selects; its verdict counts them then. */
const isAll = (call: Call, { next }: Found): boolean => call.query.cursor === undefined && next === undefined;

/** What a printed list says about its records. */
function paperOf(call: Call, read: Found): NonNullable<Page['paper']> {
  const { say } = call.words;
  const { cursor: _cursor, pageSize: _pageSize, ...selected } = call.query;
  const isWhole = isAll(call, read);
  const count = say(isWhole ? history.allOf : history.partOf, { count: read.found.length });
  return [
    [say(history.filter), wordFilter(call)],
    [say(history.records), count],
    // the page for paper has many more
    ...(isWhole ? [] : [[say(history.printAll), toPrinted(selected)] as const]),
    [say(history.store), call.instance.store.mediaId],
  ];
}

/** The page `/history`. @throws SVC-CFG-001 without a state folder */
async function showHistoryPage(call: Call): Promise<Page> {
  const { words } = call;
  const { say } = words;
  const { cursor: _cursor, pageSize: _pageSize, ...selected } = call.query;
  const read = await findHistory(call.instance.context.config, call.query);
  const found: Found = { ...read, found: toEvents(read.found), count: read.found.length };
  const actor = { ...controls.actor, suggestions: await listActors(call, found) };
  const totals = await sayTotals(call);
  const form = filters(call, {
    path: '/history',
    section: 'list',
    query,
    controls: { ...controls, actor, order: 'kept' },
  });
  return {
    title: say(history.title),
    paper: paperOf(call, found),
    sections: [
      ...(await chainSection(call)),
      {
        id: 'list',
        label: say(parts.results),
        ...(totals.isWhole || isAll(call, found) ? {} : { every: 1 }),
        html: html`<div class="list-verdict">${answerOf(call, found)}</div>${isAll(call, found) ? '' : totals.line}<div class="table-tools">${form}${columnForm(call, 'history')}</div>${filterLine(call, found)}${found.keep === 0 ? html`<div class="note">${icon('info')}<p>${say(history.off)}</p></div>` : ''}${recordTable(call, found)}${moreOf(call, found)}
${found.found.some(({ record }) => record.outcome === 'open') ? html`<p class="muted">${say(history.openMeans)}</p>` : ''}<p class="muted">${say(history.lead)}${found.found.some(({ record }) => record.actor.startsWith('local:')) ? html` ${say(history.localActor)}` : ''}</p>
${evidenceLink(call)}${reportLink(call)}`,
      },
      {
        id: 'terminal',
        html: terminal(words, ['svc history', curlCommand(call, 'GET', toPath('/history', {}, selected))]),
      },
    ],
  };
}

export const historyPages: readonly UiRoute[] = [
  printedPage,
  page({
    method: 'GET',
    path: '/history',
    floor: 'admin',
    title: history.title,
    query,
    page: showHistoryPage,
  }),
  page({
    method: 'GET',
    path: '/history/{record}',
    floor: 'admin',
    title: history.record,
    page: showRecordPage,
  }),
];
