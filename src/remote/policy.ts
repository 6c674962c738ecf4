import { svcError } from '../base/error.ts';
import { canonicalHost } from '../oci/reference.ts';
import { isInnerAddress, toLiteralAddress } from './address.ts';
import { isAllowedHost } from './allowlist.ts';
import type { Hop, ResolvedAddress } from './model.ts';

export interface Policy {
  readonly allowlist?: readonly string[] | undefined;
  readonly insecure: readonly string[];
}

export interface Destination {
  readonly url: URL;
  /** As it was written, its port included. */
  readonly host: string;
  readonly hop?: Hop | undefined;
  readonly httpsOnly: boolean;
}

/** Whether a host is spoken to over plain HTTP. */
export function isInsecureHost(host: string, insecure: readonly string[]): boolean {
  const name = canonicalHost(host);
  return insecure.some((entry) => canonicalHost(entry) === name);
}

function refuse(destination: Destination, detail?: string) {
  const { host, hop } = destination;
  return svcError(
    'SVC-POL-001',
    { host, hop: hop === undefined ? undefined : `${hop.kind} of ${hop.from.host}` },
    detail === undefined ? {} : { detail },
  );
}

/**
 * What can be judged of a destination before its name is resolved: allowlist, scheme, user information.
 *
 * @throws SVC-POL-001
 */
export function checkDestination(destination: Destination, policy: Policy): void {
  const { url, host, hop } = destination;
  if (url.protocol !== 'https:' && url.protocol !== 'http:')
    throw refuse(destination, `scheme ${url.protocol}`);
  if (!isAllowedHost(host, policy.allowlist)) throw refuse(destination);
  if (url.username !== '' || url.password !== '') throw refuse(destination, 'user information in a URL');
  if (url.protocol === 'https:') return;
  if (destination.httpsOnly) throw refuse(destination, 'only https is allowed here');
  if (hop?.from.protocol === 'https:') throw refuse(destination, 'leads from https down to http');
  if (!isInsecureHost(host, policy.insecure)) throw refuse(destination, 'plain http to a host not listed');
}

/** The addresses that a URL leads to; undefined when a proxy resolves its name. */
export type Reach = readonly ResolvedAddress[] | undefined;

function addressesOf(url: URL, reach: Reach): readonly string[] {
  const literal = toLiteralAddress(url.hostname);
  return reach?.map((one) => one.address) ?? (literal === undefined ? [] : [literal]);
}

/**
 * A host of the public Internet cannot send us to loopback, private or link-local addresses. A name that only a proxy
 * can resolve counts as public where it sends, and passes where it is sent to.
 *
 * @throws SVC-POL-001
 */
export function checkReach(destination: Destination, reach: Reach, fromReach: Reach): void {
  if (destination.hop === undefined) return;
  const origin = addressesOf(destination.hop.from, fromReach);
  const isOriginInner = origin.length > 0 && origin.every(isInnerAddress);
  if (!isOriginInner && addressesOf(destination.url, reach).some(isInnerAddress))
    throw refuse(destination, 'a public host leads to an address that is not public');
}
