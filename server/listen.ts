import {
  createServer,
  type IncomingMessage,
  type RequestListener,
  type Server,
  type ServerOptions,
  type ServerResponse,
} from 'node:http';
import { createServer as createSecureServer, type Server as SecureServer } from 'node:https';
import type { AddressInfo, Socket } from 'node:net';
import { svcError } from '../src/base/error.ts';
import type { TlsPair } from '../src/certificate/tls-pair.ts';
import { keepPlaces } from './connection-places.ts';
import type { ListenAddress } from './listen-address.ts';
import { keepTurns } from './turns.ts';

interface ListenOptions {
  readonly address: ListenAddress;
  readonly handler: RequestListener;
  /** Given: the listener speaks TLS only. */
  readonly tls?: TlsPair | undefined;
  /** Connections held at once. Default: no limit. */
  readonly maxConnections?: number | undefined;
  /** Called for each connection that was closed or refused because of `maxConnections`. */
  readonly onFull?: () => void;
}

export interface Listener {
  /** Where a local client reaches it, with the real port. */
  readonly url: string;
  readonly port: number;
  /** New connections use this pair from now on. */
  setPair(pair: TlsPair): void;
  /** Stops taking connections and closes those that stand, idle ones at once and the rest with them. */
  close(): Promise<void>;
}

/** Milliseconds; a whole request has no limit of its own: an upload takes as long as its bytes flow. */
const timeouts = { headers: 20_000, keepAlive: 75_000, handshake: 15_000 } as const;
const headerBytes = 32_768;
const headerCount = 128;

const serverOptions: ServerOptions = {
  requestTimeout: 0,
  headersTimeout: timeouts.headers,
  keepAliveTimeout: timeouts.keepAlive,
  connectionsCheckingInterval: 5_000,
  maxHeaderSize: headerBytes,
  noDelay: true,
  // asked for below: node answers 400 and goes on with what follows on the connection
  requireHostHeader: false,
  insecureHTTPParser: false,
};

/** What is wrong with the outside of a request, as a status (RFC 9112, Request Target; RFC 6585). */
function judgeHeaders({ rawHeaders, httpVersionMinor }: IncomingMessage): 400 | 431 | undefined {
  // the rest was dropped by the parser, and with it perhaps what says how long the body is
  if (rawHeaders.length >= 2 * headerCount) return 431;
  let hosts = 0;
  for (let i = 0; i < rawHeaders.length; i += 2) {
    const name = rawHeaders[i]!;
    if (name.length === 4 && name.toLowerCase() === 'host') hosts += 1;
  }
  return hosts === 1 || (hosts === 0 && httpVersionMinor === 0) ? undefined : 400;
}

/** Refuses what no surface should see, and everything that follows such a request on its connection. */
function guard(handler: RequestListener): {
  readonly accept: RequestListener;
  readonly deny: RequestListener;
} {
  const denied = new WeakSet<Socket>();
  const end = (req: IncomingMessage, res: ServerResponse, status: number): void => {
    denied.add(req.socket);
    res.writeHead(status, { connection: 'close', 'content-length': 0 });
    res.end();
  };
  const guarded =
    (answer: RequestListener): RequestListener =>
    (req, res) => {
      if (denied.has(req.socket)) return;
      const status = judgeHeaders(req);
      if (status === undefined) answer(req, res);
      else end(req, res, status);
    };
  return { accept: guarded(handler), deny: guarded((req, res) => end(req, res, 417)) };
}

function open(options: ListenOptions): Server | SecureServer {
  const { accept, deny } = guard(options.handler);
  const server =
    options.tls === undefined
      ? createServer(serverOptions)
      : createSecureServer({
          ...serverOptions,
          ...options.tls,
          minVersion: 'TLSv1.2',
          handshakeTimeout: timeouts.handshake,
        });
  const inTurn = keepTurns(server);
  server.maxHeadersCount = headerCount;
  const { maxConnections, onFull = () => {} } = options;
  if (maxConnections !== undefined) keepPlaces(server, maxConnections, onFull);
  server.on('request', inTurn(accept));
  // Whoever waits for `100 Continue` may be refused before the body is sent: the handler says when it reads.
  server.on('checkContinue', inTurn(accept));
  server.on('checkExpectation', inTurn(deny));
  return server;
}

function toUrl(address: ListenAddress, port: number, secure: boolean): string {
  const host = address.host === undefined || address.host === '0.0.0.0' ? '127.0.0.1' : address.host;
  const name = host === '::' ? '[::1]' : host.includes(':') ? `[${host}]` : host;
  return `${secure ? 'https' : 'http'}://${name}:${port}`;
}

/**
 * Opens the single listener. It uses node's own servers: the handshake, the change of a certificate while serving, the
 * limits on headers and the drain all need the server object itself, a taken port must stay an error, and port 0 must
 * be the system's choice.
 *
 * @throws SVC-CFG-001 when the address is taken or not ours, SVC-NET-003 when the pair is unusable
 */
export async function listen(options: ListenOptions): Promise<Listener> {
  let server: Server | SecureServer;
  try {
    server = open(options);
  } catch (cause) {
    throw svcError('SVC-NET-003', { path: 'server.tls' }, { cause });
  }
  const { host, port } = options.address;
  try {
    await new Promise<void>((resolve, reject) => {
      server.once('error', reject);
      server.listen({ port, ...(host === undefined ? {} : { host }), backlog: 1024 }, () => {
        server.off('error', reject);
        resolve();
      });
    });
  } catch (cause) {
    const detail = cause instanceof Error ? cause.message : String(cause);
    throw svcError('SVC-CFG-001', { setting: 'server.addr', detail }, { cause });
  }
  const bound = (server.address() as AddressInfo).port;
  return {
    url: toUrl(options.address, bound, options.tls !== undefined),
    port: bound,
    setPair: (pair) => {
      if ('setSecureContext' in server) server.setSecureContext({ ...pair, minVersion: 'TLSv1.2' });
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
