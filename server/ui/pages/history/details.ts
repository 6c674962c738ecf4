import type { DetailName } from '../../../../src/base/details.ts';
import { isJsonObject } from '../../../../src/base/json/json-object.ts';
import { type HistoryRecord, isLoss } from '../../../../src/contract/history.ts';
import { escapeText } from '../../../../src/text/escape.ts';
import { detailWords, history, valueWords } from '../../../../src/text/words/history.ts';
import type { Sentence, Words } from '../../../../src/text/words/words.ts';
import { attr, type Html, html } from '../../html.ts';
import { copyable, copyButton } from '../../parts/copy.ts';
import { deliveryLink } from '../../parts/delivery-link.ts';
import { shortDigest, shortHex } from '../../parts/digest.ts';
import { untrusted } from '../../parts/text.ts';
import { toPath } from '../../to-href.ts';
import type { PageCall } from '../../ui-route.ts';
import { type HistoryEvent, toShown } from './events.ts';
import { showSaid, splitDetails, wordSaid } from './sentences.ts';
import { cut, showTarget } from './subject.ts';

/** A new detail does not compile until it has its word. */
detailWords satisfies Readonly<Record<DetailName, Sentence>>;

/** A file or a recipe with its digest, as a line of the ledger names it. */
const subjectForm = /^(.+) (sha(?:256:[0-9a-f]{64}|512:[0-9a-f]{128}))$/s;
const digestForm = /^sha(?:256:[0-9a-f]{64}|512:[0-9a-f]{128})$/;
const fingerprintForm = /^[0-9a-f]{64}$/;
/** A line of another ledger: number, digest and site. */
const claimForm = /^([0-9]{1,16}) (sha256:[0-9a-f]{64}) (.{1,64})$/s;

const isCode = (text: string): boolean => /^SVC-[A-Z]+-\d{3}$/.test(text);

/** Numbers that are sizes. */
const isSize = (name: string): boolean => /bytes$/i.test(name) || name === 'moved';

const isMedium = (name: string): boolean =>
  name === 'mediaId' || name === 'formerMediaId' || name === 'medium';

interface Shown {
  /** Digests and identifiers are whole on the page of the record, and shortened in a list. */
  readonly isPage: boolean;
}

/** A detail: its word, and its values. */
type Detail = readonly [label: string, values: readonly (Html | string)[]];

const labelOf = ({ say }: Words, name: string): string =>
  Object.hasOwn(detailWords, name) ? say(detailWords[name as keyof typeof detailWords]) : name;

const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : [value]);

/** Reasons that the program gives itself. */
const ownReasons: readonly string[] = ['throttled', 'malformed', 'unknown scheme'];

/** Whether a value is a word of the program; a note, and the reason of a waiver, are of their writers. */
const isWord = (name: string, value: string): value is keyof typeof valueWords =>
  name !== 'text' && (name !== 'reason' || ownReasons.includes(value)) && Object.hasOwn(valueWords, value);

/** A value in words. The members of one that has some are named as details are; those of an error are its own, without names. */
function wordValue(words: Words, name: string, value: unknown): string {
  const { say, format } = words;
  if (typeof value === 'number') return isSize(name) ? format.size(value) : format.number(value);
  if (Array.isArray(value)) return value.map((one) => wordValue(words, name, one)).join(', ');
  if (isJsonObject(value))
    return Object.entries(value)
      .map(([member, one]) => {
        const text = wordValue(words, member, one);
        return name !== 'params' && Object.hasOwn(detailWords, member)
          ? `${labelOf(words, member)} ${text}`
          : text;
      })
      .join(', ');
  const text = String(value);
  return isWord(name, text) ? say(valueWords[text]) : cut(text);
}

/** An identifier of a medium leads to all records about it; one that nothing says is short in a list. */
function showMedium({ words }: PageCall, text: string, { isPage }: Shown): Html {
  const path = text.length > 256 ? undefined : toPath('/history', {}, { subject: text });
  const isLong = !isPage && /^[0-9a-f]{8}-[0-9a-f-]{27}$/.test(text);
  const shown = isLong ? html`<span title="${text}">${text.slice(0, 8)}…</span>` : untrusted(cut(text));
  const link = path === undefined ? shown : html`<a href="${path}">${shown}</a>`;
  return isPage
    ? html`<span class="copyable">${link}${copyButton(words, text, words.say(detailWords.medium))}</span>`
    : link;
}

