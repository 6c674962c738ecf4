import { sync } from '../../../../src/base/words/sync.ts';
import type { PruneItem } from '../../../../src/engine/sync/model.ts';
import type { PrunePreview } from '../../../../src/operation/prune-preview.ts';
import { type Html, html } from '../../html.ts';
import { form, submit } from '../../parts/form.ts';
import { table } from '../../parts/table.ts';
import { code, untrusted } from '../../parts/text.ts';
import type { Page, PageCall } from '../../ui-route.ts';

/** Tags that a page lists. */
const shownTags = 200;

/** What a prune would remove, and how much that frees. */
export function pruneBlock(
  call: PageCall,
  { items, totalBytes }: Pick<PrunePreview, 'items' | 'totalBytes'>,
): Html {
  const { say, format } = call.words;
  if (items.length === 0) return html`<p>${say(sync.pruneNone)}</p>`;
  return html`<p>${say(sync.pruneCount, { count: items.length, bytes: totalBytes })}</p>
${items.length > shownTags ? html`<p class="muted">${say(sync.pruneMore, { shown: shownTags })}</p>` : ''}${table<PruneItem>(
  {
    caption: say(sync.prune),
    empty: '',
    compact: true,
    rows: items.slice(0, shownTags),
    columns: [
      {
        label: say(sync.tag),
        isHeader: true,
        cell: ({ repository, tag, restored }) =>
          html`${code(`${repository}:${tag}`)}${restored === undefined ? '' : html`<div class="item-digest muted">${say(sync.restored, { digest: restored })}</div>`}`,
      },
      { label: say(sync.recipe), cell: ({ recipe }) => untrusted(recipe) },
      { label: say(sync.size), isNumber: true, cell: ({ sizeBytes }) => format.size(sizeBytes) },
    ],
  },
)}`;
}

/** The page that shows what a prune removes, with the button that starts such a run. */
export function showPrune(call: PageCall, preview: PrunePreview): Page {
  const { say } = call.words;
  const start = form(
    '/recipes/sync',
    html`<input type="hidden" name="prune" value="true"><div class="buttons">${submit(say(sync.startPrune), { kind: 'danger', working: say(sync.starting) })}</div>`,
  );
  return {
    title: say(sync.pruneTitle),
    crumbs: [[say(sync.title), '/recipes/sync']],
    sections: [
      {
        id: 'prune',
        html: html`${pruneBlock(call, preview)}<p class="muted">${say(sync.pruneStays)}</p>${preview.items.length === 0 ? '' : start}`,
      },
    ],
  };
}
