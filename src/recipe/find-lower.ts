import { compareVersions, selectVersion } from './constraint.ts';

/**
 * Finds a stored version that the Retriever prefers to the offered one. A source that no longer lists it would return a
 * zone to an older state. A version that the Retriever excludes is none, because an operator did so.
 *
 * @param requests versions and constraints of the Retriever that select this recipe
 * @param stored versions of the same recipe in the store
 */
export function findLower(
  resolved: string,
  requests: readonly string[],
  stored: readonly string[],
): string | undefined {
  return requests
    .map((request) => selectVersion(request, stored))
    .find((here) => here !== undefined && compareVersions(here, resolved) > 0);
}
