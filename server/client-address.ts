import type { IncomingMessage } from 'node:http';
import { BlockList, isIP, type Socket } from 'node:net';
import type { TLSSocket } from 'node:tls';

/** Returns the address of the client of a request. */
export type ToClientAddress = (req: IncomingMessage) => string;

/** Returns the scheme by which the client of a request reached the instance, or the proxy in front of it. */
export type ToClientScheme = (req: IncomingMessage) => 'http' | 'https';

/** Maximum number of hops followed, counted from the nearest proxy. */
const maxHops = 32;

/**
 * Normalizes an address: an IPv4-mapped IPv6 address becomes IPv4, the zone of a link-local address is
 * removed.
 */
function toPlain(address: string): string {
  const bare = address.split('%', 1)[0]!.toLowerCase();
  return /^::ffff:(\d+\.\d+\.\d+\.\d+)$/.exec(bare)?.[1] ?? bare;
}

/**
 * Parses an address with or without a port, as proxies write it. Returns undefined for anything else
 * (`unknown`, `_hidden`).
 */
function parseNode(text: string): string | undefined {
  const node = text.trim().replace(/^"(.*)"$/, '$1');
  const [, bracketed, plain] = /^\[([^\]]+)\](?::\d+)?$|^([^:]+)(?::\d+)?$/.exec(node) ?? [];
  const address = toPlain(bracketed ?? plain ?? node);
  return isIP(address) === 0 ? undefined : address;
}

/** Lists the `for` parameters of a `Forwarded` header (RFC 7239, section 4) in order. */
function listForwarded(header: string): (string | undefined)[] {
  return header.split(',').map((element) => {
    const value = /(?:^|;)\s*for\s*=\s*("[^"]*"|[^;\s]+)/i.exec(element)?.[1];
    return value === undefined ? undefined : parseNode(value);
  });
}

/** Follows the hops from the last one back while the previous one is a trusted proxy. */
function follow(
  peer: string,
  hops: readonly (string | undefined)[],
  isTrusted: (hop: string) => boolean,
): string {
  let at = peer;
  for (const hop of hops.slice(-maxHops).reverse()) {
    if (hop === undefined || !isTrusted(at)) return at;
    at = hop;
  }
  return at;
}

/** Makes the test whether an address is that of a trusted proxy. */
function createTrust(proxies: readonly string[]): (address: string) => boolean {
  const trusted = new BlockList();
  for (const proxy of proxies) {
    const [network = '', bits] = proxy.split('/');
    const address = bits === undefined ? toPlain(network) : network;
    const family = isIP(address) === 6 ? 'ipv6' : 'ipv4';
    if (bits === undefined) trusted.addAddress(address, family);
    else trusted.addSubnet(address, Number(bits), family);
  }
  return (address) => isIP(address) !== 0 && trusted.check(address, isIP(address) === 6 ? 'ipv6' : 'ipv4');
}

/**
 * Makes the function that finds the address of a client behind trusted proxies. It reads `X-Forwarded-For` or `Forwarded`
 * (RFC 7239) from the right and only through trusted hops. When both headers are present and disagree, the client wrote
 * one of them, and the address of the peer is used.
 *
 * @param proxies addresses and CIDR blocks, validated by the configuration
 */
export function createClientAddress(proxies: readonly string[]): ToClientAddress {
  if (proxies.length === 0) return ({ socket }) => socket.remoteAddress ?? '';
  const isTrusted = createTrust(proxies);
  return ({ socket, headers }) => {
    const peer = toPlain(socket.remoteAddress ?? '');
    if (!isTrusted(peer)) return peer;
    const list = [headers['x-forwarded-for'] ?? []].flat().join(',');
    const plain = list === '' ? undefined : follow(peer, list.split(',').map(parseNode), isTrusted);
    const { forwarded } = headers;
    const standard = forwarded === undefined ? undefined : follow(peer, listForwarded(forwarded), isTrusted);
    if (plain !== undefined && standard !== undefined && plain !== standard) return peer;
    return plain ?? standard ?? peer;
  };
}

/**
 * Makes the function that finds the scheme of a request. It is that of the connection, or the one that a trusted proxy
 * reports in `X-Forwarded-Proto` or `Forwarded` (RFC 7239, section 5.4). Of several values the first one counts, which is
 * that of the proxy nearest to the client. A client that writes one itself only changes its own answers.
 *
 * @param proxies addresses and CIDR blocks, validated by the configuration
 */
export function createClientScheme(proxies: readonly string[]): ToClientScheme {
  const isEncrypted = (socket: Socket): boolean => (socket as Partial<TLSSocket>).encrypted === true;
  if (proxies.length === 0) return ({ socket }) => (isEncrypted(socket) ? 'https' : 'http');
  const isTrusted = createTrust(proxies);
  return ({ socket, headers }) => {
    if (isEncrypted(socket)) return 'https';
    if (!isTrusted(toPlain(socket.remoteAddress ?? ''))) return 'http';
    const plain = [headers['x-forwarded-proto'] ?? []].flat().join(',').split(',', 1)[0]!.trim();
    const standard = /(?:^|;)\s*proto=\s*"?([a-z]+)/i.exec((headers.forwarded ?? '').split(',', 1)[0]!)?.[1];
    return (plain || (standard ?? '')).toLowerCase() === 'https' ? 'https' : 'http';
  };
}

/** Makes the test whether the peer of a connection is a trusted proxy. */
export function createIsProxy(proxies: readonly string[]): (address: string) => boolean {
  if (proxies.length === 0) return () => false;
  const isTrusted = createTrust(proxies);
  return (address) => isTrusted(toPlain(address));
}
