/** Entries of a Retriever that resolved to the same recipe. */
export interface DuplicateEntry {
  readonly name: string;
  readonly version: string;
  /** Positions in the given list, in order. */
  readonly entries: readonly number[];
}

/**
 * The recipes that several entries resolved to. The same name twice is meant when the versions differ; when they are
 * equal, one entry is idle and its author should know.
 *
 * @param resolved one item an entry, with its exact version; entries that did not resolve have none
 */
export function selectDuplicates(
  resolved: readonly { readonly name: string; readonly version?: string | undefined }[],
): readonly DuplicateEntry[] {
  const byRecipe = new Map<string, { name: string; version: string; entries: number[] }>();
  for (const [i, { name, version }] of resolved.entries()) {
    if (version === undefined) continue;
    const key = `${name}:${version}`;
    const known = byRecipe.get(key);
    if (known) known.entries.push(i);
    else byRecipe.set(key, { name, version, entries: [i] });
  }
  return [...byRecipe.values()].filter(({ entries }) => entries.length > 1);
}
