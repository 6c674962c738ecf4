import type { RegistryBase } from '../recipe/node-mirrors.ts';
import type { ViewParts } from './parts.ts';
import { listRecipes, listVersions, parseRegistry } from './recipes.ts';
import { requireOpen } from './require-open.ts';

/** Clients whose configuration is generated. */
export const clientKinds = ['containerd', 'k3s'] as const;
export type ClientKind = (typeof clientKinds)[number];

/** Configuration files with which a client finds the content under its nominal references. */
export interface ClientConfig {
  readonly client: ClientKind;
  /** Folder that the client reads. */
  readonly directory: string;
  /** Files below that folder, sorted by path. The same content gives the same bytes. */
  readonly files: readonly { readonly path: string; readonly content: string }[];
}

export interface ClientConfigQuery {
  readonly client: ClientKind;
  /** Names of recipes; empty: every recipe of the store. */
  readonly recipes: readonly string[];
  /** Address of this instance, as the request reached it. */
  readonly reached: RegistryBase;
  /** `[http://|https://]host[:port]` by which nodes reach the registry. Default: the destination, else `reached`. */
  readonly registry?: string | undefined;
}

const heading = (client: ClientKind): string =>
  `# Made by svc client config ${client}. The same store gives the same file.\n`;

/**
 * Shows the configuration of a client for the hosts of the ingredients.
 *
 * @throws SVC-MED-030 or SVC-MED-032 while the gate is closed; SVC-REG-005 for a recipe that the store has not;
 *   SVC-VAL-001 for a wrong `registry`
 */
export async function showClientConfig(
  parts: Pick<ViewParts, 'store' | 'operations' | 'gate'>,
  { client, recipes, reached, registry }: ClientConfigQuery,
): Promise<ClientConfig> {
  requireOpen(parts);
  const names = recipes.length > 0 ? recipes : (await listRecipes(parts)).map(({ name }) => name);
  const records = await Promise.all([...new Set(names)].map((name) => listVersions(parts, name)));
  const base = registry === undefined ? undefined : parseRegistry(registry, reached.scheme);
  const all = records.flat();
  const mirrors =
    all.length === 0
      ? undefined
      : parts.operations.mapRecipe(all, { recipe: names[0]!, reached, registry: base }).mirrors;
  if (client === 'k3s') {
    const content = mirrors?.registriesYaml;
    const files =
      content === undefined ? [] : [{ path: 'registries.yaml', content: heading(client) + content }];
    return { client, directory: '/etc/rancher/k3s', files };
  }
  const files = (mirrors?.hostsToml ?? []).map(({ directory, content }) => ({
    path: `${directory}/hosts.toml`,
    content: heading(client) + content,
  }));
  return { client, directory: '/etc/containerd/certs.d', files };
}
