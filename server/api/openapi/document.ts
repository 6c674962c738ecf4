import { stringify } from 'yaml';
import { sharedSchemas } from '../../../src/contract/components.ts';
import type { Field, Fields, Operation } from '../../../src/contract/operation.ts';
import { string } from '../../../src/contract/schema.ts';
import { say } from '../../../src/text/language.ts';
import type { ApiRoute } from '../api-route.ts';
import { isOfRecords } from '../open-records.ts';
import { headers as answerHeaders, listProblems, type Part, toAnswers } from './answers.ts';
import { listPathParameters } from './path-parameters.ts';

/** Groups of operations, by the first segment of their path. */
const groups: Readonly<Record<string, string>> = {
  openapi: 'This document',
  'cli-output': 'Documents of the command line',
  status: 'State of the instance',
  whoami: 'Who makes a request',
  content: 'Content of the store',
  import: 'Unit imports',
  tasks: 'Tasks and their logs',
  recipes: 'Recipes',
  clients: 'Configuration of the clients of the nodes',
  sync: 'Synchronization',
  retriever: 'Source and interval of synchronization',
  plan: 'Plans of a synchronization',
  media: 'Carried media',
  receipts: 'Receipts of zones',
  zones: 'Zones that this instance delivers to',
  deliveries: 'Deliveries that this instance wrote or received',
  filesets: 'Trees of files',
  'oci-layout': 'OCI image layouts on the host',
  store: 'The store as a whole',
  account: 'The account that is signed in',
  accounts: 'Local accounts',
  history: 'Audit records that the instance keeps',
  custody: 'The ledger of deliveries and imports',
  evidence: 'Evidence for auditors',
  tokens: 'API tokens',
  network: 'Listener and outbound connections',
};

/** The group of an operation. */
function groupOf({ path }: Pick<ApiRoute, 'path'>): string {
  return path.split(/[/.]/)[1]!;
}

const ifNoneMatch: Part = {
  name: 'If-None-Match',
  in: 'header',
  required: false,
  description: 'The `ETag` of the last answer; an unchanged one is answered by 304',
  example: '"9bXJvKxB0Zl2q7GmTtY4oWcPe1A"',
  schema: string,
};

/** The parameters of an operation as OpenAPI parameters: path, headers, query. */
function listParameters({ path, polled, headers, query }: Operation): readonly Part[] {
  return [
    ...listPathParameters(path),
    ...(polled ? [ifNoneMatch] : []),
    ...toParameters('header', headers),
    ...toParameters('query', query),
  ];
}

function toParameters(place: 'header' | 'query', fields: Fields): readonly Part[] {
  return Object.entries(fields).map(([name, field]) => ({
    name,
    in: place,
    required: field.required ?? false,
    description: describeField(field),
    example: field.example,
    schema: field.schema,
  }));
}

/** The English description of a query parameter or a header. */
export function describeField({ help, details }: Field): string {
  const text = typeof help === 'string' ? help : say(help, 'en');
  return `${text[0]!.toUpperCase()}${text.slice(1)}${details === undefined ? '' : `. ${details}`}`;
}

/** Of the operations that read records. */
export const settingRole =
  'The setting `auth.historyRole` names the lowest role that may call it; `admin` is its default';

/** Of those whose role the setting only lowers. */
const loweredRole = 'The setting `auth.historyRole` may open it to a lower role, for reading';

function toOperation(route: ApiRoute): Part {
  const { body, method } = route;
  const parameters = listParameters(route);
  return {
    operationId: route.id,
    tags: [groupOf(route)],
    summary: route.summary,
    ...(isOfRecords(route) ? { description: route.floor === 'operator' ? loweredRole : settingRole } : {}),
    'x-svc-role': route.floor,
    security: [{ basic: [] }, { bearer: [] }, ...(method === 'GET' ? [{ session: [] }] : [])],
    ...(parameters.length === 0 ? {} : { parameters }),
    ...(body === undefined
      ? {}
      : {
          requestBody: {
            required: body.required ?? false,
            content: { 'application/json': { schema: body.schema, examples: body.examples } },
          },
        }),
    responses: toAnswers(route),
  };
}

const description = `The REST API of a content distribution instance. The document describes this version exactly.

Errors are problem documents (RFC 9457). Their \`code\` is stable; their sentences are in the language of
\`Accept-Language\` (English or French). Each operation lists the codes that it can answer.

Before an operation is known, the listener can answer: 404 \`SVC-SRV-002\` for a path that does not exist, 405
\`SVC-SRV-004\` for a method that the path does not have, 503 \`SVC-SRV-006\` while the instance stops (\`GET /api/v1/status\` is answered until then), and, without a
body, 400, 408, 417 or 431 for a request that is not HTTP. HEAD is answered wherever GET is.`;

/** The OpenAPI 3.1 document of the given routes, as values of JSON. Parts of it are shared. */
export function toOpenApi(routes: readonly ApiRoute[], version: string): Part {
  const paths: Record<string, Record<string, Part>> = {};
  for (const route of routes) {
    const path = `/api/v1${route.path}`;
    paths[path] = { ...paths[path], [route.method.toLowerCase()]: toOperation(route) };
  }
  return {
    openapi: '3.1.0',
    info: { title: 'svc', version, description, license: { name: 'MIT', identifier: 'MIT' } },
    servers: [{ url: '/', description: 'The instance that serves this document' }],
    tags: Object.entries(groups).map(([name, text]) => ({ name, description: text })),
    paths,
    components: {
      schemas: sharedSchemas,
      responses: listProblems(routes),
      headers: answerHeaders,
      securitySchemes: {
        basic: { type: 'http', scheme: 'basic', description: 'An account, or a token as the password' },
        bearer: { type: 'http', scheme: 'bearer', description: 'An API token' },
        session: { type: 'apiKey', in: 'cookie', name: 'svc_session', description: 'Reads only' },
      },
    },
  };
}

/** Renders the OpenAPI 3.1 document of the given routes as YAML. */
export function renderOpenApi(routes: readonly ApiRoute[], version: string): string {
  return stringify(toOpenApi(routes, version), { aliasDuplicateObjects: false, lineWidth: 120 });
}
