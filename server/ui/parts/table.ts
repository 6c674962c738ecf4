import { type Order, orderOf } from '../../../src/contract/operations/sorting.ts';
import { parts } from '../../../src/text/words/parts.ts';
import { type ColumnName, columnChoices, hiddenColumns, type TableName } from '../chosen-columns.ts';
import { attr, type Html, html, tokenField } from '../html.ts';
import type { PageCall } from '../ui-route.ts';
import { nextField } from './header.ts';
import { icon } from './icons.ts';
import { toListed } from './pager.ts';
import { untrusted } from './text.ts';

export interface Column<Row> {
  readonly label: string;
  readonly cell: (row: Row) => Html | string;
  /** Its cell of the sum below all rows. The table has that row when a column has one. */
  readonly sum?: Html | string;
  /** Aligns numbers and sizes to the right. */
  readonly isNumber?: boolean;
  /** The cell that names the row. */
  readonly isHeader?: boolean;
  /** A time, which is not broken into lines. */
  readonly isTime?: boolean;
  /** Words or a code, which are not broken into lines either. */
  readonly isWhole?: boolean;
  /** The state of the row: on a small screen it stands beside the name. */
  readonly isState?: boolean;
  /** Does not count where the number of columns decides when rows become entries. */
  readonly isMinor?: boolean;
  /** What a row says first, clear without its label: on a small screen it has lines of its own. */
  readonly isLead?: boolean;
  /** In the second line of its row in half a window. */
  readonly isBelow?: boolean;
  /** The order of a list that has no other one. */
  readonly fixedOrder?: 'ascending' | 'descending';
  /** Value of `sort` by which the list is ordered by this column. */
  readonly sort?: string;
  /** Name by which the reader may leave it out. */
  readonly id?: ColumnName;
}

/** A list whose reader chooses the order, with the parameters of its page, and the columns. */
interface ChosenList {
  readonly call: PageCall<{ readonly sort?: string | undefined; readonly order?: Order | undefined }>;
  /** Absent: the reader chooses no columns. */
  readonly name?: TableName;
  /** Section of a list that is not the first of its page: its parameters begin with it. */
  readonly section?: string;
  /** The order without a parameter. */
  readonly sort: string;
  /** There is no other key: an address names only the direction. */
  readonly hasOneKey?: boolean;
}

interface TableOptions<Row> {
  readonly caption: string;
  readonly columns: readonly Column<Row>[];
  readonly rows: readonly Row[];
  /** The caption is read out, and not shown: a heading above says the same. */
  readonly hideCaption?: boolean;
  /** The caption with the order of the rows, shown in its place; the region and announcements keep the short one. */
  readonly order?: string | undefined;
  readonly compact?: boolean;
  /** The values are clear without their labels: on a small screen they share a line. */
  readonly isBrief?: boolean;
  /** All columns but the first have one width. */
  readonly isGrid?: boolean;
  readonly list?: ChosenList;
  /** Rows that stand out, on a ground of their colour. */
  readonly toneOf?: (row: Row) => 'warn' | 'bad' | undefined;
  /** The common part of consecutive rows, such as a host: it is shown once above them. */
  readonly groupOf?: (row: Row) => string;
  /** Whether the reader may fold the rows of a group. */
  readonly foldsGroups?: boolean;
  /** Stands beside the name of a group. */
  readonly groupNote?: (group: string, rows: number) => Html | string;
  /** Shown in place of a table without rows: why it is empty, and the one next step. */
  readonly empty: Html | string;
}

/** The heading of a column by which the list can be ordered: a link that orders by it, then turns the order round. */
function sortHeading(
  { call, sort: first, section, hasOneKey }: ChosenList,
  { label, sort }: { label: string; sort: string },
): Html {
  const { sort: by = first, order } = call.query;
  const isBy = by === sort;
  const now = orderOf(sort, isBy ? order : undefined);
  const next = isBy ? (now === 'asc' ? 'desc' : 'asc') : now;
  const to = toListed(
    call,
    { page: undefined, cursor: undefined, sort: hasOneKey ? undefined : sort, order: next },
    section,
  );
  return html`<a class="sort" href="${to}">${label}${isBy ? icon(now === 'asc' ? 'ascending' : 'descending') : ''}</a>`;
}

function classOf<Row>({
  isNumber,
  isTime,
  isWhole,
  isState,
  isMinor,
  isLead,
  isBelow,
}: Column<Row>): string | undefined {
  const kind = isNumber ? 'number' : isTime ? 'whole time' : isWhole ? 'whole' : '';
  const all =
    `${kind}${isState ? ' state' : ''}${isMinor ? ' minor' : ''}${isLead ? ' foremost' : ''}${isBelow ? ' minor second' : ''}`.trim();
  return all === '' ? undefined : all;
}

function heading<Row>(list: ChosenList | undefined, column: Column<Row>): Html {
  const { label, sort, fixedOrder } = column;
  const kind = classOf(column);
  if (list === undefined || sort === undefined)
    return html`<th scope="col" ${attr('class', kind)} ${attr('aria-sort', fixedOrder)}>${label}</th>`;
  const { sort: by = list.sort, order } = list.call.query;
  const direction = by === sort ? (orderOf(sort, order) === 'asc' ? 'ascending' : 'descending') : undefined;
  return html`<th scope="col" ${attr('class', kind)} ${attr('aria-sort', direction)}>${sortHeading(list, { label, sort })}</th>`;
}

