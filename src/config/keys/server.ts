import { leastPasswordLength } from '../../base/least-password-length.ts';
import { checkListenAddress } from '../listen-address.ts';
import { checkAddressBlock, checkCertificateHost, checkPublicUrl } from '../value-rules.ts';
import { boolean, duration, integer, listOf, oneOf, path, text } from '../value-type.ts';
import { atLeast, atMost, type KeyDraft, positive, serve } from './key-draft.ts';

/** Settings of the listener, and of authentication. */
export const serverKeys: readonly KeyDraft[] = [
  {
    key: 'server.addr',
    type: text('host:port'),
    default: ':8080',
    flag: '--server-addr',
    doc: 'Listen address. Without a host, all addresses; with port 0, a free port, which is logged.',
    rule: checkListenAddress,
    scopes: ['serve', 'ask-instance', 'dump'],
  },
  {
    key: 'server.publicURL',
    type: text('URL'),
    doc: 'Address by which clients reach the instance, such as `https://instance.example`, in pull commands, mappings and examples. Default: the name and port of the listener, which clients of a reverse proxy cannot use.',
    rule: checkPublicUrl,
    scopes: serve,
  },
  {
    key: 'server.secureCookies',
    type: boolean,
    default: false,
    doc: 'Marks UI cookies Secure behind a proxy that terminates TLS. With TLS on the listener they are always Secure.',
    scopes: serve,
  },
  {
    key: 'server.trustedProxies',
    type: listOf(text(), 'list of addresses'),
    default: [],
    fileOnly: true,
    itemRule: checkAddressBlock,
    doc: 'IP addresses or CIDR blocks of reverse proxies in front of the instance. Client addresses and the scheme of the client are taken from `X-Forwarded-For` and `X-Forwarded-Proto`, or `Forwarded`, which the proxies must set. Without this setting, all clients behind a proxy share one address in the sign-in throttle and the audit log.',
    scopes: serve,
  },
  {
    key: 'server.tls.enabled',
    type: boolean,
    default: false,
    doc: 'Enables TLS with a self-signed certificate, whose fingerprint is logged at start. `certFile` and `keyFile` enable TLS too.',
    scopes: serve,
  },
  {
    key: 'server.tls.certFile',
    type: path,
    flag: '--tls-cert-file',
    doc: 'PEM certificate; requires `keyFile`. Reloaded when the files change.',
    scopes: serve,
  },
  {
    key: 'server.tls.keyFile',
    type: path,
    flag: '--tls-key-file',
    doc: 'PEM key of the certificate.',
    scopes: serve,
  },
  {
    key: 'server.tls.hosts',
    type: listOf(text(), 'list of hosts'),
    default: [],
    fileOnly: true,
    itemRule: checkCertificateHost,
    doc: 'Additional names in the generated certificate; refused with `certFile`.',
    scopes: serve,
  },
  {
    key: 'auth.disabled',
    type: boolean,
    default: false,
    doc: 'Disables authentication. Set by file or environment only, not by a flag; audited at every start.',
    scopes: serve,
  },
  {
    key: 'auth.sessionTTL',
    type: duration,
    default: 12 * 36e5,
    doc: 'Lifetime of UI sessions. Sessions are kept in memory: a restart ends them.',
    rule: positive,
    scopes: serve,
  },
  {
    key: 'auth.passwordMinLength',
    type: integer,
    default: leastPasswordLength,
    doc: 'Least characters of a new password, 12 to 128. Accounts with a shorter one continue to work; a sign-in with it is logged and told.',
    rule: (value: number) =>
      atLeast(leastPasswordLength, `${leastPasswordLength}`)(value) ?? atMost(128)(value),
    scopes: ['serve', 'user', 'dump'],
  },
  {
    key: 'auth.historyRole',
    type: oneOf(['viewer', 'operator', 'admin']),
    default: 'admin',
    doc: 'Lowest role that reads the history, packs evidence, and opens deliveries, receipts and the printed report of a medium. It opens no action. Operators open the last three in any case.',
    scopes: serve,
  },
];
