/** Placeholders in the help for values that are neither a fixed list of words nor a path. */
export const placeholders: Readonly<Record<string, string>> = {
  '--server-addr': '<host:port>',
  '--shutdown-grace-period': '<duration>',
  '--proxy-url': '<url>',
  '--instance': '<url>',
  '--request-timeout': '<duration>',
  '--wait-timeout': '<duration>',
  '--retriever': '<source>',
  '--zone': '<name>',
  '--admin': '<name>',
  '--recipe': '<name[@version]>',
  '--repository': '<repository>',
  '--registry': '<host>',
  '--search': '<text>',
  '--prefix': '<path>',
  '--page': '<number>',
  '--page-size': '<number>',
};

/** Common flags of all commands, with their possible values. */
export const commonFlags: Readonly<Record<string, readonly string[] | 'file' | 'folder' | undefined>> = {
  '--config': 'file',
  '--mode': ['passthrough', 'mirror'],
  '--storage-root': 'folder',
  '--state-root': 'folder',
  '--server-addr': undefined,
  '--log-level': ['debug', 'info', 'warn', 'error'],
  '--shutdown-grace-period': undefined,
  '--proxy-url': undefined,
  '--tls-cert-file': 'file',
  '--tls-key-file': 'file',
  '--output': undefined,
};

/** Descriptions of the common flags, as far as a command does not describe one differently. */
export const commonDescriptions = {
  '--config': 'YAML configuration file (default $SVC_CONFIG, else /etc/svc/config.yaml if it exists)',
  '--mode': 'passthrough promotes on an interval; mirror fills a store on request',
  '--storage-root': 'store folder',
  '--state-root': 'state folder',
  '--server-addr': 'listen address (:8080)',
  '--log-level': 'minimum log level (serve: info, others: warn)',
  '--shutdown-grace-period': 'time for open requests to finish at shutdown (30s)',
  '--proxy-url': 'URL of the forward proxy, without user name and password',
  '--tls-cert-file': 'PEM certificate of the listener, with --tls-key-file',
  '--tls-key-file': 'PEM key of the certificate',
  '--output': 'format of the report',
} as const satisfies Readonly<Record<string, string>>;
