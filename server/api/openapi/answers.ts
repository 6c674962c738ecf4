import { Problem } from '../../../src/contract/error.ts';
import type { NextStep } from '../../../src/contract/operation.ts';
import { oneOf, string } from '../../../src/contract/schema.ts';
import type { ErrorCode } from '../../../src/text/errors/registry.ts';
import type { ApiRoute } from '../api-route.ts';
import { answerExamples } from './answer-examples.ts';
import { listErrorStatuses } from './error-codes.ts';

const requestId = /^[A-Za-z0-9._-]{1,64}$/.source;

/** A part of the document. */
export type Part = Readonly<Record<string, unknown>>;

/** Headers of answers, by component name. */
export const headers: Readonly<Record<string, Part>> = {
  RequestId: {
    description: 'Identifies the log records of the request: the one that the request sent, or a new one',
    required: true,
    schema: { type: 'string', pattern: requestId },
  },
  CacheControl: {
    description: 'No answer may be stored',
    required: true,
    schema: { type: 'string', const: 'no-store' },
  },
  Language: {
    description: 'Language of the sentences, chosen by `Accept-Language`',
    required: true,
    schema: oneOf('en', 'fr'),
  },
  Challenge: {
    description: 'How to authenticate (RFC 9110, section 11.6.1)',
    required: true,
    schema: string,
  },
  RetryAfter: {
    description: 'Seconds after which the request can succeed',
    required: true,
    schema: { type: 'integer', format: 'int32', minimum: 1, maximum: 86_400 },
  },
  FileTag: {
    description: 'Digest of the file, as its entity tag (RFC 9110, section 8.8.3)',
    required: true,
    schema: { type: 'string', pattern: '^"sha256:[0-9a-f]{64}"$' },
  },
  ContentRange: {
    description:
      'Sent part and length of the file (RFC 9110, section 14.4); absent where several parts are sent',
    schema: string,
  },
  ETag: {
    description: 'Entity tag of the answer (RFC 9110, section 8.8.3)',
    required: true,
    schema: { type: 'string', pattern: '^"[A-Za-z0-9_-]{27}"$' },
  },
};

const header = (name: keyof typeof headers & string): Part => ({ $ref: `#/components/headers/${name}` });

const everyHeader = { 'X-Request-Id': header('RequestId'), 'Cache-Control': header('CacheControl') };

/** The common description of each status of problem documents. */
const statuses: Readonly<Record<number, { readonly description: string; readonly headers?: Part }>> = {
  400: { description: 'The reference is not valid' },
  401: {
    description: 'The request has no valid credential',
    headers: { 'WWW-Authenticate': header('Challenge') },
  },
  403: { description: 'The client, or a rule of this instance, does not allow it' },
  404: { description: 'There is nothing of this name' },
  409: { description: 'The state or the configuration of the instance does not allow it now' },
  413: { description: 'Something is larger than its limit' },
  415: { description: 'The body is not JSON by its media type' },
  422: { description: 'The request or the content is not valid' },
  429: { description: 'Too many attempts or tasks', headers: { 'Retry-After': header('RetryAfter') } },
  500: { description: 'The instance failed; its log has the reason' },
  502: { description: 'Another server failed or refused' },
  503: {
    description: 'The instance is busy or stopping',
    headers: { 'Retry-After': header('RetryAfter') },
  },
  504: { description: 'Another server did not answer in time' },
  507: { description: 'The volume has too little space, or a file does not fit' },
};

/** The meaning of a status of a problem document. */
export function statusText(status: number): string {
  const common = statuses[status];
  if (common === undefined) throw new Error(`the status ${status} has no description`);
  return common.description;
}

/** The meaning of the status 304. */
export const unchangedText = 'The answer has not changed since the one that the request names';

