import type { Message } from '../../../../src/text/error.ts';
import type { ErrorCode } from '../../../../src/text/errors/registry.ts';
import { media } from '../../../../src/text/words/media.ts';
import { parts } from '../../../../src/text/words/parts.ts';
import { type Html, html } from '../../html.ts';
import { copyable } from '../../parts/copy.ts';
import { showSentence } from '../../parts/error.ts';
import { icon } from '../../parts/icons.ts';
import { facts } from '../../parts/table.ts';
import { untrusted } from '../../parts/text.ts';
import type { PageCall } from '../../ui-route.ts';

interface Problem {
  /** What it blocks. */
  readonly title: Html | string;
  readonly state: Html;
  /** Of a problem without a code, only what follows from it is known. */
  readonly code: ErrorCode | undefined;
  readonly message: Message | undefined;
  /** The file of the medium that it is about. */
  readonly path?: string | undefined;
  readonly consequence: Html | string;
  /** Stands at the end of the line with the code. */
  readonly extent?: string;
  /** Stands below the rows. */
  readonly rest?: Html | string;
  /** Whether it blocks nothing: it is waived, or the zone has the recipe. */
  readonly isMild?: boolean;
  /** Whether the page has said the remedy already. */
  readonly isTold?: boolean;
  /** Words before the problem. */
  readonly lead?: string;
}

/** A problem of a medium in the rows of an error: the file, the cause, the consequence, the remedy, and the code. */
export function problemCard(
  { words }: PageCall,
  {
    title,
    state,
    code,
    message,
    path,
    consequence,
    extent = '',
    rest = '',
    isMild = false,
    isTold = false,
    lead = '',
  }: Problem,
): Html {
  const { say } = words;
  const rows = facts([
    ...(path === undefined ? [] : [[say(media.file), copyable(words, path, say(media.file))] as const]),
    ...(message === undefined ? [] : [[say(parts.errorCause), message.cause] as const]),
    [say(media.consequence), consequence],
    ...(message === undefined || isTold ? [] : [[say(parts.errorAction), message.action] as const]),
  ]);
  const help = code === undefined ? '' : html`<a href="/help#${code}">${say(parts.errorHelp, { code })}</a>`;
  return html`<li class="${isMild ? 'note note-warn' : 'error'}">${icon(isMild ? 'warn' : 'bad')}<div class="error-text"><div class="verdict-head"><h3>${title}</h3>${state}</div>
${lead === '' ? '' : html`<p>${untrusted(lead)}</p>`}${message === undefined ? '' : html`<p class="error-what">${showSentence(message.what)}</p>`}${rows}
<p class="error-foot">${help}<span class="muted">${extent}</span></p>${rest}</div></li>`;
}
