import { toUnknownName } from '../catalog/unknown-name.ts';
import type { PulledReference } from '../client/model.ts';
import {
  type HostRedirection,
  type RegistryBase,
  selectHosts,
  toHostsFiles,
  toRegistriesYaml,
} from '../client/node-mirrors.ts';
import type { Config } from '../config/model.ts';
import type { RecipeIngredientRecord, RecipeMapping } from '../contract/recipe.ts';
import { parseRepositoryReference, type RepositoryReference } from '../oci/reference.ts';
import { destinationRepository, hostSegment, localRepository } from '../recipe/relocation.ts';
import { isInsecureHost } from '../remote/transport/policy.ts';
import { isSvcError } from '../text/error.ts';
import type { ListedRecipe } from './list-recipes.ts';

interface MappedIngredient extends RecipeIngredientRecord {
  /** Nominal reference `<host>/<path>:<tag>`. */
  readonly nominal: string;
  /** Reference for nodes, `<host>/<path>:<tag>`; absent when the registry does not allow such a name. */
  readonly relocated?: string;
}

export interface MappingRequest {
  readonly recipe: string;
  /** Scheme and host under which the client reached this instance. */
  readonly reached: RegistryBase;
  /** Scheme and host under which nodes reach the registry. Default: as configured, or as reached. */
  readonly registry?: RegistryBase | undefined;
}

/** Settings that decide where nodes pull from. */
interface PlaceSettings {
  readonly storage: Pick<Config['storage'], 'basePrefix'>;
  readonly destination: Config['destination'];
  readonly registries: Pick<Config['registries'], 'insecure'>;
}

/** The registry that nodes pull from, and its naming of content. */
interface Place {
  readonly base: RegistryBase;
  readonly prefix: string | undefined;
  /** @throws SVC-DST-001 when the registry does not allow the name */
  relocate(nominal: RepositoryReference): string;
}

/** The destination, if one is configured, otherwise this instance. */
function toPlace(
  { storage, destination, registries }: PlaceSettings,
  { reached, registry }: Pick<MappingRequest, 'reached' | 'registry'>,
): Place {
  const host = destination.registry ?? '';
  if (host === '')
    return {
      base: registry ?? reached,
      prefix: storage.basePrefix,
      relocate: (nominal) => localRepository(nominal, storage.basePrefix),
    };
  const scheme = isInsecureHost(host, registries.insecure) ? 'http' : 'https';
  return {
    base: registry ?? { scheme, host },
    prefix: destination.basePath,
    relocate: (nominal) => destinationRepository(destination, nominal),
  };
}

function mapIngredient({ base, relocate }: Place, ingredient: RecipeIngredientRecord): MappedIngredient {
  const { ref, tag } = ingredient;
  const nominal = `${ref}:${tag}`;
  try {
    return {
      ...ingredient,
      nominal,
      relocated: `${base.host}/${relocate(parseRepositoryReference(ref))}:${tag}`,
    };
  } catch (error) {
    if (isSvcError(error) && error.code === 'SVC-DST-001') return { ...ingredient, nominal };
    throw error;
  }
}

/** The redirection of every host that an ingredient names. */
function toRedirections({ prefix }: Place, records: readonly ListedRecipe[]): readonly HostRedirection[] {
  const hosts = records.flatMap(({ ingredients }) =>
    ingredients.map(({ ref }) => parseRepositoryReference(ref).host),
  );
  return selectHosts(hosts).map((host) => {
    const segment = hostSegment(host);
    return { host, prefix: prefix ? `${prefix}/${segment}` : segment };
  });
}

/** Where clients pull the ingredients of some recipes, under their nominal references and under those of the registry. */
export interface ClientPlaces {
  readonly registry: RegistryBase;
  readonly redirections: readonly HostRedirection[];
  /** Each nominal reference once, sorted. */
  readonly references: readonly PulledReference[];
}

/** Maps the ingredients of some recipes, of any name, to their places for a client. */
export function toClientPlaces(
  config: PlaceSettings,
  records: readonly ListedRecipe[],
  request: Omit<MappingRequest, 'recipe'>,
): ClientPlaces {
  const place = toPlace(config, request);
  const references = new Map<string, PulledReference>();
  for (const { ingredients } of records)
    for (const ingredient of ingredients) {
      const { kind, digest } = ingredient;
      const { nominal, relocated } = mapIngredient(place, ingredient);
      // two recipes may pin one tag differently: the tag is the one that the registry has, so the digest names both
      references.set(`${nominal}@${digest}`, {
        kind,
        nominal,
        relocated,
        digest,
      });
    }
  return {
    registry: place.base,
    redirections: toRedirections(place, records),
    references: [...references].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, reference]) => reference),
  };
}

/**
 * Maps each version of a recipe to the locations of its ingredients, and renders mirror configuration files
 * for nodes.
 *
 * @param records versions of the recipe, of any cookbook
 * @throws SVC-REG-005 when there are none
 */
export function mapRecipe(
  config: PlaceSettings,
  records: readonly ListedRecipe[],
  request: MappingRequest,
): RecipeMapping {
  const { recipe } = request;
  if (records.length === 0) throw toUnknownName(recipe);
  const place = toPlace(config, request);
  const redirections = toRedirections(place, records);
  return {
    recipe,
    versions: records.map((record) => ({
      ...record,
      ingredients: record.ingredients.map((ingredient) => mapIngredient(place, ingredient)),
    })),
    mirrors: {
      registriesYaml: toRegistriesYaml(place.base, redirections),
      hostsToml: toHostsFiles(place.base, redirections),
    },
  };
}
