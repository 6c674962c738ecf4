import type { FlagValues } from './base-command.ts';

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
};

/** Common flags of all commands, with their possible values. */
export const commonFlags: Readonly<Record<string, FlagValues | undefined>> = {
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
