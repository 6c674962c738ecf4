import { described, object, string } from '../../src/contract/schema.ts';
import { type ApiRoute, route } from './api-route.ts';
import { renderCliSchema } from './cli-output.ts';
import { renderOpenApi } from './openapi/document.ts';

/**
 * Routes of the OpenAPI document and the schema document.
 *
 * @param routes returns every route of the API, these included
 */
export function documentRoutes(routes: () => readonly ApiRoute[]): readonly ApiRoute[] {
  // rendering takes longer than most requests, and the document of a version is always the same
  const rendered = new Map<string, string>();
  const render = (version: string): string => {
    const text = rendered.get(version) ?? renderOpenApi(routes(), version);
    rendered.set(version, text);
    return text;
  };
  return [
    route({
      id: 'getOpenApiDocument',
      method: 'GET',
      path: '/openapi.yaml',
      floor: 'viewer',
      errors: [],
      summary: 'This document',
      success: {
        status: 200,
        description: 'The OpenAPI 3.1 document',
        schema: {
          type: 'object',
          description: 'An OpenAPI document',
          required: ['openapi', 'info', 'paths', 'components'],
          properties: {
            openapi: { type: 'string', const: '3.1.0', description: 'Version of the specification' },
          },
        },
        contentTypes: ['application/yaml'],
      },
      handler: ({ version }) => ({
        contentType: 'application/yaml',
        content: render(version),
      }),
    }),
    route({
      id: 'getCliOutputSchema',
      method: 'GET',
      path: '/cli-output.schema.json',
      floor: 'viewer',
      errors: [],
      summary: 'JSON Schema of what the commands print with --output json',
      success: {
        status: 200,
        description: 'A JSON Schema with one definition per reporting command',
        schema: object({
          $schema: {
            type: 'string',
            const: 'https://json-schema.org/draft/2020-12/schema',
            description: 'Dialect',
          },
          title: described('Title of the document', string),
          $defs: {
            type: 'object',
            description: 'One definition for each command, by its words',
            propertyNames: { type: 'string', pattern: '^svc( [a-z]+){1,2}$' },
            additionalProperties: { type: 'object' },
          },
        }),
        contentTypes: ['application/schema+json'],
      },
      handler: () => ({ contentType: 'application/schema+json', content: renderCliSchema() }),
    }),
  ];
}
