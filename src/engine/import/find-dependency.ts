import type { Digest } from '../../base/digest.ts';
import { mapInTurns } from '../../base/pacer.ts';
import { takeVerified } from '../../base/stream/resumed-stream.ts';
import { selectChartLayer, toChartTag } from '../../chart/chart-artifact.ts';
import { parseChartRepository } from '../../chart/chart-reference.ts';
import { selectDependency } from '../../chart/repository-index.ts';
import type { ChartDependency } from '../../contract/content.ts';
import type { Descriptor } from '../../oci/descriptor.ts';
import type { CallOptions } from '../../oci/ports.ts';
import { isAttachmentTag, parseRepositoryReference, withoutCredentials } from '../../oci/reference.ts';
import type { Hop, RemoteRepository } from '../../remote/model.ts';
import { svcError } from '../../text/error.ts';
import { fr } from '../../text/language.ts';
import { type Rule, rule } from '../../text/rule.ts';
import { chartLimit, findChart, type RepositoryAccess, streamChart } from './chart-repository.ts';
import type { ImportCollaborators } from './model.ts';
import { readRoot } from './read-root.ts';

/** The archive of a dependency, found but not yet fetched. */
export interface FoundDependency {
  readonly name: string;
  readonly version: string;
  /** `<repository>/<chart>:<version>` */
  readonly reference: string;
  /** Fetches the archive and verifies it against the digest that its source lists. */
  fetch(
    take: (bytes: AsyncIterable<Buffer>) => Promise<{ readonly digest: Digest; readonly size: number }>,
  ): Promise<{
    readonly digest: Digest;
    readonly size: number;
  }>;
}

const registryScheme = 'oci://';

async function findInRegistry(
  dependency: ChartDependency,
  repository: string,
  hop: Hop,
  { registry, transport, signal }: Pick<ImportCollaborators, 'registry' | 'transport' | 'signal'>,
): Promise<FoundDependency> {
  const call: CallOptions = { signal };
  const { name } = dependency;
  const place = parseRepositoryReference(
    `${repository.slice(registryScheme.length).replace(/\/+$/, '')}/${name}`,
  );
  const remote = registry.repository(place);
  // the operator chose the target of a substitution, so the hop is not checked
  if (!remote.substituted) await transport.checkHop(transport.toUrl(place.host, '/v2/'), hop);
  const listed = await mapInTurns(await remote.listTags(call), (tag) =>
    isAttachmentTag(tag) ? undefined : { version: tag.replace('_', '+') },
  );
  const at = `${place.host}/${place.repository}`;
  const { version } = await selectDependency(listed, dependency.version, at);
  const reference = { ...place, tag: toChartTag(version) };
  const root = await readRoot(remote, reference, call);
  const layer = selectChartLayer(root.content.descriptor, root.manifest, `${at}:${reference.tag}`);
  return {
    name,
    version,
    reference: `${at}:${reference.tag}`,
    fetch: (take) => takeLayer(remote, layer, take, call),
  };
}

/**
 * Takes the archive of a chart and verifies it.
 *
 * @param take receives the bytes; called again from the start when the transfer broke off
 * @throws SVC-SIG-002, SVC-VAL-002 beyond 256 MiB, errors of the registry and of `take`
 */
export async function takeLayer(
  remote: RemoteRepository,
  layer: Descriptor,
  take: Parameters<FoundDependency['fetch']>[0],
  call: CallOptions,
): ReturnType<FoundDependency['fetch']> {
  const { digest, size } = layer;
  if (size > chartLimit) throw svcError('SVC-VAL-002', { limit: chartLimit, file: digest });
  return takeVerified(
    () => remote.fetchBlob(layer, call),
    async (stream) => {
      const taken = await take(stream);
      if (taken.digest === digest) return taken;
      throw svcError('SVC-SIG-002', { reference: digest, expected: digest, actual: taken.digest });
    },
  );
}

/**
 * Finds the archive of a dependency at the repository that the chart names: a classic repository, or a
 * registry.
 *
 * @param chart names the chart that declares the dependency
 * @param from address of the chart; it is the origin of the hop to the repository
 * @throws SVC-CHT-001 for a repository of another kind, errors of the requests
 */
export async function findDependency(
  dependency: ChartDependency,
  chart: string,
  from: URL,
  collaborators: Omit<ImportCollaborators, 'store'> & { readonly retries: number },
): Promise<FoundDependency> {
  const { name, repository = '' } = dependency;
  const hop: Hop = { kind: 'chart URL', from };
  if (repository.startsWith(registryScheme))
    return findInRegistry(dependency, repository, hop, collaborators);
  if (!repository.startsWith('https://'))
    throw svcError('SVC-CHT-001', { chart, dependency: name }, { detail: toRule(repository) });
  const access: RepositoryAccess = { ...collaborators, hop };
  const base = parseChartRepository(repository);
  const { version } = dependency;
  const nominal = { host: base.host, repository: name };
  const reference = { base, chart: name, nominal, ...(version === undefined ? {} : { version }) };
  const found = await findChart(reference, access, selectDependency);
  return {
    name,
    version: found.version,
    reference: found.reference,
    fetch: (take) => streamChart(found, access, take),
  };
}

/** Why a dependency is not fetched from the repository that its chart names. */
function toRule(repository: string): Rule {
  if (repository === '')
    return rule(['the chart names no repository of it', fr`le chart n’en nomme pas le dépôt`]);
  const shown = withoutCredentials(repository).slice(0, 200);
  return repository.startsWith('http://')
    ? rule(
        [
          'its repository ({shown}) has an http URL, and a chart repository is reached over https only, also where registries.insecure has the host',
          fr`son dépôt ({shown}) a une URL http, et un dépôt de charts n’est joint qu’en https, même si registries.insecure contient l’hôte`,
        ],
        { shown },
      )
    : rule(
        [
          'its repository ({shown}) is not an https or oci URL',
          fr`son dépôt ({shown}) n’est pas une URL https ou oci`,
        ],
        { shown },
      );
}
