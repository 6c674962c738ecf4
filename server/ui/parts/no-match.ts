import { parts } from '../../../src/text/words/parts.ts';
import { type Html, html } from '../html.ts';
import type { PageCall } from '../ui-route.ts';
import { untrusted } from './text.ts';

/**
 * Stands in place of a list that a filter has emptied: names the filter, and leads to the list without it.
 *
 * @param filter the term or choice as the reader entered it
 */
export function noMatch({ here, words: { say } }: PageCall, filter: string): Html {
  const [path = '/'] = here.split('?', 1);
  return html`<p>${untrusted(say(parts.noMatch, { filter }))}</p><p><a href="${path}">${say(parts.dropFilter)}</a></p>`;
}