function showValue(call: PageCall, name: string, value: unknown, { isPage }: Shown): Html | string {
  const { words } = call;
  const text = typeof value === 'string' ? value : wordValue(words, name, value);
  if (typeof value !== 'string') return typeof value === 'object' ? untrusted(cut(text)) : text;
  const [whole, label] = [isPage ? copyable : shortDigest, labelOf(words, name)];
  if (isMedium(name)) return showMedium(call, text, { isPage });
  if (name === 'delivery') return deliveryLink(call, text, untrusted(cut(text)));
  if (isCode(text)) return html`<a href="/help#${text}">${text}</a>`;
  if (digestForm.test(text)) return whole(words, text, label);
  if (fingerprintForm.test(text)) return (isPage ? copyable : shortHex)(words, text, label);
  const [, line = '', head, site = ''] = claimForm.exec(text) ?? [];
  if (head !== undefined)
    return html`${untrusted(site)}, ${words.say(history.lineOf, { line })} ${whole(words, head, site)}`;
  const [, subject = '', digest] = subjectForm.exec(text) ?? [];
  if (digest !== undefined) return html`${untrusted(cut(subject))} ${whole(words, digest, cut(subject))}`;
  return isWord(name, text) ? wordValue(words, name, text) : untrusted(cut(text));
}

/** The task and the details of a record. Its page has the number of its line elsewhere. */
function collect(call: PageCall, record: HistoryRecord, shown: Shown): readonly Detail[] {
  if (isLoss(record)) return [];
  const { say } = call.words;
  const { taskId, details } = record;
  const { intentLine } = details;
  const rows = Object.entries(details).flatMap(([name, value]): readonly Detail[] => {
    if (name === 'intentLine' || (shown.isPage && name === 'line')) return [];
    if (name === 'line' && intentLine !== undefined) {
      const isNext = Number(value) === Number(intentLine) + 1;
      return [[say(history.lines), [`${intentLine}${isNext ? '–' : ', '}${value}`]]];
    }
    const values = listOf(value).map((one) => showValue(call, name, one, shown));
    return values.length === 0 ? [] : [[labelOf(call.words, name), values]];
  });
  if (taskId === undefined) return rows;
  const task = html`<a href="${toPath('/tasks/{id}', { id: taskId })}">${untrusted(taskId)}</a>`;
  return [[say(history.task), [task]], ...rows];
}

/** All details of a record, for its page: a list is one of them. */
export const listDetails = (call: PageCall, record: HistoryRecord): readonly (readonly [string, Html])[] =>
  collect(call, { ...record, details: splitDetails(call.words, record).details }, { isPage: true }).map(
    ([label, values]) => [
      label,
      values.length === 1
        ? html`${values[0] ?? ''}`
        : html`<ul class="plain-list">${values.map((one) => html`<li>${one}</li>`)}</ul>`,
    ],
  );

/** Details as one text. */
const wordPairs = (words: Words, details: HistoryRecord['details']): string =>
  Object.entries(details)
    .filter(([, value]) => listOf(value).length > 0)
    .map(([name, value]) => `${labelOf(words, name)} ${wordValue(words, name, value)}`)
    .join(' · ');

/** The target and all details of a record as one text, with whole digests. */
export function wordSubject({ words }: PageCall, record: HistoryRecord, target: string): string {
  if (isLoss(record)) return target;
  const { said, details } = splitDetails(words, record);
  const { site: _site, intentLine: _intent, ...shown } = details;
  return [target, record.taskId, ...said.map(wordSaid), wordPairs(words, shown)].filter(Boolean).join(' · ');
}

/** Values that a row shows; the page of the record has all. */
const shownValues = 4;

