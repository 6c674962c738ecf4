import type { ChartDependency } from '../contract/content.ts';
import type { Ingredient, Recipe } from '../recipe/model.ts';

/**
 * Lists the dependencies that a chart lacks in a zone: it does not embed them, and no other chart of its recipe is one.
 */
export function listUnmet(
  dependencies: readonly ChartDependency[],
  ingredient: Ingredient,
  { ingredients }: Pick<Recipe, 'ingredients'>,
): readonly ChartDependency[] {
  const others = ingredients.filter(({ kind, name }) => kind === 'HelmChart' && name !== ingredient.name);
  const isListed = (dependency: string) =>
    others.some(({ name, ref }) => name === dependency || ref.repository.split('/').at(-1) === dependency);
  return dependencies.filter(({ name, embedded }) => !embedded && !isListed(name));
}
