import { type ErrorRecord, fromErrorRecord } from '../../../../src/text/error.ts';
import { renderError } from '../../../../src/text/message.ts';
import { authoring } from '../../../../src/text/words/authoring.ts';
import { isolate } from '../../../../src/text/words/isolate.ts';
import { type Html, html } from '../../html.ts';
import { shortDigest } from '../../parts/digest.ts';
import { errorLine } from '../../parts/error.ts';
import { code, untrusted } from '../../parts/text.ts';
import type { PageCall } from '../../ui-route.ts';

/** Rows that a table of a result lists. */
export const mostRows = 200;

/** Says that a table lists the first rows only; empty where it lists all. */
export function moreNote({ words: { say } }: PageCall, total: number): Html | string {
  return total > mostRows
    ? html`<p class="muted">${say(authoring.more, { shown: mostRows, total })}</p>`
    : '';
}

/** The message of an error of a report, and its remedy. */
export function errorCell({ words }: PageCall, error: ErrorRecord): Html {
  const { action } = renderError(fromErrorRecord(error), words.language, isolate);
  return html`<p class="item-error">${errorLine(words, error)}</p><p>${action}</p>`;
}

/** A version, with the one that it had before. */
export function changedCell(from: string | undefined, to: string): Html {
  return from === undefined || from === to ? code(to) : html`<span>${code(from)} → ${code(to)}</span>`;
}

/** A digest, with the one that it had before, each shortened and to copy. */
export function changedDigest({ words }: PageCall, from: string | undefined, to: string): Html {
  const { say } = words;
  const after = shortDigest(words, to, say(authoring.digest));
  return from === undefined || from === to
    ? after
    : html`${shortDigest(words, from, say(authoring.digestBefore))} → ${after}`;
}

/** An ingredient as the rows of a table name it. */
export function ingredientCell(name: string, ref: string): Html {
  return html`${untrusted(name)}<div class="item-digest muted">${code(ref)}</div>`;
}
