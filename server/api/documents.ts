import * as api from '../../src/contract/operations/status.ts';
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
    route(api.getOpenApiDocument, ({ version }) => ({
      contentType: 'application/yaml',
      content: render(version),
    })),
    route(api.getCliOutputSchema, () => ({
      contentType: 'application/schema+json',
      content: renderCliSchema(),
    })),
  ];
}
