import { isSvcError, svcError } from '../base/error.ts';
import type { RecipeIngredientRecord } from '../catalog/model.ts';
import type { Config } from '../config/model.ts';
import { parseRepositoryReference, type RepositoryReference } from '../oci/reference.ts';
import {
  type HostsFile,
  type RegistryBase,
  selectHosts,
  toHostsFiles,
  toRegistriesYaml,
} from '../recipe/node-mirrors.ts';
import { destinationRepository, hostSegment, localRepository } from '../recipe/relocation.ts';
import { isInsecureHost } from '../remote/transport/policy.ts';
import type { ListedRecipe, PublishedRecord } from './list-recipes.ts';

interface MappedIngredient extends RecipeIngredientRecord {
  /** As the recipe names it, `<host>/<path>:<tag>`. */
  readonly nominal: string;
  /** Where nodes find it, `<host>/<path>:<tag>`; absent when the registry cannot have a name like this. */
  readonly relocated?: string;
}

type MappedVersion = Omit<PublishedRecord, 'ingredients'> & {
  readonly ingredients: readonly MappedIngredient[];
};

/** Where the ingredients of a recipe are, and what has nodes find them under their nominal references. */
export interface RecipeMapping {
  readonly recipe: string;
  readonly versions: readonly MappedVersion[];
  readonly mirrors: { readonly registriesYaml: string; readonly hostsToml: readonly HostsFile[] };
}

export interface MappingRequest {
  readonly recipe: string;
  /** How this instance was reached. */
  readonly reached: RegistryBase;
  /** How nodes reach the registry, where the asker knows better. */
  readonly registry?: RegistryBase | undefined;
}

/** The registry that nodes pull from, and how it names what it has. */
interface Place {
  readonly base: RegistryBase;
  readonly prefix: string | undefined;
  /** @throws SVC-DST-001 when the name does not fit */
  relocate(nominal: RepositoryReference): string;
}

/** The destination where there is one, else this instance. */
function toPlace(
  { storage, destination, registries }: Pick<Config, 'storage' | 'destination' | 'registries'>,
  { reached, registry }: MappingRequest,
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

/**
 * Says of each version of a recipe where its ingredients are for those who pull them, and makes the files by which
 * nodes go there under the names that charts and manifests write.
 *
 * @param records of the recipe, whatever their cookbook
 * @throws SVC-REG-005 when there is none
 */
export function mapRecipe(
  config: Pick<Config, 'storage' | 'destination' | 'registries'>,
  records: readonly ListedRecipe[],
  request: MappingRequest,
): RecipeMapping {
  const { recipe } = request;
  if (records.length === 0) throw svcError('SVC-REG-005', { reference: recipe.slice(0, 256) });
  const place = toPlace(config, request);
  const hosts = records.flatMap(({ ingredients }) =>
    ingredients.map(({ ref }) => parseRepositoryReference(ref).host),
  );
  const redirections = selectHosts(hosts).map((host) => {
    const segment = hostSegment(host);
    return { host, prefix: place.prefix ? `${place.prefix}/${segment}` : segment };
  });
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
