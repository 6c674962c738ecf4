/** Entries of a Retriever that resolved to the same recipe. */
interface DuplicateEntry {
  readonly name: string;
  readonly version: string;
  /** Positions in the given list, in order. */
  readonly entries: readonly number[];
}

/**
 * Selects the recipes to which several entries resolved. A repeated name is intended if the versions differ; if they are
 * equal, one entry has no effect, and its author should know.
 *
 * @param resolved one item per entry, with its exact version; undefined for an entry that did not resolve
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
