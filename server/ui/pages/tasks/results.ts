import type { MediumReport } from '../../../../src/contract/medium.ts';
import type { MovedTag, PrunedItem, Task } from '../../../../src/contract/task.ts';
import { deliveries } from '../../../../src/text/words/delivering/deliveries.ts';
import { media } from '../../../../src/text/words/media.ts';
import { tasks } from '../../../../src/text/words/tasks.ts';
import { type Html, html } from '../../html.ts';
import { badge } from '../../parts/badge.ts';
import { icon } from '../../parts/icons.ts';
import { facts, table } from '../../parts/table.ts';
import { code, untrusted } from '../../parts/text.ts';
import type { PageCall } from '../../ui-route.ts';
import { deliveryBlock } from '../media/deliveries.ts';
import { verdictRecord } from '../media/report.ts';
import { verdictLine, verdictState } from '../media/verdict.ts';

/** Rows of a table that are shown: a run may resolve or remove thousands, and rendering them would hold up others. */
const mostRows = 50;

function restNote({ words: { say } }: PageCall, rows: readonly unknown[]): Html | string {
  if (rows.length <= mostRows) return '';
  return html`<p class="muted">${say(tasks.firstRows, { count: rows.length, shown: mostRows })}</p>`;
}

function prunedTable(call: PageCall, rows: readonly PrunedItem[]): Html {
  const { say } = call.words;
  return html`<h2>${say(tasks.pruned)}</h2>${table<PrunedItem>({
    caption: say(tasks.pruned),
    empty: '',
    rows: rows.slice(0, mostRows),
    columns: [
      { label: say(tasks.repository), isHeader: true, cell: ({ repository }) => untrusted(repository) },
      { label: say(tasks.tag), cell: ({ tag }) => untrusted(tag) },
      { label: say(tasks.recipe), cell: ({ recipe }) => untrusted(recipe) },
      { label: say(tasks.digest), cell: ({ digest }) => code(digest) },
    ],
  })}${restNote(call, rows)}`;
}

/** The tags that an import gave to other content, and those that stay. */
const movedList = (call: PageCall, tags: readonly MovedTag[]): Html => {
  const { say } = call.words;
  return html`<h2>${say(tasks.movedTags)}</h2><ul class="plain-list">${tags.slice(0, mostRows).map(({ kept, ...one }) => html`<li>${untrusted(say(kept ? tasks.keptTag : tasks.movedTag, one))}</li>`)}</ul>${restNote(call, tags)}`;
};

/** The verdict under which a medium was imported, waivers included: the record of the decision and its reasons. */
function verdictBlock(call: PageCall, report: MediumReport): Html {
  const { say, format } = call.words;
  const { blocks, startedAt, finishedAt } = report;
  const { kind, text } = verdictState(call.words, report);
  const waived = blocks.flatMap((block) => (block.waived ? [block.code] : []));
  return html`<h2>${say(media.verdict)}</h2><p class="verdict-line">${badge(kind, text)} <strong>${verdictLine(call, report)}</strong></p>
${facts([
  [say(media.walked), html`${format.time(startedAt)} – ${format.time(finishedAt)}`],
  [say(media.waivers), waived.length === 0 ? say(media.noWaivers) : code(waived.join(', '))],
])}
${verdictRecord(call, report)}`;
}

/** The results of a task so far: the verdict on its medium, the layout, the removed tags. */
export function resultBlocks(
  call: PageCall,
  { items, layout, verification, delivery, alreadyImportedAt, movedTags = [], pruned = [] }: Task,
): Html {
  const { say } = call.words;
  const codes = new Map(
    items.flatMap(({ name, error }) => (error === undefined ? [] : [[name, error.code]])),
  );
  const result =
    layout === undefined
      ? ''
      : html`<h2>${say(tasks.result)}</h2><p>${say(tasks.resultLine, { manifests: layout.manifests, blobs: layout.blobs, bytes: layout.bytes })}</p>`;
  const repeated =
    alreadyImportedAt === undefined
      ? ''
      : html`<div class="note">${icon('ok')}<p>${say(tasks.alreadyImported, { at: call.words.format.time(alreadyImportedAt) })}</p></div>`;
  return html`${repeated}${delivery === undefined ? '' : html`<h2>${say(deliveries.delivery)}</h2>${deliveryBlock(call, delivery, { codes })}`}${verification === undefined ? '' : verdictBlock(call, verification)}${result}${movedTags.length === 0 ? '' : movedList(call, movedTags)}${pruned.length === 0 ? '' : prunedTable(call, pruned)}`;
}
