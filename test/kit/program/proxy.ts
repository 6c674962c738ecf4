import { createServer as createHttpServer, type IncomingMessage, request, type Server } from 'node:http';
import { createServer as createHttpsServer } from 'node:https';
import { type AddressInfo, connect, type Socket } from 'node:net';
import type { TlsPair } from './tls-pair.ts';

export interface ProxyRecord {
  readonly method: string;
  /** `host:port` of a tunnel, the absolute URL of a forwarded request. */
  readonly target: string;
  readonly headers: IncomingMessage['headers'];
}

/** A small forward proxy on 127.0.0.1: tunnels by CONNECT, forwards absolute URLs, may ask for a password. */
export interface TestProxy extends AsyncDisposable {
  readonly url: string;
  readonly port: number;
  readonly records: ProxyRecord[];
}

export interface TestProxyOptions {
  readonly username?: string;
  readonly password?: string;
  /** Served over TLS. */
  readonly tls?: TlsPair;
  /** Status for every tunnel instead of opening it. */
  readonly refuseTunnels?: number;
  /** Leads every destination to 127.0.0.1, so that names need no resolver. */
  readonly loopback?: boolean;
}

export async function createTestProxy(options: TestProxyOptions = {}): Promise<TestProxy> {
  const records: ProxyRecord[] = [];
  const sockets = new Set<Socket>();
  const expected =
    options.username === undefined
      ? undefined
      : `Basic ${Buffer.from(`${options.username}:${options.password}`).toString('base64')}`;
  const isAdmitted = (raw: IncomingMessage) =>
    expected === undefined || raw.headers['proxy-authorization'] === expected;
  const hostOf = (name: string) => (options.loopback ? '127.0.0.1' : name);

  const forward = (raw: IncomingMessage, response: import('node:http').ServerResponse) => {
    records.push({ method: raw.method!, target: raw.url!, headers: raw.headers });
    if (!isAdmitted(raw)) {
      response.writeHead(407, { 'proxy-authenticate': 'Basic realm="proxy"' });
      response.end();
      return;
    }
    const url = new URL(raw.url!);
    const { 'proxy-authorization': _own, ...headers } = raw.headers;
    const onward = request(
      {
        host: hostOf(url.hostname),
        port: url.port || 80,
        path: `${url.pathname}${url.search}`,
        method: raw.method,
        headers,
        agent: false,
      },
      (answer) => {
        response.writeHead(answer.statusCode!, answer.headers);
        answer.pipe(response);
      },
    );
    onward.on('error', () => {
      response.writeHead(502);
      response.end();
    });
    raw.pipe(onward);
  };

  const server: Server =
    options.tls === undefined
      ? createHttpServer(forward)
      : createHttpsServer({ cert: options.tls.cert, key: options.tls.key }, forward);
  server.on('connection', (socket: Socket) => {
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket));
  });
  server.on('connect', (raw: IncomingMessage, client: Socket, head: Buffer) => {
    records.push({ method: 'CONNECT', target: raw.url!, headers: raw.headers });
    client.on('error', () => {});
    if (!isAdmitted(raw)) {
      client.end('HTTP/1.1 407 Proxy Authentication Required\r\ncontent-length: 0\r\n\r\n');
      return;
    }
    if (options.refuseTunnels !== undefined) {
      client.end(`HTTP/1.1 ${options.refuseTunnels} No\r\ncontent-length: 0\r\n\r\n`);
      return;
    }
    const colon = raw.url!.lastIndexOf(':');
    const onward = connect(Number(raw.url!.slice(colon + 1)), hostOf(raw.url!.slice(0, colon)), () => {
      client.write('HTTP/1.1 200 Connection Established\r\n\r\n');
      onward.write(head);
      onward.pipe(client).pipe(onward);
    });
    sockets.add(onward);
    onward.on('close', () => sockets.delete(onward));
    onward.on('error', () => client.destroy());
    client.on('close', () => onward.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `${options.tls === undefined ? 'http' : 'https'}://127.0.0.1:${port}`,
    port,
    records,
    async [Symbol.asyncDispose]() {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
