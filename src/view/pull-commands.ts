import type { RegistryBase } from '../client/node-mirrors.ts';
import type { Tag } from '../contract/content.ts';
import type { ContentKind } from '../oci/kind.ts';
import { formatPlatform } from '../oci/platform.ts';

/** Client programs for each kind of content, in the order in which they are shown. */
const clients = {
  ContainerImage: ['docker', 'podman', 'crane', 'skopeo', 'oras'],
  // no container starts from a folder
  FileSet: ['crane', 'skopeo', 'oras'],
  HelmChart: ['helm', 'oras', 'crane', 'skopeo'],
  OCIArtifact: ['oras', 'crane', 'skopeo'],
  Recipe: ['oras', 'crane', 'skopeo'],
} as const satisfies Record<ContentKind, readonly string[]>;

/** The clients of a kind; an unknown kind, from a newer instance, is an artifact. */
const selectClients = (kind: ContentKind): readonly Client[] =>
  clients[Object.hasOwn(clients, kind) ? kind : 'OCIArtifact'];

export type Client = 'docker' | 'podman' | 'crane' | 'skopeo' | 'helm' | 'oras';

export interface PullCommand {
  readonly client: Client;
  readonly command: string;
  /** The platform that the command is about; absent: all of them, or the one that the client chooses. */
  readonly platform?: string;
}

/** One platform that is carried of an image of which others are not. */
export interface CarriedPlatform {
  readonly platform: string;
  readonly digest: string;
  /** Like that of {@link PullTarget}. */
  readonly isDocker?: boolean;
}

export interface PullTarget {
  readonly base: RegistryBase;
  readonly repository: string;
  readonly tag: string;
  readonly digest: string;
  readonly kind: ContentKind;
  readonly by: 'digest' | 'tag';
  /**
   * The manifest has a Docker media type, which skopeo cannot write into an OCI layout unchanged. An OCI index with Docker
   * manifests is written unchanged.
   */
  readonly isDocker?: boolean;
  /** The platforms that are carried, where others of the image are not. */
  readonly carried?: readonly CarriedPlatform[];
}

/** Platforms of an image carried in part whose commands are listed: each takes one for every client. */
const mostCarried = 20;

const plainPlatform = /^[A-Za-z0-9][A-Za-z0-9._/-]{0,255}$/;

/** Selects the platforms that are here, of an image of which others are not; undefined when all are. */
export function selectCarried(platforms: Tag['platforms']): readonly CarriedPlatform[] | undefined {
  const here = platforms.filter(({ present }) => present);
  if (here.length === platforms.length) return undefined;
  // a manifest can name any text as a platform, and a shell reads the commands
  return here
    .filter((each) => plainPlatform.test(formatPlatform(each)))
    .map((each) => ({
      platform: formatPlatform(each),
      digest: each.digest,
      isDocker: isDockerType(each.mediaType),
    }));
}

const isDockerType = (mediaType = ''): boolean => mediaType.startsWith('application/vnd.docker.');

/** Selects the facts about a version that its pull commands need. */
export function toPullTarget(
  { repository, tag, digest, mediaType, kind, platforms }: Tag,
  base: RegistryBase,
  by: PullTarget['by'],
): PullTarget {
  const carried = selectCarried(platforms);
  const isDocker = isDockerType(mediaType);
  return { base, repository, tag, digest, kind, by, isDocker, carried };
}

/** Options that a client needs where the registry has no TLS. */
const plainFlags: Readonly<Record<Client, string>> = {
  docker: '',
  podman: ' --tls-verify=false',
  crane: ' --insecure',
  skopeo: ' --src-tls-verify=false',
  helm: ' --plain-http',
  oras: ' --plain-http',
};

/** Clients that take every platform of an image, and fail when one is not carried. The others choose one. */
const takesAll: ReadonlySet<Client> = new Set(['crane', 'skopeo', 'oras']);

interface Source extends PullTarget {
  /** The artifact, with its digest or tag. */
  readonly full: string;
  /** The name of the written file or tag. */
  readonly as: string;
  readonly client: Client;
}

