import { connect as connectTcp, isIP, type LookupFunction, type Socket } from 'node:net';
import { connect as connectTls, type SecureContext } from 'node:tls';
import type { ResolvedAddress } from '../model.ts';
import { destroyOnAbort } from './destroy-on-abort.ts';
import { toProxyFailure } from './failure.ts';
import { toPort } from './proxy-route.ts';

/** How to connect to one origin. */
export interface Route {
  /** Checked addresses of the host that the socket connects to: the proxy's when there is one. */
  readonly addresses: readonly ResolvedAddress[];
  readonly proxy?: { readonly url: URL; readonly authorization?: string | undefined } | undefined;
  /** Contains the configured trust anchors; created for the first TLS connection. */
  readonly secureContext: () => SecureContext;
  /** Milliseconds for TCP, tunnel and TLS together. */
  readonly timeout: number;
}

function bareName(hostname: string): string {
  return hostname.startsWith('[') ? hostname.slice(1, -1) : hostname;
}

/** Waits for an event of a socket. Destroys the socket when it fails or the signal aborts. */
function settled(socket: Socket, event: 'connect' | 'secureConnect', signal: AbortSignal): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const release = destroyOnAbort(socket, signal);
    const fail = (error: Error) => {
      release();
      socket.destroy();
      reject(error);
    };
    const closed = () => fail(Object.assign(new Error('closed while connecting'), { code: 'ECONNRESET' }));
    socket.once('error', fail);
    socket.once('close', closed);
    socket.once(event, () => {
      release();
      socket.off('error', fail);
      socket.off('close', closed);
      resolve(socket);
    });
  });
}

async function dial(url: URL, route: Route, signal: AbortSignal): Promise<Socket> {
  const lookup: LookupFunction = (_name, options, done) => {
    const first = route.addresses[0]!;
    if (options.all) done(null, [...route.addresses]);
    else done(null, first.address, first.family);
  };
  const socket = connectTcp({
    host: bareName(url.hostname),
    port: toPort(url),
    lookup,
    autoSelectFamily: true,
    noDelay: true,
    keepAlive: true,
    keepAliveInitialDelay: 60_000,
  });
  return settled(socket, 'connect', signal);
}

function secure(socket: Socket, url: URL, route: Route, signal: AbortSignal): Promise<Socket> {
  const name = bareName(url.hostname);
  const encrypted = connectTls({
    socket,
    secureContext: route.secureContext(),
    rejectUnauthorized: true,
    host: name,
    ...(isIP(name) === 0 ? { servername: name } : {}),
    ALPNProtocols: ['http/1.1'],
    minVersion: 'TLSv1.2',
  });
  return settled(encrypted, 'secureConnect', signal);
}

/**
 * Opens a connection to an origin: directly to a checked address, or through a proxy. For https that is a tunnel; for
 * http, the request line to the proxy names the target. Every socket is destroyed on failure, abort or timeout.
 *
 * @param signal aborts the connection
 * @throws SVC-NET-001 for failures of the proxy; else the error of the socket, without a code, or the reason
 *   of the signal
 */
export async function openConnection(target: URL, route: Route, signal: AbortSignal): Promise<Socket> {
  const deadline = new AbortController();
  const timer = setTimeout(() => {
    deadline.abort(Object.assign(new Error('connecting took too long'), { code: 'ETIMEDOUT' }));
  }, route.timeout);
  const abort = () => deadline.abort(signal.reason);
  signal.addEventListener('abort', abort, { once: true });
  try {
    signal.throwIfAborted();
    return await connectBy(target, route, deadline.signal);
  } finally {
    clearTimeout(timer);
    signal.removeEventListener('abort', abort);
  }
}

async function connectBy(target: URL, route: Route, signal: AbortSignal): Promise<Socket> {
  const { proxy } = route;
  if (proxy === undefined) {
    const socket = await dial(target, route, signal);
    return target.protocol === 'https:' ? secure(socket, target, route, signal) : socket;
  }
  // imported at the top, it would load a second client of HTTP in the runtime, which takes longer than all else here.
  // The module is loaded before the socket exists, whose errors would otherwise be unhandled.
  const { openTunnel } = await import('./tunnel.ts');
  signal.throwIfAborted();
  let socket: Socket;
  try {
    socket = await dial(proxy.url, route, signal);
    if (proxy.url.protocol === 'https:') socket = await secure(socket, proxy.url, route, signal);
    if (target.protocol === 'http:') return socket;
    socket = await openTunnel(socket, target, proxy, signal);
  } catch (error) {
    throw toProxyFailure(error, proxy.url);
  }
  return secure(socket, target, route, signal);
}
