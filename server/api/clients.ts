import { clientKinds, toClientKind } from '../../src/client/model.ts';
import { toConfigText } from '../../src/client/render-client-config.ts';
import { ClientConfig, ClientList } from '../../src/contract/recipe.ts';
import { list, oneOf, text } from '../../src/contract/schema.ts';
import { svcError } from '../../src/text/error.ts';
import { fr } from '../../src/text/language.ts';
import { rule } from '../../src/text/rule.ts';
import { type ClientConfigQuery, listClients, showClientConfig } from '../../src/view/client-config.ts';
import { toReached } from '../views/reached.ts';
import { type ApiCall, type ApiRoute, type QueryOf, route } from './api-route.ts';
import { showing } from './openapi/error-codes.ts';
import { registryParameter } from './recipes.ts';

export const clientParameters = [
  {
    name: 'recipe',
    schema: list(text({ minLength: 1, maxLength: 128 })),
    description: 'Only these recipes, repeatable; default: every recipe',
    example: ['platform'],
  },
  registryParameter,
] as const;

const errors = [...showing, 'SVC-DST-001', 'SVC-REG-001', 'SVC-SRV-006'] as const;

function toQuery(
  call: ApiCall<object, QueryOf<typeof clientParameters>, object>,
): Omit<ClientConfigQuery, 'client'> {
  return {
    recipes: call.query.recipe ?? [],
    reached: toReached(call),
    registry: call.query.registry,
  };
}

export const clientRoutes: readonly ApiRoute[] = [
  route({
    id: 'listClients',
    method: 'GET',
    path: '/clients',
    floor: 'viewer',
    errors,
    summary: 'Clients of the nodes, and the files that each would get',
    parameters: clientParameters,
    success: { status: 200, description: 'The clients', schema: ClientList },
    handler: async (call) => ({ json: { clients: await listClients(call, toQuery(call)) } }),
  }),
  route({
    id: 'getClientConfig',
    method: 'GET',
    path: '/clients/{client}',
    floor: 'viewer',
    errors,
    summary:
      'Configuration files with which a client of the nodes finds the content under its nominal references',
    parameters: [
      ...clientParameters,
      {
        name: 'format',
        schema: { ...oneOf('json', 'text'), default: 'json' },
        description:
          '`json`: each file with its path; `text`: the file itself, of several each below its path',
        example: 'json',
      },
    ],
    success: {
      status: 200,
      description: 'The files',
      schema: ClientConfig,
      contentTypes: ['application/json', 'text/plain'],
    },
    handler: async (call) => {
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
    },
  }),
];
