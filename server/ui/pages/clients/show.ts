import { listLedPlaces, listOwnHosts } from '../../../../src/client/led-places.ts';
import { type ClientKind, fileClients, toClientKind } from '../../../../src/client/model.ts';
import type { QueryOf } from '../../../../src/contract/operation.ts';
import type { listClients } from '../../../../src/contract/operations/clients.ts';
import type { ClientConfig } from '../../../../src/contract/recipe.ts';
import { fromErrorRecord, isSvcError, SvcError, svcError } from '../../../../src/text/error.ts';
import { renderError } from '../../../../src/text/message.ts';
import { isolate } from '../../../../src/text/words/isolate.ts';
import { clientWords } from '../../../../src/text/words/serving/clients.ts';
import { showClientConfig } from '../../../../src/view/client-config.ts';
import { parseRegistry } from '../../../../src/view/recipes.ts';
import { listFilesets } from '../../../views/filesets.ts';
import { toReached } from '../../../views/reached.ts';
import { toRefused } from '../../faults.ts';
import { type Html, html } from '../../html.ts';
import { configFile, registryForm } from '../../parts/config-file.ts';
import { curlCommand } from '../../parts/curl.ts';
import { terminal } from '../../parts/terminal.ts';
import { toPath } from '../../to-href.ts';
import type { Page, PageCall, Section } from '../../ui-route.ts';

/**
 * The warnings that `svc client config` prints for the same files. They name hosts that mean the node itself on each
 * node, and configured content that the instance cannot serve.
 *
 * @param registry as it was typed, which is right
 */
async function listWarnings(
  call: PageCall,
  config: ClientConfig,
  registry: string | undefined,
): Promise<readonly Html[]> {
  const { say, language } = call.words;
  const named = registry === undefined ? undefined : parseRegistry(registry, 'https').host;
  const isOfFiles = fileClients.has(config.client);
  // the page of a client of files has no field for a registry
  const own = listOwnHosts(listLedPlaces(config), named).map(({ host, of }) =>
    say(of === 'registry' && !isOfFiles ? clientWords.ownRegistry : clientWords.ownInstance, { host }),
  );
  if (!isOfFiles) return own.map(toWarning);
  const { filesets, views } = await listFilesets(call);
  const withheld = (config.client === 'helm' ? views : filesets).flatMap(({ name, error }) => {
    if (error === undefined) return [];
    const { what } = renderError(fromErrorRecord(error), language, isolate);
    return say(clientWords.withheld, { place: `/files/${name}/`, code: error.code, reason: what });
  });
  return [...own, ...withheld].map(toWarning);
}

const toWarning = (text: string): Html => html`<p class="item-warning">${text}</p>`;

type Call = PageCall<QueryOf<typeof listClients.query>, { readonly client: string }>;

/** The files, or the reason why the typed registry or the served content gives none. */
async function readConfig(call: Call, client: ClientKind): Promise<ClientConfig | SvcError> {
  const { registry, recipe = [] } = call.query;
  try {
    return await showClientConfig(call, { client, recipes: recipe, reached: toReached(call), registry });
  } catch (error) {
    if (isSvcError(error, 'SVC-VAL-001')) return error;
    throw error;
  }
}

function filesOf(
  call: PageCall,
  { client, directory, files }: ClientConfig,
  warnings: readonly Html[],
): Section {
  const { say } = call.words;
  const hint = files.some(({ mode }) => mode === '0600') ? clientWords.secrets : clientWords.noSecrets;
  const empty = fileClients.has(client) ? clientWords.emptyInstance : clientWords.emptyRegistry;
  return {
    id: 'files',
    html:
      files.length === 0
        ? html`${warnings}<div class="empty">${say(empty, { client })}</div>`
        : html`<h2>${say(clientWords.files)}</h2>${warnings}<p class="muted">${say(hint)}</p>${files.map(({ path, content }) => configFile(call, `${directory}/${path}`, content))}`,
  };
}

/** The page `/clients/{client}`. @throws SVC-SRV-002 for an unknown client */
export async function showClient(call: Call): Promise<Page> {
  const { words, exchange } = call;
  const { say } = words;
  const client = toClientKind(call.path.client);
  if (client === undefined) throw svcError('SVC-SRV-002', { path: exchange.path.slice(0, 512) });
  const found = await readConfig(call, client);
  const refused = found instanceof SvcError ? toRefused(call, found) : undefined;
  const { registry, recipe } = call.query;
  return {
    refused,
    title: say(clientWords.configOf, { client }),
    lead: say(clientWords.configLead),
    crumbs: [[say(clientWords.title), '/clients']],
    sections: [
      { id: 'registry', html: fileClients.has(client) ? html`` : registryForm(call, refused) },
      ...(found instanceof SvcError ? [] : [filesOf(call, found, await listWarnings(call, found, registry))]),
      {
        id: 'terminal',
        html: terminal(words, [
          curlCommand(
            call,
            'GET',
            toPath('/clients/{client}', { client }, { format: 'text', recipe, registry }),
          ),
        ]),
      },
    ],
  };
}