/**
 * Whether only paper and the page of the record have a detail: a negative one, and a medium that the name of its delivery or
 * the subject says.
 */
function isLesser({ target = '', details }: HistoryRecord, name: string, value: unknown): boolean {
  if (value === false) return true;
  if (!isMedium(name)) return false;
  const [, delivery] = /^dlv-([0-9a-f]{12})-/.exec(String(value)) ?? [];
  return (
    target === value || (delivery !== undefined && [target, details.delivery].includes(`dlv_${delivery}`))
  );
}

/** The first values of some details, and the number of the others. */
function cutDetails(
  details: readonly Detail[],
  most: number,
): { readonly shown: readonly Detail[]; readonly more: number } {
  const shown: Detail[] = [];
  let room = most;
  for (const [label, values] of details) {
    const taken = values.slice(0, room);
    room -= taken.length;
    if (taken.length > 0) shown.push([label, taken]);
  }
  return { shown, more: details.reduce((sum, [, { length }]) => sum + length, 0) - (most - room) };
}

/** The lines of the ledger about the same event, each of which leads to its page. */
function linesOf({ words: { say } }: PageCall, { lines = [] }: HistoryEvent): Html | string {
  if (lines.length === 0) return '';
  const links = lines.map(({ record, id }, i) => {
    const line = say(history.lineOf, { line: String(record.details.line) });
    return html`${i === 0 ? '' : ', '}<a id="${id!}" href="${toPath('/history/{record}', { record: id! })}">${line}</a>`;
  });
  return html`<small class="way">${say(history.inLedger)} ${links}</small>`;
}

/** Between values that paper has on one line. */
const comma = html`<span class="print-only">, </span>`;

/** The target and the first details of a record in a list; paper has all details. @param page of the record */
export function subjectCell(call: PageCall, event: HistoryEvent, page: string | undefined): Html {
  const record = toShown(event);
  const { said, details: left } = splitDetails(call.words, record);
  const { site: _, reason, ...others } = left;
  // a long list of values is cut, and an auditor looks for the reason
  const details = reason === undefined ? others : { reason, ...others };
  const [lesser, major] = [true, false].map((is) =>
    Object.fromEntries(
      Object.entries(details).filter(([name, value]) => isLesser(record, name, value) === is),
    ),
  ) as [HistoryRecord['details'], HistoryRecord['details']];
  const all = collect(call, { ...record, details: major }, { isPage: false });
  const onPaper = isLoss(record) ? '' : wordPairs(call.words, lesser);
  const cutAt = cutDetails(all, shownValues);
  const { shown, more } = cutAt.more === 1 ? cutDetails(all, shownValues + 1) : cutAt;
  const pair = ([label, values]: Detail, isPrinted: boolean): Html =>
    html`<div ${attr('class', isPrinted ? 'print-only' : undefined)}><dt>${label}</dt>${values.map((value, i) => html`<dd>${value}${i + 1 < values.length ? comma : ''}</dd>`)}</div>`;

  const hidden = more > 0 ? restOf(all, shown) : [];
  const pairs = [...shown.map((one) => pair(one, false)), ...hidden.map((one) => pair(one, true))];
  const paper =
    onPaper === '' ? '' : html` <bdi class="print-only long" translate="no">${escapeText(onPaper)}</bdi>`;
  const rest =
    more > 0 && page !== undefined
      ? html`<small class="way"><a href="${page}">${call.words.say(history.moreDetails, { count: more })}</a>${event.lines === undefined ? '' : ' · '}</small>`
      : '';
  return html`${showTarget(call, record)}${said.map((one) => html`<p>${showSaid(one)}</p>`)}${pairs.length === 0 ? '' : html`<dl class="pairs">${pairs}</dl>`}${paper}${rest}${linesOf(call, event)}`;
}

/** The details without those that are shown. */
const restOf = (all: readonly Detail[], shown: readonly Detail[]): readonly Detail[] =>
  all.flatMap(([label, values], i): readonly Detail[] => {
    const left = values.slice(shown[i]?.[1].length ?? 0);
    return left.length === 0 ? [] : [[label, left]];
  });
