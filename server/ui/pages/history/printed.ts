import type { QueryOf } from '../../../../src/contract/operation.ts';
import { history } from '../../../../src/text/words/history.ts';
import { parts } from '../../../../src/text/words/parts.ts';
import { findHistory, type NamedRecord } from '../../../../src/view/history.ts';
import { html } from '../../html.ts';
import { apiBase } from '../../parts/curl.ts';
import { isFiltered, nothingMatches } from '../../parts/filters.ts';
import { table } from '../../parts/table.ts';
import { code, noValue, untrusted } from '../../parts/text.ts';
import { toPath } from '../../to-href.ts';
import { type Page, type PageCall, page } from '../../ui-route.ts';
import { sayActor } from './actor.ts';
import { wordSubject } from './details.ts';
import { type HistoryEvent, toEvents, toShown } from './events.ts';
import { controls, filterNames, historyQuery, wordFilter } from './filter.ts';
import { sayAction, sayOutcome, wordTarget } from './subject.ts';

const { cursor: _cursor, pageSize: _pageSize, ...selection } = historyQuery;
type Selected = QueryOf<typeof selection>;

const path = '/history/-/print';
export const toPrinted = (selected: Selected): string => toPath(path, {}, selected);

/** Records that one print has; the table (CSV) has all. */
const most = 2000;
const perReading = 500;
/** Readings of one print, each of a bounded part of the files: a rare subject in a long history is not searched to the end. */
const mostReadings = 16;

/** Finds the first selected records, with the time to which the files were searched where more may follow. */
async function findAll({ instance, query }: PageCall<Selected>) {
  const found: NamedRecord[] = [];
  let cursor: string | undefined;
  for (let i = 0; i < mostReadings && found.length < most; i += 1) {
    const part = await findHistory(instance.context.config, { ...query, cursor, pageSize: perReading });
    found.push(...part.found);
    cursor = part.next;
    if (cursor === undefined) return { found };
    if (i === mostReadings - 1) return { found, isPart: true, searchedTo: part.searchedTo };
  }
  return { found, isPart: true };
}

/** The page `/history/-/print`: all selected records, each with all of its details. @throws SVC-CFG-001 without a state folder */
async function showPrinted(call: PageCall<Selected>): Promise<Page> {
  const { words, query } = call;
  const { say, format } = words;
  const { found, isPart = false, searchedTo } = await findAll(call);
  const count = say(isPart ? history.partOf : history.allOf, { count: found.length });
  const rest = !isPart
    ? ''
    : html`<p>${say(searchedTo === undefined ? history.printedPart : history.printedSearch, { count: found.length, time: searchedTo && format.time(searchedTo) })} <a href="${toPath(`${apiBase}/history`, {}, { ...query, format: 'csv' })}" download>${say(history.download)}</a></p>`;
  return {
    title: say(history.title),
    crumbs: [[say(history.title), toPath('/history', {}, query)]],
    paper: [
      [say(history.filter), wordFilter(call)],
      [say(history.records), count],
      [say(history.store), call.instance.store.mediaId],
    ],
    sections: [
      {
        id: 'list',
        label: say(parts.results),
        html: html`<p class="screen-only">${count} · ${say(history.filter)}${say(parts.colon)} ${untrusted(wordFilter(call))}</p><p class="buttons"><button type="button" class="button button-primary" data-print>${say(parts.printPage)}</button></p>${rest}${table<HistoryEvent>(
          {
            caption: say(history.title),
            empty: isFiltered(call, filterNames)
              ? nothingMatches(call, '/history', filterNames, controls)
              : html`<p>${say(history.empty)}</p>`,
            rows: toEvents(found),
            columns: [
              {
                label: say(history.time),
                isHeader: true,
                isTime: true,
                cell: ({ record: { ts } }) => format.time(ts),
              },
              { label: say(history.actor), cell: ({ record }) => sayActor(call, record) },
              { label: say(history.action), cell: ({ record }) => untrusted(sayAction(call, record)) },
              {
                label: say(history.subject),
                cell: (event) =>
                  untrusted(wordSubject(call, toShown(event), wordTarget(call, toShown(event)))),
              },
              { label: say(history.outcome), cell: ({ record }) => sayOutcome(call, record) },
              {
                label: say(history.recordId),
                cell: ({ id, lines = [] }) =>
                  code([id, ...lines.map((one) => one.id)].filter(Boolean).join(' ')),
              },
              {
                label: say(history.origin),
                isMinor: true,
                cell: ({ record: { origin } }) => (origin === undefined ? noValue : untrusted(origin)),
              },
            ],
          },
        )}`,
      },
    ],
  };
}

export const printedPage = page({
  method: 'GET',
  path,
  floor: 'admin',
  title: history.title,
  query: selection,
  page: showPrinted,
});
