import { fr } from '../../text/language.ts';
import { rule } from '../../text/rule.ts';
import { outboundScopes } from '../scope.ts';
import { checkBareHost, checkHostPattern, checkNoProxy, checkProxyUrl } from '../value-rules.ts';
import { boolean, byteRate, listOf, mapOf, path, pem, secret, text, url } from '../value-type.ts';
import type { KeyDraft } from './key-draft.ts';

/** Settings of outgoing connections. */
export const networkKeys: readonly KeyDraft[] = [
  {
    key: 'network.proxy.url',
    type: url('URL'),
    flag: '--proxy-url',
    doc: 'Forward proxy (http or https) of all outbound traffic. Credentials inside the URL are refused.',
    rule: checkProxyUrl,
    scopes: outboundScopes,
  },
  {
    key: 'network.proxy.httpsURL',
    type: url('URL'),
    doc: 'A separate proxy for https destinations.',
    rule: checkProxyUrl,
    scopes: outboundScopes,
  },
  {
    key: 'network.proxy.noProxy',
    type: listOf(text(), 'list'),
    default: [],
    itemRule: checkNoProxy,
    doc: 'Destinations reached directly: host, `.suffix`, CIDR block or `*`.',
    scopes: outboundScopes,
  },
  { key: 'network.proxy.username', type: text(), doc: 'User name for the proxy.', scopes: outboundScopes },
  {
    key: 'network.proxy.password',
    type: secret,
    secret: true,
    doc: 'Password for the proxy. Not available as a flag; redacted in logs, errors and `svc config dump`.',
    scopes: outboundScopes,
  },
  {
    key: 'network.tls.caFiles',
    type: listOf(path, 'list of paths'),
    default: [],
    doc: 'PEM bundles of certificate authorities, in addition to the root store of the system (`SSL_CERT_FILE`, `SSL_CERT_DIR`).',
    scopes: outboundScopes,
  },
  {
    key: 'network.tls.ca',
    type: pem,
    fileOnly: true,
    doc: 'An inline PEM bundle of certificate authorities.',
    rule: (value: string) =>
      value.includes('-----BEGIN CERTIFICATE-----')
        ? undefined
        : rule([
            'must contain at least one PEM certificate (-----BEGIN CERTIFICATE-----)',
            fr`doit contenir au moins un certificat PEM (-----BEGIN CERTIFICATE-----)`,
          ]),
    scopes: outboundScopes,
  },
  {
    key: 'network.tls.exclusiveTrust',
    type: boolean,
    default: false,
    fileOnly: true,
    doc: 'Trusts only the configured authorities, not the root store of the system. TLS verification cannot be disabled.',
    scopes: outboundScopes,
  },
  {
    key: 'network.rateLimit',
    type: byteRate,
    defaultLabel: '`unlimited`',
    doc: 'Cap on the bytes a second that all transfers with other hosts have together, received and sent: `2MiB`, `512kB`, at least `1KiB`. Reads of clients from this instance do not count. An override set at run time takes precedence.',
    // requests to an instance are no transfers
    scopes: outboundScopes.filter((scope) => scope !== 'ask-instance'),
  },
  {
    key: 'registries.insecure',
    type: listOf(text(), 'list of hosts'),
    default: [],
    itemRule: checkBareHost,
    doc: 'Hosts reached over plain HTTP, each `host[:port]`.',
    scopes: outboundScopes,
  },
  {
    key: 'registries.substitutions',
    type: mapOf('map of host to base'),
    default: {},
    fileOnly: true,
    doc: 'Contacts `<base>/<host>/<path>` instead of an origin host. Changes the endpoint, not the destination path.',
    scopes: outboundScopes,
  },
  {
    key: 'registries.allowlist',
    type: listOf(text(), 'list of host patterns'),
    defaultLabel: 'absent (unrestricted)',
    fileOnly: true,
    itemRule: checkHostPattern,
    doc: 'Hosts that may be contacted; `*` matches within a DNS label, `**` across labels. Not set: no restriction, which is reported. `[]`: no host.',
    scopes: outboundScopes,
  },
  {
    key: 'registries.credentialsFile',
    type: path,
    fileOnly: true,
    doc: 'Credentials by host in docker-config JSON, outside the store.',
    scopes: outboundScopes,
  },
];
