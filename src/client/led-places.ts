import type { ClientConfig } from '../contract/recipe.ts';
import { isLoopbackHost } from '../oci/reference.ts';
import { fileClients } from './model.ts';
import type { RegistryBase } from './node-mirrors.ts';
import { readFacts } from './read-facts.ts';

/** Where the files of a client lead it. */
export interface LedPlaces {
  /** Hosts of the registry, with their ports. */
  readonly registry: readonly string[];
  /** Hosts of the instance, of which FileSets and views are read. */
  readonly instance: readonly string[];
}

/** Returns the addresses of the registry and of the instance that the files of a client name. */
export function selectNamed({ client, files }: Pick<ClientConfig, 'client' | 'files'>): {
  readonly registry?: RegistryBase;
  readonly instance?: RegistryBase;
} {
  const { registry, instance, redirections, views = [], filesets = [] } = readFacts(client, files);
  return {
    ...(redirections === undefined || registry === undefined ? {} : { registry }),
    ...(views.length + filesets.length === 0 || instance === undefined ? {} : { instance }),
  };
}

/** A host that files name for nodes, and that on each of them is the node itself. */
interface OwnHost {
  readonly host: string;
  readonly of: keyof LedPlaces;
}

/**
 * Lists the hosts that no node reaches, as they are names of its own machine, each once: the setting of the instance mends
 * one that is the registry too. An instance writes the address of its connection, which may be that of its own machine.
 *
 * @param named host of the registry that the operator named, which is right
 */
export function listOwnHosts(
  { registry, instance }: LedPlaces,
  named: string | undefined,
): readonly OwnHost[] {
  return [
    ...registry
      .filter((host) => host !== named && !instance.includes(host))
      .map((host) => ({ host, of: 'registry' as const })),
    ...instance.map((host) => ({ host, of: 'instance' as const })),
  ].filter(({ host }) => isLoopbackHost(new URL(`http://${host}`).hostname));
}

/** Lists the hosts that the files of a client lead it to, each once. */
export function listLedPlaces(config: Pick<ClientConfig, 'client' | 'files'>): LedPlaces {
  const { registry, instance } = selectNamed(config);
  const { references = [] } = readFacts(config.client, config.files);
  const pulled = references.flatMap(({ relocated }) => relocated?.slice(0, relocated.indexOf('/')) ?? []);
  // the files of helm name a registry in the references alone
  const mirror = registry === undefined || fileClients.has(config.client) ? [] : [registry.host];
  return {
    registry: [...new Set([...mirror, ...pulled])],
    instance: instance === undefined ? [] : [instance.host],
  };
}
