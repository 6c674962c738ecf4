import { lookup } from 'node:dns/promises';
import { isIP } from 'node:net';
import type { Readable } from 'node:stream';
import { createSecureContext, rootCertificates, type SecureContext } from 'node:tls';
import type { Dispatcher } from 'undici';
import { systemClock } from '../../base/clock.ts';
import { canonicalHost } from '../../oci/reference.ts';
import { svcError } from '../../text/error.ts';
import { fr } from '../../text/language.ts';
import { type Rule, rule } from '../../text/rule.ts';
import type {
  Hop,
  ResolvedAddress,
  Transport,
  TransportOptions,
  TransportRequest,
  TransportResponse,
} from '../model.ts';
import { isAllowedHost } from './allowlist.ts';
import { answersInTls } from './answers-in-tls.ts';
import type { Route } from './connect.ts';
import { selectProxyVariable } from './environment.ts';
import { isCutOff, toProxyFailure, toTlsOnly, toUnreachable, type Unused } from './failure.ts';
import { paceBytes } from './pace-upload.ts';
import { checkDestination, checkReach, type Endpoint, isInsecureHost, toHopRule } from './policy.ts';
import { openPools } from './pools.ts';
import { selectProxy } from './proxy-route.ts';
import { dropBody } from './read-body.ts';
import { longestWait } from './retry-policy.ts';
import { markSilence } from './transience.ts';
import { untilAborted } from './until-aborted.ts';

const mostRedirects = 5;
/** Limit of informational answers (RFC 9110, section 15.2), since each restarts the timeout. */
const mostHints = 16;
const mostNames = 1024;
const nameLifetime = 30_000;
/**
 * Greatest divisor of the pace timeout for an origin that was too slow recently. Otherwise many small slow answers
 * would delay a run by the sum of their timeouts.
 */
const slowShare = 20;
/** Number of pace timeouts that all answers for one blob get together, also across broken connections. */
const slowAnswers = 4;
/** Bytes of a body that may wait beyond the turn of their transfer: under a cap they have arrived before their time. */
const cappedBuffer = 16 * 1024;
/** Milliseconds for which an origin counts as slow. */
const trickleMemory = 600_000;

async function resolveWithSystem(name: string): Promise<readonly ResolvedAddress[]> {
  const found = await lookup(name, { all: true });
  return found.map(({ address, family }) => ({ address, family: family === 6 ? 6 : 4 }));
}

/** The parts of a request that are the same for all hops. */
type Sending = Pick<TransportRequest, 'method' | 'body' | 'signal'> & {
  readonly headers: Readonly<Record<string, string>>;
};

/** The host for policy checks: as written, when it is the URL's host with the default port of its scheme. */
function toWrittenHost(url: URL, written: string | undefined): string {
  const port = url.protocol === 'https:' ? 443 : 80;
  return written !== undefined && url.port === '' && written.toLowerCase() === `${url.host}:${port}`
    ? `${url.host}:${port}`
    : url.host;
}

function isRedirect(status: number): boolean {
  return status === 301 || status === 302 || status === 303 || status === 307 || status === 308;
}

/**
 * Content codings quoted in errors (RFC 9110, section 8.4.1). Other texts are not quoted: they may repeat a
 * secret.
 */
const codings = new Set(['gzip', 'x-gzip', 'compress', 'x-compress', 'deflate', 'br', 'zstd']);

/**
 * Refuses content in an encoding that was not requested. Its digest would differ, and be reported as damage.
 *
 * @throws SVC-REG-007
 */
function requireIdentity(answer: TransportResponse, reference: string, takesGzip = false): void {
  const encoding = answer.headers['content-encoding']?.toLowerCase() ?? 'identity';
  if (takesGzip && isGzip(answer)) return;
  if (encoding === 'identity' || encoding === '' || answer.status < 200 || answer.status > 299) return;
  dropBody(answer);
  throw svcError('SVC-REG-007', {
    reference,
    detail: rule(
      [
        'sent with [Content-Encoding {encoding}|an unknown Content-Encoding], which was not requested',
        fr`envoyé avec [Content-Encoding {encoding}|un Content-Encoding inconnu], qui n’était pas demandé`,
      ],
      { encoding: codings.has(encoding) ? encoding : undefined },
    ),
  });
}

/** Whether the body of an answer is gzipped. */
export function isGzip({ headers }: Pick<TransportResponse, 'headers'>): boolean {
  return /^(?:x-)?gzip$/i.test(headers['content-encoding'] ?? '');
}

