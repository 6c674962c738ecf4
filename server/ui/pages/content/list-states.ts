import type { ContentKind } from '../../../../src/oci/kind.ts';
import { isSvcError } from '../../../../src/text/error.ts';
import { content } from '../../../../src/text/words/content.ts';
import { parts } from '../../../../src/text/words/parts.ts';
import { requireRepository } from '../../../../src/view/content.ts';
import { type Html, html } from '../../html.ts';
import { isFiltered } from '../../parts/filters.ts';
import { icon } from '../../parts/icons.ts';
import { untrusted } from '../../parts/text.ts';
import { toPath } from '../../to-href.ts';
import type { PageCall, Section } from '../../ui-route.ts';
import { kindWords } from './content-words.ts';

const names = ['q', 'kind', 'prefix'] as const;

/** Why the list of content is empty, with the one next step. */
export function emptyContent(call: PageCall): Html {
  const { say } = call.words;
  if (!isFiltered(call, names))
    return html`<p>${say(content.empty)}</p><p>${say(content.emptyNext)} <a href="/tasks">${say(content.tasksLink)}</a></p>`;
  const { search } = call;
  const filter = [
    ...search.getAll('q'),
    ...search.getAll('kind').map((kind) => say(kindWords[kind as ContentKind])),
    ...search.getAll('prefix').map((prefix) => `${prefix}/`),
  ].join(', ');
  const kept = { rows: search.get('rows') ?? undefined, sort: search.get('sort') ?? undefined };
  return html`<p>${untrusted(say(parts.noMatch, { filter }))}</p><p><a href="${toPath('/content', {}, kept)}">${say(parts.dropFilter)}</a></p>`;
}

function isGone(call: PageCall, repository: string): boolean {
  try {
    requireRepository(call, repository);
    return false;
  } catch (error) {
    return isSvcError(error, 'SVC-REG-005');
  }
}

/** After a deletion: says that the repository is gone, when it is. */
export function removedNote(call: PageCall): readonly Section[] {
  const repository = call.search.get('deleted');
  if (repository === null || !isGone(call, repository)) return [];
  const text = call.words.say(content.deleted, { repository: repository.slice(0, 256) });
  return [
    {
      id: 'deleted',
      html: html`<div class="note" role="status">${icon('ok')}<p>${untrusted(text)}</p></div>`,
    },
  ];
}
