import { overview } from '../../../src/text/words/overview.ts';
import type { Sentence } from '../../../src/text/words/words.ts';
import type { Deliveries, Delivery, DeliveryRow } from '../../views/deliveries.ts';
import { type Html, html } from '../html.ts';
import { table } from '../parts/table.ts';
import { untrusted } from '../parts/text.ts';
import { toPath } from '../to-href.ts';
import type { PageCall } from '../ui-route.ts';

/** A filled circle for a landed version, a hollow one for a refused version. */
function mark({ words: { say } }: PageCall, { version, outcome, code, task }: Delivery): Html {
  const hasLanded = outcome === 'landed';
  const shape = html`<svg class="mark mark-${outcome}" viewBox="0 0 12 12" width="12" height="12" aria-hidden="true" focusable="false"><circle cx="6" cy="6" r="4.5" stroke-width="2"/></svg>`;
  const word = html`<span class="${hasLanded ? 'visually-hidden' : 'mark-word'}">${say(hasLanded ? overview.landed : overview.refused)}</span>`;
  const why =
    code === undefined || task === undefined
      ? ''
      : html` <a class="delivery-code" href="${toPath('/tasks/{id}', { id: task })}">${code}</a>`;
  return html`<span class="delivery">${shape} <span>${untrusted(version)} ${word}</span>${why}</span>`;
}

/** The name of a recipe, or the fold with the recipes that failed together. */
function recipeOf({ words: { say } }: PageCall, { recipe, together }: DeliveryRow): Html {
  if (together === undefined) return untrusted(recipe);
  return html`<details class="fold"><summary>${say(overview.together, { count: together.length })}</summary><ul class="plain-list">${together.map((one) => html`<li>${untrusted(one)}</li>`)}</ul></details>`;
}

/** The lines of one day, in columns: a table would have a single column beside the names. */
function dayList(call: PageCall, rows: readonly DeliveryRow[], day: string): Html {
  const item = (row: DeliveryRow): Html =>
    html`<li class="wanted">${row.together === undefined ? html`<h3>${recipeOf(call, row)}</h3>` : recipeOf(call, row)}<span class="leader"></span><div>${row.byDay.get(day)!.map((each) => mark(call, each))}</div></li>\n`;
  return html`<p class="muted">${call.words.format.day(day)}</p><ul class="wanted-list">
${rows.map(item)}</ul>`;
}

function dayTable(call: PageCall, { days, rows }: Deliveries, empty: Sentence): Html {
  const { say, format } = call.words;
  return table<DeliveryRow>({
    caption: say(overview.deliveries),
    empty: html`<p>${say(empty)}</p>`,
    rows,
    isGrid: true,
    columns: [
      { label: say(overview.recipe), isHeader: true, cell: (row) => recipeOf(call, row) },
      ...days.map((day) => ({
        label: format.day(day),
        cell: ({ byDay }: DeliveryRow) => {
          const marks = byDay.get(day);
          return marks === undefined
            ? html`<span class="muted none" aria-hidden="true">·</span>`
            : html`<div>${marks.map((each) => mark(call, each))}</div>`;
        },
      })),
    ],
  });
}

/**
 * A row for each recipe, and for recipes that failed together, a column for each day on which something landed or was refused.
 *
 * @param empty said where nothing has
 */
export function timeline(call: PageCall, deliveries: Deliveries, empty: Sentence): Html {
  const { days, rows, more } = deliveries;
  const { say } = call.words;
  const [first, ...others] = days;
  const shown =
    first === undefined || others.length > 0 ? dayTable(call, deliveries, empty) : dayList(call, rows, first);
  return more === 0
    ? shown
    : html`${shown}<p class="way"><a href="/recipes">${say(overview.toDoMore, { count: more })}</a></p>`;
}
