import type { HostsFile } from '../contract/recipe.ts';
import { canonicalHost } from '../oci/reference.ts';

/** Address at which nodes reach the registry with the relocated content. */
export interface RegistryBase {
  readonly scheme: 'http' | 'https';
  /** `host[:port]` */
  readonly host: string;
}

/** Reads the address of a registry from the URL of an instance, which was validated. */
export function toRegistryBase(url: string): RegistryBase {
  const { protocol, host } = new URL(url);
  return { scheme: protocol === 'https:' ? 'https' : 'http', host };
}

/** Redirection of one nominal host: the prefix of the nominal path in the relocated name. */
export interface HostRedirection {
  /** Canonical nominal host, with its port if it has one. */
  readonly host: string;
  /** `[base/]host[_port]` */
  readonly prefix: string;
}

/** Quotes a name or URL; these have only characters that YAML, TOML and JSON write alike. */
const quote = (text: string): string => JSON.stringify(text);

/**
 * Formats `registries.yaml` of K3s and RKE2. Their containerd matches a pattern against the repository of the reference,
 * without the host, and requests the rewritten name from the endpoint. Each host has one pattern, as the order of several
 * matching patterns is not kept.
 */
export function toRegistriesYaml(base: RegistryBase, redirections: readonly HostRedirection[]): string {
  if (redirections.length === 0) return 'mirrors: {}\n';
  const lines = redirections.flatMap(({ host, prefix }) => [
    `  ${quote(host)}:`,
    '    endpoint:',
    `      - ${quote(`${base.scheme}://${base.host}`)}`,
    '    rewrite:',
    `      ${quote('^(.*)$')}: ${quote(`${prefix}/$1`)}`,
  ]);
  return `${['mirrors:', ...lines].join('\n')}\n`;
}

/**
 * Formats a file of `config.yaml.d` of K3s and RKE2. After the endpoints of `registries.yaml` their containerd tries the
 * origin itself, with the nominal name, unless the node runs with this setting. It holds for the hosts that
 * `registries.yaml` names, and is read when the node starts.
 */
export function toEndpointYaml(): string {
  return [
    '# The node asks no origin for content that the registry of the zone does not have. Known to K3s and RKE2 since',
    '# v1.26.13, v1.27.10, v1.28.6 and v1.29.1.',
    'disable-default-registry-endpoint: true',
    '',
  ].join('\n');
}

/**
 * Formats containerd's `hosts.toml`, one for each nominal host. Plain containerd does not rewrite names. With
 * `override_path` it appends the nominal path to the path of the URL, which may be the prefix of a repository name.
 *
 * The same address is given twice. As `server` it replaces the origin, which containerd would otherwise request when the
 * mirror answers that content is absent. The `host` table is needed because a file without one counts as unreadable, and
 * containerd then requests the origin too.
 */
export function toHostsFiles(base: RegistryBase, redirections: readonly HostRedirection[]): HostsFile[] {
  return redirections.map(({ host, prefix }) => {
    const url = quote(`${base.scheme}://${base.host}/v2/${prefix}`);
    const settings = ['capabilities = ["pull", "resolve"]', 'override_path = true'];
    // the reader of containerd 1 takes the bracket of an IPv6 literal for the end of a table's name
    const table = url.includes(']')
      ? settings.map((line) => `host.${url}.${line}`)
      : ['', `[host.${url}]`, ...settings.map((line) => `  ${line}`)];
    const lines = [`server = ${url}`, ...settings, ...table];
    return { host, directory: toHostFolder(host), content: `${lines.join('\n')}\n` };
  });
}

/** Returns the folder that containerd tries first: the colon before a port is not valid in file names everywhere. */
function toHostFolder(host: string): string {
  const colon = host.lastIndexOf(':');
  return colon < 0 ? host : `${host.slice(0, colon)}_${host.slice(colon + 1)}_`;
}

/** Returns the canonical hosts of some references, each once, sorted. */
export function selectHosts(hosts: Iterable<string>): string[] {
  return [...new Set([...hosts].map(canonicalHost))].sort();
}
