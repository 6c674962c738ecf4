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
import type { TlsPair } from '../src/certificate/tls-pair.ts';
import { type ListenAddress, toUrlHost } from '../src/config/listen-address.ts';
import { svcError } from '../src/text/error.ts';
import { toBindError } from './bind-error.ts';
import { answerInTurn } from './pipeline.ts';
import { keepPlaces, type PlacesOptions } from './shares/connection-places.ts';

interface ListenOptions {
  readonly address: ListenAddress;
  readonly handler: RequestListener;
  /** Present: the listener accepts TLS only. */
  readonly tls?: TlsPair | undefined;
  /** Limits the open connections. Default: no limit. */
  readonly places?: PlacesOptions;
}

export interface Listener {
  /** URL for clients on the same machine, with the actual port. */
  readonly url: string;
  readonly port: number;
  /** Bytes sent to clients so far, in headers and bodies. */
  readonly sentBytes: number;
  /** Uses another certificate pair for new connections. */
  setPair(pair: TlsPair): void;
  /** Stops accepting connections and closes the open ones. */
  close(): Promise<void>;
}

/** Milliseconds. A request as a whole has no time limit: the duration of an upload depends on its size. */
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
  // Checked by `judgeHeaders`: node would answer 400 and then process the next request of the connection.
  requireHostHeader: false,
  insecureHTTPParser: false,
};

/** Suites with forward secrecy and authenticated encryption (RFC 9325, section 4.2); the first three are those of TLS 1.3. */
const ciphers = [
  'TLS_AES_256_GCM_SHA384',
  'TLS_CHACHA20_POLY1305_SHA256',
  'TLS_AES_128_GCM_SHA256',
  'ECDHE-ECDSA-AES128-GCM-SHA256',
  'ECDHE-RSA-AES128-GCM-SHA256',
  'ECDHE-ECDSA-AES256-GCM-SHA384',
  'ECDHE-RSA-AES256-GCM-SHA384',
  'ECDHE-ECDSA-CHACHA20-POLY1305',
  'ECDHE-RSA-CHACHA20-POLY1305',
].join(':');
const tlsOptions = { minVersion: 'TLSv1.2', ciphers } as const;

/**
 * Checks the headers of a request. Returns the status of the refusal, undefined when they are valid (RFC
 * 9112, Request Target; RFC 6585).
 */
function judgeHeaders({ headers, rawHeaders, httpVersionMinor }: IncomingMessage): 400 | 431 | undefined {
  // HTTP/1.0 has no chunked bodies: an older proxy before this instance may see another end of it (RFC 9112, section 6.1)
  if (httpVersionMinor === 0 && headers['transfer-encoding'] !== undefined) return 400;
  // the parser dropped the other headers, possibly those that give the length of the body
  if (rawHeaders.length >= 2 * headerCount) return 431;
  let hosts = 0;
  for (let i = 0; i < rawHeaders.length; i += 2) {
    const name = rawHeaders[i]!;
    if (name.length === 4 && name.toLowerCase() === 'host') hosts += 1;
  }
  return hosts === 1 || (hosts === 0 && httpVersionMinor === 0) ? undefined : 400;
}

/**
 * Refuses requests with invalid headers or an unknown expectation, and every later request of the same
 * connection.
 */
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
          ...tlsOptions,
          handshakeTimeout: timeouts.handshake,
        });
  server.maxHeadersCount = headerCount;
  const inTurn = answerInTurn();
  const { places } = options;
  const inPlace = places === undefined ? (answer: RequestListener) => answer : keepPlaces(server, places);
  server.on('request', inTurn(inPlace(accept)));
  // A client that waits for `100 Continue` can be refused before it sends the body: the handler decides when
  // to read.
  server.on('checkContinue', inTurn(inPlace(accept)));
  server.on('checkExpectation', inTurn(inPlace(deny)));
  return server;
}

function toUrl(address: ListenAddress, port: number, secure: boolean): string {
  const host = address.host === undefined || address.host === '0.0.0.0' ? '127.0.0.1' : address.host;
  const name = toUrlHost({ host: host === '::' ? '::1' : host });
  return `${secure ? 'https' : 'http'}://${name}:${port}`;
}

/**
 * Opens the listener. It uses the servers of node directly. The handshake, the change of a certificate while serving, the
 * limits on headers and the drain need the server object. A port that is in use is an error; with port 0 the system
 * chooses one.
 *
 * @throws SVC-CFG-001 when the address is in use or not available, SVC-NET-003 when the pair is unusable
 */
export async function listen(options: ListenOptions): Promise<Listener> {
  let server: Server | SecureServer;
  try {
    server = open(options);
  } catch (cause) {
    throw svcError('SVC-NET-003', { path: 'server.tls' }, { cause });
  }
  const readSentBytes = countSentBytes(server);
  const { host, port } = options.address;
  try {
    await new Promise<void>((resolve, reject) => {
      server.once('error', reject);
      server.listen({ port, host, backlog: 1024 }, () => {
        server.off('error', reject);
        resolve();
      });
    });
  } catch (cause) {
    throw toBindError(cause, options.address);
  }
  const bound = (server.address() as AddressInfo).port;
  return {
    url: toUrl(options.address, bound, options.tls !== undefined),
    port: bound,
    get sentBytes() {
      return readSentBytes();
    },
    setPair: (pair) => {
      if ('setSecureContext' in server) server.setSecureContext({ ...pair, ...tlsOptions });
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

/**
 * Counts the bytes that a server sends to its clients: headers and bodies, without those of TLS. A transfer counts while it runs,
 * not when it ends, since that can be an hour later.
 *
 * @returns a function that returns the bytes sent so far; its cost grows with the number of open connections
 */
function countSentBytes(server: Server | SecureServer): () => number {
  const open = new Set<Socket>();
  let before = 0;
  // over TLS, the socket of `connection` does not count the bytes written
  server.on('setSecureContext' in server ? 'secureConnection' : 'connection', (socket: Socket) => {
    open.add(socket);
    socket.once('close', () => {
      open.delete(socket);
      before += socket.bytesWritten;
    });
  });
  return () => {
    let sum = before;
    for (const { bytesWritten } of open) sum += bytesWritten;
    return sum;
  };
}
