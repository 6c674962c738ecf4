import { type Html, html } from '../html.ts';

interface Column<Row> {
  readonly label: string;
  readonly cell: (row: Row) => Html | string;
  /** Aligns numbers and sizes to the right. */
  readonly isNumber?: boolean;
  /** The cell that names the row. */
  readonly isHeader?: boolean;
}

interface TableOptions<Row> {
  readonly caption: string;
  readonly columns: readonly Column<Row>[];
  readonly rows: readonly Row[];
  /** The caption is read out, and not shown: a heading above says the same. */
  readonly hideCaption?: boolean;
  readonly compact?: boolean;
  /** Shown in place of a table without rows: why it is empty, and the one next step. */
  readonly empty: Html | string;
}

/** A table; on small screens each row is a card of definitions. */
export function table<Row>(options: TableOptions<Row>): Html {
  const { caption, columns, rows, hideCaption = true, compact = false, empty } = options;
  if (rows.length === 0) return html`<div class="empty">${empty}</div>`;
  const classOf = ({ isNumber }: Column<Row>): string => (isNumber ? 'number' : 'plain');
  const cellOf = (column: Column<Row>, row: Row): Html =>
    column.isHeader
      ? html`<th scope="row" class="${classOf(column)}" data-label="${column.label}">${column.cell(row)}</th>`
      : html`<td class="${classOf(column)}" data-label="${column.label}">${column.cell(row)}</td>`;
  return html`<div class="table-scroll" tabindex="0" role="region" aria-label="${caption}"><table class="table ${compact ? 'table-compact' : 'table-normal'}">
<caption class="${hideCaption ? 'visually-hidden' : 'caption'}">${caption}</caption>
<thead><tr>${columns.map((column) => html`<th scope="col" class="${classOf(column)}">${column.label}</th>`)}</tr></thead>
<tbody>
${rows.map((row) => html`<tr>${columns.map((column) => cellOf(column, row))}</tr>\n`)}
</tbody>
</table></div>`;
}

/** Terms and their values, such as the facts of one thing. */
export function facts(rows: readonly (readonly [term: string, value: Html | string])[]): Html {
  return html`<dl class="facts">${rows.map(([term, value]) => html`<dt>${term}</dt><dd>${value}</dd>`)}</dl>`;
}
