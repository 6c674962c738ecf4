import { BlockList, isIP, isIPv4 } from 'node:net';
import { toLiteralAddress } from './address.ts';

export interface ProxyOptions {
  /** For all destinations, except https ones when `httpsURL` is set. */
  readonly url?: string | undefined;
  readonly httpsURL?: string | undefined;
  /** `host[:port]`, `.suffix`, a CIDR block, or `*`. */
  readonly noProxy?: readonly string[] | undefined;
  readonly username?: string | undefined;
  readonly password?: string | undefined;
}

function isInBlock(block: string, address: string): boolean {
  const [network, prefix] = block.split('/') as [string, string];
  const family = isIP(network);
  const bits = Number(prefix);
  if (family === 0 || isIP(address) !== family || !/^\d{1,3}$/.test(prefix)) return false;
  if (bits > (family === 4 ? 32 : 128)) return false;
  const list = new BlockList();
  list.addSubnet(network, bits, family === 4 ? 'ipv4' : 'ipv6');
  return list.check(address, family === 4 ? 'ipv4' : 'ipv6');
}

function isExempt(url: URL, entry: string): boolean {
  const rule = entry.trim().toLowerCase();
  if (rule === '') return false;
  if (rule === '*') return true;
  const name = url.hostname.toLowerCase();
  if (rule.includes('/')) {
    const address = name.startsWith('[') || isIPv4(name) ? toLiteralAddress(name) : undefined;
    return address !== undefined && isInBlock(rule, address);
  }
  if (rule.startsWith('.')) return name.endsWith(rule);
  return rule === name || rule === url.host || rule === `${name}:${toPort(url)}`;
}

/** The port of a URL, explicit or default. */
export function toPort(url: URL): number {
  return url.port === '' ? (url.protocol === 'https:' ? 443 : 80) : Number(url.port);
}

/**
 * The proxy for a URL; undefined when it is contacted directly. Names in `noProxy` are compared as written
 * and not resolved.
 */
export function selectProxy(url: URL, options: ProxyOptions | undefined): URL | undefined {
  if (options === undefined) return undefined;
  const chosen = (url.protocol === 'https:' ? options.httpsURL : undefined) ?? options.url;
  if (chosen === undefined || chosen === '') return undefined;
  return options.noProxy?.some((entry) => isExempt(url, entry)) ? undefined : new URL(chosen);
}
