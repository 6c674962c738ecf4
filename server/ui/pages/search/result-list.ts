import { searchWords } from '../../../../src/text/words/search.ts';
import { type Html, html } from '../../html.ts';
import type { PageCall, Section } from '../../ui-route.ts';

/** Results of each kind that are shown; a link leads to all of them. */
export const shown = 10;

export function results(
  { words: { say, format } }: PageCall,
  {
    id,
    title,
    total,
    all,
    items,
  }: { id: string; title: string; total: number; all: string; items: readonly Html[] },
): readonly Section[] {
  if (items.length === 0) return [];
  const more =
    total > items.length ? html`<p><a href="${all}">${say(searchWords.all, { count: total })}</a></p>` : '';
  return [
    {
      id,
      html: html`<h2>${title} <span class="muted">${format.number(total)}</span></h2><ul class="results">${items.map((item) => html`<li>${item}</li>`)}</ul>${more}`,
    },
  ];
}
