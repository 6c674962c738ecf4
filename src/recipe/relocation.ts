import { canonicalHost, isRepositoryName, type RepositoryReference } from '../oci/reference.ts';
import { svcError } from '../text/error.ts';
import { fr } from '../text/language.ts';
import { rule } from '../text/rule.ts';

/** OCI distribution specification: implementations may limit a name to this many characters. */
const nameLimit = 255;

/**
 * Returns the first segment of a relocated path: the canonical nominal host, with `_` for the `:` of a port.
 *
 * @throws SVC-DST-001 for an IPv6 literal
 */
export function hostSegment(host: string): string {
  if (host.includes('[') || host.indexOf(':') !== host.lastIndexOf(':'))
    throw svcError('SVC-DST-001', {
      reference: host,
      limit: rule([
        'a name with an IPv6 address is not accepted',
        fr`un nom avec une adresse IPv6 n’est pas accepté`,
      ]),
    });
  return canonicalHost(host).replace(':', '_');
}

/** Checks the length of a name. Names are never truncated. */
function requireName(name: string, reference: string): string {
  if (name.length > nameLimit)
    throw svcError('SVC-DST-001', {
      reference,
      limit: rule(
        [
          '{nameLimit} characters in a repository name, this one has {count}',
          fr`{nameLimit} caractères pour un nom de dépôt, celui-ci en a {count}`,
        ],
        { nameLimit, count: name.length },
      ),
    });
  if (!isRepositoryName(name))
    throw svcError('SVC-DST-001', {
      reference,
      limit: rule(['{name} is not a valid repository name', fr`{name} n’est pas un nom de dépôt valide`], {
        name,
      }),
    });
  return name;
}

function relocate(base: string | undefined, { host, repository }: RepositoryReference): string {
  const path = `${hostSegment(host)}/${repository}`;
  return requireName(base === undefined || base === '' ? path : `${base}/${path}`, `${host}/${repository}`);
}

/**
 * Returns the repository of the local store for content of a nominal repository.
 *
 * @throws SVC-DST-001 when the name is too long
 */
export function localRepository(nominal: RepositoryReference, basePrefix?: string): string {
  return relocate(basePrefix, nominal);
}

/** Returns the nominal repository of a repository of the local store: the inverse of `localRepository`. */
export function nominalRepository(local: string, basePrefix?: string): string {
  const prefix = basePrefix === undefined || basePrefix === '' ? '' : `${basePrefix}/`;
  const path = local.startsWith(prefix) ? local.slice(prefix.length) : local;
  return path.replace(/^([^/]*)_([0-9]+)(?=\/)/, '$1:$2');
}

/**
 * Returns the repository at a destination for an ingredient of a nominal repository, the same after any number of hops.
 *
 * @throws SVC-DST-001 when the name is too long
 */
export function destinationRepository(
  destination: { readonly basePath?: string | undefined },
  nominal: RepositoryReference,
): string {
  return relocate(destination.basePath, nominal);
}

/**
 * Returns the repository at a destination for a recipe: by the cookbook convention, without the nominal host.
 *
 * @throws SVC-DST-001 when the name is too long
 */
export function destinationRecipeRepository(cookbook: string, name: string): string {
  return requireName(`${cookbook}/${name}`, `${cookbook}/${name}`);
}

/**
 * Returns the nominal repository of a recipe in a cookbook.
 *
 * @throws SVC-DST-001 when the name is too long
 */
export function recipeRepository(cookbook: RepositoryReference, name: string): RepositoryReference {
  const repository = `${cookbook.repository}/${name}`;
  return { host: cookbook.host, repository: requireName(repository, `${cookbook.host}/${repository}`) };
}
