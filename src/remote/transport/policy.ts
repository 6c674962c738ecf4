import { canonicalHost } from '../../oci/reference.ts';
import { svcError } from '../../text/error.ts';
import { fr, type Sentence } from '../../text/language.ts';
import { type Rule, rule } from '../../text/rule.ts';
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

const hops: Readonly<Record<Hop['kind'], Sentence>> = {
  redirect: ['redirect of {host}', fr`redirection de {host}`],
  'token realm': ['token realm of {host}', fr`service de jetons de {host}`],
  'upload location': ['upload location of {host}', fr`adresse d’envoi de {host}`],
  'next page': ['next page of {host}', fr`page suivante de {host}`],
  'chart URL': ['chart URL of {host}', fr`adresse de chart de {host}`],
};

/** Names a hop in an error. */
export function toHopRule({ kind, from: { host } }: Hop): Rule {
  return rule(hops[kind], { host });
}

type Reason = 'scheme' | 'user-information' | 'https-only' | 'downgrade' | 'plain-http' | 'inner-address';

/** Creates the SVC-POL-001. @param reason absent when the host is not on the allowlist */
function refuse(destination: Endpoint, reason?: Reason, detail?: Rule) {
  const { url, hop } = destination;
  // a URL such as `file:` has no host
  const host = destination.host || url.protocol;
  return svcError(
    'SVC-POL-001',
    { host, hop: hop === undefined ? undefined : toHopRule(hop), reason },
    { detail },
  );
}

/**
 * Checks the parts that need no name resolution: scheme, allowlist, user information.
 *
 * @throws SVC-POL-001
 */
export function checkDestination(destination: Endpoint, policy: Policy): void {
  const { url, host, hop } = destination;
  if (url.protocol !== 'https:' && url.protocol !== 'http:')
    throw refuse(
      destination,
      'scheme',
      rule(['scheme {protocol}', fr`schéma {protocol}`], { protocol: url.protocol }),
    );
  if (!isAllowedHost(host, policy.allowlist)) throw refuse(destination);
  if (url.username !== '' || url.password !== '')
    throw refuse(
      destination,
      'user-information',
      rule(['user information in a URL', fr`identifiants dans une URL`]),
    );
  if (url.protocol === 'https:') return;
  if (destination.httpsOnly)
    throw refuse(
      destination,
      'https-only',
      rule(['only https is allowed here', fr`seul https est admis ici`]),
    );
  if (hop?.from.protocol === 'https:')
    throw refuse(destination, 'downgrade', rule(['leads from https down to http', fr`mène de https à http`]));
  if (!isInsecureHost(host, policy.insecure))
    throw refuse(
      destination,
      'plain-http',
      rule(['plain http to a host not listed', fr`http simple vers un hôte non déclaré`]),
    );
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
    throw refuse(
      destination,
      'inner-address',
      rule([
        'a public host leads to an address that is not public',
        fr`un hôte public mène à une adresse qui n’est pas publique`,
      ]),
    );
}
