import { isIPv6, type Socket } from 'node:net';
import type { TLSSocket } from 'node:tls';
import type { RegistryBase } from '../../src/client/node-mirrors.ts';
import type { Exchange } from '../exchange.ts';
import type { ViewParts } from './parts.ts';

/** Formats a socket address as a host name. An IPv4-mapped IPv6 address becomes IPv4. */
function toHostname(address: string): string {
  const plain = address.replace(/^::ffff:(?=[0-9.]+$)/, '');
  return isIPv6(plain) ? `[${plain.replace(/%.*$/, '')}]` : plain;
}

/**
 * Returns the scheme and host of this instance for its clients: the configured address, else the first configured name,
 * else the address of the connection. Request headers are not used, because the client controls them.
 */
export function toReached({
  exchange,
  names,
  publicBase,
}: Pick<ViewParts, 'names' | 'publicBase'> & { readonly exchange: Pick<Exchange, 'req'> }): RegistryBase {
  if (publicBase !== undefined) return publicBase;
  const socket: Socket & Partial<Pick<TLSSocket, 'encrypted'>> = exchange.req.socket;
  const scheme = socket.encrypted === true ? 'https' : 'http';
  const port = socket.localPort ?? 0;
  const name = toHostname(names[0] ?? socket.localAddress ?? '127.0.0.1');
  return { scheme, host: port === (scheme === 'https' ? 443 : 80) ? name : `${name}:${port}` };
}
