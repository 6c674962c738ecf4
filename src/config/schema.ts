import { isAbsolute } from 'node:path';
import { outboundScopes, type Scope, scopes, storeScopes, trustScopes } from './scope.ts';
import {
  checkBareHost,
  checkCertificateHost,
  checkHostPattern,
  checkListenAddress,
  checkNoProxy,
  checkProxyUrl,
  checkRepositoryPath,
  checkRetrieverSource,
} from './value-rules.ts';
import {
  boolean,
  duration,
  type FieldEntry,
  integer,
  listOf,
  mapOf,
  objectOf,
  oneOf,
  path,
  pem,
  secret,
  size,
  text,
  url,
  type ValueType,
} from './value-type.ts';

/** One key of the configuration: everything that is known about it, and the only place where it is said. */
export interface ConfigEntry {
  /** Path in the document: `network.proxy.url`. */
  readonly key: string;
  readonly type: ValueType;
  readonly default?: unknown;
  /** As the table shows it, where the default itself would say less. */
  readonly defaultLabel?: string;
  /** The variable, derived from the key; absent: file only. */
  readonly env?: string;
  /** The flag that sets it, with its dashes. */
  readonly flag?: string;
  /** One or two sentences for the table. */
  readonly doc: string;
  /** Judges a well-formed value by itself. */
  readonly rule?: (value: never) => string | undefined;
  /** Judges each item of a list. */
  readonly itemRule?: (item: string) => string | undefined;
  /** Whose judgement the rules belong to; a value given by flag is always judged. */
  readonly scopes: readonly Scope[];
  readonly secret?: boolean;
  /** Members of the items, for the table. */
  readonly fields?: readonly FieldEntry[];
}

const atLeast =
  (minimum: number, label: string) =>
  (value: number): string | undefined =>
    value < minimum ? `must be at least ${label}` : undefined;
const notNegative = atLeast(0, '0');
const positive = (value: number): string | undefined => (value <= 0 ? 'must be more than 0' : undefined);

/** `SVC_` and the key path in upper snake case: `network.proxy.httpsURL` is `SVC_NETWORK_PROXY_HTTPS_URL`. */
export function toEnvName(key: string): string {
  return `SVC_${key
    .replace(/([a-z0-9])([A-Z])/g, '$1_$2')
    .replaceAll('.', '_')
    .toUpperCase()}`;
}

const rootFields: readonly FieldEntry[] = [
  { name: 'name', type: text(), required: true, doc: 'Name of the root; unique.' },
  { name: 'key', type: pem, doc: 'Inline PEM public key. Exactly one of `key`, `keyFile` and `keyURL`.' },
  { name: 'keyFile', type: path, doc: 'File with a PEM public key, outside the store.' },
  {
    name: 'keyURL',
    type: url('URL'),
    doc: 'https URL of a PEM public key, fetched and cached when the instance starts, never at verification.',
  },
];
const scopeFields: readonly FieldEntry[] = [
  {
    name: 'name',
    type: text(),
    required: true,
    doc: 'Name of the scope; unique. Reported wherever it applies.',
  },
  {
    name: 'repositories',
    type: listOf(text(), 'list of globs'),
    required: true,
    doc: "Globs on the recipe's nominal cookbook path; `*` within a segment, `**` across; the `:` of a port is written `_`.",
  },
  {
    name: 'allowUnsigned',
    type: boolean,
    default: false,
    doc: 'Tolerates the absence of a signature; one that is present must still verify.',
  },
  {
    name: 'roots',
    type: listOf(text(), 'list of root names'),
    doc: 'The only roots accepted in this scope.',
  },
];
const filesetFields: readonly FieldEntry[] = [
  { name: 'name', type: text(), required: true, doc: 'URL segment: served under `/files/<name>/`.' },
  { name: 'ref', type: text(), required: true, doc: 'Nominal ingredient reference, without tag or digest.' },
  {
    name: 'version',
    type: text(),
    doc: 'Pins the served tag; without it the highest semver tag in the store.',
  },
  { name: 'platform', type: text(), doc: 'Selects a platform manifest, such as `linux/amd64`.' },
  {
    name: 'anonymous',
    type: boolean,
    default: false,
    doc: 'Opens the FileSet to readers without credentials; always reported.',
  },
];

type Draft = Omit<ConfigEntry, 'env' | 'scopes'> & {
  readonly fileOnly?: true;
  readonly scopes?: readonly Scope[];
};

const serve: readonly Scope[] = ['serve', 'dump'];
const moving: readonly Scope[] = ['serve', 'sync-plan', 'media-import', 'dump'];

