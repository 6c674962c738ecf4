import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';
import { svcError } from '../text/error.ts';
import { fr } from '../text/language.ts';
import { type Rule, rule } from '../text/rule.ts';
import type { Credentials, Hop, Transport, TransportResponse } from './model.ts';
import { parseChallenges } from './registry/challenge.ts';
import { toRefused } from './registry/refused.ts';
import { toOverloaded } from './transport/overload.ts';
import { refusePage } from './transport/page-answer.ts';
import { boundedBody, drainBody, readBody } from './transport/read-body.ts';
import { retry } from './transport/retry.ts';
import { isOverload } from './transport/retry-policy.ts';
import { isGzip, toPrintableUrl } from './transport/transport.ts';

export interface DocumentRequest {
  /** https only, on every hop; the insecure list does not apply. */
  readonly url: string;
  /** Limit in bytes. */
  readonly limit: number;
  /** Kind of the document, for logs and errors: `Retriever`, `trust key`… */
  readonly purpose: Rule | string;
  readonly signal?: AbortSignal | undefined;
  /** A name and password for the URL's host are sent when the host requests them. */
  readonly credentials?: Credentials | undefined;
  readonly retries?: number | undefined;
  /** Accepts a gzipped answer. Some file servers send one although it was not requested. */
  readonly takesGzip?: boolean | undefined;
  /** Set when a peer chose the URL. */
  readonly hop?: Hop | undefined;
}

function parseUrl(text: string): URL {
  if (text.length <= 4096 && URL.canParse(text)) {
    const url = new URL(text);
    if (url.protocol === 'https:' && url.username === '' && url.password === '') return url;
  }
  throw svcError('SVC-REG-001', {
    reference: text.slice(0, 512),
    rule: rule([
      'must be an https URL without user information',
      fr`doit être une URL https sans identifiants`,
    ]),
  });
}

/**
 * Sends one request for a document over https. An answer without a document is an error.
 *
 * @throws SVC-REG-001 for another kind of URL, SVC-REG-005 when it does not exist, SVC-REG-002, SVC-REG-003,
 *   SVC-REG-007, SVC-POL-001, SVC-NET-001
 */
async function openDocument(
  transport: Transport,
  request: Omit<DocumentRequest, 'limit' | 'retries'>,
): Promise<TransportResponse> {
  const url = parseUrl(request.url);
  const { signal, purpose, hop } = request;
  const reference = toPrintableUrl(url);

  const ask = (authorization?: string): Promise<TransportResponse> =>
    transport.request({
      method: 'GET',
      url,
      headers: { accept: '*/*', ...(authorization === undefined ? {} : { authorization }) },
      httpsOnly: true,
      takesGzip: request.takesGzip,
      reference,
      hop,
      signal,
    });

  let response = await ask();
  const credential = request.credentials?.lookup(url.host);
  if (response.status === 401 && response.url.host === url.host && credential?.kind === 'basic') {
    const challenges = parseChallenges(response.headers['www-authenticate']);
    if (challenges.some(({ scheme }) => scheme === 'basic')) {
      await drainBody(response);
      const pair = Buffer.from(`${credential.username}:${credential.password}`).toString('base64');
      response = await ask(`Basic ${pair}`);
    }
  }
  const { status } = response;
  if (status === 200) return response;
  await drainBody(response);
  const { host } = response.url;
  const detail = rule(['{purpose}: answered {status}', fr`{purpose} : réponse {status}`], {
    purpose,
    status,
  });
  if (status === 404 || status === 410) throw svcError('SVC-REG-005', { reference }, { detail });
  if (status === 401 || status === 403)
    throw await toRefused(host, detail, request.credentials, transport.environment);
  if (isOverload(status)) throw toOverloaded(response, { host, detail }, transport);
  throw svcError('SVC-REG-002', { host, detail });
}

/**
 * Decompresses a document.
 *
 * @param limit of the result, in bytes
 * @throws SVC-VAL-002 beyond the limit, SVC-REG-007 for invalid gzip
 */
async function unpack(body: Buffer, limit: number, reference: string): Promise<Buffer> {
  try {
    return await promisify(gunzip)(body, { maxOutputLength: limit });
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code === 'ERR_BUFFER_TOO_LARGE')
      throw svcError('SVC-VAL-002', { limit, file: reference }, { cause });
    throw svcError(
      'SVC-REG-007',
      {
        reference,
        detail: rule(['sent as gzip, but is not gzip', fr`envoyé comme gzip, mais n’est pas du gzip`]),
      },
      { cause },
    );
  }
}

/** How often a request for a document is repeated; each repetition is logged. */
function toRetry(
  { clock, waits, report }: Transport,
  { url, purpose, retries = 0, signal }: DocumentRequest,
) {
  return {
    retries,
    clock,
    waits,
    signal,
    onRetry: (error: unknown, attempt: number, delay: number) =>
      report.log('warn', 'a request for a document failed; retrying', {
        source: toPrintableUrl(parseUrl(url)),
        purpose,
        attempt,
        delayMilliseconds: Math.round(delay),
        error,
      }),
  };
}

/**
 * Reads one document over https.
 *
 * @throws SVC-VAL-002 beyond the limit, errors of `openDocument`
 */
export async function fetchDocument(transport: Transport, request: DocumentRequest): Promise<Buffer> {
  const { limit, signal } = request;
  return retry(
    async () => {
      const response = await openDocument(transport, { ...request, takesGzip: true });
      const reference = toPrintableUrl(parseUrl(request.url));
      const body = await readBody(response, limit, reference, signal);
      const bytes = isGzip(response) ? await unpack(body, limit, reference) : body;
      refusePage(response, bytes, reference);
      return bytes;
    },
    toRetry(transport, request),
  );
}

/** The bytes of an answer. @throws SVC-REG-002 at the first of them, for a page */
async function* withoutPage(
  response: TransportResponse,
  chunks: AsyncIterable<Buffer>,
  reference: string,
): AsyncGenerator<Buffer> {
  let isFirst = true;
  for await (const chunk of chunks) {
    if (isFirst) refusePage(response, chunk, reference);
    isFirst = false;
    yield chunk;
  }
}

/**
 * Streams one document over https.
 *
 * @param take receives its bytes, at most `limit`, and their announced number; called again from the start
 *   when the transfer broke off
 * @throws SVC-VAL-002 beyond the limit, before more is read; errors of `openDocument` and `take`
 */
export async function streamDocument<T>(
  transport: Transport,
  request: DocumentRequest,
  take: (bytes: AsyncIterable<Buffer>, announced: number | undefined) => Promise<T>,
): Promise<T> {
  const { limit, signal } = request;
  return retry(
    async () => {
      const response = await openDocument(transport, request);
      const announced = Number(response.headers['content-length'] ?? Number.NaN);
      const reference = toPrintableUrl(parseUrl(request.url));
      const bytes = withoutPage(response, boundedBody(response, limit, reference, signal), reference);
      return take(bytes, Number.isSafeInteger(announced) ? announced : undefined);
    },
    toRetry(transport, request),
  );
}
