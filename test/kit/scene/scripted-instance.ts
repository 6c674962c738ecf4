import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { tlsPair } from '../program/tls-pair.ts';

/** A task that an instance created. */
export const base = {
  id: 'tsk_0123456789ab',
  runId: 'run',
  type: 'sync',
  reference: '/retriever.yaml',
  actor: 'token:ci',
  status: 'pending',
  createdAt: '2026-01-01T00:00:00Z',
  resumed: false,
  items: [],
  counts: { total: 0, done: 0, failed: 0, skipped: 0 },
  progress: { bytesDone: 0, bytesTotal: 0 },
};
export const done = { ...base, status: 'done', counts: { total: 2, done: 1, failed: 0, skipped: 1 } };

export type Handler = (req: IncomingMessage, res: ServerResponse, body: string) => void;

/** A peer that answers as the test says: unlike any sound instance. */
export async function startPeer(handler: Handler, tls = false) {
  const serve = async (req: IncomingMessage, res: ServerResponse): Promise<void> => {
    let body = '';
    for await (const chunk of req) body += chunk;
    handler(req, res, body);
  };
  const server = tls ? createTlsServer({ cert: tlsPair.cert, key: tlsPair.key }, serve) : createServer(serve);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    port,
    url: `${tls ? 'https' : 'http'}://127.0.0.1:${port}`,
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

export function answer(res: ServerResponse, status: number, body: unknown): void {
  res.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
}

/** Created as pending, then seen as each of these in turn; the last one stays. */
export function script(...seen: readonly unknown[]): Handler {
  let asked = 0;
  return (req, res) => {
    if (req.method === 'POST') return answer(res, 201, { task: base });
    answer(res, 200, { task: seen[Math.min(asked, seen.length - 1)] });
    asked += 1;
  };
}
