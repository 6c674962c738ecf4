import { searchWords } from '../../../../src/text/words/search.ts';
import { type Html, html } from '../../html.ts';
import type { PageCall, Section } from '../../ui-route.ts';

/** Results of each kind that are shown; a link leads to all of them. */
export const shown = 10;

/** The parts of a result, each in a column of its own. A result of a name alone has the whole row. */
export interface Result {
  /** Link to the thing. */
  readonly name: Html;
  readonly version?: Html | string | undefined;
  readonly kind?: Html | string | undefined;
  readonly state?: Html | string | undefined;
  readonly rest?: Html | string | undefined;
}

/** A list of results in columns. */
export function resultList(items: readonly Result[]): Html {
  const part = (shown: Html | string = ''): Html => html` <span>${shown}</span>`;
  return html`<ul class="results">${items.map(({ name, ...others }) => {
    const { version, kind, state, rest } = others;
    const isAlone = Object.values(others).every((each) => each === undefined);
    return html`<li><span>${name}</span>${isAlone ? '' : [version, kind, state, rest].map(part)}</li>`;
  })}</ul>`;
}

export function results(
  { words: { say, format } }: PageCall,
  {
    id,
    title,
    total,
    all,
    items,
  }: { id: string; title: string; total: number; all: string; items: readonly Result[] },
): readonly Section[] {
  if (items.length === 0) return [];
  const more =
    total > items.length ? html`<p><a href="${all}">${say(searchWords.all, { count: total })}</a></p>` : '';
  return [
    {
      id,
      html: html`<h2>${title} <span class="muted">${format.number(total)}</span></h2>${resultList(items)}${more}`,
    },
  ];
}
