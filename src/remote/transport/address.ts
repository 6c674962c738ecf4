import { BlockList, isIPv4, isIPv6 } from 'node:net';

const inner = new BlockList();
for (const [network, prefix] of [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.168.0.0', 16],
  ['198.18.0.0', 15],
  ['224.0.0.0', 4],
  ['240.0.0.0', 4],
] as const) {
  inner.addSubnet(network, prefix, 'ipv4');
}
for (const [network, prefix] of [
  ['::', 127],
  ['fc00::', 7],
  ['fe80::', 10],
  ['fec0::', 10],
  ['ff00::', 8],
] as const) {
  inner.addSubnet(network, prefix, 'ipv6');
}

/** The eight groups of an IPv6 address in any notation. */
function groups(address: string): number[] {
  // the URL class normalizes: no dotted quad, at most one `::`
  const canonical = new URL(`http://[${address.split('%')[0]}]/`).hostname.slice(1, -1);
  const [head = '', tail] = canonical.split('::');
  const left = head === '' ? [] : head.split(':');
  const right = tail === undefined || tail === '' ? [] : tail.split(':');
  const gap = tail === undefined ? 0 : 8 - left.length - right.length;
  return [...left, ...Array.from({ length: gap }, () => '0'), ...right].map((group) =>
    Number.parseInt(group, 16),
  );
}

/** The IPv4 address embedded in an IPv6 address: mapped, compatible, NAT64 or 6to4. */
function embedded(address: string): string | undefined {
  const parts = groups(address);
  const [a, b, c] = parts as [number, number, number];
  const quad = (high: number, low: number) => `${high >> 8}.${high & 255}.${low >> 8}.${low & 255}`;
  if (parts.slice(0, 5).every((part) => part === 0) && (parts[5] === 0xffff || parts[5] === 0))
    return quad(parts[6]!, parts[7]!);
  if (a === 0x64 && b === 0xff9b) return quad(parts[6]!, parts[7]!);
  return a === 0x2002 ? quad(b, c) : undefined;
}

/** Whether an address is loopback, private, link-local or otherwise not public. */
export function isInnerAddress(address: string): boolean {
  if (isIPv4(address)) return inner.check(address, 'ipv4');
  if (!isIPv6(address)) return false;
  const quad = embedded(address);
  return inner.check(address.split('%')[0]!, 'ipv6') || (quad !== undefined && inner.check(quad, 'ipv4'));
}

/** The address in a URL's host, when it is a literal; `localhost` is the loopback address. */
export function toLiteralAddress(hostname: string): string | undefined {
  if (hostname.startsWith('[')) return hostname.slice(1, -1);
  if (isIPv4(hostname)) return hostname;
  const bare = hostname.endsWith('.') ? hostname.slice(0, -1) : hostname;
  return bare === 'localhost' || bare.endsWith('.localhost') ? '127.0.0.1' : undefined;
}
