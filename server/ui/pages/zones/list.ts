import type { QueryOf } from '../../../../src/contract/operation.ts';
import { listZones as operation } from '../../../../src/contract/operations/zones.ts';
import type { ZoneBoard } from '../../../../src/contract/zone-board.ts';
import { isSvcError } from '../../../../src/text/error.ts';
import { zones as text } from '../../../../src/text/words/delivering/zones.ts';
import { parts } from '../../../../src/text/words/parts.ts';
import { hasZones, listZones } from '../../../views/zones.ts';
import { type Html, html } from '../../html.ts';
import { curlCommand } from '../../parts/curl.ts';
import { errorBlock } from '../../parts/error.ts';
import { filters, isFiltered, nothingMatches } from '../../parts/filters.ts';
import { pager, pastEnd } from '../../parts/pager.ts';
import { table } from '../../parts/table.ts';
import { terminal } from '../../parts/terminal.ts';
import { untrusted } from '../../parts/text.ts';
import { toPath } from '../../to-href.ts';
import type { Page, PageCall } from '../../ui-route.ts';
import { countsCell, deliveriesCell, receiptCell, wantedCell } from './cells.ts';

type Call = PageCall<QueryOf<typeof operation.query>>;

/** The zones with their pager, or the error when the list cannot be read. */
async function zoneTable(call: Call): Promise<Html> {
  const { words } = call;
  const { say } = words;
  const { pageSize = 25 } = call.query;
  try {
    const { zones, ...pageOf } = await listZones(call, call.query);
    const rows = table<ZoneBoard>({
      caption: say(text.title),
      empty:
        pastEnd(call, pageOf) ??
        (isFiltered(call, ['q']) ? nothingMatches(call, '/zones', ['q']) : html`<p>${say(text.none)}</p>`),
      rows: zones,
      columns: [
        {
          label: say(text.zone),
          isHeader: true,
          cell: ({ name }) =>
            html`<a href="${toPath('/zones/{zone}', { zone: name })}">${untrusted(name)}</a>`,
        },
        { label: say(text.recipes), cell: (board) => countsCell(call, board) },
        { label: say(text.receipt), cell: (board) => receiptCell(call, board) },
        { label: say(text.deliveries), cell: (board) => deliveriesCell(call, board) },
        { label: say(text.resolved), cell: (board) => wantedCell(call, board) },
      ],
    });
    return html`${rows}${pager(call, { ...pageOf, pageSize })}`;
  } catch (error) {
    if (!isSvcError(error)) throw error;
    return errorBlock({ words, error, hasHelp: true, heading: html`<h2>${say(text.title)}</h2>` });
  }
}

/** The page `/zones`. */
export async function showZones(call: Call): Promise<Page> {
  const { say } = call.words;
  const controls = filters(call, {
    path: '/zones',
    section: 'list',
    query: operation.query,
    controls: { q: text.search },
  });
  return {
    title: say(text.title),
    lead: say(text.lead),
    sections: [
      ...(hasZones(call) ? [{ id: 'filters', html: controls }] : []),
      { id: 'list', label: say(parts.results), html: await zoneTable(call) },
      {
        id: 'terminal',
        html: terminal(call.words, [
          'svc zones',
          curlCommand(call, 'GET', toPath('/zones', {}, { q: call.query.q })),
        ]),
      },
    ],
  };
}
