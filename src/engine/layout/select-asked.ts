import type { MediumReport } from '../../contract/medium.ts';
import type { Store } from '../../store/model.ts';
import { asksForAll, isWanted, type LayoutSelection } from './select-entries.ts';

/** Selects the verified recipes that a selection names, or that have content in a selected repository. */
export function selectAsked(
  { blocks, recipes }: Pick<MediumReport, 'blocks' | 'recipes'>,
  { index }: Pick<Store, 'index'>,
  selection: LayoutSelection,
): Pick<MediumReport, 'blocks' | 'recipes'> {
  if (asksForAll(selection)) return { blocks, recipes };
  const asked = new Set(
    index
      .recipes()
      .filter(
        (record) =>
          selection.recipes.some((wanted) => isWanted(record, wanted)) ||
          [record, ...record.ingredients].some(({ repository }) =>
            selection.repositories.includes(repository),
          ),
      )
      .map(({ repository, digest }) => `${repository}@${digest}`),
  );
  return {
    blocks,
    recipes: recipes.filter(({ repository, digest }) => asked.has(`${repository}@${digest}`)),
  };
}
