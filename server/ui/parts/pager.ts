import { type PageOf, selectPage } from '../../../src/base/page.ts';
import type { QueryOf } from '../../../src/contract/operation.ts';
import { paging } from '../../../src/contract/operations/paging.ts';
import { parts } from '../../../src/text/words/parts.ts';
import { type Html, html } from '../html.ts';
import type { PageCall } from '../ui-route.ts';
import { icon } from './icons.ts';

interface PagerOptions extends PageOf {
  readonly pageSize: number;
  /** As {@link toListed} has it. */
  readonly section?: string | undefined;
}

/** The first, the last, and those around the current one; 0 is a gap. */
function selectNumbers(page: number, last: number): readonly number[] {
  const shown = [...new Set([1, page - 1, page, page + 1, last])].filter((n) => n >= 1 && n <= last);
  return shown.sort((a, b) => a - b).flatMap((n, i) => (i > 0 && n - shown[i - 1]! > 1 ? [0, n] : [n]));
}

/**
 * The address of the list that is shown with other parameters, which keeps its filters.
 *
 * @param section of a list that is not the first of its page: its parameters begin with it
 */
export function toListed(
  { here }: PageCall,
  change: Readonly<Record<string, string | undefined>>,
  section?: string,
): string {
  const [path, query = ''] = here.split('?', 2) as [string, string?];
  const search = new URLSearchParams(query);
  for (const [key, value] of Object.entries(change)) {
    const name = section === undefined ? key : `${section}-${key}`;
    if (value === undefined) search.delete(name);
    else search.set(name, value);
  }
  return `${path}?${search}${section === undefined ? '' : `#${section}`}`;
}

const toPage = (call: PageCall, number: number, section?: string): string =>
  toListed(call, { page: String(number) }, section);

/** Replaces an empty list where only the number of its page is too high; undefined otherwise. */
export function pastEnd(call: PageCall, { page, total, totalPages }: PageOf): Html | undefined {
  if (total === 0 || page <= totalPages) return undefined;
  const { say } = call.words;
  return html`<p>${say(parts.pastEnd)}</p><p><a href="${toPage(call, 1)}">${say(parts.firstPage)}</a></p>`;
}

/** Links to the pages of a list, which keep its filters. */
export function pager(call: PageCall, options: PagerOptions): Html | string {
  const { page, pageSize, total, totalPages, section } = options;
  if (total === 0 || page > totalPages) return '';
  const { say } = call.words;
  const to = (number: number): string => toPage(call, number, section);
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
${page > 1 ? html`<li class="pager-step"><a href="${to(page - 1)}" aria-label="${say(parts.previous)}">${icon('previous')}</a></li>` : ''}
${selectNumbers(page, totalPages).map(item)}
${page < totalPages ? html`<li class="pager-step"><a href="${to(page + 1)}" aria-label="${say(parts.next)}">${icon('next')}</a></li>` : ''}
</ul>`
  }</nav>`;
}

/** Rows of one page, at most: more are neither read nor rendered in time. */
const mostRows = 200;

/** The parameter of a page whose lists are mostly short. */
export const pageField = { page: paging(mostRows).page };

/**
 * One page of a list that is mostly short, with its pager where it is long. A page past the end is the last one, as another
 * list of the same page may be longer.
 *
 * @param section as {@link toListed} has it
 */
export function selectRows<T>(
  call: PageCall<QueryOf<typeof pageField>>,
  all: readonly T[],
  section?: string,
): { readonly rows: readonly T[]; readonly pages: Html | string } {
  const last = Math.max(1, Math.ceil(all.length / mostRows));
  const query = { page: Math.min(call.query.page ?? 1, last), pageSize: mostRows };
  const { selected: rows, pageOf } = selectPage(all, query);
  return { rows, pages: last === 1 ? '' : pager(call, { ...pageOf, pageSize: mostRows, section }) };
}
