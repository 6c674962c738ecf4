import { type Html, html } from '../html.ts';
import type { PageCall } from '../ui-route.ts';
import { copyButton } from './copy.ts';

/** Commands of several clients, each with its name and a button that copies it. */
export function clientList(
  { words }: Pick<PageCall, 'words'>,
  rows: readonly (readonly [client: string, command: string])[],
): Html {
  return html`<ul class="clients">${rows.map(
    ([client, command]) =>
      html`<li><span class="client">${client}</span><div class="command"><pre translate="no" tabindex="0"><code>${command}</code></pre>${copyButton(words, command, client)}</div></li>`,
  )}</ul>`;
}
