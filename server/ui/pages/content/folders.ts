import type { QueryOf } from '../../../../src/contract/operation.ts';
import { contentFilters } from '../../../../src/contract/operations/content.ts';
import { paging } from '../../../../src/contract/operations/paging.ts';
import { content } from '../../../../src/text/words/content.ts';
import { listFolders } from '../../../../src/view/content.ts';
import { type Html, html } from '../../html.ts';
import { icon } from '../../parts/icons.ts';
import { untrusted } from '../../parts/text.ts';
import { toPath } from '../../to-href.ts';
import type { PageCall } from '../../ui-route.ts';

/** Folders shown at most: with more, a filter finds them sooner than the eye. */
const mostFolders = 60;

/** Repositories on one page by default. */
export const perPage = 50;

/** Parameters of the list of content: those of the API that select repositories. */
export const contentPageFilters = {
  ...contentFilters,
  ...paging(perPage),
};
export type ContentListQuery = QueryOf<typeof contentPageFilters>;

/** The same list with something changed. The page begins anew. */
export const toList = (query: ContentListQuery, change: ContentListQuery): string => {
  const { page: _, pageSize: __, ...kept } = { ...query, ...change };
  return toPath('/content', {}, kept);
};

/** The folders above the list, each with a link, the current one last. */
export function prefixPath({ words: { say } }: PageCall, query: ContentListQuery, total: number): Html {
  const { prefix = '' } = query;
  const segments = prefix === '' ? [] : prefix.split('/');
  const steps = [
    { text: say(content.allContent), to: '' },
    ...segments.map((text, i) => ({ text, to: segments.slice(0, i + 1).join('/') })),
  ];
  return html`<nav class="folder-path" aria-label="${say(content.folders)}"><ol>${steps.map(
    ({ text, to }, i) =>
      i === steps.length - 1
        ? html`<li aria-current="location"><strong>${untrusted(text)}</strong> <span class="muted">${say(content.repositories, { count: total })}</span></li>`
        : html`<li><a href="${toList(query, { prefix: to })}">${untrusted(text)}</a></li>`,
  )}</ol></nav>`;
}

export async function folderList(call: PageCall, query: ContentListQuery): Promise<Html | string> {
  const { say, format } = call.words;
  const { folders, total } = await listFolders(call, { ...query, page: 1, pageSize: mostFolders });
  // a single folder narrows nothing that the list below does not show
  if (folders.length < 2) return '';
  const start = query.prefix === undefined ? 0 : query.prefix.length + 1;
  const more =
    total > folders.length
      ? html`<p class="muted">${say(content.foldersShown, { count: total, shown: folders.length })}</p>`
      : '';
  return html`<ul class="tags" aria-label="${say(content.folders)}">${folders.map(
    ({ prefix, repositories }) =>
      html`<li><a href="${toList(query, { prefix })}">${icon('filesets')} ${untrusted(prefix.slice(start))} <span class="muted">${format.number(repositories)}</span></a></li>`,
  )}</ul>${more}`;
}
