import { canonicalHost } from '../oci/reference.ts';

/** Where nodes reach the registry that has the relocated content. */
export interface RegistryBase {
  readonly scheme: 'http' | 'https';
  /** `host[:port]` */
  readonly host: string;
}

/** The redirection of one nominal host: what stands before the nominal path in the relocated name. */
export interface HostRedirection {
  /** Canonical nominal host, with its port where it has one. */
  readonly host: string;
  /** `[base/]host[_port]` */
  readonly prefix: string;
}

/** Names and URLs have only characters that YAML, TOML and JSON write alike. */
const quote = (text: string): string => JSON.stringify(text);

/** One `hosts.toml`, and its folder below containerd's `config_path`. */
export interface HostsFile {
  readonly host: string;
  readonly directory: string;
  readonly content: string;
}

/**
 * `registries.yaml` of K3s and RKE2. Their containerd matches a pattern against the repository of the reference, without
 * the host, and asks the endpoint for what comes out. One pattern a host: of several that match, the order is not kept.
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
 * `hosts.toml` of containerd, one for each nominal host. Plain containerd rewrites no names; but with `override_path`
 * it appends the nominal path to whatever path the URL has, and that may be the beginning of a repository name.
 *
 * The same address stands twice: as `server` it takes the place of the origin, which would be asked otherwise when the
 * mirror answers that something is not there; and a file without a `host` table counts as unreadable, whereupon the
 * origin is asked too.
 */
export function toHostsFiles(base: RegistryBase, redirections: readonly HostRedirection[]): HostsFile[] {
  return redirections.map(({ host, prefix }) => {
    const url = quote(`${base.scheme}://${base.host}/v2/${prefix}`);
    const settings = ['capabilities = ["pull", "resolve"]', 'override_path = true'];
    const lines = [
      `server = ${url}`,
      ...settings,
      '',
      `[host.${url}]`,
      ...settings.map((line) => `  ${line}`),
    ];
    return { host, directory: toHostFolder(host), content: `${lines.join('\n')}\n` };
  });
}

/** The folder that containerd looks into first: the colon of a port is no letter of a file name everywhere. */
function toHostFolder(host: string): string {
  const colon = host.lastIndexOf(':');
  return colon < 0 ? host : `${host.slice(0, colon)}_${host.slice(colon + 1)}_`;
}

/** The canonical hosts of some references, each once, sorted. */
export function selectHosts(hosts: Iterable<string>): string[] {
  return [...new Set([...hosts].map(canonicalHost))].sort();
}
