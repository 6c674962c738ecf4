import { matchGlob } from '../base/glob.ts';
import type { RepositoryReference } from '../oci/reference.ts';
import { hostSegment } from '../recipe/relocation.ts';
import type { TrustPolicy, TrustScope } from './model.ts';

/**
 * The path that scopes match for every recipe of a cookbook, whatever registry was contacted:
 * `<host>[_<port>]/<cookbook path>`, canonical and nominal.
 *
 * @param cookbook as the Retriever names it
 */
export function toScopePath(cookbook: RepositoryReference): string {
  return `${hostSegment(cookbook.host)}/${cookbook.repository}`;
}

/**
 * The first scope one of whose globs matches; `*` stays within a segment, `**` crosses segments. What is written for
 * everything in a cookbook, `<cookbook>/*` or `<cookbook>/**`, covers the cookbook.
 */
export function selectScope(policy: TrustPolicy, path: string): TrustScope | undefined {
  const covers = (glob: string): boolean => matchGlob(glob, path, '/') || matchGlob(glob, `${path}/`, '/');
  return policy.scopes.find(({ repositories }) => repositories.some(covers));
}
