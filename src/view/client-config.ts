import { hashBytes } from '../base/digest.ts';
import { type ClientFacts, type ClientKind, clientKinds, fileClients } from '../client/model.ts';
import type { RegistryBase } from '../client/node-mirrors.ts';
import { clientDirectories, renderClientConfig } from '../client/render-client-config.ts';
import type { ClientConfig } from '../contract/recipe.ts';
import type { FilesetIndexes } from '../engine/fileset/served-model.ts';
import type { ListedRecipe } from '../operation/list-recipes.ts';
import { toClientPlaces } from '../operation/map-recipe.ts';
import { type ErrorRecord, isSvcError, toErrorRecord } from '../text/error.ts';
import type { ViewParts } from './parts.ts';
import { listRecipes, listVersions, parseRegistry } from './recipes.ts';
import { requireOpen } from './require-open.ts';

export interface ClientConfigQuery {
  readonly client: ClientKind;
  /** Names of recipes; empty: every recipe of the store. */
  readonly recipes: readonly string[];
  /** Address of this instance, as the request reached it. */
  readonly reached: RegistryBase;
  /** `[http://|https://]host[:port]` by which nodes reach the registry. Default: the destination, else `reached`. */
  readonly registry?: string | undefined;
}

/** Maximum time that a request waits for FileSets that are read for the first time, in milliseconds. */
const indexPatience = 20_000;

type Parts = Pick<ViewParts, 'store' | 'instance' | 'gate'>;

/**
 * Identifies the content behind a configuration. It does not depend on the time or the order in which the content came.
 */
function toRevision(records: readonly ListedRecipe[], filesets: readonly FilesetIndexes[]): string {
  const lines = [
    ...records.map(({ repository, tag, digest }) => `${repository}:${tag}@${digest}`),
    ...filesets.map(({ name, digest }) => `files/${name}@${digest}`),
  ];
  return hashBytes(Buffer.from([...new Set(lines)].sort().join('\n'))).slice('sha256:'.length, 19);
}

/** The FileSets of the named recipes, or all of them. */
async function selectFilesets(
  { instance }: Parts,
  { client, recipes }: ClientConfigQuery,
  records: readonly ListedRecipe[],
): Promise<readonly FilesetIndexes[]> {
  if (client !== 'apt' && client !== 'dnf') return [];
  const all = (await instance.filesets?.listIndexes(indexPatience)) ?? [];
  if (recipes.length === 0) return all;
  const brought = new Set(
    records.flatMap(({ ingredients }) => ingredients.map(({ repository }) => repository)),
  );
  return all.filter(({ repository }) => brought.has(repository));
}

/**
 * Shows the configuration of a client for the hosts of the ingredients, the FileSets and the views.
 *
 * @throws SVC-MED-030 or SVC-MED-032 while the gate is closed; SVC-REG-005 for a recipe that the store has not;
 *   SVC-VAL-001 for a wrong `registry`, or a name that a generated file cannot hold
 */
export async function showClientConfig(parts: Parts, query: ClientConfigQuery): Promise<ClientConfig> {
  return renderClientConfig(query.client, await readFacts(parts, query));
}

/**
 * Makes the configuration of a package manager for one FileSet; without files where that is no package repository.
 *
 * @param options `reached`: address of this instance, as the request reached it
 * @throws SVC-VAL-001 for a name that a generated file cannot hold
 */
export function toFilesetConfig(
  { instance }: Pick<ViewParts, 'instance'>,
  fileset: FilesetIndexes,
  { client, reached }: { readonly client: 'apt' | 'dnf'; readonly reached: RegistryBase },
): ClientConfig {
  const { zone } = instance.context.config;
  return renderClientConfig(client, {
    ...(zone === undefined ? {} : { zone }),
    revision: toRevision([], [fileset]),
    registry: reached,
    instance: reached,
    redirections: [],
    references: [],
    filesets: [fileset],
    views: [],
  });
}

async function readFacts(parts: Parts, query: ClientConfigQuery): Promise<ClientFacts> {
  requireOpen(parts);
  const { recipes, reached, registry } = query;
  const names = recipes.length > 0 ? recipes : (await listRecipes(parts)).map(({ name }) => name);
  const records = (await Promise.all([...new Set(names)].map((name) => listVersions(parts, name)))).flat();
  const base = registry === undefined ? undefined : parseRegistry(registry, reached.scheme);
  const filesets = await selectFilesets(parts, query, records);
  const { config } = parts.instance.context;
  const { zone } = config;
  return {
    ...(zone === undefined ? {} : { zone }),
    revision: toRevision(records, filesets),
    ...toClientPlaces(config, records, { reached, registry: base }),
    instance: reached,
    filesets,
    views: config.files.views,
  };
}

/** A client whose configuration can be made. */
export interface ListedClient extends Pick<ClientConfig, 'client' | 'directory' | 'revision'> {
  /** `registry`: it pulls from the registry; `instance`: it reads FileSets and views from this instance. */
  readonly reads: 'registry' | 'instance';
  /** Paths of the files below the folder; empty: there is nothing to configure. */
  readonly files: readonly string[];
  /** Why its files cannot be made, such as a name in a FileSet that no file can hold. */
  readonly error?: ErrorRecord;
}

/**
 * Lists the clients with the files that each would get. One whose files cannot be made says why.
 *
 * @throws SVC-MED-030 or SVC-MED-032 while the gate is closed, SVC-REG-005 for a recipe that the store has not, SVC-VAL-001
 *   for a wrong `registry`
 */
export async function listClients(
  parts: Parts,
  query: Omit<ClientConfigQuery, 'client'>,
): Promise<readonly ListedClient[]> {
  if (query.registry !== undefined) parseRegistry(query.registry, query.reached.scheme);
  // only package managers read FileSets
  const [shared, packages] = await Promise.all([
    readFacts(parts, { ...query, client: 'containerd' }),
    readFacts(parts, { ...query, client: 'apt' }),
  ]);
  return clientKinds.map((client): ListedClient => {
    const facts = client === 'apt' || client === 'dnf' ? packages : shared;
    const { revision } = facts;
    const reads = fileClients.has(client) ? 'instance' : 'registry';
    try {
      const { directory, files } = renderClientConfig(client, facts);
      return { client, directory, revision, reads, files: files.map(({ path }) => path) };
    } catch (error) {
      if (!isSvcError(error)) throw error;
      const directory = clientDirectories[client];
      return { client, directory, revision, reads, files: [], error: toErrorRecord(error) };
    }
  });
}
