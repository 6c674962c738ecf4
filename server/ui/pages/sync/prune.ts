import type { PruneItem } from '../../../../src/contract/common.ts';
import type { PrunePreview } from '../../../../src/contract/recipe.ts';
import { toSvcError } from '../../../../src/text/error.ts';
import { errorKinds } from '../../../../src/text/errors/codes.ts';
import { sync } from '../../../../src/text/words/sync.ts';
import { listRecipes } from '../../../../src/view/recipes.ts';
import { showPrunePreview } from '../../../views/plan.ts';
import { type Html, html } from '../../html.ts';
import { answer } from '../../parts/badge.ts';
import { curlCommand } from '../../parts/curl.ts';
import { errorBlock } from '../../parts/error.ts';
import { fingerprintField } from '../../parts/fingerprint.ts';
import { form, submit } from '../../parts/form.ts';
import { table } from '../../parts/table.ts';
import { terminal } from '../../parts/terminal.ts';
import { code, untrusted } from '../../parts/text.ts';
import { fieldOf } from '../../read-form.ts';
import type { ActionCall, Finding, Page, PageCall } from '../../ui-route.ts';
import { byName, readWanted } from '../overview/wanted.ts';
import { runningNote, runningText } from './running.ts';

/** Tags that a page lists. */
const shownTags = 200;

type Removed = Pick<PrunePreview, 'items' | 'totalBytes'>;

/** How much a prune would remove, and the space that this frees. */
const sayRemoved = ({ words: { say } }: PageCall, { items, totalBytes }: Removed): string =>
  items.length === 0 ? say(sync.pruneNone) : say(sync.pruneCount, { count: items.length, bytes: totalBytes });

/** The content that a prune would remove, and the space that this frees. */
export const pruneBlock = (call: PageCall, removed: Removed): Html =>
  html`<p>${sayRemoved(call, removed)}</p>${removedTable(call, removed)}`;

function removedTable(call: PageCall, { items }: Removed): Html | string {
  const { say, format } = call.words;
  if (items.length === 0) return '';
  return html`${items.length > shownTags ? html`<p class="muted">${say(sync.pruneMore, { shown: shownTags })}</p>` : ''}${table<PruneItem>(
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

/** The button that works out what a prune would remove. */
export const previewForm = ({ words: { say } }: PageCall): Html =>
  form(
    '/recipes/sync/prune',
    submit(say(sync.pruneShow), { kind: 'plain', working: say(sync.pruneShowing) }),
  );

/**
 * The requests equivalent to the forms: a run that prunes is bound to the list that was shown.
 *
 * @param fingerprint of that list; without one, the first request asks for it
 */
export function syncCommands(call: PageCall, fingerprint: string | undefined): readonly string[] {
  const start = (body: object): string => curlCommand(call, 'POST', '/sync', JSON.stringify(body));
  return [
    curlCommand(call, 'GET', '/sync/prune-preview'),
    start({ prune: false }),
    ...(fingerprint === undefined ? [] : [start({ prune: true, fingerprint })]),
  ];
}

/** Starts without a prune, which then needs no list. */
function startWithout({ words: { say } }: PageCall): Html {
  return form(
    '/recipes/sync',
    html`<input type="hidden" name="prune" value="false"><div class="buttons">${submit(say(sync.startNoPrune), { kind: 'plain', working: say(sync.starting) })}</div>`,
  );
}

const crumbsOf = ({ words: { say } }: PageCall) =>
  [
    [say(sync.recipes), '/recipes'],
    [say(sync.title), '/recipes/sync'],
  ] as const;

/**
 * The next step of a start that prunes: the list for a confirmation, or a start at once when nothing would be removed.
 * Without a list, a start by default continues and prunes nothing. A start that requests a prune gets the reason, and the
 * offer of a start that needs no list.
 */
export async function previewStart(
  call: ActionCall,
): Promise<
  { readonly show: Page } | { readonly keep: Finding } | { readonly fingerprint: string } | undefined
> {
  try {
    const preview = await showPrunePreview(call);
    if (preview.items.length === 0) return { fingerprint: preview.fingerprint };
    return { keep: { show: (later) => showPrune(later, preview), of: preview } };
  } catch (thrown) {
    if ((fieldOf(call.fields, 'prune') ?? '') === '') return undefined;
    const { words, exchange } = call;
    const error = toSvcError(thrown);
    const { correlationId } = exchange;
    const heading = html`<h2>${words.say(sync.pruneUnknown)}</h2>`;
    return {
      show: {
        title: words.say(sync.pruneTitle),
        crumbs: crumbsOf(call),
        status: errorKinds[error.code].status,
        sections: [
          {
            id: 'prune',
            html: html`${errorBlock({ words, error, hasHelp: true, correlationId, heading })}${startWithout(call)}`,
          },
          { id: 'terminal', html: terminal(words, syncCommands(call, undefined)) },
        ],
      },
    };
  }
}

/** The recipes that the list leaves out. */
function loweredLine({ words: { say, format } }: PageCall, { lowered = [] }: PrunePreview): Html | string {
  if (lowered.length === 0) return '';
  const names = format.list(lowered.map(({ name, resolved, here }) => `${name} ${resolved} < ${here}`));
  return html`<p class="item-warning">${untrusted(say(sync.pruneLowered, { names }))}</p>`;
}

/** The recipes that the last run did not bring: a run in which one fails prunes nothing. */
async function sayRefused(call: PageCall): Promise<string | undefined> {
  const { say, format } = call.words;
  const wanted = byName((await readWanted(call, await listRecipes(call))).wanted);
  const refused = [...wanted.values()].filter(({ standing, isAside }) => standing === 'missing' && !isAside);
  if (refused.length === 0) return undefined;
  const names = format.list(refused.map(({ name, version }) => `${name} ${version}`));
  return say(sync.pruneRefused, { count: refused.length, names });
}

/** The page with the list of a prune, and the buttons that start a run; while one is under way, the way to it. */
export async function showPrune(call: PageCall, preview: PrunePreview): Promise<Page> {
  const { say } = call.words;
  const running = runningText(call);
  const refused = preview.items.length === 0 ? undefined : await sayRefused(call);
  const starting = say(refused === undefined ? sync.startPrune : sync.startPruneLater);
  const start = form(
    '/recipes/sync',
    html`<input type="hidden" name="prune" value="true">${fingerprintField(preview.fingerprint)}<div class="buttons">${submit(starting, { kind: 'danger', working: say(sync.starting) })}</div>`,
  );
  return {
    title: say(sync.pruneTitle),
    crumbs: crumbsOf(call),
    sections: [
      {
        id: 'verdict',
        html: answer({
          kind: refused === undefined ? 'plain' : 'warn',
          mark: say(refused === undefined ? sync.stampPreview : sync.stampNoPrune),
          what: refused ?? sayRemoved(call, preview),
          lines: [...(refused === undefined ? [] : [sayRemoved(call, preview)]), say(sync.pruneStays)],
          step:
            preview.items.length === 0 || running !== undefined ? '' : html`${start}${startWithout(call)}`,
        }),
      },
      {
        id: 'prune',
        html: html`${runningNote(running)}${removedTable(call, preview)}${loweredLine(call, preview)}`,
      },
      { id: 'terminal', html: terminal(call.words, syncCommands(call, preview.fingerprint)) },
    ],
  };
}
