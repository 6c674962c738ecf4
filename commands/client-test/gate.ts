import { createServer, request } from 'node:http';
import { connect, type Socket } from 'node:net';

/** A forward proxy on loopback that lets clients reach the named hosts, and notes every other host that they ask for. */
export interface Gate extends AsyncDisposable {
  readonly url: string;
  /** Takes the addresses that were asked for and refused since the last call. */
  takeRefused(): readonly string[];
}

/**
 * Opens the gate. It is the only way out of the tested clients. A client that falls back to the origin is refused and
 * found out, even where the origin could be reached.
 *
 * @param allowed `host:port` of the registry and the instance
 */
export async function openGate(allowed: ReadonlySet<string>): Promise<Gate> {
  let refused: string[] = [];
  const sockets = new Set<Socket>();
  const isAllowed = (target: string): boolean => {
    if (allowed.has(target.toLowerCase())) return true;
    refused.push(target.slice(0, 300));
    return false;
  };
  const server = createServer((req, res) => {
    const url = URL.parse(req.url ?? '');
    if (url === null || url.protocol !== 'http:') return void res.writeHead(400).end();
    if (!isAllowed(`${url.hostname}:${url.port || '80'}`)) return void res.writeHead(403).end();
    const { 'proxy-connection': _, ...headers } = req.headers;
    const forward = request(url, { method: req.method, headers, agent: false }, (answer) => {
      res.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(res);
      answer.on('error', () => res.destroy());
    });
    forward.on('error', () => (res.headersSent ? res.destroy() : res.writeHead(502).end()));
    res.on('close', () => forward.destroy());
    req.pipe(forward);
  });
  server.on('connect', (req, socket: Socket) => {
    socket.on('error', () => socket.destroy());
    const target = req.url ?? '';
    const colon = target.lastIndexOf(':');
    if (colon < 0 || !isAllowed(target)) return void socket.end('HTTP/1.1 403 Forbidden\r\n\r\n');
    const host = target.slice(0, colon).replaceAll(/[[\]]/g, '');
    const upstream = connect(Number(target.slice(colon + 1)), host);
    sockets.add(upstream);
    upstream.on('close', () => sockets.delete(upstream));
    upstream.on('error', () => socket.destroy());
    socket.on('close', () => upstream.destroy());
    upstream.on('connect', () => {
      socket.write('HTTP/1.1 200 OK\r\n\r\n');
      upstream.pipe(socket);
      socket.pipe(upstream);
    });
  });
  server.on('connection', (socket) => {
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket));
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(0, '127.0.0.1', resolve);
  });
  const { port } = server.address() as { port: number };
  return {
    url: `http://127.0.0.1:${port}`,
    takeRefused: () => {
      const taken = [...new Set(refused)];
      refused = [];
      return taken;
    },
    [Symbol.asyncDispose]: async () => {
      const closed = new Promise((resolve) => server.close(resolve));
      for (const socket of sockets) socket.destroy();
      await closed;
    },
  };
}
