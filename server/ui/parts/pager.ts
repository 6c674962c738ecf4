import type { PageOf } from '../../../src/base/page.ts';
import { parts } from '../../../src/text/words/parts.ts';
import { type Html, html } from '../html.ts';
import type { PageCall } from '../ui-route.ts';
import { icon } from './icons.ts';

interface PagerOptions extends PageOf {
  readonly pageSize: number;
}

/** The first, the last, and those around the current one; 0 is a gap. */
function selectNumbers(page: number, last: number): readonly number[] {
  const shown = [...new Set([1, page - 1, page, page + 1, last])].filter((n) => n >= 1 && n <= last);
  return shown.sort((a, b) => a - b).flatMap((n, i) => (i > 0 && n - shown[i - 1]! > 1 ? [0, n] : [n]));
}

/** The address of a page of the list that is shown, with its filters. */
function toPage({ here }: PageCall, number: number): string {
  const [path, query = ''] = here.split('?', 2) as [string, string?];
  const search = new URLSearchParams(query);
  search.set('page', String(number));
  return `${path}?${search}`;
}

/** Replaces an empty list where only the number of its page is too high; undefined otherwise. */
export function pastEnd(call: PageCall, { page, total, totalPages }: PageOf): Html | undefined {
  if (total === 0 || page <= totalPages) return undefined;
  const { say } = call.words;
  return html`<p>${say(parts.pastEnd)}</p><p><a href="${toPage(call, 1)}">${say(parts.firstPage)}</a></p>`;
}

/** Links to the pages of a list, which keep its filters. */
export function pager(call: PageCall, options: PagerOptions): Html | string {
  const { page, pageSize, total, totalPages } = options;
  if (total === 0 || page > totalPages) return '';
  const { say } = call.words;
  const to = (number: number): string => toPage(call, number);
  const first = (page - 1) * pageSize + 1;
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
