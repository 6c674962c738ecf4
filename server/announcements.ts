import type { LogFields, LogLevel } from '../src/base/report.ts';
import { parseListenAddress, toUrlHost } from '../src/config/listen-address.ts';
import type { Config } from '../src/config/model.ts';
import { isLoopbackHost } from '../src/oci/reference.ts';

interface Announcement {
  readonly level: LogLevel;
  readonly message: string;
  readonly fields?: LogFields;
}

/**
 * Selects the settings to log at each start: every one that opens, relaxes or disables something. The sync schedule logs
 * its own state.
 */
export function selectAnnouncements(config: Config): readonly Announcement[] {
  const announcements: Announcement[] = [];
  const warn = (message: string, fields?: LogFields) =>
    announcements.push({ level: 'warn', message, ...(fields === undefined ? {} : { fields }) });
  const info = (message: string, fields?: LogFields) =>
    announcements.push({ level: 'info', message, ...(fields === undefined ? {} : { fields }) });

  if (config.auth.disabled)
    warn('authentication is disabled: every request has the role of an administrator');
  const { addr, tls } = config.server;
  const host = toUrlHost(parseListenAddress(addr));
  if (!config.auth.disabled && !isLoopbackHost(host) && !tls.enabled && tls.certFile === undefined)
    warn('plain HTTP on an address that other machines reach: passwords and tokens are sent unencrypted', {
      address: addr,
    });
  if (config.state.root === undefined) {
    warn(
      'no state.root: tasks are not resumed, downloads are not resumable, and accounts, tokens, the interval override, trust keys by URL, file sets and media import are not available',
    );
  }
  if (config.preflight.disabled) warn('the pre-flight gate is disabled: refusals are reported only');
  if (config.registries.allowlist === undefined) {
    warn('no registry allowlist is declared: every host may be contacted');
  }
  for (const [host, base] of Object.entries(config.registries.substitutions)) {
    info('source substitution', { source: host, effective: base });
  }
  if (config.registries.insecure.length > 0) {
    warn('registries reached over plain HTTP', { hosts: config.registries.insecure });
  }
  for (const { name, repositories, allowUnsigned, roots } of config.trust.scopes) {
    warn('relaxed trust scope', { trustScope: name, repositories, allowUnsigned, roots });
  }
  for (const { name, anonymous } of config.files.filesets) {
    if (anonymous) warn('FileSet readable without credentials', { fileset: name });
  }
  for (const { name, anonymous } of config.files.views) {
    if (anonymous) warn('view readable without credentials', { view: name });
  }
  if (config.mode === 'passthrough') {
    if (config.destination.registry === undefined) info('no destination: nothing is promoted');
  }
  if (config.retriever.source === undefined) info('no retriever.source: nothing can be synchronized');
  if (config.storage.occupancyThreshold === undefined) info('store occupancy is unmonitored');
  return announcements;
}
