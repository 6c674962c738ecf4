import { isIPv4 } from 'node:net';
import { matchGlob } from '../../base/glob.ts';
import { canonicalHost } from '../../oci/reference.ts';

const dockerNames = ['docker.io', 'index.docker.io', 'registry-1.docker.io'];

function split(host: string): { readonly name: string; readonly port: string } {
  const colon = host.startsWith('[') ? host.indexOf(':', host.indexOf(']')) : host.lastIndexOf(':');
  return colon < 0 ? { name: host, port: '' } : { name: host.slice(0, colon), port: host.slice(colon + 1) };
}

function matches(pattern: string, host: string): boolean {
  if (pattern.includes('/')) return false;
  const wanted = split(pattern);
  const actual = split(host);
  if (wanted.port !== actual.port) return false;
  if (isIPv4(actual.name) || actual.name.startsWith('[')) return wanted.name === actual.name;
  return matchGlob(wanted.name, actual.name, '.');
}

/**
 * Whether the allowlist allows a host (`name[:port]`). `*` matches within a DNS label, `**` across labels; a port must
 * be written exactly, and addresses match literally. The names of Docker Hub's registry are one host.
 *
 * @param patterns absent: every host is allowed, empty: none
 */
export function isAllowedHost(host: string, patterns: readonly string[] | undefined): boolean {
  if (patterns === undefined) return true;
  const names = canonicalHost(host) === 'docker.io' ? dockerNames : [host.toLowerCase()];
  return patterns.some((pattern) => names.some((name) => matches(pattern.toLowerCase(), name)));
}