/** Splits rows where their group changes. */
function splitGroups<Row>(
  rows: readonly Row[],
  groupOf: (row: Row) => string,
): readonly { readonly group: string; readonly rows: readonly Row[] }[] {
  const groups: { readonly group: string; readonly rows: Row[] }[] = [];
  for (const row of rows) {
    const group = groupOf(row);
    const last = groups.at(-1);
    if (last?.group === group) last.rows.push(row);
    else groups.push({ group, rows: [row] });
  }
  return groups;
}

/** A table; on small screens each row is an entry of a few lines. */
export function table<Row>(options: TableOptions<Row>): Html {
  const {
    caption,
    rows,
    order,
    hideCaption = order === undefined,
    compact = false,
    isBrief = false,
    isGrid = false,
    empty,
    list,
    groupOf = () => '',
    toneOf = () => undefined,
    foldsGroups,
    groupNote = () => '',
  } = options;
  if (rows.length === 0) return html`<div class="empty">${empty}</div>`;
  const hidden = list?.name === undefined ? undefined : hiddenColumns(list.call, list.name);
  const columns = options.columns.filter(({ id }) => id === undefined || hidden?.has(id) !== true);
  const cellOf = (column: Column<Row>, value: Html | string): Html =>
    column.isHeader
      ? html`<th scope="row" ${attr('class', classOf(column))} data-label="${column.label}">${value}</th>`
      : html`<td ${attr('class', classOf(column))} data-label="${column.label}">${value}</td>`;
  const sum = columns.some((column) => column.sum !== undefined)
    ? html`<tbody><tr>${columns.map((column) => cellOf(column, column.sum ?? ''))}</tr></tbody>\n`
    : '';
  const groupRow = (group: string, size: number): Html | string =>
    group === ''
      ? ''
      : html`<tr class="group"><th scope="rowgroup" colspan="${columns.length}">${
          foldsGroups
            ? html`<label class="group-fold"><input type="checkbox" checked autocomplete="off">${icon('down')} ${untrusted(group)}</label>`
            : untrusted(group)
        }${groupNote(group, size)}</th></tr>\n`;
  return html`<div class="table-scroll" tabindex="0" role="region" aria-label="${caption}"><table class="table table-${isBrief ? 'brief' : 'named'}${compact ? ' table-compact' : ''}${isGrid ? ' table-grid' : ''}">
<caption class="${hideCaption ? 'visually-hidden' : 'caption'}">${order ?? caption}</caption>
<thead><tr>${columns.map((column) => heading(list, column))}</tr></thead>
${splitGroups(rows, groupOf).map(
  ({ group, rows: part }) => html`<tbody>
${groupRow(group, part.length)}${part.map((row) => html`<tr ${attr('class', toneOf(row))}>${columns.map((column) => cellOf(column, column.cell(row)))}</tr>\n`)}
</tbody>
`,
)}${sum}</table></div>`;
}

/** Terms and their values, such as the facts of one thing. */
export function facts(rows: readonly (readonly [term: string, value: Html | string])[]): Html {
  return html`<dl class="facts">${rows.map(([term, value]) => html`<dt>${term}</dt><dd>${value}</dd>`)}</dl>`;
}

/** The same of short values, in columns where there is room. */
export function factColumns(rows: readonly (readonly [term: string, value: Html | string])[]): Html {
  return html`<dl class="fact-columns">${rows.map(([term, value]) => html`<div class="facts"><dt>${term}</dt><dd>${value}</dd></div>`)}</dl>`;
}

/**
 * The form that chooses the columns of the section `list`. It stands outside of live sections. Where scripts run, each choice is
 * applied at once.
 */
export function columnForm(call: PageCall, table: TableName): Html {
  const { say } = call.words;
  const hidden: ReadonlySet<string> = hiddenColumns(call, table);
  const sayHidden = (count: number): string => say(parts.columnsHidden, { count });
  return html`<details class="fold columns"><summary>${icon('columns')} ${say(parts.columns)} <span class="muted" data-one="${sayHidden(1)}" data-two="${sayHidden(2)}">${hidden.size === 0 ? '' : sayHidden(hidden.size)}</span></summary>
<form method="post" action="/columns" hx-post="/columns" hx-trigger="change" hx-target="#list" hx-swap="outerMorph" hx-sync="replace">${tokenField}${nextField(call.here)}<input type="hidden" name="table" value="${table}"><fieldset class="checks"><legend class="visually-hidden">${say(parts.columns)}</legend>${Object.entries(
    columnChoices[table],
  ).map(
    ([name, label]) =>
      html`<label class="check"><input type="checkbox" name="column" value="${name}" ${attr('checked', !hidden.has(name))}> ${say(label)}</label>`,
  )}</fieldset><noscript><button class="button button-plain" type="submit">${say(parts.showColumns)}</button></noscript></form></details>`;
}
