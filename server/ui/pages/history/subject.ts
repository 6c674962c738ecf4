import type { targets } from '../../../../src/base/report.ts';
import type { CustodyType } from '../../../../src/contract/custody.ts';
import { type HistoryRecord, isLoss } from '../../../../src/contract/history.ts';
import { actorWords } from '../../../../src/text/words/accounts.ts';
import {
  actionWords,
  begunWords,
  detailWords,
  history,
  ledgerSentences,
  targetWords,
  valueWords,
} from '../../../../src/text/words/history.ts';
import type { Sentence, Words } from '../../../../src/text/words/words.ts';
import { showLoss } from '../../../../src/view/history.ts';
import { attr, type Html, html } from '../../html.ts';
import { copyable } from '../../parts/copy.ts';
import { shortDigest, shortHex } from '../../parts/digest.ts';
import { noValue, untrusted } from '../../parts/text.ts';
import { toPath } from '../../to-href.ts';
import type { PageCall } from '../../ui-route.ts';

/** Most characters of a text in a row; the files have all. */
const longest = 300;
export const cut = (text: string): string => (text.length > longest ? `${text.slice(0, longest)}…` : text);

/** One colour and shape for each outcome, in the list and on the page of a record. */
export const outcomeKinds = { success: 'ok', failure: 'bad', denied: 'warn', open: 'plain' } as const;

const isAction = (action: string): action is keyof typeof actionWords => Object.hasOwn(actionWords, action);

const isCode = (value: unknown): value is string =>
  typeof value === 'string' && /^SVC-[A-Z]+-\d{3}$/.test(value);

/** The action in words: a receipt that was not taken was not added, and an operation without an outcome only began. */
export function sayAction({ words: { say } }: PageCall, { action, outcome }: HistoryRecord): string {
  const isReceipt = action === 'receipt.accept' || action === 'custody.receipt-accepted';
  if (isReceipt && (outcome === 'failure' || outcome === 'denied')) return say(history.receiptRefused);
  if (outcome === 'open' && Object.hasOwn(begunWords, action))
    return say(begunWords[action as keyof typeof begunWords]);
  return isAction(action) ? say(actionWords[action]) : cut(action);
}

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
  const name = Object.hasOwn(actorWords, actor)
    ? say(actorWords[actor as keyof typeof actorWords])
    : cut(actor);
  return say(ledgerSentences[type as CustodyType], {
    actor: name,
    // a line that is about nothing else has the name of its ledger
    target: target === '' || target === details.site ? say(history.content) : sayTarget(words, target),
    others: others || undefined,
  });
}

const deliveryForm = /^dlv_[0-9a-f]+$/;
const recipeForm = /^[^\s/@]+@[^\s/@]+$/;

/**
 * The page of the target that the reader may open. Content may be gone: the search says so, and finds the rest of the
 * repository. A delivery leads to all of its records.
 */
function toSubject({ can }: PageCall, { action, target = '', outcome }: HistoryRecord): string | undefined {
  const family = action.split('.', 1)[0];
  if (target === '' || target.length > 256) return undefined;
  if (family === 'content' || family === 'prune' || (family === 'recipe' && target.includes('/'))) {
    const repository = /^([^:@]+)[:@]/.exec(target.slice(target.lastIndexOf('/') + 1));
    const name = repository === null ? target : target.slice(0, target.lastIndexOf('/') + 1) + repository[1]!;
    return toPath('/search', {}, { q: name });
  }
  if (deliveryForm.test(target)) return toPath('/history', {}, { subject: target });
  if ((family === 'custody' || family === 'recipe') && recipeForm.test(target))
    return toPath('/search', {}, { q: target });
  const [, , zone] = receiptForm.exec(target) ?? [];
  if (zone !== undefined && can('operator')) return toPath('/receipts/{zone}', { zone });
  if (family === 'task') return toPath('/tasks/{id}', { id: target });
  if (!can('admin')) return undefined;
  if (family === 'account' && action !== 'account.delete' && outcome === 'success')
    return toPath('/admin/accounts/{name}', { name: target });
  return family === 'token' ? '/admin/accounts' : undefined;
}

const receiptForm = /^receipt ([0-9]{1,16}) of (.+)$/s;
const isGeneral = (target: string): target is keyof typeof targetWords => Object.hasOwn(targetWords, target);

/** The target in words where it is one of the program's own. */
function sayTarget({ say }: Words, target: string): string {
  if (isGeneral(target)) return say(targetWords[target]);
  const [, sequence, zone] = receiptForm.exec(target) ?? [];
  return cut(zone === undefined ? target : say(history.receiptOf, { sequence, zone }));
}

/** The target, or the sentence about lost records. */
export function showTarget(call: PageCall, record: HistoryRecord): Html | string {
  const { words } = call;
  if (isLoss(record)) return showLoss(record, words, words.format.time);
  const { target = '' } = record;
  if (target === '') return noValue;
  const path = toSubject(call, record);
  const named = isGeneral(target) ? sayTarget(words, target) : untrusted(sayTarget(words, target));
  return path === undefined ? named : html`<a href="${path}">${named}</a>`;
}

/** A file or a recipe with its digest, as a line of the ledger names it. */
const subjectForm = /^(.+) (sha(?:256:[0-9a-f]{64}|512:[0-9a-f]{128}))$/s;
const digestForm = /^sha(?:256:[0-9a-f]{64}|512:[0-9a-f]{128})$/;
const fingerprintForm = /^[0-9a-f]{64}$/;

