import { boolean, integer, object, oneOf, ref, type Schema, string, timestamp } from '../schema.ts';
import { role, strings } from './common.ts';

/** Accounts, tokens and connections. */
export const accessSchemas = {
  Account: object({ name: string, role, createdAt: timestamp, 'lastLoginAt?': timestamp }),
  Token: object({ name: string, role, createdAt: timestamp, 'revokedAt?': timestamp }),
  Certificate: object({
    selfSigned: boolean,
    source: oneOf('configured', 'adopted', 'generated'),
    fingerprintSha256: string,
    subject: string,
    issuer: string,
    dnsNames: strings,
    ipAddresses: strings,
    notBefore: timestamp,
    notAfter: timestamp,
  }),
  Network: object({
    tls: boolean,
    'certificate?': ref('Certificate'),
    'certificateFile?': string,
    'keyFile?': string,
    replaceable: boolean,
    egress: object({
      'proxy?': string,
      proxyAuthenticated: boolean,
      extraRoots: integer,
      exclusiveTrust: boolean,
    }),
  }),
} satisfies Record<string, Schema>;
