import type { FlagValues } from './base-command.ts';

/** The flags that every command has, with what their values can be. */
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
