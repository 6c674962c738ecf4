import { catalogue } from '../../../src/base/catalogue.ts';
import type { SvcError } from '../../../src/base/error.ts';
import { escapeText } from '../../../src/base/escape.ts';
import { renderError } from '../../../src/base/message.ts';
import { parts } from '../../../src/base/words/parts.ts';
import type { Words } from '../../../src/base/words/words.ts';
import { toErrorHeaders } from '../../problem.ts';
import { type Html, html } from '../html.ts';
import type { Page, PageCall } from '../ui-route.ts';
import { copyButton } from './copy.ts';
import { icon } from './icons.ts';
import type { BarePage } from './shell.ts';
import { code as codeText } from './text.ts';

interface ErrorOptions {
  readonly words: Words;
  readonly error: SvcError;
  readonly correlationId?: string;
  /** Whether the reader may open the help page. */
  readonly hasHelp: boolean;
  /** Whether the form with the field that the error names is on the page. */
  readonly hasFields?: boolean;
  /** `h2` inside a page. */
  readonly heading?: Html;
}

/** The three sentences of an error, its code and its correlation identifier. */
export function errorBlock(options: ErrorOptions): Html {
  const { words, error, correlationId, hasHelp, hasFields = false, heading } = options;
  const { what, cause, action } = renderError(error, words.language);
  const { code, detail } = error;
  // `/name` is a field of a form; a path without the slash is a member of a document
  const [, field = ''] =
    hasFields && error.code === 'SVC-VAL-001' ? (/^\/(.*)$/.exec(String(error.params.path)) ?? []) : [];
  return html`<div class="error" role="alert">
${icon('bad')}
<div class="error-text">
${heading ?? ''}
<p class="error-what">${what}</p>
<dl class="facts">
<dt>${words.say(parts.errorCause)}</dt><dd>${cause}</dd>
<dt>${words.say(parts.errorAction)}</dt><dd>${action}</dd>
${detail === undefined || code === 'SVC-SRV-001' ? '' : html`<dt>${words.say(parts.errorDetail)}</dt><dd translate="no">${escapeText(detail)}</dd>`}
</dl>
<p class="error-foot">
${/^[A-Za-z][\w-]*$/.test(field) ? html`<a href="#field-${field}">${words.say(parts.errorFields)}</a>` : ''}
${hasHelp ? html`<a href="/help#${code}">${words.say(parts.errorHelp, { code })}</a>` : codeText(code)}
${
  correlationId === undefined
    ? ''
    : html`<span class="muted">${words.say(parts.correlation)}: ${codeText(correlationId)} ${copyButton(words, correlationId, words.say(parts.correlation))}</span>`
}
</p>
</div>
</div>`;
}

/** The page of an error, with its navigation. */
export function toErrorPage(call: PageCall, error: SvcError): Page {
  const { words, signedIn, exchange } = call;
  const block = errorBlock({ words, error, hasHelp: signedIn, correlationId: exchange.correlationId });
  return {
    title: words.say(parts.errorTitle, { code: error.code }),
    status: catalogue[error.code].status,
    sections: [{ id: 'error', html: block }],
  };
}

/** The page of an error for a client that is not signed in. While the instance stops, the page loads itself again. */
export function toBareErrorPage(words: Words, error: SvcError, exchange: PageCall['exchange']): BarePage {
  const { 'www-authenticate': _, ...headers } = toErrorHeaders(error, exchange);
  const isStopping = error.code === 'SVC-SRV-006';
  return {
    language: words.language,
    title: words.say(parts.errorTitle, { code: error.code }),
    status: catalogue[error.code].status,
    headers: { ...headers, ...(isStopping ? { refresh: '5' } : {}) },
    html: errorBlock({ words, error, hasHelp: false, correlationId: exchange.correlationId }),
  };
}
