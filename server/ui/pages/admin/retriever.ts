import { resetSyncInterval, setSyncInterval } from '../../../../src/contract/operations/retriever.ts';
import type { Interval } from '../../../../src/contract/recipe.ts';
import { done } from '../../../../src/text/words/done.ts';
import { retriever } from '../../../../src/text/words/retriever.ts';
import type { Sentence } from '../../../../src/text/words/words.ts';
import { type RetrieverView, showRetriever } from '../../../views/retriever.ts';
import { type Html, html } from '../../html.ts';
import { badge } from '../../parts/badge.ts';
import { curlCommand } from '../../parts/curl.ts';
import { fingerprintField } from '../../parts/fingerprint.ts';
import { form, submit, textField } from '../../parts/form.ts';
import { facts, table } from '../../parts/table.ts';
import { terminal } from '../../parts/terminal.ts';
import { code, untrusted } from '../../parts/text.ts';
import { action, type MirrorAction, type Page, type PageCall, type UiRoute } from '../../ui-route.ts';

type Scope = RetrieverView['relaxedScopes'][number];
type Substitution = RetrieverView['substitutions'][number];
const outcomes = { success: 'ok', partial: 'warn', failure: 'bad' } as const;

function factsOf({ words: { say, format } }: PageCall, view: RetrieverView): Html {
  const { source, mode, zone, destination, cookbook, prune, lastSync } = view;
  const unset = html`<span class="muted">${say(retriever.notSet)}</span>`;
  return facts([
    [
      say(retriever.source),
      source === undefined ? html`<span class="muted">${say(retriever.noSource)}</span>` : code(source),
    ],
    [say(retriever.mode), mode],
    [say(retriever.zone), zone === undefined ? unset : untrusted(zone)],
    [say(retriever.destination), destination === undefined ? unset : code(destination)],
    ...(cookbook === undefined ? [] : [[say(retriever.cookbook), code(cookbook)] as const]),
    [say(retriever.prune), say(prune ? retriever.on : retriever.off)],
    ...(lastSync === undefined
      ? []
      : [
          [
            say(retriever.lastSync),
            html`${untrusted(say(retriever.lastLine, { zone: lastSync.zone, time: format.time(lastSync.resolvedAt) }))} ${
              lastSync.outcome === undefined
                ? ''
                : badge(outcomes[lastSync.outcome], say(retriever[lastSync.outcome]))
            }`,
          ] as const,
        ]),
  ]);
}

function substitutionTable(
  { words: { say } }: PageCall,
  substitutions: RetrieverView['substitutions'],
): Html {
  const hint =
    substitutions.length === 0 ? '' : html`<p class="muted">${say(retriever.substitutionsHint)}</p>`;
  return html`<h2>${say(retriever.substitutions)}</h2>${hint}${table<Substitution>({
    caption: say(retriever.substitutions),
    rows: substitutions,
    empty: say(retriever.noSubstitutions),
    columns: [
      { label: say(retriever.originHost), isHeader: true, cell: ({ host }) => code(host) },
      { label: say(retriever.base), cell: ({ base }) => code(base) },
    ],
  })}`;
}

function scopeTable({ words: { say, format } }: PageCall, scopes: readonly Scope[]): Html {
  return table<Scope>({
    caption: say(retriever.scopes),
    rows: scopes,
    empty: say(retriever.noScopes),
    columns: [
      { label: say(retriever.scope), isHeader: true, cell: ({ name }) => untrusted(name) },
      {
        label: say(retriever.repositories),
        cell: ({ repositories }) =>
          html`<ul class="plain-list">${repositories.map((each) => html`<li>${code(each)}</li>`)}</ul>`,
      },
      {
        label: say(retriever.rule),
        cell: ({ allowUnsigned, roots }) =>
          html`<div>${allowUnsigned ? badge('warn', say(retriever.unsigned)) : ''}${roots === undefined ? '' : html`<p>${untrusted(say(retriever.narrowed, { roots: format.list(roots) }))}</p>`}</div>`,
      },
    ],
  });
}

function intervalBlock(call: PageCall, interval: Interval): Html {
  const { say } = call.words;
  const { effective, configured, overridden, enabled, minimum, fingerprint } = interval;
  const mark = enabled
    ? overridden
      ? html`<span class="badge">${say(retriever.overridden)}</span>`
      : ''
    : badge('warn', say(retriever.disabled));
  return html`${facts([
    [say(retriever.effective), html`${code(effective)} ${mark}`],
    [say(retriever.configured), code(configured)],
  ])}
${form(
  '/admin/retriever/interval',
  html`${fingerprintField(fingerprint)}${textField(call, { name: 'interval', label: say(retriever.newInterval), hint: say(retriever.intervalHint, { minimum }), value: effective, required: true })}
${submit(say(retriever.set))}`,
)}
${overridden ? form('/admin/retriever/interval/clear', html`${fingerprintField(fingerprint)}${submit(say(retriever.clear), { kind: 'plain' })}`) : ''}`;
}

/** The commands equivalent to the forms of the interval; a mirror, which has none, refuses both. */
function intervalCommands(call: PageCall, interval: Interval | undefined): readonly string[] {
  if (interval === undefined) return [];
  const { effective, overridden, fingerprint } = interval;
  const path = '/retriever/interval';
  return [
    curlCommand(call, 'PUT', path, JSON.stringify({ interval: effective })),
    ...(overridden ? [curlCommand(call, 'DELETE', path, JSON.stringify({ fingerprint }))] : []),
  ];
}

/** The page `/admin/retriever`. */
function showRetrieverPage(call: PageCall): Page {
  const { say } = call.words;
  const view = showRetriever(call);
  const { interval, relaxedScopes, substitutions } = view;
  return {
    title: say(retriever.title),
    lead: say(retriever.lead),
    sections: [
      { id: 'retriever', html: factsOf(call, view) },
      {
        id: 'interval',
        html: html`<h2>${say(retriever.interval)}</h2>${interval === undefined ? html`<p class="muted">${say(retriever.noInterval)}</p>` : intervalBlock(call, interval)}`,
      },
      { id: 'substitutions', html: substitutionTable(call, substitutions) },
      {
        id: 'scopes',
        html: html`<h2>${say(retriever.scopes)}</h2>${scopeTable(call, relaxedScopes)}`,
      },
      {
        id: 'terminal',
        html: terminal(call.words, [
          curlCommand(call, 'GET', '/retriever'),
          ...intervalCommands(call, interval),
        ]),
      },
    ],
  };
}

/** Leads back to the page, which shows the schedule in effect. */
const back =
  (text: Sentence): MirrorAction['done'] =>
  ({ schedule }) => ({
    location: '/admin/retriever',
    said: { text, params: { interval: schedule?.interval.effective ?? '' } },
  });

export const retrieverPages: readonly UiRoute[] = [
  {
    method: 'GET',
    path: '/admin/retriever',
    floor: 'admin',
    title: retriever.title,
    page: showRetrieverPage,
  },
  action(setSyncInterval, {
    path: '/admin/retriever/interval',
    page: '/admin/retriever',
    replacesShown: true,
    done: back(done.intervalSet),
  }),
  action(resetSyncInterval, {
    path: '/admin/retriever/interval/clear',
    page: '/admin/retriever',
    needsPreview: true,
    done: back(done.intervalCleared),
  }),
];
