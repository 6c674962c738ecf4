import { role, strings } from './common.ts';
import {
  anyOf,
  boolean,
  choice,
  component,
  described,
  digest,
  integer,
  list,
  object,
  oneOf,
  string,
  type TypeOf,
  text,
  timestamp,
} from './schema.ts';

const fingerprint = described(
  'Passed to the removal or the revocation, it makes that fail when this record has changed',
  digest,
);

/** Accounts, tokens and connections. */
export const Account = component(
  'Account',
  object({
    name: string,
    role,
    createdAt: timestamp,
    'lastLoginAt?': timestamp,
    'fingerprint?': fingerprint,
  }),
);
export type Account = TypeOf<typeof Account>;

export const Token = component(
  'Token',
  object({
    name: string,
    role,
    createdAt: timestamp,
    'revokedAt?': timestamp,
    'lastUsedOn?': described(
      'The last UTC day on which it was used; absent before the first use',
      text({ pattern: '^[0-9]{4}-[0-9]{2}-[0-9]{2}$' }),
    ),
    'fingerprint?': fingerprint,
  }),
);
export type Token = TypeOf<typeof Token>;

export const Certificate = component(
  'Certificate',
  object({
    selfSigned: boolean,
    source: choice('Where the certificate came from', {
      configured: 'files of the configuration',
      adopted: 'uploaded through the API',
      generated: 'made by the instance',
    }),
    fingerprintSha256: text({ pattern: '^([0-9a-f]{2}:){31}[0-9a-f]{2}$' }),
    subject: string,
    issuer: string,
    dnsNames: strings,
    ipAddresses: list(anyOf(text({ format: 'ipv4' }), text({ format: 'ipv6' }))),
    notBefore: timestamp,
    notAfter: timestamp,
  }),
);
export type Certificate = TypeOf<typeof Certificate>;

export const RateLimit = component(
  'RateLimit',
  object({
    effective: described('Cap that applies: bytes a second with a unit, or `unlimited`', string),
    configured: described('Cap of the configuration', string),
    overridden: boolean,
    'bytesPerSecond?': described('The cap in bytes a second; absent without one', integer),
    fingerprint: described('Passed to the removal of the override, it makes a changed cap fail', digest),
  }),
);
export type RateLimit = TypeOf<typeof RateLimit>;

export const Windows = component(
  'Windows',
  object({
    effective: described('Windows that apply; empty: transfers run at any time', list(string)),
    configured: described('Windows of the configuration', list(string)),
    timeZone: described('Time zone of the windows', string),
    overridden: boolean,
    open: described('Whether transfers run now', boolean),
    'changesAt?': described('When that changes; absent when it never does', timestamp),
    fingerprint: described('Passed to the removal of the override, it makes changed windows fail', digest),
  }),
);
export type Windows = TypeOf<typeof Windows>;

export const Network = component(
  'Network',
  object({
    tls: boolean,
    'certificate?': Certificate,
    'certificateFile?': string,
    'keyFile?': string,
    replaceable: boolean,
    egress: object({
      'proxy?': string,
      proxyAuthenticated: boolean,
      extraRoots: integer,
      exclusiveTrust: boolean,
    }),
    link: described(
      'Cap on transfers with other hosts, and the daily windows in which they run',
      object({ rateLimit: RateLimit, windows: Windows }),
    ),
    hosts: described(
      'Hosts that the configuration, the recipes of the store and the last plan need, and those requested since the start; the ones that the allowlist does not name first',
      list(
        object({
          host: string,
          roles: described(
            'Uses of the host',
            list(
              oneOf(
                'retriever',
                'cookbook',
                'ingredient',
                'destination',
                'substitution',
                'trust-key',
                'requested',
              ),
            ),
          ),
          'nominal?': described('Hosts in whose place it is contacted', strings),
          allowed: boolean,
        }),
      ),
    ),
    'allowlist?': described(
      'Entries of the allowlist; absent when none is declared, and every host is permitted',
      list(
        object({
          pattern: described('Pattern of hosts', string),
          needed: described('Whether one of `hosts` matches', boolean),
        }),
      ),
    ),
  }),
);
export type Network = TypeOf<typeof Network>;
export type Egress = Network['egress'];
export type NeededHost = Network['hosts'][number];
