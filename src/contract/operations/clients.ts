import { fr } from '../../text/language.ts';
import { field, operation } from '../operation.ts';
import { ClientConfig, ClientList } from '../recipe.ts';
import { list, oneOf, text } from '../schema.ts';
import { showing } from './error-codes.ts';
import { registry } from './recipes.ts';

const query = {
  recipe: field(
    list(text({ minLength: 1, maxLength: 128 })),
    ['only the content of this recipe; repeatable', fr`seulement le contenu de cette recette ; répétable`],
    ['platform'],
    'Default: every recipe',
  ),
  registry,
};

const errors = [...showing, 'SVC-DST-001', 'SVC-REG-001', 'SVC-SRV-006'] as const;

export const listClients = operation({
  id: 'listClients',
  method: 'GET',
  path: '/clients',
  floor: 'viewer',
  errors,
  summary: 'Clients of the nodes, and the files that each would get',
  query,
  answer: { status: 200, description: 'The clients', schema: ClientList },
});

export const getClientConfig = operation({
  id: 'getClientConfig',
  method: 'GET',
  path: '/clients/{client}',
  floor: 'viewer',
  errors,
  summary:
    'Configuration files with which a client of the nodes finds the content under its nominal references',
  query: {
    ...query,
    format: field(
      { ...oneOf('json', 'text'), default: 'json' },
      '`json`: each file with its path; `text`: the file itself, of several each below its path',
      'json',
    ),
  },
  answer: {
    status: 200,
    description: 'The files',
    schema: ClientConfig,
    contentTypes: ['application/json', 'text/plain'],
  },
});
