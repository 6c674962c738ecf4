import { openFreshness } from '../../engine/medium/freshness.ts';
import type { Destination } from '../../engine/promotion/model.ts';
import { readRetriever } from '../../engine/sync/read-retriever.ts';
import {
  type SurveyedRecipe,
  surveyZone,
  type UnfinishedRecipe,
  type ZoneSurvey,
} from '../../engine/zone/survey.ts';
import type { RepositoryReference } from '../../oci/reference.ts';
import { isSvcError } from '../../text/error.ts';
import type { Context } from '../context.ts';

interface SurveyInput {
  readonly zone: string;
  readonly destination: Destination;
  /** Names of recipes beyond those that the zone knows. */
  readonly names?: Iterable<string> | undefined;
  /** Reads and hashes every blob. Default false. */
  readonly deep?: boolean | undefined;
  /** Recipes that an import could not push just now. Default: none. */
  readonly unfinished?: readonly UnfinishedRecipe[] | undefined;
  readonly onRecipe?: ((recipe: SurveyedRecipe) => void) | undefined;
  readonly signal?: AbortSignal | undefined;
}

/**
 * Reads the recipes of the registry of a zone. The names of its recipes come from the record of the imports, from the
 * Retriever, if one is configured, and from the list of repositories, if the registry offers one.
 *
 * @throws errors of the registry as a whole, SVC-STO-001 for an unreadable record of the imports
 */
export async function surveyDestination(context: Context, input: SurveyInput): Promise<ZoneSurvey> {
  const { registry, policy } = context;
  const { destination, deep, unfinished, onRecipe, signal } = input;
  const cookbooks = await readCookbooks(context, signal);
  const names = new Set([
    ...(input.names ?? []),
    ...cookbooks.keys(),
    ...(await listImported(context, input.zone)),
    ...(await listPublished(context, destination, signal)),
  ]);
  const cookbookOf = (name: string) => cookbooks.get(name);
  return surveyZone({ registry, policy, destination, names, cookbookOf, deep, unfinished, onRecipe, signal });
}

async function listImported({ config }: Context, zone: string): Promise<readonly string[]> {
  if (config.state.root === undefined) return [];
  const freshness = openFreshness(config.state.root);
  const record = await freshness.get(zone);
  const { recipes } = await freshness.landings.get(zone);
  return Object.keys({ ...record?.recipes, ...recipes });
}

/** Names below the cookbook, where the registry lists its repositories. */
async function listPublished(
  { registry }: Context,
  { registry: host, cookbook }: Destination,
  signal: AbortSignal | undefined,
): Promise<readonly string[]> {
  const repositories = (await registry.listRepositories(host, { signal })) ?? [];
  const prefix = `${cookbook}/`;
  return repositories
    .filter((repository) => repository.startsWith(prefix))
    .map((repository) => repository.slice(prefix.length))
    .filter((name) => !name.includes('/'));
}

/** Nominal cookbooks of the Retriever by the name of the recipe. A Retriever that cannot be read is reported, and left out. */
async function readCookbooks(
  { config, registry, transport, credentials, report }: Context,
  signal: AbortSignal | undefined,
): Promise<ReadonlyMap<string, RepositoryReference>> {
  const { source } = config.retriever;
  if (source === undefined) return new Map();
  const { retries } = config.sync;
  try {
    const options = { registry, transport, credentials, retries, report, signal };
    const { recipes } = await readRetriever(source, options);
    return new Map(recipes.map(({ name, cookbook }) => [name, cookbook]));
  } catch (error) {
    signal?.throwIfAborted();
    if (!isSvcError(error)) throw error;
    report.log('warn', 'The Retriever cannot be read: its recipes are looked for by other names only', {
      error,
    });
    return new Map();
  }
}