/** A problem document with one of these codes. */
function toProblem(status: number, codes: readonly ErrorCode[]): Part {
  return {
    description: `${statusText(status)}: ${codes.map((code) => `\`${code}\``).join(', ')}`,
    headers: { ...everyHeader, 'Content-Language': header('Language'), ...statuses[status]?.headers },
    content: {
      'application/problem+json': {
        schema: {
          allOf: [
            Problem,
            {
              type: 'object',
              properties: { status: { type: 'integer', const: status }, code: oneOf(...codes) },
              required: ['status', 'code'],
            },
          ],
        },
      },
    },
  };
}

const toLinks = (steps: readonly NextStep[]): Part =>
  Object.fromEntries(
    steps.map(({ operation, description, parameters }) => [
      operation,
      {
        operationId: operation,
        description,
        parameters: Object.fromEntries(
          Object.entries(parameters).map(([name, pointer]) => [name, `$response.body#${pointer}`]),
        ),
      },
    ]),
  );

/** Answers without an example, whose schema is that of a text: logs, archives, tables and lines of documents. */
const withoutExample: ReadonlySet<string> = new Set([
  'text/plain',
  'text/csv',
  'application/x-ndjson',
  'application/x-tar',
]);

function toSuccess({ id, answer, polled }: ApiRoute): Part {
  const { status, description, schema, contentTypes = ['application/json'], next = [] } = answer;
  const example = answerExamples[id];
  return {
    description,
    headers: {
      ...everyHeader,
      ...(polled ? { ETag: header('ETag') } : {}),
      ...(answer.isFile ? { ETag: header('FileTag') } : {}),
    },
    ...(status === 204
      ? {}
      : {
          content: Object.fromEntries(
            contentTypes.map((type) => [
              type,
              withoutExample.has(type) || answer.isFile
                ? { schema: string }
                : { schema, ...(example ? { example } : {}) },
            ]),
          ),
        }),
    ...(next.length === 0 ? {} : { links: toLinks(next) }),
  };
}

/** Name of the shared answer with these codes: `Problem404-REG-005-SRV-002`. */
const toName = (status: number, codes: readonly ErrorCode[]): string =>
  `Problem${status}${codes.map((code) => code.slice('SVC'.length)).join('')}`;

/** The problem documents that some operation answers, by component name. */
export function listProblems(routes: readonly ApiRoute[]): Readonly<Record<string, Part>> {
  const problems = routes.flatMap((route) =>
    [...listErrorStatuses(route)].map(
      ([status, codes]) => [toName(status, codes), toProblem(status, codes)] as const,
    ),
  );
  return Object.fromEntries(problems.sort(([a], [b]) => (a < b ? -1 : 1)));
}

/** The answers about a file besides the whole of it. */
const fileAnswers: Part = {
  206: {
    description: 'The ranges that the request names, if its `If-Range` is the entity tag',
    headers: { ...everyHeader, ETag: header('FileTag'), 'Content-Range': header('ContentRange') },
    content: {
      'application/octet-stream': { schema: string },
      'multipart/byteranges': { schema: string },
    },
  },
  304: { description: unchangedText, headers: { ...everyHeader, ETag: header('FileTag') } },
  412: { description: 'The file is not the one that `If-Match` names', headers: everyHeader },
  416: {
    description: 'No range of the request is in the file',
    headers: { ...everyHeader, 'Content-Range': header('ContentRange') },
  },
};

/** Every answer of an operation, by status. There are no others. */
export function toAnswers(route: ApiRoute): Part {
  const unchanged = {
    description: unchangedText,
    headers: { ...everyHeader, ETag: header('ETag') },
  };
  return {
    [route.answer.status]: toSuccess(route),
    ...(route.polled ? { 304: unchanged } : {}),
    ...(route.answer.isFile ? fileAnswers : {}),
    ...Object.fromEntries(
      [...listErrorStatuses(route)].map(([status, codes]) => [
        status,
        { $ref: `#/components/responses/${toName(status, codes)}` },
      ]),
    ),
  };
}
