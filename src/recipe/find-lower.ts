import { compareVersions, selectVersion } from './constraint.ts';

/**
 * Finds the stored version that the Retriever would rather take than the one that the source offers: a source that no longer
 * lists it takes a zone back to an older state. A version that the Retriever excludes is none, because an operator did so.
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
