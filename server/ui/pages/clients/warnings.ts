import { listLedPlaces, listOwnHosts } from '../../../../src/client/led-places.ts';
import { type ClientConfig, fileClients } from '../../../../src/client/model.ts';
import { fromErrorRecord } from '../../../../src/text/error.ts';
import { renderError } from '../../../../src/text/message.ts';
import { isolate } from '../../../../src/text/words/isolate.ts';
import { clientWords } from '../../../../src/text/words/serving/clients.ts';
import { parseRegistry } from '../../../../src/view/recipes.ts';
import { listFilesets } from '../../../views/filesets.ts';
import { type Html, html } from '../../html.ts';
import type { PageCall } from '../../ui-route.ts';

/**
 * The warnings that `svc client config` prints of the same files: hosts that on each node are the node itself, and what is
 * configured for the client and cannot be served.
 *
 * @param registry as it was typed, which is right
 */
export async function listWarnings(
  call: PageCall,
  config: ClientConfig,
  registry: string | undefined,
): Promise<readonly Html[]> {
  const { say, language } = call.words;
  const named = registry === undefined ? undefined : parseRegistry(registry, 'https').host;
  const own = listOwnHosts(listLedPlaces(config), named).map(({ host, of }) =>
    say(of === 'registry' ? clientWords.ownRegistry : clientWords.ownInstance, { host }),
  );
  if (!fileClients.has(config.client)) return own.map(toWarning);
  const { filesets, views } = await listFilesets(call);
  const withheld = (config.client === 'helm' ? views : filesets).flatMap(({ name, error }) => {
    if (error === undefined) return [];
    const { what } = renderError(fromErrorRecord(error), language, isolate);
    return say(clientWords.withheld, { place: `/files/${name}/`, code: error.code, reason: what });
  });
  return [...own, ...withheld].map(toWarning);
}

const toWarning = (text: string): Html => html`<p class="item-warning">${text}</p>`;
