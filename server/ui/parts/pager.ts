import { parts } from '../../../src/text/words/parts.ts';
import { type Html, html } from '../html.ts';
import type { PageCall } from '../ui-route.ts';
import { icon } from './icons.ts';

interface PagerOptions {
  readonly page: number;
  readonly pageSize: number;
  readonly total: number;
  readonly totalPages: number;
}

/** The first, the last, and those around the current one; 0 is a gap. */
function selectNumbers(page: number, last: number): readonly number[] {
  const shown = [...new Set([1, page - 1, page, page + 1, last])].filter((n) => n >= 1 && n <= last);
  return shown.sort((a, b) => a - b).flatMap((n, i) => (i > 0 && n - shown[i - 1]! > 1 ? [0, n] : [n]));
}

/** Links to the pages of a list, which keep its filters. */
export function pager({ here, words: { say } }: PageCall, options: PagerOptions): Html | string {
  const { page, pageSize, total, totalPages } = options;
  if (total === 0) return '';
  const [path, query = ''] = here.split('?', 2) as [string, string?];
  const to = (number: number): string => {
    const search = new URLSearchParams(query);
    search.set('page', String(number));
    return `${path}?${search}`;
  };
  const first = Math.min(total, (page - 1) * pageSize + 1);
  const range = say(parts.range, { first, last: Math.min(total, page * pageSize), total });
  const label = (number: number): string => say(parts.pageNumber, { number });
  const item = (number: number): Html =>
    number === 0
      ? html`<li aria-hidden="true">…</li>`
      : number === page
        ? html`<li><span class="pager-current" aria-current="page"><span class="visually-hidden">${label(number)}</span><span aria-hidden="true">${number}</span></span></li>`
        : html`<li><a href="${to(number)}" aria-label="${label(number)}">${number}</a></li>`;
  return html`<nav class="pager" aria-label="${say(parts.pages)}"><span class="muted">${range}</span>${
    totalPages <= 1
      ? ''
      : html`<ul>
${page > 1 ? html`<li><a href="${to(page - 1)}" aria-label="${say(parts.previous)}">${icon('previous')}</a></li>` : ''}
${selectNumbers(page, totalPages).map(item)}
${page < totalPages ? html`<li><a href="${to(page + 1)}" aria-label="${say(parts.next)}">${icon('next')}</a></li>` : ''}
</ul>`
  }</nav>`;
}
