import { findDocumentLine } from '../../../src/recipe/read-document.ts';
import { sayParam } from '../../../src/text/message.ts';
import { publish } from '../../../src/text/words/publish.ts';
import { type Html, html } from '../html.ts';
import { textOf } from '../read-form.ts';
import type { PageCall } from '../ui-route.ts';
import { code } from './text.ts';

/** Characters of a line that are shown. */
const mostOfLine = 200;

/** A line of a document, marked, between its neighbours. */
function excerptLines(
  lines: readonly string[],
  line: number,
  { around, reason }: { readonly around: number; readonly reason?: string },
): Html {
  const first = Math.max(1, line - around);
  const rows = lines.slice(first - 1, line + around).map((text, index) => {
    const number = first + index;
    const short = text.length > mostOfLine ? `${text.slice(0, mostOfLine)}…` : text;
    return html`<li value="${number}" class="${number === line ? 'line-bad' : 'line'}">${number === line ? html`<strong>${code(short)}</strong>${reason === undefined ? '' : html`<p class="item-error">${reason}</p>`}` : code(short)}</li>`;
  });
  return html`<ol class="lines">${rows}</ol>`;
}

/** The same beside what is said of the line; empty without a line. */
export function excerptOf(lines: readonly string[], line: number | undefined): Html | string {
  return line === undefined || (lines[line - 1] ?? '').trim() === ''
    ? ''
    : excerptLines(lines, line, { around: 1 });
}

/** The document of a form that is shown again; empty when it is no text. @param name of its field */
export function givenDocument({ posted }: PageCall, name = 'document'): string {
  try {
    return textOf(posted?.fields ?? new Map(), name);
  } catch {
    return '';
  }
}

/** The line of the document that the error names, with those around it. @param name field of the document */
export async function excerpt(call: PageCall, name = 'document'): Promise<Html | string> {
  const { say } = call.words;
  const { error } = call.posted ?? {};
  const path = error?.code === 'SVC-VAL-001' ? String(error.params.path) : '/';
  const document = givenDocument(call, name);
  // `/reference` is a field of the form, not a member of the document
  const { identity, signal } = call;
  const line =
    path.startsWith('/') || document === ''
      ? undefined
      : await findDocumentLine(document, path, { actor: identity.actor, signal });
  if (line === undefined) return '';
  const reason = sayParam(error!, 'rule', call.words.language);
  return html`<h2>${say(publish.offending, { line })}</h2>${excerptLines(document.split(/\r?\n/), line, { around: 3, reason })}`;
}
