import { lookup } from 'node:dns/promises';
import { isIP } from 'node:net';
import type { Readable } from 'node:stream';
import { createSecureContext, rootCertificates, type SecureContext } from 'node:tls';
import type { Dispatcher } from 'undici';
import { svcError } from '../../base/error.ts';
import { canonicalHost } from '../../oci/reference.ts';
import type {
  Hop,
  ResolvedAddress,
  Transport,
  TransportOptions,
  TransportRequest,
  TransportResponse,
} from '../model.ts';
import { isAllowedHost } from './allowlist.ts';
import type { Route } from './connect.ts';
import { selectProxyVariable } from './environment.ts';
import { toProxyFailure, toUnreachable, type Unused } from './failure.ts';
import { checkDestination, checkReach, type Endpoint, isInsecureHost } from './policy.ts';
import { openPools } from './pools.ts';
import { selectProxy } from './proxy-route.ts';
import { dropBody } from './read-body.ts';
import { untilAborted } from './until-aborted.ts';

const mostRedirects = 5;
/** Informational answers (RFC 9110, 1xx) before the one that counts: each restarts the time for an answer. */
const mostHints = 16;
const mostNames = 1024;
const nameLifetime = 30_000;
/**
 * What is left of the time to come as they like for the answers of an origin that has just used it up: many small answers
 * that trickle would hold a run for the sum of their times.
 */
const slowShare = 20;
/** Milliseconds for which an origin counts as slow. */
const trickleMemory = 600_000;

async function resolveWithSystem(name: string): Promise<readonly ResolvedAddress[]> {
  const found = await lookup(name, { all: true });
  return found.map(({ address, family }) => ({ address, family: family === 6 ? 6 : 4 }));
}

/** What a request asks of an origin, independent of the hop it is at. */
type Sending = Pick<TransportRequest, 'method' | 'body' | 'signal'> & {
  readonly headers: Readonly<Record<string, string>>;
};

/** The host to judge by: as written, when that is the URL's own host with its scheme's port spelt out. */
function toWrittenHost(url: URL, written: string | undefined): string {
  const port = url.protocol === 'https:' ? 443 : 80;
  return written !== undefined && url.port === '' && written.toLowerCase() === `${url.host}:${port}`
    ? `${url.host}:${port}`
    : url.host;
}

function isRedirect(status: number): boolean {
  return status === 301 || status === 302 || status === 303 || status === 307 || status === 308;
}

/** Content codings that are quoted in errors (RFC 9110, Content Codings); any other text may be one that was sent. */
const codings = new Set(['gzip', 'x-gzip', 'compress', 'x-compress', 'deflate', 'br', 'zstd']);

/**
 * Content in an encoding that was not asked for would be judged as altered: no digest is that of its gzipped form.
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
    detail: `sent with ${codings.has(encoding) ? `Content-Encoding ${encoding}` : 'an unknown Content-Encoding'}, which was not requested`,
  });
}

/** Whether an answer says that its body is gzipped. */
export function isGzip({ headers }: Pick<TransportResponse, 'headers'>): boolean {
  return /^(?:x-)?gzip$/i.test(headers['content-encoding'] ?? '');
}

/** A URL for errors and logs: what follows `?` may be a signature that gives access. */
export function toPrintableUrl(url: URL): string {
  return `${url.origin}${url.pathname}`;
}

/**
 * Makes the one way out of the process. Trust anchors and proxy come from the options alone; the environment is not read.
 *
 * @throws SVC-NET-001 for a proxy that is no http or https URL
 */