function toCommand({ base, repository, tag, kind, by, isDocker, full, as, client }: Source): string {
  const flag = base.scheme === 'http' ? plainFlags[client] : '';
  const last = repository.slice(repository.lastIndexOf('/') + 1);
  const isImage = kind === 'ContainerImage' || kind === 'FileSet';
  switch (client) {
    case 'docker':
      return `docker pull ${full}`;
    case 'podman':
      return `podman pull${flag} ${full}`;
    case 'crane':
      return `crane pull${flag} --format=oci ${full} ${as === tag ? last : `${last}-${as}`}`;
    case 'skopeo':
      return `skopeo copy --all --preserve-digests${flag} docker://${full} ${isDocker ? `dir:${last}-${as}` : `oci:${last}:${as}`}`;
    case 'helm':
      // helm writes the + of a version as _ in the tag
      return by === 'digest'
        ? `helm pull${flag} oci://${full}`
        : `helm pull${flag} oci://${base.host}/${repository} --version ${tag.replaceAll('_', '+')}`;
    case 'oras':
      return isImage
        ? `oras copy${flag === '' ? '' : ' --from-plain-http'} --to-oci-layout ${full} ${last}:${as}`
        : `oras pull${flag} ${full}`;
  }
}

/**
 * Lists the commands that pull one version, one for each client that handles its kind. Of an image that is carried in
 * part, clients that take all platforms are given one command for each that is here, at most 20.
 */
export function toPullCommands(target: PullTarget): readonly PullCommand[] {
  const { base, repository, tag, digest, kind, by, carried } = target;
  const name = `${base.host}/${repository}`;
  const full = by === 'digest' ? `${name}@${digest}` : `${name}:${tag}`;
  return selectClients(kind).flatMap((client): readonly PullCommand[] => {
    if (carried === undefined || !takesAll.has(client))
      return [{ client, command: toCommand({ ...target, full, as: tag, client }) }];
    return carried.slice(0, mostCarried).map(({ platform, digest: child, isDocker = false }) => ({
      client,
      platform,
      command: toCommand({
        ...target,
        isDocker,
        full: `${name}@${child}`,
        as: `${tag}-${platform.replaceAll('/', '-')}`,
        client,
      }),
    }));
  });
}

/** Hints for users of the commands; the sentences are in `src/text/words/version.ts`. */
export type PullHint = 'partHint' | 'moreCarried' | 'plainHttp' | 'helmDigest';

/** Selects the hints for the commands that pull a version. */
export function selectPullHints(
  { base, by, carried }: Pick<PullTarget, 'base' | 'by' | 'carried'>,
  clients: readonly Client[],
): readonly PullHint[] {
  const applies: Readonly<Record<PullHint, boolean>> = {
    partHint: carried !== undefined,
    moreCarried:
      carried !== undefined && carried.length > mostCarried && clients.some((client) => takesAll.has(client)),
    plainHttp: base.scheme === 'http' && clients.includes('docker'),
    helmDigest: clients.includes('helm') && by === 'digest',
  };
  return (['partHint', 'moreCarried', 'plainHttp', 'helmDigest'] as const).filter((hint) => applies[hint]);
}

/** The user name of a sign-in with a token: any name will do. */
const tokenUser = 'token';

/**
 * How each client signs in: with a token from the file `token`. The command neither waits for a terminal nor leaves a
 * secret in the history of the shell.
 */
export function toLoginCommand(client: Client, { scheme, host }: RegistryBase, user = tokenUser): string {
  const isPlain = scheme === 'http';
  const rest = ` ${host} -u ${user} --password-stdin < token`;
  switch (client) {
    case 'crane':
      return `crane auth login${rest}`;
    case 'helm':
      return `helm registry login${isPlain ? ' --plain-http' : ''}${rest}`;
    case 'oras':
      return `oras login${isPlain ? ' --plain-http' : ''}${rest}`;
    case 'docker':
      return `docker login${rest}`;
    default:
      return `${client} login${isPlain ? ' --tls-verify=false' : ''}${rest}`;
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

/** The command that signs a client in. */
export interface LoginCommand {
  readonly client: Client;
  readonly command: string;
}

/** Lists the commands that sign in the clients of {@link toPullCommands}, one for each client. */
export function toLogins({ base, kind }: Pick<PullTarget, 'base' | 'kind'>): readonly LoginCommand[] {
  return selectClients(kind).map((client) => ({ client, command: toLoginCommand(client, base) }));
}
