import { findDocumentLine } from '../../../src/recipe/read-document.ts';
import { sayParam } from '../../../src/text/message.ts';
import { publish } from '../../../src/text/words/publish.ts';
import { type Html, html } from '../html.ts';
import { textOf } from '../read-form.ts';
import type { PageCall } from '../ui-route.ts';
import { code } from './text.ts';

/** Lines shown before and after the one that an error is about. */
const around = 3;

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
  const lines = document.split(/\r?\n/);
  const reason = sayParam(error!, 'rule', call.words.language);
  const first = Math.max(1, line - around);
  const rows = lines.slice(first - 1, line + around).map((text, index) => {
    const number = first + index;
    const short = text.length > 200 ? `${text.slice(0, 200)}…` : text;
    return html`<li value="${number}" class="${number === line ? 'line-bad' : 'line'}">${number === line ? html`<strong>${code(short)}</strong><p class="item-error">${reason}</p>` : code(short)}</li>`;
  });
  return html`<h2>${say(publish.offending, { line })}</h2><ol class="lines">${rows}</ol>`;
}
