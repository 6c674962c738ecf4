import { parts } from '../../../src/text/words/parts.ts';
import { sync } from '../../../src/text/words/sync.ts';
import { describeRetriever } from '../../views/retriever.ts';
import { type Html, html } from '../html.ts';
import type { PageCall } from '../ui-route.ts';

/** The first step that brings content into an empty store, as far as the reader may take it. */
export function firstStep(call: PageCall): Html {
  const { say } = call.words;
  if (!call.can('operator')) return html`<p>${say(parts.firstAsk)}</p>`;
  if (describeRetriever(call).source !== undefined)
    return html`<p>${say(parts.firstSync)} <a href="/recipes/sync">${say(sync.title)}</a></p>`;
  return html`<p>${say(parts.firstSource)} <a href="/import">${say(parts.firstImport)}</a></p>`;
}
