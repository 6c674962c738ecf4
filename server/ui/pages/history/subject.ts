import type { targets } from '../../../../src/base/report.ts';
import type { CustodyType } from '../../../../src/contract/custody.ts';
import { type HistoryRecord, isLoss } from '../../../../src/contract/history.ts';
import { actorWords } from '../../../../src/text/words/accounts.ts';
import {
  actionWords,
  begunWords,
  history,
  ledgerSentences,
  nuanceWords,
  outcomeWords,
  targetWords,
} from '../../../../src/text/words/history.ts';
import type { Sentence, Words } from '../../../../src/text/words/words.ts';
import { showLoss } from '../../../../src/view/history.ts';
import { type Html, html } from '../../html.ts';
import { badge } from '../../parts/badge.ts';
import { maySeeDeliveries, toDeliveryPage } from '../../parts/delivery-link.ts';
import { untrusted } from '../../parts/text.ts';
import { toPath } from '../../to-href.ts';
import type { PageCall } from '../../ui-route.ts';

/** Most characters of a text in a row; the files have all. */
const longest = 300;
export const cut = (text: string): string => (text.length > longest ? `${text.slice(0, longest)}…` : text);

/** One colour and shape for each outcome, in the list and on the page of a record. */
const outcomeKinds = {
  success: 'ok',
  failure: 'bad',
  denied: 'warn',
  open: 'plain',
  refused: 'plain',
  part: 'warn',
  unproved: 'bad',
} as const;

/** Codes of a form or a document that does not fit: a mistyped path, an empty field. */
const inputCodes: ReadonlySet<unknown> = new Set(['SVC-VAL-001', 'SVC-VAL-002']);

/** Whether a request was refused for its input, before anything was done. */
const isRefusedInput = ({ outcome, target = '', details }: HistoryRecord): boolean =>
  outcome === 'failure' && /^(?:POST|PUT|PATCH|DELETE) \//.test(target) && inputCodes.has(details.code);

const lengthOf = (value: unknown): number => (Array.isArray(value) ? value.length : 0);

/** Whether some recipes of an import arrived, and others did not. */
function isInPart({ action, details }: HistoryRecord): boolean {
  if (action === 'media.import') return lengthOf(details.landed) > 0;
  const { failed, subjects } = details;
  return action === 'custody.imported' && typeof failed === 'number' && failed < lengthOf(subjects);
}

const isProof = ({ action }: HistoryRecord): boolean =>
  action === 'media.prove' || action === 'custody.proved';

/** The outcome of a record as people read it. */
export function outcomeOf(record: HistoryRecord): keyof typeof outcomeKinds {
  const { outcome } = record;
  if (outcome !== 'failure') return outcome;
  if (isRefusedInput(record)) return 'refused';
  if (isProof(record)) return 'unproved';
  return isInPart(record) ? 'part' : 'failure';
}

const shownWords = { ...outcomeWords, ...nuanceWords } as const;

export const kindOf = (record: HistoryRecord): (typeof outcomeKinds)[keyof typeof outcomeKinds] =>
  outcomeKinds[outcomeOf(record)];

export const sayOutcome = ({ words: { say } }: PageCall, record: HistoryRecord): string =>
  say(shownWords[outcomeOf(record)]);

export const outcomeBadge = (call: PageCall, record: HistoryRecord): Html =>
  badge(kindOf(record), sayOutcome(call, record));

const isAction = (action: string): action is keyof typeof actionWords => Object.hasOwn(actionWords, action);

/**
 * The action in words: a receipt that was not taken was not added, an operation without an outcome only began, and a form that was
 * refused was only sent.
 */
export function sayAction({ words: { say } }: PageCall, record: HistoryRecord): string {
  const { action, outcome, details } = record;
  if (action === 'media.import' && outcome === 'success' && !('landed' in details))
    return say(history.importStarted);
  if (isRefusedInput(record) && isAction(action))
    return say(history.attempted, { action: say(actionWords[action]) });
  const isReceipt = action === 'receipt.accept' || action === 'custody.receipt-accepted';
  if (isReceipt && (outcome === 'failure' || outcome === 'denied')) return say(history.receiptRefused);
  if (outcome === 'open' && Object.hasOwn(begunWords, action))
    return say(begunWords[action as keyof typeof begunWords]);
  return isAction(action) ? say(actionWords[action]) : cut(action);
}

