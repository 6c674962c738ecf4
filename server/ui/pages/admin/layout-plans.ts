import type { LayoutImportPlan, LayoutPlan } from '../../../../src/contract/layout.ts';
import { fromErrorRecord } from '../../../../src/text/error.ts';
import { sayRule } from '../../../../src/text/rule.ts';
import { layout } from '../../../../src/text/words/layout.ts';
import { type Html, html } from '../../html.ts';
import { answer, badge } from '../../parts/badge.ts';
import { errorBlock, errorLine } from '../../parts/error.ts';
import { submit } from '../../parts/form.ts';
import { facts, table } from '../../parts/table.ts';
import { code, untrusted } from '../../parts/text.ts';
import type { PageCall } from '../../ui-route.ts';

type Entry = LayoutImportPlan['entries'][number];
type Missing = LayoutPlan['missing'][number];

/** Rows of a plan that are shown; the API has all of them. */
const most = 200;

function more({ words: { say } }: PageCall, count: number): Html | string {
  return count > most ? html`<p class="muted">${say(layout.more, { count: count - most })}</p>` : '';
}

/** The form of an export, which the button beside the verdict sends. */
export const exportFormId = 'export-form';

/** Whether an export would write all that it was asked for, with the button that starts it. */
export function exportVerdict({ words: { say } }: PageCall, plan: LayoutPlan): Html {
  const { references, totalBytes, missing, blocked } = plan;
  const count = references.length;
  if (count === 0) return answer({ kind: 'plain', mark: say(layout.stampEmpty), what: say(layout.nothing) });
  const what = say(layout.exports, { count, bytes: totalBytes, missing: missing.length || undefined });
  if (blocked !== undefined) return answer({ kind: 'bad', mark: say(layout.stampBlocked), what });
  const isPart = missing.length > 0;
  return answer({
    kind: isPart ? 'warn' : 'ok',
    mark: say(isPart ? layout.stampPart : layout.stampReady),
    what,
    step: html`<div class="answer-step">${submit(say(layout.startExport), { form: exportFormId })}</div>`,
  });
}

/** The content that an export would write, and the content that it would leave out. */
export function exportPlanBlock(call: PageCall, plan: LayoutPlan): Html {
  const { words } = call;
  const { say, format, language } = words;
  const { references, manifests, blobs, totalBytes, largestFileBytes, missing, removed = [], blocked } = plan;
  return html`<h2>${say(layout.exportPlan)}</h2>
${blocked === undefined ? '' : errorBlock({ words, error: fromErrorRecord(blocked), hasHelp: true })}
${
  references.length === 0
    ? html`<div class="empty">${say(layout.nothing)}</div>`
    : html`${facts([
        [say(layout.format), say(layout[plan.format])],
        [say(layout.content), say(layout.contentLine, { manifests, blobs })],
        [say(layout.total), format.size(totalBytes)],
        [say(layout.largest), format.size(largestFileBytes)],
      ])}
<details class="fold"><summary>${say(layout.references)} (${format.number(references.length)})</summary><ul class="plain-list">${references.slice(0, most).map((each) => html`<li>${code(each)}</li>`)}</ul>${more(call, references.length)}</details>`
}
${
  missing.length === 0
    ? ''
    : html`<h3>${say(layout.missing)}</h3>${table<Missing>({
        caption: say(layout.missing),
        empty: '',
        rows: missing.slice(0, most),
        columns: [
          {
            label: say(layout.reference),
            isHeader: true,
            cell: ({ repository, tag }) => untrusted(tag === undefined ? repository : `${repository}:${tag}`),
          },
          { label: say(layout.digest), cell: ({ digest }) => code(digest) },
          {
            label: say(layout.reason),
            isLead: true,
            cell: ({ reason, reasonRule }) =>
              untrusted(reasonRule === undefined ? reason : sayRule(reasonRule, language)),
          },
        ],
      })}${more(call, missing.length)}`
}
${
  removed.length === 0
    ? ''
    : html`<details class="fold"><summary>${say(layout.removed)} (${format.number(removed.length)})</summary><ul class="plain-list">${removed.slice(0, most).map((each) => html`<li>${untrusted(each)}</li>`)}</ul>${more(call, removed.length)}</details>`
}`;
}

function entryState({ words: { say } }: PageCall, { status, error }: Entry): Html {
  if (error !== undefined) return badge('bad', say(layout.refused));
  if (status === 'new') return badge('ok', say(layout.new));
  return status === 'outdated'
    ? badge('warn', say(layout.outdated))
    : html`<span class="badge">${say(layout.upToDate)}</span>`;
}

/** The plan of an import, entry by entry. */
export function importPlanBlock(call: PageCall, { entries, newBytes, format: kind }: LayoutImportPlan): Html {
  const { words } = call;
  const { say, format } = words;
  return html`<h2>${say(layout.importPlan)}</h2>
${facts([
  [say(layout.format), say(layout[kind])],
  [say(layout.newBytes), format.size(newBytes)],
])}
${table<Entry>({
  caption: say(layout.entries),
  empty: say(layout.noEntries),
  rows: entries.slice(0, most),
  columns: [
    {
      label: say(layout.reference),
      isHeader: true,
      cell: ({ reference, error }) =>
        html`<div>${untrusted(reference)}${error === undefined ? '' : html`<p class="item-error">${errorLine(words, error)}</p>`}</div>`,
    },
    { label: say(layout.status), cell: (entry) => entryState(call, entry) },
    {
      label: say(layout.digest),
      cell: ({ digest, replaced }) =>
        html`<div>${digest === undefined ? '' : code(digest)}${replaced === undefined ? '' : html`<div class="muted">← ${code(replaced)}</div>`}</div>`,
    },
  ],
})}${more(call, entries.length)}`;
}