const drafts: readonly Draft[] = [
  {
    key: 'mode',
    type: oneOf(['passthrough', 'mirror']),
    flag: '--mode',
    doc: 'Required to serve. `passthrough` reconciles on an interval and promotes into a destination; `mirror` fills a store on request.',
  },
  {
    key: 'zone',
    type: text(),
    flag: '--zone',
    doc: 'Identity of this zone: the name of the Retriever that serves it. Required by `media verify` and `media import`.',
    rule: (value: string) =>
      value.length <= 63 && /^[a-z0-9]+(?:(?:\.|_|__|-+)[a-z0-9]+)*$/.test(value)
        ? undefined
        : 'must be the name of a Retriever: lower-case letters and digits joined by ., _, __ or -, at most 63 characters',
    scopes: storeScopes,
  },
  {
    key: 'storage.root',
    type: path,
    flag: '--storage-root',
    doc: 'Folder of the self-contained store. Required to serve; created if missing; probed for writability.',
  },
  {
    key: 'storage.basePrefix',
    type: text('repository path'),
    doc: 'Relocation base prefix of every ingredient in the local store.',
    rule: checkRepositoryPath,
    scopes: storeScopes,
  },
  {
    key: 'storage.occupancyThreshold',
    type: size,
    defaultLabel: 'none (unmonitored)',
    doc: 'Past this size the store warns on every surface until it comes back under it. Warns, never refuses.',
    rule: positive,
    scopes: serve,
  },
  {
    key: 'state.root',
    type: path,
    flag: '--state-root',
    doc: 'Accounts, tokens, cached trust roots, partial downloads, freshness records. Required unless authentication is disabled. Neither inside the store nor around it.',
  },
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
  { key: 'network.proxy.username', type: text(), doc: 'User name at the proxy.', scopes: outboundScopes },
  {
    key: 'network.proxy.password',
    type: secret,
    secret: true,
    doc: 'Password at the proxy. Never a flag; redacted in logs, errors and dump.',
    scopes: outboundScopes,
  },
  {
    key: 'network.tls.caFiles',
    type: listOf(path, 'list of paths'),
    default: [],
    doc: 'Further PEM bundles of certificate authorities.',
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
        : 'must hold at least one PEM certificate (-----BEGIN CERTIFICATE-----)',
    scopes: outboundScopes,
  },
  {
    key: 'network.tls.exclusiveTrust',
    type: boolean,
    default: false,
    fileOnly: true,
    doc: 'Trusts only the configured authorities, not the public ones. No setting turns TLS verification off.',
    scopes: outboundScopes,
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
    doc: 'Contacts `<base>/<host>/<path>` instead of an origin host. Changes the endpoint, never the destination path.',
    scopes: outboundScopes,
  },
  {
    key: 'registries.allowlist',
    type: listOf(text(), 'list of host patterns'),
    defaultLabel: 'absent (unrestricted)',
    fileOnly: true,
    itemRule: checkHostPattern,
    doc: 'Hosts that may be reached; `*` within a DNS label, `**` across. Absent: no restriction, reported. `[]`: nothing is allowed.',
    scopes: outboundScopes,
  },
  {
    key: 'registries.credentialsFile',
    type: path,
    fileOnly: true,
    doc: 'Credentials by host in docker-config JSON, outside the store.',
    scopes: outboundScopes,
  },
  {
    key: 'retriever.source',
    type: url('path, https URL or oci:// reference'),
    flag: '--retriever',
    doc: 'The Retriever that drives this zone: an absolute path, `https://<host>/<path>` or `oci://<registry>/<repository>:<tag>`.',
    rule: checkRetrieverSource,
    scopes: ['serve', 'sync-plan', 'dump'],
  },
  {
    key: 'destination.registry',
    type: text('host'),
    defaultLabel: 'none (promotes nothing)',
    doc: 'Registry that receives promoted content: a bare `host[:port]`. Its scheme follows `registries.insecure`.',
    rule: checkBareHost,
    scopes: moving,
  },
  {
    key: 'destination.basePath',
    type: text('repository path'),
    doc: 'Path below which ingredients land; refused without a destination.',
    rule: checkRepositoryPath,
    scopes: moving,
  },
  {
    key: 'destination.cookbook',
    type: text('repository path'),
    default: 'cookbook',
    doc: 'Where recipes are published again with their signatures.',
    rule: checkRepositoryPath,
    scopes: moving,
  },
  {
    key: 'sync.parallelism',
    type: integer,
    default: 3,
    doc: 'Concurrent ingredient transfers.',
    rule: (value: number) => atLeast(1, '1')(value) ?? (value > 256 ? 'must be at most 256' : undefined),
    scopes: moving,
  },
  {
    key: 'sync.retries',
    type: integer,
    default: 3,
    doc: 'Further attempts per ingredient on transient failure, with growing pauses.',
    rule: (value: number) => notNegative(value) ?? (value > 100 ? 'must be at most 100' : undefined),
    scopes: moving,
  },
  {
    key: 'sync.interval',
    type: duration,
    default: 15 * 6e4,
    doc: 'Pause between cycles; passthrough only. `0` parks the loop, reported at start. An override set at run time wins.',
    rule: notNegative,
    scopes: serve,
  },
  {
    key: 'sync.prune',
    type: boolean,
    default: false,
    doc: 'Removes what no recipe reaches at the end of each cycle; passthrough only, refused in mirror.',
    scopes: ['serve', 'sync-plan', 'dump'],
  },
  {
    key: 'import.inspectTimeout',
    type: duration,
    default: 20e3,
    doc: 'Bound of one remote inspection before a unit import.',
    rule: positive,
    scopes: serve,
  },
  {
    key: 'transfer.resumeThreshold',
    type: size,
    default: 64 * 2 ** 20,
    doc: 'Blobs from this size download resumably, by way of the state folder. `0` turns that off.',
    scopes: moving,
  },
  {
    key: 'preflight.safetyMarginPercent',
    type: integer,
    default: 10,
    doc: 'Share of the free space held back, 0 to 99; `0` restores the default.',
    rule: (value: number) => (value < 0 || value > 99 ? 'must be between 0 and 99' : undefined),
    scopes: storeScopes,
  },
  {
    key: 'preflight.disabled',
    type: boolean,
    default: false,
    doc: 'Turns the pre-flight gate into a report; said at start and at each refusal it lets through.',
    scopes: storeScopes,
  },
  {
    key: 'tasks.keepFinished',
    type: integer,
    default: 500,
    doc: 'Finished tasks kept with their logs, newest first; `0` keeps all.',
    rule: notNegative,
    scopes: serve,
  },
  {
    key: 'trust.roots',
    type: listOf(objectOf(rootFields), 'list'),
    default: [],
    fileOnly: true,
    doc: 'Public keys whose signatures are accepted. Several at once let a key be rotated by overlap.',
    scopes: trustScopes,
    fields: rootFields,
  },
  {
    key: 'trust.scopes',
    type: listOf(objectOf(scopeFields), 'list'),
    default: [],
    fileOnly: true,
    doc: 'Perimeters with relaxed or restricted trust, in order; the first match wins. Each must change something.',
    scopes: trustScopes,
    fields: scopeFields,
  },
  {
    key: 'files.packRoots',
    type: listOf(text('path'), 'list of absolute paths'),
    default: [],
    fileOnly: true,
    itemRule: (item) => (isAbsolute(item) ? undefined : 'must be an absolute path'),
    doc: 'Folders from which the UI and the API may pack; without one they pack nothing. The command line is unaffected.',
    scopes: serve,
  },
  {
    key: 'files.filesets',
    type: listOf(objectOf(filesetFields), 'list'),
    default: [],
    fileOnly: true,
    doc: 'FileSets served over HTTP.',
    scopes: serve,
    fields: filesetFields,
  },
  {
    key: 'ui.themeOverride',
    type: path,
    doc: 'Style sheet of the operator, served after the embedded one.',
    scopes: serve,
  },
  {
    key: 'ui.showUpcoming',
    type: boolean,
    default: false,
    doc: 'Shows entries of the navigation that are not built yet, without function.',
    scopes: serve,
  },
  {
    key: 'logging.media.file',
    type: text('path in the store'),
    default: '_svc/logs/operations.log',
    fileOnly: true,
    doc: 'Operation log of the medium, mirror mode only. Must lie under `_svc/`, outside what the manifest covers.',
    scopes: ['serve', 'media-import', 'dump'],
  },
  {
    key: 'logging.media.maxSize',
    type: size,
    default: 10 * 2 ** 20,
    fileOnly: true,
    doc: 'Size at which the medium log is rotated.',
    rule: positive,
    scopes: ['serve', 'media-import', 'dump'],
  },
  {
    key: 'logging.media.keep',
    type: integer,
    default: 3,
    fileOnly: true,
    doc: 'Rotated generations kept.',
    rule: (value: number) => notNegative(value) ?? (value > 1000 ? 'must be at most 1000' : undefined),
    scopes: ['serve', 'media-import', 'dump'],
  },
  {
    key: 'logging.media.disabled',
    type: boolean,
    default: false,
    fileOnly: true,
    doc: 'Turns the medium log off.',
    scopes: ['serve', 'media-import', 'dump'],
  },
  {
    key: 'logging.level',
    type: oneOf(['debug', 'info', 'warn', 'error']),
    default: 'info',
    flag: '--log-level',
    doc: 'Least level of what is logged.',
  },
  {
    key: 'shutdown.gracePeriod',
    type: duration,
    default: 30e3,
    flag: '--shutdown-grace-period',
    doc: 'What requests under way get to finish after SIGTERM or SIGINT.',
    rule: notNegative,
    scopes: serve,
  },
];

/** Every key, in the order of the documentation. */
export const configEntries: readonly ConfigEntry[] = drafts.map(({ fileOnly, scopes: own, ...draft }) => ({
  ...draft,
  scopes: own ?? scopes,
  ...(fileOnly ? {} : { env: toEnvName(draft.key) }),
}));