/** The same for a row: only the name of an action that the program does not know may have any letters. */
export function showAction(call: PageCall, record: HistoryRecord): Html | string {
  const text = sayAction(call, record);
  return isAction(record.action) ? text : untrusted(text);
}

/** The name of an actor, in words where it is one of the program's own. */
export const nameActor = ({ say }: Words, actor: string): string =>
  Object.hasOwn(actorWords, actor) ? say(actorWords[actor as keyof typeof actorWords]) : cut(actor);

/** A new kind of line, and a new target of the program, do not compile until they have their sentences. */
ledgerSentences satisfies Readonly<Record<CustodyType, Sentence>>;
targetWords satisfies Readonly<Record<(typeof targets)[keyof typeof targets], Sentence>>;

/**
 * A sentence for a line of the ledger: actor, act and subject. Undefined for any other record, and for an act without
 * success.
 */
export function sayDone({ words }: PageCall, record: HistoryRecord): string | undefined {
  const { say } = words;
  const { action, actor, target = '', outcome, details } = record;
  const type = action.startsWith('custody.') ? action.slice('custody.'.length) : '';
  if (outcome !== 'success' || !Object.hasOwn(ledgerSentences, type)) return undefined;
  const { subjects = [] } = details;
  const others =
    Array.isArray(subjects) && String(subjects[0]).startsWith(`${target} `) ? subjects.length - 1 : 0;
  const name = nameActor(words, actor);
  return say(ledgerSentences[type as CustodyType], {
    actor: name,
    // a line that is about nothing else has the name of its ledger
    target: target === '' || target === details.site ? say(history.content) : sayTarget(words, target),
    others: others || undefined,
  });
}

const recipeForm = /^[^\s/@]+@[^\s/@]+$/;

/**
 * The page of the target that the reader may open. Content may be gone: the search says so, and finds the rest of the
 * repository. A delivery leads to its page.
 */
function toSubject(call: PageCall, { action, target = '', outcome }: HistoryRecord): string | undefined {
  const { can } = call;
  const family = action.split('.', 1)[0];
  if (target === '' || target.length > 256) return undefined;
  if (family === 'content' || family === 'prune' || (family === 'recipe' && target.includes('/'))) {
    const repository = /^([^:@]+)[:@]/.exec(target.slice(target.lastIndexOf('/') + 1));
    const name = repository === null ? target : target.slice(0, target.lastIndexOf('/') + 1) + repository[1]!;
    return toPath('/search', {}, { q: name });
  }
  const delivery = toDeliveryPage(call, target);
  if (delivery !== undefined) return delivery;
  if ((family === 'custody' || family === 'recipe') && recipeForm.test(target))
    return toPath('/search', {}, { q: target });
  const [, , zone] = receiptForm.exec(target) ?? [];
  if (zone !== undefined && maySeeDeliveries(call)) return toPath('/receipts/{zone}', { zone });
  if (family === 'task') return toPath('/tasks/{id}', { id: target });
  if (!can('admin')) return undefined;
  if (family === 'account' && action !== 'account.delete' && outcome === 'success')
    return toPath('/admin/accounts/{name}', { name: target });
  return family === 'token' ? '/admin/accounts' : undefined;
}

const receiptForm = /^receipt ([0-9]{1,16}) of (.+)$/s;
const isGeneral = (target: string): target is keyof typeof targetWords => Object.hasOwn(targetWords, target);

/** The target in words where it is one of the program's own. */
export function sayTarget({ say }: Words, target: string): string {
  if (isGeneral(target)) return say(targetWords[target]);
  const [, sequence, zone] = receiptForm.exec(target) ?? [];
  return cut(zone === undefined ? target : say(history.receiptOf, { sequence, zone }));
}

/** The target, or the sentence about lost records. */
export function showTarget(call: PageCall, record: HistoryRecord): Html | string {
  const { words } = call;
  if (isLoss(record)) return showLoss(record, words, words.format.time);
  const { target = '' } = record;
  if (target === '') return html`<span class="muted">${words.say(history.noSubject)}</span>`;
  const path = toSubject(call, record);
  const named = isGeneral(target) ? sayTarget(words, target) : untrusted(sayTarget(words, target));
  return path === undefined ? named : html`<a href="${path}">${named}</a>`;
}

/** The target as a text, or the sentence about lost records. */
export function wordTarget({ words }: PageCall, record: HistoryRecord): string {
  return isLoss(record) ? showLoss(record, words, words.format.time) : sayTarget(words, record.target ?? '');
}
