import { isIP } from 'node:net';
import type { ValidateFunction } from 'ajv';
import Ajv2020 from 'ajv/dist/2020.js';
import { toOpenApi } from '../../../server/api/openapi/document.ts';
import { apiRoutes } from '../../../server/api/routes.ts';

/** An answer of the API as a client read it. */
export interface AnswerRead {
  readonly method: string;
  /** Target of the request, with the query. */
  readonly target: string;
  readonly status: number;
  readonly headers: Headers;
  /** Absent when the body was not read as text. */
  readonly text?: string;
}

const base = '/api/v1';

/** The OpenAPI document of this program, as a client reads it. Its YAML is not parsed: that takes a second in each process. */
export const openApi: any = JSON.parse(JSON.stringify(toOpenApi(apiRoutes, '0.0.0-test')));

const formats = {
  'date-time': (text: string) =>
    /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)$/.test(text) && !Number.isNaN(Date.parse(text)),
  'uri-reference': (text: string) => /^[!#$&-;=?-[\]_a-z~%]*$/i.test(text),
  ipv4: (text: string) => isIP(text) === 4,
  ipv6: (text: string) => isIP(text) === 6,
  password: true,
  int32: true,
  int64: true,
} as const;

/** A validator that knows every keyword and format of the document, and no others. */
const ajv = new Ajv2020.default({
  strict: true,
  strictTypes: false,
  strictRequired: false,
  formats,
  allErrors: true,
});
const toOwn = (schema: unknown): object =>
  JSON.parse(JSON.stringify(schema).replaceAll('"#/components/schemas/', '"schema:'));
// not held to the schema of schemas in each process that judges an answer: a test of the document compiles each of them
for (const [name, schema] of Object.entries(openApi.components.schemas))
  ajv.addSchema(toOwn(schema), `schema:${name}`, false, false);

const compiled = new Map<string, ValidateFunction>();

/** Compiles a schema of the document. */
export function compileSchema(schema: unknown): ValidateFunction {
  const text = JSON.stringify(schema);
  const known = compiled.get(text) ?? ajv.compile(toOwn(schema));
  compiled.set(text, known);
  return known;
}

/** The fault of a value by a schema of the document; undefined when there is none. */
export function findFlaw(value: unknown, schema: unknown): string | undefined {
  const validate = compileSchema(schema);
  return validate(value) ? undefined : ajv.errorsText(validate.errors);
}

/** Follows a reference of the document. */
export function follow(node: any): any {
  if (typeof node?.$ref !== 'string') return node;
  return (node.$ref as string)
    .slice(2)
    .split('/')
    .reduce((at, name) => at[name], openApi);
}

const matchers = apiRoutes.map(({ id, method, path }) => ({
  id,
  method,
  path,
  pattern: new RegExp(
    `^${path.replaceAll('.', '\\.').replaceAll(/\{([a-z]+)\}/g, (_, name) => (name === 'repo' || name === 'file' ? '.+?' : '[^/]+'))}$`,
  ),
}));

/** The operation of a request, with its entry of the document; undefined when no path has this method. */
export function findOperation(
  method: string,
  target: string,
): { readonly id: string; readonly entry: any } | undefined {
  const path = target.split('?')[0]!;
  if (!path.startsWith(`${base}/`)) return undefined;
  const asked = method === 'HEAD' ? 'GET' : method;
  const byPath = matchers.find(({ pattern }) => pattern.test(path.slice(base.length)));
  const found = matchers.find((one) => one.path === byPath?.path && one.method === asked);
  if (found === undefined) return undefined;
  return { id: found.id, entry: openApi.paths[`${base}${found.path}`][asked.toLowerCase()] };
}

function judgeHeaders(described: any, given: Headers): string | undefined {
  for (const [name, reference] of Object.entries<any>(described.headers ?? {})) {
    const { required, schema } = follow(reference);
    const value = given.get(name);
    if (value === null) {
      if (required) return `the header ${name} is missing`;
      continue;
    }
    const flaw = findFlaw(schema.type === 'integer' ? Number(value) : value, schema);
    if (flaw !== undefined) return `the header ${name}: ${value}: ${flaw}`;
  }
  return undefined;
}

/** Whether a body of this type is one document: lines of documents are not. */
const isJson = (type: string): boolean => /[/+]json$/.test(type);

/**
 * Compares an answer with the document: status, headers, media type and body.
 *
 * @returns the undocumented part; undefined when there is none, or when no operation was asked
 */
export function judgeAnswer({ method, target, status, headers, text }: AnswerRead): string | undefined {
  const operation = findOperation(method, target);
  if (operation === undefined) return undefined;
  const described = follow(operation.entry.responses[status]);
  if (described === undefined) return `${operation.id} does not document ${status}: ${text ?? ''}`;
  const flaw = judgeHeaders(described, headers);
  if (flaw !== undefined) return `${operation.id} ${status}: ${flaw}`;
  if (described.content === undefined) return text ? `${operation.id} ${status} has a body` : undefined;
  const type = headers.get('content-type')?.split(';')[0] ?? '';
  const content = described.content[type];
  if (content === undefined) return `${operation.id} ${status} does not document ${type}`;
  if (method === 'HEAD' || text === undefined || !isJson(type)) return undefined;
  const wrong = findFlaw(JSON.parse(text), content.schema);
  return wrong === undefined ? undefined : `${operation.id} ${status}: ${wrong}: ${text.slice(0, 2000)}`;
}

/**
 * Requires that an answer is documented. A body that is not JSON is left to the caller.
 *
 * @throws Error naming the undocumented part
 */
export async function requireDocumented(method: string, target: string, response: Response): Promise<void> {
  if (findOperation(method, target) === undefined) return;
  const type = response.headers.get('content-type')?.split(';')[0] ?? '';
  const flaw = judgeAnswer({
    method,
    target,
    status: response.status,
    headers: response.headers,
    ...(isJson(type) ? { text: await response.clone().text() } : {}),
  });
  if (flaw !== undefined) throw new Error(`not documented: ${flaw}`);
}
