import { matchGlob } from '../base/glob.ts';
import type { RepositoryReference } from '../oci/reference.ts';
import { hostSegment } from '../recipe/relocation.ts';
import type { TrustPolicy, TrustScope } from './model.ts';

/**
 * The path that scopes match for a recipe: its canonical nominal repository, `<host>[_<port>]/<cookbook path>/<name>`,
 * whatever registry was contacted.
 *
 * @param cookbook nominal cookbook, as the Retriever names it
 */
export function toScopePath(cookbook: RepositoryReference, name: string): string {
  return `${hostSegment(cookbook.host)}/${cookbook.repository}/${name}`;
}

/** The first scope one of whose globs matches; `*` stays within a segment, `**` crosses segments. */
export function selectScope(policy: TrustPolicy, path: string): TrustScope | undefined {
  return policy.scopes.find(({ repositories }) => repositories.some((glob) => matchGlob(glob, path, '/')));
}
