/** A recipe as named in the items of a task. */
interface NamedRecipe {
  readonly name: string;
  readonly version: string;
  /** `host/path`. */
  readonly cookbook: string;
}

/**
 * Names recipes in the items of a task: `<recipe>@<version>`, preceded by the cookbook where another recipe
 * of the task has the same name.
 *
 * @returns one name for each recipe, in order; no two are equal
 */
export function nameRecipes(recipes: readonly NamedRecipe[]): readonly string[] {
  const toKey = ({ name, version }: NamedRecipe): string => `${name}@${version}`;
  const counts = new Map<string, number>();
  for (const recipe of recipes) counts.set(toKey(recipe), (counts.get(toKey(recipe)) ?? 0) + 1);
  const taken = new Set<string>();
  return recipes.map((recipe) => {
    const key = toKey(recipe);
    const full = `${recipe.cookbook}/${key}`;
    let name = counts.get(key) === 1 ? key : full;
    // entries that failed alike differ only in their position
    for (let i = 2; taken.has(name); i += 1) name = `${full} (${i})`;
    taken.add(name);
    return name;
  });
}