interface Named {
  readonly name: string;
  readonly label: string;
  /** Digests are whole on the page of the record, and shortened in a list. */
  readonly isPage: boolean;
}

type Row = readonly [label: string, value: Html | string];

function showValue({ words }: PageCall, { name, label, isPage }: Named, value: unknown): Html | string {
  const { say, format } = words;
  if (typeof value === 'number') return /bytes$/i.test(name) ? format.size(value) : format.number(value);
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  if (isCode(text)) return html`<a href="/help#${text}">${text}</a>`;
  if (digestForm.test(text)) return (isPage ? copyable : shortDigest)(words, text, label);
  if (fingerprintForm.test(text)) return (isPage ? copyable : shortHex)(words, text, label);
  const [, subject = '', digest] = subjectForm.exec(text) ?? [];
  if (digest !== undefined)
    return html`${untrusted(cut(subject))} ${(isPage ? copyable : shortDigest)(words, digest, cut(subject))}`;
  return Object.hasOwn(valueWords, text)
    ? say(valueWords[text as keyof typeof valueWords])
    : untrusted(cut(text));
}

const labelOf = ({ say }: Words, name: string): string =>
  Object.hasOwn(detailWords, name) ? say(detailWords[name as keyof typeof detailWords]) : name;

/** The task and the details of a record, each value of a list by itself. Its page has the number of its line elsewhere. */
export function listDetails(
  call: PageCall,
  record: HistoryRecord,
  { isPage }: Pick<Named, 'isPage'>,
): readonly Row[] {
  if (isLoss(record)) return [];
  const { say } = call.words;
  const { taskId, details } = record;
  const { intentLine } = details;
  const rows = Object.entries(details).flatMap(([name, value]) => {
    if (name === 'intentLine' || (isPage && name === 'line')) return [];
    if (name === 'line' && intentLine !== undefined) {
      const isNext = Number(value) === Number(intentLine) + 1;
      return [[say(history.lines), `${intentLine}${isNext ? '–' : ', '}${value}`] as Row];
    }
    const label = labelOf(call.words, name);
    return [value].flat().map((one): Row => [label, showValue(call, { name, label, isPage }, one)]);
  });
  if (taskId === undefined) return rows;
  const task = html`<a href="${toPath('/tasks/{id}', { id: taskId })}">${untrusted(taskId)}</a>`;
  return [[say(history.task), task], ...rows];
}

/** The target and all details of a record as one text, with whole digests. */
export function wordSubject({ words }: PageCall, record: HistoryRecord): string {
  if (isLoss(record)) return showLoss(record, words, words.format.time);
  const { target = '', taskId, details } = record;
  const { site: _site, intentLine: _intent, ...shown } = details;
  const toText = (name: string, value: unknown): string => {
    if (typeof value === 'number')
      return /bytes$/i.test(name) ? words.format.size(value) : words.format.number(value);
    const text = typeof value === 'string' ? value : JSON.stringify(value);
    return Object.hasOwn(valueWords, text)
      ? words.say(valueWords[text as keyof typeof valueWords])
      : cut(text);
  };
  const some = Object.entries(shown).filter(([, value]) => [value].flat().length > 0);
  const pairs = some.map(
    ([name, value]) =>
      `${labelOf(words, name)} ${[value]
        .flat()
        .map((one) => toText(name, one))
        .join(', ')}`,
  );
  return [sayTarget(words, target), ...(taskId === undefined ? [] : [taskId]), ...pairs]
    .filter(Boolean)
    .join(' · ');
}

/** Details that a row shows; the page of the record has all. */
const shownDetails = 4;

/** Whether only paper and the page of the record have a detail: a negative one, or the identifier of the store, which every action has. */
const isLesser = ({ action }: HistoryRecord, name: string, value: unknown): boolean =>
  value === false || (name === 'mediaId' && !action.startsWith('media.'));

/** The target and the first details of a record in a list; paper has all details. @param page of the record */
export function subjectCell(call: PageCall, record: HistoryRecord, page: string | undefined): Html {
  const { site: _, ...details } = record.details;
  const [lesser, major] = [true, false].map((is) =>
    Object.fromEntries(
      Object.entries(details).filter(([name, value]) => isLesser(record, name, value) === is),
    ),
  ) as [HistoryRecord['details'], HistoryRecord['details']];
  const rows = listDetails(call, { ...record, details: major }, { isPage: false });
  const onPaper = isLoss(record)
    ? []
    : listDetails(call, { ...record, taskId: undefined, details: lesser }, { isPage: false });
  const shown = rows.length === shownDetails + 1 ? rows.length : shownDetails;
  const more = rows.length - shown;
  const pairs = [...rows, ...onPaper].map(
    ([label, value], i) =>
      html`<div ${attr('class', i < Math.min(shown, rows.length) ? undefined : 'print-only')}><dt>${label}</dt><dd>${value}</dd></div>`,
  );
  const rest =
    more > 0 && page !== undefined
      ? html`<small class="way"><a href="${page}">${call.words.say(history.moreDetails, { count: more })}</a></small>`
      : '';
  return html`${showTarget(call, record)}${pairs.length === 0 ? '' : html`<dl class="pairs">${pairs}</dl>`}${rest}`;
}
