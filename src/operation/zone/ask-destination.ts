import { forEachBounded } from '../../base/concurrency.ts';
import type { Digest } from '../../base/digest.ts';
import type { MediumReport, RecipeVerdict } from '../../contract/medium.ts';
import type { ClearedRecipe } from '../../engine/medium/judge-recipe.ts';
import { listParts, sumBlobs, toMissing } from '../../engine/medium/parts/describe-missing.ts';
import { nameRecipe } from '../../engine/medium/report.ts';
import type { MediumVerification } from '../../engine/medium/verify-medium.ts';
import { toRecipeDestination } from '../../engine/sync/recipe-places.ts';
import { type SvcError, selectPrincipal, toErrorRecord, toSvcError } from '../../text/error.ts';
import { hasBrought } from '../../zone/delivery-record.ts';
import type { Context } from '../context.ts';
import { requireImportSettings } from '../import-medium.ts';
import { findDelivery, openBaseSearch } from './known-deliveries.ts';
import { openAway } from './open-away.ts';

export interface AskDestinationInput {
  /** Real path of the medium. */
  readonly root: string;
  readonly verification: MediumVerification;
  readonly signal?: AbortSignal | undefined;
}

export interface AskedMedium {
  /** The report of the verification, with the answer for each recipe that an import would push. */
  readonly report: MediumReport;
  /** The principal error of the recipes for which the registry gave no answer. */
  readonly failure: SvcError | undefined;
}

/**
 * Asks the registry of the zone for the content that the recipes of a verified medium need and that is not on it, as an
 * import does. Nothing is moved, and the state is only read.
 *
 * @throws SVC-CFG-001 naming a setting that an import requires, SVC-STO-001 and SVC-STO-014 for a record of the delivery that
 *   cannot be read, the signal's reason
 */
export async function askDestination(context: Context, input: AskDestinationInput): Promise<AskedMedium> {
  const { verification, signal } = input;
  const { report, cleared, header } = verification;
  const { registry } = context;
  const { zone, destination } = requireImportSettings(context);
  const { away, survey } = openAway(context, { ...input, zone, destination });
  const { own: known } = await findDelivery(context, verification);
  const findBase = openBaseSearch(context, zone, header, survey);
  const ask = async (recipe: ClearedRecipe): Promise<RecipeVerdict['atDestination']> => {
    const missing = await away.find(recipe);
    const gone = new Set(missing);
    const found = [...recipe.away.values()].filter((blob) => !gone.has(blob));
    const parts = listParts(recipe, missing, header, (digest, part) => hasBrought(known, digest, part));
    const name = nameRecipe(recipe.record, report.recipes);
    return {
      ...sumBlobs(found),
      missing: sumBlobs(missing),
      parts: [...parts],
      landed: await registry
        .repository(toRecipeDestination(destination, recipe.record.name), {
          access: 'push',
          substitute: false,
        })
        .hasManifest(recipe.record.digest, { signal }),
      ...(missing.length === 0
        ? {}
        : { error: toErrorRecord(await toMissing({ name, ...recipe }, missing, parts, header, findBase)) }),
    };
  };
  const answers = new Map<Digest, RecipeVerdict['atDestination']>();
  const failures: SvcError[] = [];
  await forEachBounded(cleared, context.config.sync.parallelism, async (recipe) => {
    try {
      answers.set(recipe.record.digest, await ask(recipe));
    } catch (error) {
      signal?.throwIfAborted();
      failures.push(toSvcError(error));
    }
  });
  const recipes = report.recipes.map((recipe) => {
    const atDestination = answers.get(recipe.digest);
    return atDestination === undefined ? recipe : { ...recipe, atDestination };
  });
  return { report: { ...report, recipes }, failure: selectPrincipal(failures) };
}
