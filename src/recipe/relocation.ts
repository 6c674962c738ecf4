import { svcError } from '../base/error.ts';
import { canonicalHost, isRepositoryName, type RepositoryReference } from '../oci/reference.ts';

/** OCI distribution specification: implementations may limit a name to this many characters. */
const nameLimit = 255;

/**
 * The first segment of a relocated path: the canonical nominal host, with the `:` of a port written `_`.
 *
 * @throws SVC-DST-001 for an IPv6 literal
 */
export function hostSegment(host: string): string {
  if (host.includes('[') || host.indexOf(':') !== host.lastIndexOf(':'))
    throw svcError('SVC-DST-001', { reference: host, limit: 'IPv6 literals are not accepted' });
  return canonicalHost(host).replace(':', '_');
}

/** Nothing is ever truncated: a name that does not fit is an error. */
function requireName(name: string, reference: string): string {
  if (name.length > nameLimit)
    throw svcError('SVC-DST-001', {
      reference,
      limit: `${nameLimit} characters in a repository name, this one has ${name.length}`,
    });
  if (!isRepositoryName(name))
    throw svcError('SVC-DST-001', { reference, limit: `${name} is not a valid repository name` });
  return name;
}

function relocate(base: string | undefined, { host, repository }: RepositoryReference): string {
  const path = `${hostSegment(host)}/${repository}`;
  return requireName(base === undefined || base === '' ? path : `${base}/${path}`, `${host}/${repository}`);
}

/**
 * The repository of the local store for content of this nominal repository.
 *
 * @throws SVC-DST-001 when the name does not fit
 */
export function localRepository(nominal: RepositoryReference, basePrefix?: string): string {
  return relocate(basePrefix, nominal);
}

/** The nominal repository that content of this repository of the local store comes from: `localRepository` turned round. */
export function nominalRepository(local: string, basePrefix?: string): string {
  const prefix = basePrefix === undefined || basePrefix === '' ? '' : `${basePrefix}/`;
  const path = local.startsWith(prefix) ? local.slice(prefix.length) : local;
  return path.replace(/^([^/]*)_([0-9]+)(?=\/)/, '$1:$2');
}

/**
 * The repository at a destination for an ingredient of this nominal repository, the same after any number of hops.
 *
 * @throws SVC-DST-001 when the name does not fit
 */
export function destinationRepository(
  destination: { readonly basePath?: string | undefined },
  nominal: RepositoryReference,
): string {
  return relocate(destination.basePath, nominal);
}

/**
 * The repository at a destination for a recipe: the cookbook convention, without the nominal host.
 *
 * @throws SVC-DST-001 when the name does not fit
 */
export function destinationRecipeRepository(cookbook: string, name: string): string {
  return requireName(`${cookbook}/${name}`, `${cookbook}/${name}`);
}

/**
 * The nominal repository of a recipe in a cookbook.
 *
 * @throws SVC-DST-001 when the name does not fit
 */
export function recipeRepository(cookbook: RepositoryReference, name: string): RepositoryReference {
  const repository = `${cookbook.repository}/${name}`;
  return { host: cookbook.host, repository: requireName(repository, `${cookbook.host}/${repository}`) };
}
