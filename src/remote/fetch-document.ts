import { svcError } from '../base/error.ts';
import { retry } from '../base/retry.ts';
import { parseChallenges } from './challenge.ts';
import type { Credentials, Hop, Transport, TransportResponse } from './model.ts';
import { boundedBody, drainBody, readBody } from './read-body.ts';
import { markTransient, toTransience } from './transience.ts';
import { toPrintableUrl } from './transport.ts';

export interface DocumentRequest {
  /** https only, on every hop; the insecure list does not apply. */
  readonly url: string;
  /** Bytes. */
  readonly limit: number;
  /** What the document is, for logs and errors: `Retriever`, `trust key`… */
  readonly purpose: string;
  readonly signal?: AbortSignal | undefined;
  /** A name and password for the URL's host are sent when it asks for them. */
  readonly credentials?: Credentials | undefined;
  readonly retries?: number | undefined;
  /** Present when a peer chose the URL. */
  readonly hop?: Hop | undefined;
}

function parseUrl(text: string): URL {
  if (text.length <= 4096 && URL.canParse(text)) {
    const url = new URL(text);
    if (url.protocol === 'https:' && url.username === '' && url.password === '') return url;
  }
  throw svcError('SVC-REG-001', {
    reference: text.slice(0, 512),
    rule: 'must be an https URL without user information',
  });
}

/**
 * Asks for one document over https, once. Whatever is no document is an error.
 *
 * @throws SVC-REG-001 for another kind of URL, SVC-REG-005 where there is none, SVC-REG-002, SVC-REG-003, SVC-REG-007,
 *   SVC-POL-001, SVC-NET-001
 */
export async function openDocument(
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
  if (status === 200) {
    const encoding = response.headers['content-encoding'] ?? 'identity';
    if (encoding === 'identity') return response;
    response.body.destroy();
    throw svcError('SVC-REG-007', { reference, detail: `sent as ${encoding}, which was not asked for` });
  }
  await drainBody(response);
  const { host } = response.url;
  const detail = `${purpose}: answered ${status}`;
  if (status === 404 || status === 410) throw svcError('SVC-REG-005', { reference }, { detail });
  if (status === 401 || status === 403) throw svcError('SVC-REG-003', { host, detail });
  const error = svcError('SVC-REG-002', { host, detail });
  throw [408, 425, 429].includes(status) || status >= 500 ? markTransient(error) : error;
}

/**
 * Reads one document over https.
 *
 * @throws SVC-VAL-002 beyond the limit, and what opening it throws
 */
export async function fetchDocument(transport: Transport, request: DocumentRequest): Promise<Buffer> {
  const { limit, signal, retries = 0 } = request;
  return retry(
    async () => {
      const response = await openDocument(transport, request);
      return readBody(response, limit, toPrintableUrl(parseUrl(request.url)), signal);
    },
    { retries, isTransient: toTransience, signal },
  );
}

/**
 * Takes one document over https as it arrives.
 *
 * @param take gets its bytes, at most `limit` of them, and how many were announced; called again from the start when the
 *   transfer broke off
 * @throws SVC-VAL-002 beyond the limit, before more is taken, and what opening it and `take` throw
 */
export async function streamDocument<T>(
  transport: Transport,
  request: DocumentRequest,
  take: (bytes: AsyncIterable<Buffer>, announced: number | undefined) => Promise<T>,
): Promise<T> {
  const { limit, signal, retries = 0 } = request;
  return retry(
    async () => {
      const response = await openDocument(transport, request);
      const announced = Number(response.headers['content-length'] ?? Number.NaN);
      const bytes = boundedBody(response, limit, toPrintableUrl(parseUrl(request.url)), signal);
      return take(bytes, Number.isSafeInteger(announced) ? announced : undefined);
    },
    { retries, isTransient: toTransience, signal },
  );
}
