import type { RateLimiter } from '../../base/link/rate-limiter.ts';
import type { Report } from '../../base/report.ts';
import { isSvcError, type SvcError, svcError } from '../../text/error.ts';
import { fr } from '../../text/language.ts';
import { rule } from '../../text/rule.ts';
import type { Hop, Transport, TransportResponse } from '../model.ts';
import { toOverloaded } from '../transport/overload.ts';
import { drainBody, dropBody, readRefusal } from '../transport/read-body.ts';
import { retry } from '../transport/retry.ts';
import { isOverload, isRefusal } from '../transport/retry-policy.ts';
import { markRenewed } from '../transport/transience.ts';
import type { Authorizer } from './authorize.ts';
import { parseRegistryErrors, type RegistryError, toAnswered, withoutSecrets } from './registry-error.ts';

export interface ClientRequest {
  readonly method: 'GET' | 'HEAD' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** A path with its query at the host, or a URL that the host chose. */
  readonly to: string | { readonly url: URL; readonly kind: Hop['kind'] };
  /** Scope of the request, in the syntax of the token specification. */
  readonly scope: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: Buffer | AsyncIterable<Buffer> | undefined;
  readonly signal?: AbortSignal | undefined;
  /** Names the content in errors. */
  readonly reference: string;
}

/** Requests to one registry host, with its credentials. */
export interface Client {
  readonly host: string;
  readonly base: URL;
  /** That of the transport. */
  readonly limiter: RateLimiter | undefined;
  /** Sends a request once. Throws for refusals, overload and server errors, returns other statuses. */
  sendOnce(request: ClientRequest): Promise<TransportResponse>;
  /** Like `sendOnce`, with retries while the failure is transient and the body can be sent again. */
  send(request: ClientRequest): Promise<TransportResponse>;
  /** Runs work with retries while its failure is transient. */
  repeat<T>(work: () => Promise<T>, signal?: AbortSignal): Promise<T>;
  /** Reads the errors in the body of an answer, without the secrets that were sent to this host. */
  readErrors(response: TransportResponse): Promise<readonly RegistryError[]>;
  /** Creates the error for an unexpected status. */
  toUnexpected(request: ClientRequest, response: TransportResponse): Promise<SvcError>;
}

interface ClientOptions {
  readonly transport: Transport;
  readonly authorizer: Authorizer;
  readonly retries: number;
  readonly retryDelay?: number | undefined;
  readonly report: Report;
}

function summarize(errors: readonly RegistryError[]): string {
  return errors
    .slice(0, 3)
    .map(({ code, message }) => (message === '' ? code : `${code} (${message})`))
    .join(', ');
}

/** Creates the client of one registry host. @param host `host[:port]`, canonical */
export function createClient(host: string, options: ClientOptions): Client {
  const { transport, authorizer, report } = options;
  const base = transport.toUrl(host, '/v2/');

  const readErrors: Client['readErrors'] = async (response) => {
    const text = await readRefusal(response);
    return parseRegistryErrors(text, authorizer.listSecrets(host));
  };

  const overloaded = async (request: ClientRequest, response: TransportResponse): Promise<SvcError> => {
    const { method, reference } = request;
    if (method === 'HEAD') dropBody(response);
    const reasons = method === 'HEAD' ? '' : summarize(await readErrors(response));
    const detail = toAnswered(`${method} of ${reference}`, response.status, reasons);
    return toOverloaded(response, { host: response.url.host, detail }, transport);
  };

  const refused = async (response: TransportResponse, own: boolean): Promise<SvcError> => {
    const reasons = summarize(await readErrors(response));
    const detail = rule(['answered {status}[: {reasons}]', fr`a répondu {status}[ : {reasons}]`], {
      status: response.status,
      reasons,
    });
    return authorizer.refused(own ? host : response.url.host, detail);
  };

  /** Runs work whose errors may name a host that the registry chose. */
  const withoutOwnSecrets = async <T>(work: () => Promise<T>): Promise<T> => {
    try {
      return await work();
    } catch (error) {
      if (isSvcError(error) && error.params.host === host) throw error;
      throw withoutSecrets(error, authorizer.listSecrets(host));
    }
  };

  const sendRaw = async (request: ClientRequest): Promise<TransportResponse> => {
    const { signal, scope, body } = request;
    const url = typeof request.to === 'string' ? transport.toUrl(host, request.to) : request.to.url;
    const isOwn = url.host === base.host;
    for (let attempt = 0; ; attempt += 1) {
      const authorization = isOwn ? await authorizer.authorize(host, base, scope, signal) : undefined;
      const response = await transport.request({
        method: request.method,
        url,
        host,
        headers: {
          ...request.headers,
          ...(authorization === undefined ? {} : { authorization }),
        },
        body,
        hop: typeof request.to === 'string' ? undefined : { kind: request.to.kind, from: base },
        reference: request.reference,
        signal,
      });
      const { status } = response;
      const isOwnAnswer = response.url.host === base.host;
      if (status === 401 && isOwn && isOwnAnswer && attempt === 0) {
        const canRepeat = body === undefined || Buffer.isBuffer(body);
        const mayPass = authorizer.learn(host, base, scope, response, authorization);
        // the bytes of a stream are gone: its sender opens it again
        if (mayPass && !canRepeat) throw markRenewed(await refused(response, isOwnAnswer));
        if (mayPass) {
          await drainBody(response);
          continue;
        }
      }
      if (status === 401 || status === 403) throw await refused(response, isOwnAnswer);
      if (isOverload(status)) throw await overloaded(request, response);
      return response;
    }
  };

  const sendOnce: Client['sendOnce'] = (request) => withoutOwnSecrets(() => sendRaw(request));

  const repeat = <T>(work: () => Promise<T>, signal?: AbortSignal): Promise<T> =>
    retry(() => withoutOwnSecrets(work), {
      retries: options.retries,
      clock: transport.clock,
      waits: transport.waits,
      signal,
      baseDelay: options.retryDelay,
      onRetry: (error, attempt, delay) =>
        report.log('warn', 'a request to a registry failed; retrying', {
          effective: host,
          attempt,
          delayMilliseconds: Math.round(delay),
          error: error as unknown,
        }),
    });

  return {
    host,
    base,
    limiter: transport.limiter,
    sendOnce,
    repeat,
    readErrors,
    send: (request) =>
      request.body === undefined || Buffer.isBuffer(request.body)
        ? repeat(() => sendOnce(request), request.signal)
        : sendOnce(request),
    async toUnexpected(request, response) {
      if (request.method === 'HEAD') dropBody(response);
      const errors = request.method === 'HEAD' ? [] : await readErrors(response);
      const reasons = summarize(errors);
      const detail = toAnswered(request.method, response.status, reasons);
      const { status } = response;
      return svcError('SVC-REG-007', {
        reference: request.reference,
        detail,
        status: isRefusal(status) ? status : undefined,
      });
    },
  };
}
