import { catalogue } from '../../base/catalogue.ts';
import { forEachBounded } from '../../base/concurrency.ts';
import type { Digest } from '../../base/digest.ts';
import { type ErrorRecord, fromErrorRecord, selectPrincipal, toErrorRecord } from '../../base/error.ts';
import type { TaskItem, TaskJournal, TaskResolution } from '../../task/model.ts';
import type { RecipeVerdict } from '../model.ts';
import type { PromotedArtifact, Promotion } from '../promotion/model.ts';
import type { ClearedRecipe } from './judge-recipe.ts';
import { selectObstacles } from './report.ts';
import type { MediumVerification } from './verify-medium.ts';

export interface ImportMediumOptions {
  readonly verification: MediumVerification;
  readonly promotion: Promotion;
  readonly journal: TaskJournal;
  /** Recipes that cross at once. */
  readonly parallelism: number;
}

/** Recipes that landed whole, by name and version. */
export interface ImportedMedium {
  readonly landed: readonly ClearedRecipe[];
  /** Whether every cleared recipe landed: only then does the freshness record move. */
  readonly isComplete: boolean;
}

const recipeItem = (recipe: { readonly name: string; readonly version: string }): string =>
  `${recipe.name}@${recipe.version}`;
const ingredientItem = (
  recipe: { readonly name: string; readonly version: string },
  ingredient: string,
): string => `${recipeItem(recipe)}/${ingredient}`;

/** Bytes of every file that cleared recipes reach, each once. */
function sumFiles(recipes: readonly ClearedRecipe[]): number {
  const sizes = new Map<Digest, number>();
  for (const recipe of recipes) for (const [digest, file] of recipe.files) sizes.set(digest, file.size);
  let sum = 0;
  for (const size of sizes.values()) sum += size;
  return sum;
}

function toBlockedItem(verdict: RecipeVerdict): TaskItem {
  const { code, params } = verdict.reason!;
  const error: ErrorRecord = { code, class: catalogue[code].class, params };
  return { name: recipeItem(verdict), digest: verdict.digest, status: 'failed', transferredBytes: 0, error };
}

/**
 * Pushes what a verification cleared. A blocked recipe is a failed item, and its neighbours cross; what keeps the whole
 * medium back is thrown before anything is pushed.
 *
 * @throws the principal block of the medium
 */
export async function importMedium(options: ImportMediumOptions): Promise<ImportedMedium> {
  const { verification, promotion, journal } = options;
  const { report, cleared, header } = verification;
  const block = selectPrincipal(report.blocks.filter(({ waived }) => !waived));
  if (block)
    throw fromErrorRecord({ code: block.code, class: catalogue[block.code].class, params: block.params });
  if (cleared.length === 0 && report.recipes.length === 0 && selectObstacles(report).length > 0)
    return { landed: [], isComplete: false };
  if (header) journal.setSourceRunId(header.producedBy.runId);
  const pending = (name: string, digest: Digest): TaskItem => ({
    name,
    digest,
    status: 'pending',
    transferredBytes: 0,
  });
  journal.setItems([
    ...report.recipes.filter(({ pushable }) => !pushable).map(toBlockedItem),
    ...cleared.flatMap(({ record }) => [
      ...record.ingredients.map(({ name, digest }) => pending(ingredientItem(record, name), digest)),
      pending(recipeItem(record), record.digest),
    ]),
  ]);
  journal.setTotalBytes(sumFiles(cleared));
  const landed: ClearedRecipe[] = [];
  const resolutions: TaskResolution[] = [];
  let moved = 0;
  await forEachBounded(cleared, options.parallelism, async (recipe) => {
    const { record } = recipe;
    journal.line(`pushing ${recipeItem(record)}`);
    const outcome = await promotion.promote(record);
    const settle = (artifact: PromotedArtifact, name: string, digest: Digest, version: string): TaskItem => {
      moved += artifact.pushedBytes;
      resolutions.push({
        recipe: recipeItem(record),
        ...(artifact.ingredient === undefined ? {} : { ingredient: artifact.ingredient }),
        requested: version,
        resolved: version,
        digest,
        status: 'up-to-date',
        ...(record.trustScope === undefined ? {} : { trustScope: record.trustScope }),
        destination: artifact.reference,
        destinationStatus: artifact.status,
        pushedBytes: artifact.pushedBytes,
      });
      const status =
        artifact.status === 'pushed' || artifact.status === 'up-to-date' ? 'done' : artifact.status;
      journal.line(`${name}: ${artifact.status} ${artifact.reference}`);
      return {
        name,
        digest,
        status,
        transferredBytes: artifact.pushedBytes,
        ...(artifact.error ? { error: toErrorRecord(artifact.error) } : {}),
      };
    };
    const items = record.ingredients.flatMap((ingredient) => {
      const artifact = outcome.ingredients.find(({ ingredient: name }) => name === ingredient.name);
      const missing: PromotedArtifact = {
        ingredient: ingredient.name,
        reference: ingredient.ref,
        status: 'skipped',
        pushedBytes: 0,
      };
      const name = ingredientItem(record, ingredient.name);
      return [settle(artifact ?? missing, name, ingredient.digest, ingredient.tag)];
    });
    items.push(settle(outcome.recipe, recipeItem(record), record.digest, record.version));
    await journal.settleItems(items);
    if (!outcome.error) landed.push(recipe);
  });
  journal.setResolutions(resolutions);
  journal.setTotalBytes(moved);
  return { landed, isComplete: landed.length === cleared.length && cleared.length > 0 };
}
