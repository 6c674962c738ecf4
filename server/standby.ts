import type { IncomingMessage, ServerResponse } from 'node:http';
import type { TlsPair } from '../src/certificate/tls-pair.ts';
import type { ListenAddress } from '../src/config/listen-address.ts';
import { dataHeaders } from './data-headers.ts';
import { type Listener, listen } from './listen.ts';
import { absentStore } from './probe/readiness.ts';

/** Seconds after which a client may ask again. */
const retryAfter = 5;

function answer(req: IncomingMessage, res: ServerResponse): void {
  const [path] = (req.url ?? '').split('?', 1);
  const isAlive = path === '/healthz';
  const body = isAlive ? { status: 'ok' } : { status: 'unavailable', reasons: [absentStore] };
  const bytes = Buffer.from(`${JSON.stringify(body)}\n`);
  if (!isAlive) res.setHeader('retry-after', retryAfter);
  res.writeHead(isAlive ? 200 : 503, {
    'content-type': 'application/json',
    'content-length': bytes.length,
    ...dataHeaders,
  });
  res.end(req.method === 'HEAD' ? undefined : bytes);
}

/**
 * Opens the listener of an instance whose store is not there yet: alive, not ready, and 503 for every other request.
 *
 * @throws as `listen`
 */
export function openStandby(address: ListenAddress, tls: TlsPair | undefined): Promise<Listener> {
  return listen({ address, tls, handler: answer });
}
