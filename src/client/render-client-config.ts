import type { ClientConfig, ClientFile } from '../contract/recipe.ts';
import { toHelmFiles } from './chart-repositories.ts';
import { toDockerPulls } from './docker-pulls.ts';
import { toMirrorSets, toRegistriesConf } from './image-mirrors.ts';
import type { ClientFacts, ClientKind } from './model.ts';
import { toEndpointYaml, toHostsFiles, toRegistriesYaml } from './node-mirrors.ts';
import { toAptFiles, toDnfFiles } from './package-sources.ts';
import { named, requireBase, requireHost, requireName, requireRepository } from './require-plain.ts';

/** The folder that each client reads. */
export const clientDirectories: Readonly<Record<ClientKind, string>> = {
  containerd: '/etc/containerd/certs.d',
  k3s: '/etc/rancher/k3s',
  rke2: '/etc/rancher/rke2',
  crio: '/etc/containers/registries.conf.d',
  podman: '/etc/containers/registries.conf.d',
  docker: '/usr/local/sbin',
  openshift: '/etc/svc',
  helm: '~/.config/helm',
  apt: '/etc/apt',
  dnf: '/etc/yum.repos.d',
};

/** First words of every generated file. */
export const madeBy = '# Made by svc client config ';

function toHeading(client: ClientKind, { zone, revision }: ClientFacts): string {
  const from = zone === undefined ? '' : `zone ${requireName(zone, named.zone)}, `;
  return `${madeBy}${client}: ${from}revision ${revision}. The same content gives the same file.\n`;
}

/** Redirections and addresses as values that every format writes as they are. @throws SVC-VAL-001 */
function requireSafe({ registry, redirections }: ClientFacts): void {
  requireBase(registry);
  for (const { host, prefix } of redirections) {
    requireHost(host);
    requireRepository(prefix);
  }
}

function toFiles(client: ClientKind, facts: ClientFacts): readonly ClientFile[] {
  const { registry, redirections, references } = facts;
  switch (client) {
    case 'helm':
      return toHelmFiles(facts);
    case 'apt':
      return toAptFiles(facts);
    case 'dnf':
      return toDnfFiles(facts);
  }
  if (redirections.length === 0) return [];
  switch (client) {
    case 'containerd':
      return toHostsFiles(registry, redirections).map(({ directory, content }) => ({
        path: `${directory}/hosts.toml`,
        content,
      }));
    case 'k3s':
    case 'rke2':
      return [
        { path: 'registries.yaml', content: toRegistriesYaml(registry, redirections) },
        { path: 'config.yaml.d/svc.yaml', content: toEndpointYaml() },
      ];
    case 'crio':
    case 'podman':
      return [{ path: 'svc.conf', content: toRegistriesConf(registry, redirections) }];
    case 'openshift':
      return [{ path: 'image-mirrors.yaml', content: toMirrorSets(registry, redirections) }];
    case 'docker':
      return [{ path: 'svc-docker-pull', content: toDockerPulls(references) }];
  }
}

/**
 * Makes the configuration files of a client. The same facts give the same bytes.
 *
 * @throws SVC-VAL-001 or SVC-REG-001 for a name that the format of a file would read as more than a name
 */
export function renderClientConfig(client: ClientKind, facts: ClientFacts): ClientConfig {
  requireSafe(facts);
  const heading = toHeading(client, facts);
  const { zone, revision } = facts;
  return {
    client,
    directory: clientDirectories[client],
    ...(zone === undefined ? {} : { zone }),
    revision,
    files: [...toFiles(client, facts)]
      .map((file) => ({ ...file, content: heading + file.content }))
      .sort((a, b) => (a.path < b.path ? -1 : 1)),
  };
}

/**
 * Formats a configuration as one text. One file is its own text, for a redirection; of several each has its path in front.
 */
export function toConfigText({ directory, files }: Pick<ClientConfig, 'directory' | 'files'>): string {
  if (files.length === 1) return files[0]!.content;
  return files.map(({ path, content }) => `# ${directory}/${path}\n${content}`).join('\n');
}
