import type { ApiRoute } from './api-route.ts';
import { renderCliSchema } from './cli-output.ts';
import { renderOpenApi } from './openapi.ts';

/**
 * Routes of the OpenAPI document and the schema document.
 *
 * @param routes returns every route of the API, these included
 */
export function documentRoutes(routes: () => readonly ApiRoute[]): readonly ApiRoute[] {
  return [
    {
      method: 'GET',
      path: '/openapi.yaml',
      floor: 'viewer',
      summary: 'This document',
      success: {
        status: 200,
        description: 'The OpenAPI 3.1 document',
        contentTypes: ['application/yaml'],
      },
      handler: ({ version }) => ({
        contentType: 'application/yaml',
        content: renderOpenApi(routes(), version),
      }),
    },
    {
      method: 'GET',
      path: '/cli-output.schema.json',
      floor: 'viewer',
      summary: 'JSON Schema of what the commands print with --output json',
      success: {
        status: 200,
        description: 'A JSON Schema with one definition per reporting command',
        schema: { type: 'object' },
        contentTypes: ['application/schema+json'],
      },
      handler: () => ({ contentType: 'application/schema+json', content: renderCliSchema() }),
    },
  ];
}
