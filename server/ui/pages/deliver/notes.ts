import type { ReceiptSummary } from '../../../../src/contract/receipt.ts';
import { svcError } from '../../../../src/text/error.ts';
import { renderError } from '../../../../src/text/message.ts';
import { plan as words } from '../../../../src/text/words/delivering/plan.ts';
import { isolate } from '../../../../src/text/words/isolate.ts';
import { isRefused } from '../../../../src/view/runs.ts';
import { findUnknownZone, type UnknownZone } from '../../../../src/zone/find-unknown-zone.ts';
import { listBlocked } from '../../../views/blocked.ts';
import type { KnownZone } from '../../../views/delivering.ts';
import { retrieverName } from '../../../views/retriever.ts';
import { listRuns } from '../../../views/runs.ts';
import { type Html, html } from '../../html.ts';
import { icon } from '../../parts/icons.ts';
import { toPath } from '../../to-href.ts';
import type { PageCall } from '../../ui-route.ts';
import type { Asked } from './asked.ts';

/** Names in a note. */
const mostNames = 10;
/** Recipes that an address names. */
const mostInAddress = 50;

type Fork = NonNullable<ReceiptSummary['fork']>;

const note = (content: Html): Html =>
  html`<div class="note note-warn">${icon('warn')}<p>${content}</p></div>`;

const nameOf = ({ name, version }: { readonly name: string; readonly version: string }): string =>
  `${name}@${version}`;

const toNames = (all: readonly string[]): string =>
  all.length > mostNames ? `${all.slice(0, mostNames).join(', ')}, …` : all.join(', ');

/** The page with the plan that is asked for. */
const toPlanPath = ({ fat32, recipes, mounted, wanted: _, ...asked }: Asked): string =>
  toPath(
    '/deliver',
    {},
    { ...asked, fat32: fat32 ? 'true' : '', recipes: recipes.join('\n'), mounted: mounted.join('\n') },
  );

/** Two receipts of one number, with the remedy: the plan believes neither. */
function forkNote({ words: { say, language } }: PageCall, zone: string, fork: Fork): Html {
  const { sequence, known, refused } = fork;
  const params = { zone, sequence: sequence + 1, known: sequence, digest: refused, expected: known };
  const { action } = renderError(svcError('SVC-RCP-003', params), language, isolate);
  return note(
    html`${say(words.forked, { zone, sequence, known, refused })} ${action} <a href="/help#SVC-RCP-003">SVC-RCP-003</a>`,
  );
}

/** A refused receipt with a lower number and a later date, with the remedy: the plan does not believe the known one. */
function lowerNote(
  { words: { say, language } }: PageCall,
  { zone, sequence: known, lower }: ReceiptSummary,
): Html {
  const params = { zone, sequence: lower!.sequence, known };
  const { action } = renderError(svcError('SVC-RCP-002', params), language, isolate);
  return note(html`${say(words.lowered, params)} ${action} <a href="/help#SVC-RCP-002">SVC-RCP-002</a>`);
}

/** A zone that may be mistyped, with the name that was meant. */
function unknownNote({ words: { say } }: PageCall, zone: string, { own, nearest }: UnknownZone): Html {
  const meant = nearest === undefined ? '' : say(words.meant, { nearest });
  return note(html`${say(words.stranger, { own, zone })} ${meant}`);
}

/** What a reader of a plan must know beside it: a zone that would refuse the media, and recipes that are not there. */
export async function notesBlock(call: PageCall, asked: Asked, zones: readonly KnownZone[]): Promise<Html> {
  const { say } = call.words;
  const { zone, base, recipes } = asked;
  const planned = new Set(recipes.map((recipe) => recipe.split('@', 1)[0]));
  const known = zones.find(({ name }) => name === zone);
  const unknown = findUnknownZone(zone, retrieverName(call), call.instance.context.config);
  const receipt = base === 'latest' ? known?.receipt : undefined;
  const [last] = await listRuns(call, call.identity);
  const refused = (last?.recipes ?? [])
    .filter((one) => isRefused(one) && (planned.size === 0 || planned.has(one.name)))
    .map(nameOf);
  return html`${unknown === undefined ? '' : unknownNote(call, zone, unknown)}
${receipt?.verified === false ? note(html`${say(words.unbelieved, { sequence: receipt.sequence, zone })} <a href="/receipts">${say(words.toReceipts)}</a>`) : ''}
${receipt?.verified === true && receipt.fork !== undefined ? forkNote(call, zone, receipt.fork) : ''}
${receipt?.verified === true && receipt.fork === undefined && receipt.lower !== undefined ? lowerNote(call, receipt) : ''}
${
  refused.length === 0
    ? ''
    : note(
        html`${say(words.refused, { count: refused.length, names: toNames(refused) })} <a href="${toPath('/tasks/{id}', { id: last!.task.id })}">${say(words.toTask)}</a>`,
      )
}`;
}

/** The recipes that the verification of a medium withholds, with the plan of all others. */
export function withheldNote(call: PageCall, asked: Asked): Html | string {
  const { say } = call.words;
  const withheld = listBlocked(call).map(nameOf);
  if (withheld.length === 0) return '';
  const others = call.store.index
    .recipes()
    .map(nameOf)
    .filter((name) => !withheld.includes(name));
  const link =
    others.length === 0 || others.length > mostInAddress
      ? ''
      : html` <a href="${toPlanPath({ ...asked, recipes: others })}">${say(words.without)}</a>`;
  return note(html`${say(words.withheld, { count: withheld.length, names: toNames(withheld) })}${link}`);
}
