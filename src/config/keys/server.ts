import { checkCertificateHost, checkListenAddress } from '../value-rules.ts';
import { boolean, duration, listOf, path, text } from '../value-type.ts';
import { type KeyDraft, positive, serve } from './key-draft.ts';

/** How it is reached, and by whom. */
export const serverKeys: readonly KeyDraft[] = [
  {
    key: 'server.addr',
    type: text('host:port'),
    default: ':8080',
    flag: '--server-addr',
    doc: 'The single listener. Without a host it listens on every address; port 0 takes a free one and logs it.',
    rule: checkListenAddress,
    scopes: ['serve', 'sync-trigger', 'dump'],
  },
  {
    key: 'server.secureCookies',
    type: boolean,
    default: false,
    doc: 'Marks UI cookies Secure behind a proxy that terminates TLS. When the listener itself serves TLS they always are.',
    scopes: serve,
  },
  {
    key: 'server.tls.enabled',
    type: boolean,
    default: false,
    doc: 'TLS with a self-signed certificate, its fingerprint logged at start. A supplied pair implies TLS.',
    scopes: serve,
  },
  {
    key: 'server.tls.certFile',
    type: path,
    flag: '--tls-cert-file',
    doc: 'PEM certificate, with `keyFile` or not at all; read again when the files change.',
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
    doc: 'Further names of the generated certificate; refused when a certificate is supplied.',
    scopes: serve,
  },
  {
    key: 'auth.disabled',
    type: boolean,
    default: false,
    doc: 'Turns authentication off. File or environment only, never a flag; audited at every start.',
    scopes: serve,
  },
  {
    key: 'auth.sessionTTL',
    type: duration,
    default: 12 * 36e5,
    doc: 'Lifetime of UI sessions. They live in memory: a restart signs everyone out.',
    rule: positive,
    scopes: serve,
  },
];
