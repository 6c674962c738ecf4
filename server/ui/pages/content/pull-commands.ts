import type { ContentKind } from '../../../../src/oci/kind.ts';
import type { RegistryBase } from '../../../../src/recipe/node-mirrors.ts';

/** Client programs in the order in which they are shown, by what they can do with a kind of content. */
const clients = {
  ContainerImage: ['docker', 'podman', 'crane', 'skopeo', 'oras'],
  FileSet: ['docker', 'podman', 'crane', 'skopeo', 'oras'],
  HelmChart: ['helm', 'oras', 'crane', 'skopeo'],
  OCIArtifact: ['oras', 'crane', 'skopeo'],
  Recipe: ['oras', 'crane', 'skopeo'],
} as const satisfies Record<ContentKind, readonly string[]>;

export type Client = 'docker' | 'podman' | 'crane' | 'skopeo' | 'helm' | 'oras';

export interface PullCommand {
  readonly client: Client;
  readonly command: string;
}

export interface PullTarget {
  readonly base: RegistryBase;
  readonly repository: string;
  readonly tag: string;
  readonly digest: string;
  readonly kind: ContentKind;
  readonly by: 'digest' | 'tag';
}

/** What a client needs to be told where the registry has no TLS. */
const plainFlags: Readonly<Record<Client, string>> = {
  docker: '',
  podman: ' --tls-verify=false',
  crane: ' --insecure',
  skopeo: ' --src-tls-verify=false',
  helm: ' --plain-http',
  oras: ' --plain-http',
};

/** Lists the commands that pull one version, one for each client that handles its kind. */
export function toPullCommands(target: PullTarget): readonly PullCommand[] {
  const { base, repository, tag, digest, kind, by } = target;
  const name = `${base.host}/${repository}`;
  const full = by === 'digest' ? `${name}@${digest}` : `${name}:${tag}`;
  const last = repository.slice(repository.lastIndexOf('/') + 1);
  const isImage = kind === 'ContainerImage' || kind === 'FileSet';
  const commands: Readonly<Record<Client, (flag: string) => string>> = {
    docker: () => `docker pull ${full}`,
    podman: (flag) => `podman pull${flag} ${full}`,
    crane: (flag) => `crane pull${flag} --format=oci ${full} ${last}`,
    skopeo: (flag) => `skopeo copy --all --preserve-digests${flag} docker://${full} oci:${last}:${tag}`,
    // helm writes the + of a version as _ in the tag
    helm: (flag) =>
      by === 'digest'
        ? `helm pull${flag} oci://${full}`
        : `helm pull${flag} oci://${name} --version ${tag.replaceAll('_', '+')}`,
    oras: (flag) =>
      isImage
        ? `oras copy${flag === '' ? '' : ' --from-plain-http'} --to-oci-layout ${full} ${last}:${tag}`
        : `oras pull${flag} ${full}`,
  };
  return clients[kind].map((client) => ({
    client,
    command: commands[client](base.scheme === 'http' ? plainFlags[client] : ''),
  }));
}

/** How each client signs in. The password is asked for. */
export function toLoginCommand(client: Client, { scheme, host }: RegistryBase): string {
  const isPlain = scheme === 'http';
  switch (client) {
    case 'crane':
      return `crane auth login ${host} -u NAME -p PASSWORD`;
    case 'helm':
      return `helm registry login${isPlain ? ' --plain-http' : ''} ${host}`;
    case 'oras':
      return `oras login${isPlain ? ' --plain-http' : ''} ${host}`;
    case 'docker':
      return `docker login ${host}`;
    default:
      return `${client} login${isPlain ? ' --tls-verify=false' : ''} ${host}`;
  }
}

/** Where each client looks for the certificate of a registry, given as `svc.pem`. */
export function toTrustCommand(client: Client, host: string): string {
  switch (client) {
    case 'docker':
      return `sudo install -D -m 644 svc.pem /etc/docker/certs.d/${host}/ca.crt`;
    case 'podman':
    case 'skopeo':
      return `sudo install -D -m 644 svc.pem /etc/containers/certs.d/${host}/ca.crt`;
    default:
      // programs of Go read it on Linux in place of the authorities of the system
      return 'export SSL_CERT_FILE="$PWD/svc.pem"';
  }
}

/** Groups clients that take the same command, in order: `podman, skopeo`. */
export function groupByCommand(
  clients: readonly Client[],
  toCommand: (client: Client) => string,
): readonly (readonly [clients: string, command: string])[] {
  const groups = new Map<string, Client[]>();
  for (const client of clients) {
    const command = toCommand(client);
    groups.set(command, [...(groups.get(command) ?? []), client]);
  }
  return [...groups].map(([command, names]) => [names.join(', '), command]);
}
