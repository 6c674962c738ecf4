import { stringify } from 'yaml';
import type { ApiRoute } from './api-route.ts';
import { type Schema, string } from './schema.ts';
import { sharedSchemas } from './shared-schemas.ts';

const problem = {
  description: 'A problem document',
  content: { 'application/problem+json': { schema: { $ref: '#/components/schemas/Problem' } } },
};

const challenge = {
  ...problem,
  headers: { 'WWW-Authenticate': { description: 'How to authenticate', schema: string } },
};

const etagged = { headers: { ETag: { description: 'Entity tag of the answer', schema: string } } };
const notModified = { description: 'The answer is the one whose entity tag the request names', ...etagged };
const ifNoneMatch: Schema = {
  name: 'If-None-Match',
  in: 'header',
  required: false,
  description: 'The `ETag` of the last answer',
  schema: string,
};

function pathParameters(path: string): readonly Schema[] {
  return [...path.matchAll(/\{([a-z]+)\}/g)].map(([, name]) => ({
    name,
    in: 'path',
    required: true,
    description: name === 'repo' ? 'Repository path; its slashes are not encoded' : `The ${name}`,
    schema: string,
  }));
}

function operation(route: ApiRoute): Schema {
  const { success, body, method } = route;
  const types = success.contentTypes ?? ['application/json'];
  const content =
    success.status === 204
      ? {}
      : {
          content: Object.fromEntries(
            types.map((type) => [
              type,
              type === 'text/plain' ? { schema: string } : toMediaType(success.schema),
            ]),
          ),
        };
  const parameters = [
    ...pathParameters(route.path),
    ...(route.polled ? [ifNoneMatch] : []),
    ...(route.parameters ?? []).map(({ name, schema, description, required = false }) => ({
      name,
      in: 'query',
      required,
      description,
      schema,
    })),
  ];
  return {
    operationId: `${method.toLowerCase()}${route.path.replaceAll(/[^A-Za-z]+(.)?/g, (_, c: string | undefined) => (c ?? '').toUpperCase())}`,
    summary: route.summary,
    'x-svc-role': route.floor,
    security: [{ basic: [] }, { bearer: [] }, ...(method === 'GET' ? [{ session: [] }] : [])],
    ...(parameters.length === 0 ? {} : { parameters }),
    ...(body === undefined
      ? {}
      : {
          requestBody: {
            required: body.required ?? false,
            content: { 'application/json': { schema: body.schema } },
          },
        }),
    responses: {
      [success.status]: { description: success.description, ...(route.polled ? etagged : {}), ...content },
      ...(route.polled ? { 304: notModified } : {}),
      401: challenge,
      default: problem,
    },
  };
}

function toMediaType(schema: Schema | undefined): Schema {
  return schema === undefined ? {} : { schema };
}

/** Renders the OpenAPI 3.1 document of the given routes as YAML. */
export function renderOpenApi(routes: readonly ApiRoute[], version: string): string {
  const paths: Record<string, Record<string, Schema>> = {};
  for (const route of routes) {
    const path = `/api/v1${route.path}`;
    paths[path] = { ...paths[path], [route.method.toLowerCase()]: operation(route) };
  }
  return stringify(
    {
      openapi: '3.1.0',
      info: {
        title: 'svc',
        version,
        description:
          'The REST API of a content distribution instance. Errors are RFC 9457 problem documents with a stable code.',
        license: { name: 'MIT', identifier: 'MIT' },
      },
      servers: [{ url: '/' }],
      paths,
      components: {
        schemas: sharedSchemas,
        securitySchemes: {
          basic: { type: 'http', scheme: 'basic', description: 'An account, or a token as the password' },
          bearer: { type: 'http', scheme: 'bearer', description: 'An API token' },
          session: { type: 'apiKey', in: 'cookie', name: 'svc_session', description: 'Reads only' },
        },
      },
    },
    { aliasDuplicateObjects: false, lineWidth: 120 },
  );
}
