import { clientKinds, toClientKind } from '../../src/client/model.ts';
import { toConfigText } from '../../src/client/render-client-config.ts';
import type { QueryOf } from '../../src/contract/operation.ts';
import * as api from '../../src/contract/operations/clients.ts';
import { svcError } from '../../src/text/error.ts';
import { fr } from '../../src/text/language.ts';
import { rule } from '../../src/text/rule.ts';
import { type ClientConfigQuery, listClients, showClientConfig } from '../../src/view/client-config.ts';
import { toReached } from '../views/reached.ts';
import { type ApiCall, type ApiRoute, route } from './api-route.ts';

function toQuery(
  call: ApiCall<object, QueryOf<typeof api.listClients.query>, object>,
): Omit<ClientConfigQuery, 'client'> {
  return {
    recipes: call.query.recipe ?? [],
    reached: toReached(call),
    registry: call.query.registry,
  };
}

export const clientRoutes: readonly ApiRoute[] = [
  route(api.listClients, async (call) => ({ json: { clients: await listClients(call, toQuery(call)) } })),
  route(api.getClientConfig, async (call) => {
    const client = toClientKind(call.path.client);
    if (client === undefined)
      throw svcError('SVC-VAL-001', {
        file: 'path',
        path: '/client',
        rule: rule(['must be one of {kinds}', fr`doit être l’un de : {kinds}`], {
          kinds: clientKinds.join(', '),
        }),
      });
    const config = await showClientConfig(call, { ...toQuery(call), client });
    if (call.query.format !== 'text') return { json: config };
    return { contentType: 'text/plain; charset=utf-8', content: toConfigText(config) };
  }),
];
