import { canonicalHost } from '../../oci/reference.ts';
import { svcError } from '../../text/error.ts';
import type { Hop, ResolvedAddress } from '../model.ts';
import { isInnerAddress, toLiteralAddress } from './address.ts';
import { isAllowedHost } from './allowlist.ts';

interface Policy {
  readonly allowlist?: readonly string[] | undefined;
  readonly insecure: readonly string[];
}

export interface Endpoint {
  readonly url: URL;
  /** The host as written, with its port. */
  readonly host: string;
  readonly hop?: Hop | undefined;
  readonly httpsOnly: boolean;
}

/** Whether a host is contacted over plain HTTP. */
export function isInsecureHost(host: string, insecure: readonly string[]): boolean {
  const name = canonicalHost(host);
  return insecure.some((entry) => canonicalHost(entry) === name);
}

type Reason = 'scheme' | 'user-information' | 'https-only' | 'downgrade' | 'plain-http' | 'inner-address';

/** Creates the SVC-POL-001. @param reason absent when the host is not on the allowlist */
function refuse(destination: Endpoint, reason?: Reason, detail?: string) {
  const { url, hop } = destination;
  // a URL such as `file:` has no host
  const host = destination.host || url.protocol;
  return svcError(
    'SVC-POL-001',
    { host, hop: hop === undefined ? undefined : `${hop.kind} of ${hop.from.host}`, reason },
    detail === undefined ? {} : { detail },
  );
}

/**
 * Checks what does not require name resolution: scheme, allowlist, user information.
 *
 * @throws SVC-POL-001
 */
export function checkDestination(destination: Endpoint, policy: Policy): void {
  const { url, host, hop } = destination;
  if (url.protocol !== 'https:' && url.protocol !== 'http:')
    throw refuse(destination, 'scheme', `scheme ${url.protocol}`);
  if (!isAllowedHost(host, policy.allowlist)) throw refuse(destination);
  if (url.username !== '' || url.password !== '')
    throw refuse(destination, 'user-information', 'user information in a URL');
  if (url.protocol === 'https:') return;
  if (destination.httpsOnly) throw refuse(destination, 'https-only', 'only https is allowed here');
  if (hop?.from.protocol === 'https:')
    throw refuse(destination, 'downgrade', 'leads from https down to http');
  if (!isInsecureHost(host, policy.insecure))
    throw refuse(destination, 'plain-http', 'plain http to a host not listed');
}

/** Addresses of a URL's host; undefined when a proxy resolves the name. */
type Reach = readonly ResolvedAddress[] | undefined;

function addressesOf(url: URL, reach: Reach): readonly string[] {
  const literal = toLiteralAddress(url.hostname);
  return reach?.map((one) => one.address) ?? (literal === undefined ? [] : [literal]);
}

/**
 * Prevents a public host from redirecting to loopback, private or link-local addresses. A name that only a
 * proxy resolves counts as public as the origin of a hop, and is allowed as its target.
 *
 * @throws SVC-POL-001
 */
export function checkReach(destination: Endpoint, reach: Reach, fromReach: Reach): void {
  if (destination.hop === undefined) return;
  const origin = addressesOf(destination.hop.from, fromReach);
  const isOriginInner = origin.length > 0 && origin.every(isInnerAddress);
  if (!isOriginInner && addressesOf(destination.url, reach).some(isInnerAddress))
    throw refuse(destination, 'inner-address', 'a public host leads to an address that is not public');
}
