/** A request that every identity sends. */
export interface SceneRequest {
  readonly method: string;
  /** With its query. */
  readonly path: string;
  readonly body?: string;
  /** Sent by the administrator in English only. */
  readonly isBrief?: true;
}

interface Operation {
  readonly parameters?: readonly { readonly name: string; readonly in: string }[];
}

/** An OpenAPI document, as far as requests are made from it. */
export interface Described {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
}

/** Values of path parameters by name: of something that is there, and of nothing. */
export type Fillings = Readonly<Record<string, readonly [known: string, unknown: string]>>;

/** Bodies that no route takes. None is empty: some routes need no body and would do their work. */
const wrongBodies = ['{', '[]', '{"no_such_member":1}'];

function fill(path: string, fillings: Fillings, which: 0 | 1): string {
  return path.replace(/\{(\w+)\}/g, (_, name: string) => fillings[name]?.[which] ?? 'no-such-name');
}

/** Paths outside of the API whose answers are compared as well. */
const furtherPaths = [
  '/healthz',
  '/readyz',
  '/livez',
  '/no/such/page',
  '/api/v1/no-such-route',
  '/api/v2/status',
  '/v2/',
  '/v2/_catalog',
  '/v2/pushed/tool/tags/list',
  '/v2/pushed/tool/manifests/7.31.0',
  '/v2/pushed/tool/manifests/7.99.0',
  '/v2/pushed/tool/blobs/sha256:0',
  '/v2/no/such/tags/list',
  '/v2/UPPER/tags/list',
  '/files/',
  '/files/no-such-set/',
];

/** Makes requests from an OpenAPI document: each route that reads, and each that changes something with wrong bodies. */
export function* listRequests({ paths }: Described, fillings: Fillings): Generator<SceneRequest> {
  for (const [template, operations] of Object.entries(paths)) {
    const prefix = template.startsWith('/api/') ? '' : '/api/v1';
    const [known, unknown] = ([0, 1] as const).map((which) => `${prefix}${fill(template, fillings, which)}`);
    for (const [method, { parameters = [] }] of Object.entries(operations)) {
      // a generated document is compared with the others
      if (method !== 'get' || /\.(?:yaml|schema\.json)$/.test(template)) continue;
      yield { method: 'GET', path: known! };
      if (unknown !== known) yield { method: 'GET', path: unknown! };
      for (const name of [
        'no_such_parameter',
        ...parameters.filter((one) => one.in === 'query').map((one) => one.name),
      ])
        yield {
          method: 'GET',
          path: `${known}?${name}=${encodeURIComponent('no such/value!')}`,
          isBrief: true,
        };
    }
    for (const method of Object.keys(operations).filter((name) => name !== 'get'))
      for (const body of wrongBodies) yield { method: method.toUpperCase(), path: unknown!, body };
  }
  for (const path of furtherPaths) yield { method: 'GET', path };
}
