import { matchGlob } from '../base/glob.ts';
import type { RepositoryReference } from '../oci/reference.ts';
import { hostSegment } from '../recipe/relocation.ts';
import type { TrustPolicy, TrustScope } from './model.ts';

/**
 * Returns the path that scopes match, independent of the registry that was contacted:
 * `<host>[_<port>]/<cookbook path>/<recipe>`, canonical and nominal.
 *
 * @param nominal the repository of the recipe: its name below the cookbook, as in the Retriever
 */
export function toScopePath(nominal: RepositoryReference): string {
  return `${hostSegment(nominal.host)}/${nominal.repository}`;
}

/**
 * Selects the first scope with a glob that matches the recipe or its cookbook; `*` matches within a segment,
 * `**` across segments.
 */
export function selectScope({ scopes }: Pick<TrustPolicy, 'scopes'>, path: string): TrustScope | undefined {
  const cookbook = path.slice(0, path.lastIndexOf('/'));
  const covers = (glob: string): boolean => matchGlob(glob, path, '/') || matchGlob(glob, cookbook, '/');
  return scopes.find(({ repositories }) => repositories.some(covers));
}

/**
 * Names of the scopes that apply to none of these recipes: their globs match none of them, or an earlier
 * scope matches first.
 *
 * @param paths as returned by `toScopePath`
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