/** A URL for errors and logs, without its query, which may contain a signature that grants access. */
export function toPrintableUrl(url: URL): string {
  return `${url.origin}${url.pathname}`;
}

/**
 * Creates the transport of the process. Trust anchors and proxy come from the options only; the environment
 * is not read.
 *
 * @throws SVC-NET-001 for a proxy that is not an http or https URL
 */
export function createTransport(options: TransportOptions): Transport {
  const {
    allowlist,
    insecure = [],
    proxy,
    report,
    environment,
    limiter,
    clock = systemClock,
    stallTimeout = 120_000,
    paceTimeout = 300_000,
  } = options;
  const resolve = options.resolve ?? resolveWithSystem;
  for (const url of [proxy?.url, proxy?.httpsURL])
    if (url !== undefined && url !== '' && !/^https?:$/.test(URL.parse(url)?.protocol ?? ''))
      throw svcError('SVC-NET-001', {
        proxy: 'network.proxy',
        detail: rule(['must be an http or https URL', fr`doit être une URL http ou https`]),
      });
  const pools = openPools(stallTimeout);
  const policy = { allowlist, insecure };
  const userAgent = options.userAgent ?? 'svc';
  const proxyAuthorization =
    proxy?.username === undefined || proxy.username === ''
      ? undefined
      : `Basic ${Buffer.from(`${proxy.username}:${proxy.password ?? ''}`).toString('base64')}`;

  let context: SecureContext | undefined;
  const secureContext = (): SecureContext => {
    const extra = options.tls?.ca ?? [];
    context ??= createSecureContext({
      ca: options.tls?.exclusiveTrust ? [...extra] : [...(options.tls?.roots ?? rootCertificates), ...extra],
      minVersion: 'TLSv1.2',
    });
    return context;
  };

  const names = new Map<
    string,
    { readonly until: number; readonly found: Promise<readonly ResolvedAddress[]> }
  >();
  /** Rejects when the transport is disposed: a lookup of the system cannot be cancelled. */
  const closed = Promise.withResolvers<never>();
  closed.promise.catch(() => {});
  const addressesOf = (url: URL): Promise<readonly ResolvedAddress[]> => {
    const name = url.hostname.startsWith('[') ? url.hostname.slice(1, -1) : url.hostname;
    const family = isIP(name);
    if (family !== 0) return Promise.resolve([{ address: name, family: family === 6 ? 6 : 4 }]);
    const known = names.get(name);
    if (known !== undefined && known.until > performance.now()) return known.found;
    const late = Promise.withResolvers<never>();
    const timer = setTimeout(
      () =>
        late.reject(
          Object.assign(new Error('the name server did not answer'), {
            code: 'EAI_AGAIN',
            syscall: 'getaddrinfo',
          }),
        ),
      stallTimeout,
    );
    const found = Promise.race([resolve(name), late.promise, closed.promise]).then((addresses) => {
      if (addresses.length > 0) return addresses;
      throw Object.assign(new Error('the name has no address'), { code: 'ENOTFOUND' });
    });
    if (names.size >= mostNames) names.clear();
    names.set(name, { until: performance.now() + nameLifetime, found });
    const settled = () => clearTimeout(timer);
    found.then(settled, settled);
    found.catch(() => {
      if (names.get(name)?.found === found) names.delete(name);
    });
    return found;
  };

  /**
   * All addresses to which requests for a name were sent. A hop is checked against these, since the owner of
   * a name can change its addresses at any time.
   */
  const used = new Map<string, Map<string, ResolvedAddress>>();
  const recordUse = ({ hostname }: URL, addresses: readonly ResolvedAddress[]): void => {
    const known = used.get(hostname) ?? new Map<string, ResolvedAddress>();
    for (const one of addresses) known.set(one.address, one);
    if (used.has(hostname) || used.size < mostNames) used.set(hostname, known);
  };
  /** Addresses of the origin of a hop; undefined where they are unknown, which counts as public. */
  const addressesOfSender = async (from: URL): Promise<readonly ResolvedAddress[] | undefined> => {
    const known = used.get(from.hostname);
    if (known !== undefined) return [...known.values()];
    // the map is full: the name may have been used without a record
    return used.size >= mostNames ? undefined : addressesOf(from).catch(() => undefined);
  };

  /** Hosts of all requests, refused ones included. */
  const requested = new Set<string>();

  /**
   * Milliseconds for which origins were too slow, in all their answers, and until when this counts on the monotonic
   * clock.
   */
  const slowness = new Map<string, { readonly time: number; readonly until: number }>();
  const selectUnused = (url: URL): Unused => ({
    caVariable: environment?.extraCaCerts === undefined ? undefined : 'NODE_EXTRA_CA_CERTS',
    proxyVariable: proxy?.url || proxy?.httpsURL ? undefined : selectProxyVariable(url, environment),
  });

  /** Checks a destination completely and selects its route. No connection is opened. */
  const admit = async (destination: Endpoint): Promise<Route> => {
    const { url, hop } = destination;
    if (requested.size < mostNames) requested.add(destination.host);
    checkDestination(destination, policy);
    const via = selectProxy(url, proxy);
    const common = { secureContext, timeout: Math.min(30_000, stallTimeout) };
    let reach: readonly ResolvedAddress[] | undefined;
    if (via === undefined) {
      reach = await addressesOf(url).catch((error: unknown) => {
        throw toUnreachable(error, url.host, selectUnused(url));
      });
    }
    if (hop !== undefined) {
      const isHidden = selectProxy(hop.from, proxy) !== undefined;
      checkReach(destination, reach, isHidden ? undefined : await addressesOfSender(hop.from));
    }
    if (via === undefined) return { ...common, addresses: reach! };
    const addresses = await addressesOf(via).catch((error: unknown) => {
      throw toProxyFailure(error, via);
    });
    return { ...common, addresses, proxy: { url: via, authorization: proxyAuthorization } };
  };

  const send = async (url: URL, route: Route, sending: Sending): Promise<TransportResponse> => {
    const { signal } = sending;
    if (route.proxy === undefined) recordUse(url, route.addresses);
    const isForwarded = route.proxy !== undefined && url.protocol === 'http:';
    const authorization = isForwarded ? route.proxy!.authorization : undefined;
    // informational answers during an upload say nothing about when the answer is due
    const isUpload = sending.body !== undefined && !Buffer.isBuffer(sending.body);
    const { body } = sending;
    const paced = Buffer.isBuffer(body) && limiter !== undefined ? paceBytes(body, limiter, signal) : body;
    const isCapped = limiter !== undefined && limiter.rate > 0;
    let hints = 0;
    let firstHint = 0;
    let answer: Dispatcher.ResponseData;
    try {
      const options: Dispatcher.RequestOptions & { readonly signal?: AbortSignal } = {
        method: sending.method,
        path: isForwarded ? `${url.origin}${url.pathname}${url.search}` : `${url.pathname}${url.search}`,
        headers: {
          'user-agent': userAgent,
          'accept-encoding': 'identity',
          ...(paced !== body ? { 'content-length': String((body as Buffer).length) } : {}),
          ...sending.headers,
          ...(isForwarded ? { host: url.host } : {}),
          ...(authorization === undefined ? {} : { 'proxy-authorization': authorization }),
        },
        // undici accepts any iterable, contrary to its types
        body: (paced ?? null) as Readable | null,
        // otherwise undici closes the connection after each HEAD
        ...(sending.method === 'HEAD' ? { reset: false } : {}),
        // buffered bytes are lost when a connection breaks, and are requested again
        highWaterMark: isCapped ? cappedBuffer : 256 * 1024,
        onInfo: () => {
          hints += 1;
          firstHint ||= performance.now();
          const isLate = !isUpload && performance.now() - firstHint > stallTimeout;
          if (hints > mostHints || isLate) throw new Error('informational answers only');
        },
        ...(signal === undefined ? {} : { signal }),
      };
      answer = await pools.request(url, route, options, isCapped);
    } catch (error) {
      signal?.throwIfAborted();
      if (url.protocol === 'http:' && isCutOff(error) && (await answersInTls(url, route, signal)))
        throw toTlsOnly(url.host);
      const isSilence = (error as NodeJS.ErrnoException).code === 'UND_ERR_HEADERS_TIMEOUT';
      if (isForwarded && !isSilence) throw toProxyFailure(error, route.proxy!.url);
      const unreachable = toUnreachable(error, url.host, selectUnused(url));
      throw isSilence ? markSilence(unreachable, stallTimeout) : unreachable;
    }
    // prevents an unhandled error event when the body is not read
    answer.body.on('error', () => {});
    if (isForwarded && answer.statusCode === 407) {
      answer.body.destroy();
      throw svcError('SVC-NET-001', {
        proxy: route.proxy!.url.host,
        detail: rule(['the proxy answered {status}', fr`le mandataire a répondu {status}`], { status: 407 }),
      });
    }
    // servers of TLS answer so; a registry that refuses a request says why in JSON
    const isBare = answer.statusCode === 400 && !/json/i.test(String(answer.headers['content-type']));
    if (isBare && url.protocol === 'http:' && (await answersInTls(url, route, signal))) {
      answer.body.destroy();
      throw toTlsOnly(url.host);
    }
    const headers: Record<string, string | undefined> = {};
    for (const [name, value] of Object.entries(answer.headers))
      headers[name] = Array.isArray(value) ? value.join(', ') : value;
    const { origin } = url;
    const slowTime = (): number => {
      const known = slowness.get(origin);
      return known !== undefined && known.until > performance.now() ? known.time : 0;
    };
    return {
      status: answer.statusCode,
      headers,
      url,
      paceTimeout: Math.max(paceTimeout / slowShare, paceTimeout - slowTime()),
      totalTimeout: paceTimeout * slowAnswers,
      onSlow: (time) => {
        const all = slowTime() + time;
        if (slowness.size >= mostNames && !slowness.has(origin)) slowness.clear();
        slowness.set(origin, { time: all, until: performance.now() + trickleMemory });
      },
      limiter,
      body: answer.body,
    };
  };

  const request = async (asked: TransportRequest): Promise<TransportResponse> => {
    const reference = asked.reference ?? toPrintableUrl(asked.url);
    let url = asked.url;
    let hop: Hop | undefined = asked.hop;
    let headers = asked.headers ?? {};
    const method = asked.method;
    const { body } = asked;
    for (let followed = 0; ; followed += 1) {
      asked.signal?.throwIfAborted();
      const host = toWrittenHost(url, asked.host);
      const destination = { url, host, hop, httpsOnly: asked.httpsOnly ?? false };
      const answer = await send(url, await untilAborted(admit(destination), asked.signal), {
        method,
        headers,
        body,
        signal: asked.signal,
      });
      const location = answer.headers.location;
      if (!isRedirect(answer.status) || location === undefined) {
        requireIdentity(answer, reference, asked.takesGzip);
        return answer;
      }
      dropBody(answer);

      const broken = (detail: Rule) => svcError('SVC-REG-007', { reference, detail });
      if (followed === mostRedirects)
        throw broken(
          rule(['more than {mostRedirects} redirects', fr`plus de {mostRedirects} redirections`], {
            mostRedirects,
          }),
        );
      if (!URL.canParse(location, url.href))
        throw broken(
          rule(['redirected to something that is no URL', fr`redirigé vers autre chose qu’une URL`]),
        );
      const isReading = method === 'GET' || method === 'HEAD';
      if (!isReading && answer.status !== 307 && answer.status !== 308)
        throw broken(
          rule(['{method} was redirected with {status}', fr`{method} a été redirigé avec {status}`], {
            method,
            status: answer.status,
          }),
        );
      if (body !== undefined && !Buffer.isBuffer(body))
        throw broken(
          rule(
            [
              'an upload under way was redirected with {status}',
              fr`un envoi en cours a été redirigé avec {status}`,
            ],
            { status: answer.status },
          ),
        );
      const next = new URL(location, url);
      hop = { kind: 'redirect', from: url };
      if (next.host !== url.host) {
        if (asked.secretBody)
          throw svcError(
            'SVC-POL-001',
            {
              host: next.host || next.protocol,
              hop: toHopRule(hop),
              reason: 'secret',
            },
            {
              detail: rule([
                'a secret is not sent to another host',
                fr`un secret n’est pas envoyé à un autre hôte`,
              ]),
            },
          );
        const { authorization: _kept, ...others } = headers;
        headers = others;
        report.log('debug', 'redirected to another host', { source: url.host, effective: next.host });
      }
      url = next;
    }
  };

  return {
    report,
    environment,
    limiter,
    clock,
    waits: options.waits,
    longestWait,
    allowlistDeclared: allowlist !== undefined,
    requested,
    isAllowed: (host) => isAllowedHost(host, allowlist),
    toUrl(host, path) {
      const name = canonicalHost(host);
      const scheme = isInsecureHost(host, insecure) ? 'http' : 'https';
      return new URL(`${scheme}://${name === 'docker.io' ? 'registry-1.docker.io' : host}${path}`);
    },
    checkHop: async (url, hop) => {
      await admit({ url, host: url.host, hop, httpsOnly: false });
    },
    request,
    [Symbol.asyncDispose]: () => {
      closed.reject(new Error('the transport is closed'));
      return pools[Symbol.asyncDispose]();
    },
  };
}
