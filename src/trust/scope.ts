import { matchGlob } from '../base/glob.ts';
import type { RepositoryReference } from '../oci/reference.ts';
import { hostSegment } from '../recipe/relocation.ts';
import type { TrustPolicy, TrustScope } from './model.ts';

/**
 * The path that scopes match, whatever registry was contacted: `<host>[_<port>]/<cookbook path>/<recipe>`, canonical
 * and nominal.
 *
 * @param nominal the repository of the recipe: its name below the cookbook, as the Retriever names both
 */
export function toScopePath(nominal: RepositoryReference): string {
  return `${hostSegment(nominal.host)}/${nominal.repository}`;
}

/**
 * The first scope one of whose globs matches the recipe, or the cookbook it lies in; `*` stays within a segment, `**`
 * crosses segments.
 */
export function selectScope({ scopes }: Pick<TrustPolicy, 'scopes'>, path: string): TrustScope | undefined {
  const cookbook = path.slice(0, path.lastIndexOf('/'));
  const covers = (glob: string): boolean => matchGlob(glob, path, '/') || matchGlob(glob, cookbook, '/');
  return scopes.find(({ repositories }) => repositories.some(covers));
}

/**
 * Names of the scopes that apply to none of these recipes: their globs match nothing, or an earlier scope takes what they
 * match.
 *
 * @param paths as `toScopePath` writes them
 */
export function selectIdleScopes(
  policy: Pick<TrustPolicy, 'scopes'>,
  paths: Iterable<string>,
): readonly string[] {
  const used = new Set<TrustScope>();
  for (const path of paths) {
    const scope = selectScope(policy, path);
    if (scope) used.add(scope);
  }
  return policy.scopes.filter((scope) => !used.has(scope)).map(({ name }) => name);
}
