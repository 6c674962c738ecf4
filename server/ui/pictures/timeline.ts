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

/**
 * A row for each recipe, and for recipes that failed together, a column for each day on which something landed or was refused.
 *
 * @param empty said where nothing has
 */
export function timeline(call: PageCall, { days, rows, more }: Deliveries, empty: Sentence): Html {
  const { say, format } = call.words;
  const shown = table<DeliveryRow>({
    caption: say(overview.deliveries),
    empty: html`<p>${say(empty)}</p>`,
    rows,
    isGrid: true,
    columns: [
      {
        label: say(overview.recipe),
        isHeader: true,
        cell: ({ recipe, together }) =>
          together === undefined
            ? untrusted(recipe)
            : html`<details class="fold"><summary>${say(overview.together, { count: together.length })}</summary><ul class="plain-list">${together.map((one) => html`<li>${untrusted(one)}</li>`)}</ul></details>`,
      },
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
  return more === 0
    ? shown
    : html`${shown}<p class="way"><a href="/recipes">${say(overview.toDoMore, { count: more })}</a></p>`;
}
