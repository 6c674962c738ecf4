import { lookup } from 'node:dns/promises';
import { isIP } from 'node:net';
import type { Readable } from 'node:stream';
import { createSecureContext, rootCertificates, type SecureContext } from 'node:tls';
import type { Dispatcher } from 'undici';
import { svcError } from '../base/error.ts';
import { canonicalHost } from '../oci/reference.ts';
import { isAllowedHost } from './allowlist.ts';
import type { Route } from './connect.ts';
import { toProxyFailure, toUnreachable } from './failure.ts';
import type {
  Hop,
  ResolvedAddress,
  Transport,
  TransportOptions,
  TransportRequest,
  TransportResponse,
} from './model.ts';
import { checkDestination, checkReach, type Destination, isInsecureHost } from './policy.ts';
import { openPools } from './pools.ts';
import { selectProxy } from './proxy-route.ts';
import { dropBody } from './read-body.ts';

const mostRedirects = 5;
/** Informational answers (RFC 9110, 1xx) before the one that counts: each would start the watchdog anew. */
const mostHints = 16;
const mostNames = 1024;
const nameLifetime = 30_000;

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
  const { allowlist, insecure = [], proxy, report, stallTimeout = 120_000, paceTimeout = 300_000 } = options;
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
      ca: options.tls?.exclusiveTrust ? [...extra] : [...rootCertificates, ...extra],
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

  /** Judges a destination in full and says how it is reached. Nothing is opened. */
  const admit = async (destination: Destination): Promise<Route> => {
    const { url, hop } = destination;
    checkDestination(destination, policy);
    const via = selectProxy(url, proxy);
    const common = { secureContext, timeout: Math.min(30_000, stallTimeout) };
    let reach: readonly ResolvedAddress[] | undefined;
    if (via === undefined) {
      reach = await addressesOf(url).catch((error: unknown) => {
        throw toUnreachable(error, url.host);
      });
    }
    if (hop !== undefined) {
      const isHidden = selectProxy(hop.from, proxy) !== undefined;
      checkReach(
        destination,
        reach,
        isHidden ? undefined : await addressesOf(hop.from).catch(() => undefined),
      );
    }
    if (via === undefined) return { ...common, addresses: reach! };
    const addresses = await addressesOf(via).catch((error: unknown) => {
      throw toProxyFailure(error, via);
    });
    return { ...common, addresses, proxy: { url: via, authorization: proxyAuthorization } };
  };

  const send = async (url: URL, route: Route, sending: Sending): Promise<TransportResponse> => {
    const { signal } = sending;
    const isForwarded = route.proxy !== undefined && url.protocol === 'http:';
    const authorization = isForwarded ? route.proxy!.authorization : undefined;
    let hints = 0;
    let answer: Dispatcher.ResponseData;
    try {
      answer = await pools.get(url, route).request({
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
          if (hints > mostHints) throw new Error(`more than ${mostHints} informational answers`);
        },
        ...(signal === undefined ? {} : { signal }),
      });
    } catch (error) {
      signal?.throwIfAborted();
      throw isForwarded && (error as NodeJS.ErrnoException).code !== 'UND_ERR_HEADERS_TIMEOUT'
        ? toProxyFailure(error, route.proxy!.url)
        : toUnreachable(error, url.host);
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
    return { status: answer.statusCode, headers, url, paceTimeout, body: answer.body };
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
      const answer = await send(url, await admit(destination), {
        method,
        headers,
        body,
        signal: asked.signal,
      });
      const location = answer.headers.location;
      if (!isRedirect(answer.status) || location === undefined) return answer;
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
            { host: next.host, hop: `redirect of ${url.host}` },
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
