import { clientWords } from '../../../../src/text/words/serving/clients.ts';
import { type ListedClient, listClients } from '../../../../src/view/client-config.ts';
import { toReached } from '../../../views/reached.ts';
import { html } from '../../html.ts';
import { curlCommand } from '../../parts/curl.ts';
import { withheldLine } from '../../parts/notices.ts';
import { table } from '../../parts/table.ts';
import { terminal } from '../../parts/terminal.ts';
import { code } from '../../parts/text.ts';
import { toPath } from '../../to-href.ts';
import type { Page, PageCall } from '../../ui-route.ts';

/** The page `/clients`. */
export async function showClients(call: PageCall): Promise<Page> {
  const { words, gate } = call;
  const { say } = words;
  const isClosed = gate.refusal() !== undefined;
  const clients = isClosed ? [] : await listClients(call, { recipes: [], reached: toReached(call) });
  return {
    title: say(clientWords.title),
    lead: say(clientWords.lead),
    sections: [
      {
        id: 'clients',
        html: isClosed
          ? html`<div class="empty">${await withheldLine(call, clientWords.closed)}</div>`
          : table<ListedClient>({
              caption: say(clientWords.title),
              empty: '',
              rows: clients,
              columns: [
                {
                  label: say(clientWords.client),
                  isHeader: true,
                  cell: ({ client }) =>
                    html`<a href="${toPath('/clients/{client}', { client })}">${client}</a>`,
                },
                {
                  label: say(clientWords.reads),
                  cell: ({ reads }) =>
                    reads === 'registry' ? say(clientWords.registry) : say(clientWords.instance),
                },
                { label: say(clientWords.directory), cell: ({ directory }) => code(directory) },
                {
                  label: say(clientWords.files),
                  cell: ({ files, error }) =>
                    files.length === 0
                      ? html`<span class="muted">${say(error === undefined ? clientWords.nothing : clientWords.cannot)}</span>`
                      : html`${files.map((path) => html`${code(path)} `)}`,
                },
              ],
            }),
      },
      { id: 'terminal', html: terminal(words, [curlCommand(call, 'GET', '/clients')]) },
    ],
  };
}