export function createTransport(options: TransportOptions): Transport {
  const {
    allowlist,
    insecure = [],
    proxy,
    report,
    environment,
    stallTimeout = 120_000,
    paceTimeout = 300_000,
  } = options;
  const resolve = options.resolve ?? resolveWithSystem;
  for (const url of [proxy?.url, proxy?.httpsURL])
    if (url !== undefined && url !== '' && !/^https?:$/.test(URL.parse(url)?.protocol ?? ''))
      throw svcError('SVC-NET-001', { proxy: 'network.proxy', detail: 'must be an http or https URL' });
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
  const addressesOf = (url: URL): Promise<readonly ResolvedAddress[]> => {
    const name = url.hostname.startsWith('[') ? url.hostname.slice(1, -1) : url.hostname;
    const family = isIP(name);
    if (family !== 0) return Promise.resolve([{ address: name, family: family === 6 ? 6 : 4 }]);
    const known = names.get(name);
    if (known !== undefined && known.until > performance.now()) return known.found;
    const found = resolve(name).then((addresses) => {
      if (addresses.length > 0) return addresses;
      throw Object.assign(new Error('the name has no address'), { code: 'ENOTFOUND' });
    });
    if (names.size >= mostNames) names.clear();
    names.set(name, { until: performance.now() + nameLifetime, found });
    found.catch(() => {
      if (names.get(name)?.found === found) names.delete(name);
    });
    return found;
  };

  /**
   * Every address that requests to a name were sent to. A hop is judged by these: the name may lead elsewhere by now, and
   * who answers for it chooses when.
   */
  const used = new Map<string, Map<string, ResolvedAddress>>();
  const recordUse = ({ hostname }: URL, addresses: readonly ResolvedAddress[]): void => {
    const known = used.get(hostname) ?? new Map<string, ResolvedAddress>();
    for (const one of addresses) known.set(one.address, one);
    if (used.has(hostname) || used.size < mostNames) used.set(hostname, known);
  };
  /** @returns undefined where nothing is known of the sender of a hop, which then counts as public */
  const addressesOfSender = async (from: URL): Promise<readonly ResolvedAddress[] | undefined> => {
    const known = used.get(from.hostname);
    if (known !== undefined) return [...known.values()];
    // full: a name may be missing although it was used
    return used.size >= mostNames ? undefined : addressesOf(from).catch(() => undefined);
  };

  /** Origins whose answers trickled, until when that counts. Milliseconds on the monotonic clock. */
  const trickled = new Map<string, number>();
  const selectUnused = (url: URL): Unused => ({
    caVariable: environment?.extraCaCerts === undefined ? undefined : 'NODE_EXTRA_CA_CERTS',
    proxyVariable: proxy?.url || proxy?.httpsURL ? undefined : selectProxyVariable(url, environment),
  });

  /** Judges a destination in full and says how it is reached. Nothing is opened. */
  const admit = async (destination: Endpoint): Promise<Route> => {
    const { url, hop } = destination;
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
    // during an upload an informational answer says nothing of when the answer is due
    const isUpload = sending.body !== undefined && !Buffer.isBuffer(sending.body);
    let hints = 0;
    let firstHint = 0;
    let answer: Dispatcher.ResponseData;
    try {
      answer = await pools.request(url, route, {
        method: sending.method,
        path: isForwarded ? `${url.origin}${url.pathname}${url.search}` : `${url.pathname}${url.search}`,
        headers: {
          'user-agent': userAgent,
          'accept-encoding': 'identity',
          ...sending.headers,
          ...(isForwarded ? { host: url.host } : {}),
          ...(authorization === undefined ? {} : { 'proxy-authorization': authorization }),
        },
        // it takes any iterable, whatever its types say
        body: (sending.body ?? null) as Readable | null,
        // undici gives up the connection after each HEAD otherwise
        ...(sending.method === 'HEAD' ? { reset: false } : {}),
        // what is buffered when a connection breaks is lost and asked for again
        highWaterMark: 256 * 1024,
        onInfo: () => {
          hints += 1;
          firstHint ||= performance.now();
          const isLate = !isUpload && performance.now() - firstHint > stallTimeout;
          if (hints > mostHints || isLate) throw new Error('informational answers only');
        },
        ...(signal === undefined ? {} : { signal }),
      });
    } catch (error) {
      signal?.throwIfAborted();
      throw isForwarded && (error as NodeJS.ErrnoException).code !== 'UND_ERR_HEADERS_TIMEOUT'
        ? toProxyFailure(error, route.proxy!.url)
        : toUnreachable(error, url.host, selectUnused(url));
    }
    // an answer nobody reads may still break: that is nobody's error
    answer.body.on('error', () => {});
    if (isForwarded && answer.statusCode === 407) {
      answer.body.destroy();
      throw svcError('SVC-NET-001', { proxy: route.proxy!.url.host, detail: 'the proxy answered 407' });
    }
    const headers: Record<string, string | undefined> = {};
    for (const [name, value] of Object.entries(answer.headers))
      headers[name] = Array.isArray(value) ? value.join(', ') : value;
    const { origin } = url;
    const isSlow = (trickled.get(origin) ?? 0) > performance.now();
    return {
      status: answer.statusCode,
      headers,
      url,
      paceTimeout: isSlow ? paceTimeout / slowShare : paceTimeout,
      onTrickle: () => {
        if (trickled.size >= mostNames) trickled.clear();
        trickled.set(origin, performance.now() + trickleMemory);
      },
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

      const broken = (detail: string) => svcError('SVC-REG-007', { reference, detail });
      if (followed === mostRedirects) throw broken(`more than ${mostRedirects} redirects`);
      if (!URL.canParse(location, url.href)) throw broken('redirected to something that is no URL');
      const isReading = method === 'GET' || method === 'HEAD';
      if (!isReading && answer.status !== 307 && answer.status !== 308)
        throw broken(`${method} was redirected with ${answer.status}`);
      if (body !== undefined && !Buffer.isBuffer(body))
        throw broken(`an upload under way was redirected with ${answer.status}`);
      const next = new URL(location, url);
      hop = { kind: 'redirect', from: url };
      if (next.host !== url.host) {
        if (asked.secretBody)
          throw svcError(
            'SVC-POL-001',
            { host: next.host || next.protocol, hop: `redirect of ${url.host}`, reason: 'secret' },
            { detail: 'a secret is not sent to another host' },
          );
        const { authorization: _kept, ...others } = headers;
        headers = others;
        report.log('debug', 'redirected to another host', { source: url.host, effective: next.host });
      }
      url = next;
    }
  };

  return {
    environment,
    allowlistDeclared: allowlist !== undefined,
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
    [Symbol.asyncDispose]: () => pools[Symbol.asyncDispose](),
  };
}
