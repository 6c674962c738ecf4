import { isIPv6, type Socket } from 'node:net';
import type { TLSSocket } from 'node:tls';
import type { RegistryBase } from '../../src/recipe/node-mirrors.ts';
import type { ApiCall } from './api-route.ts';

/** An IPv4 address that came through a socket for both families is written as itself. */
function toHostname(address: string): string {
  const plain = address.replace(/^::ffff:(?=[0-9.]+$)/, '');
  return isIPv6(plain) ? `[${plain.replace(/%.*$/, '')}]` : plain;
}

/**
 * The scheme and address at which a request reached this instance. The names in its headers are its sender's words and
 * are not believed: a configured name comes first, then the address of the connection.
 */
export function toReached({ exchange, names }: Pick<ApiCall, 'exchange' | 'names'>): RegistryBase {
  const socket: Socket & Partial<Pick<TLSSocket, 'encrypted'>> = exchange.req.socket;
  const scheme = socket.encrypted === true ? 'https' : 'http';
  const port = socket.localPort ?? 0;
  const name = toHostname(names[0] ?? socket.localAddress ?? '127.0.0.1');
  return { scheme, host: port === (scheme === 'https' ? 443 : 80) ? name : `${name}:${port}` };
}
