import { Semaphore } from '../base/concurrency.ts';
import type { Digest } from '../base/digest.ts';
import { type SvcError, svcError, toSvcError } from '../base/error.ts';
import { formatPlatform } from '../oci/platform.ts';
import { formatReference, type RepositoryReference } from '../oci/reference.ts';
import { HeldContent } from './held-content.ts';
import { Once } from './once.ts';
import { toDestination, toRecipeDestination } from './prepare-sync.ts';
import { openBridge } from './promotion/bridge.ts';
import { crossIngredient } from './promotion/cross-ingredient.ts';
import { crossRecipe } from './promotion/cross-recipe.ts';
import type {
  Crossing,
  PromotedArtifact,
  PromotedRecipe,
  Promotion,
  PromotionOptions,
} from './promotion/model.ts';
import { toAliasTag } from './select-tags.ts';
import { settleAll } from './settle-all.ts';
import { verifyCarried } from './verify-carried.ts';

/**
 * Opens a promotion. Everything is judged again over the bytes that leave: the buffer that was judged is the buffer that
 * is pushed, and blobs are hashed on their way. Ingredients go before their recipe, the recipe only when all of them have
 * crossed, tags last.
 */
export function openPromotion(options: PromotionOptions): Promotion {
  const { destination, report, signal } = options;
  const bridge = openBridge(options);
  const ingredientLanes = new Semaphore(options.parallelism ?? 3);
  const crossings = new Once<string, Crossing>();
  /** What this promotion points tags at. */
  const pointed = new Map<string, Digest>();

  /** The tag at the destination: the first to point it in this promotion keeps it. */
  const selectTag = (place: RepositoryReference, version: string, digest: Digest): string => {
    const name = `${place.repository}:${version}`;
    const taken = pointed.get(name) ?? digest;
    pointed.set(name, taken);
    return taken === digest ? version : toAliasTag(version, digest);
  };

  return {
    async promote(record) {
      const log = report.child({ recipe: `${record.name}@${record.version}` });
      const named = `${destination.registry}/${destination.cookbook}/${record.name}:${record.version}`;
      const failed = (error: SvcError, ingredients: readonly PromotedArtifact[]): PromotedRecipe => ({
        recipe: { reference: named, status: 'failed', pushedBytes: 0, error },
        ingredients,
        error,
      });
      const ingredients: PromotedArtifact[] = [];
      try {
        const held = new HeldContent();
        const verified = await verifyCarried(record, held, options);
        const homesOf = new Map(record.ingredients.map(({ name, repository }) => [name, repository]));
        // a name that the destination cannot hold is found before anything of the recipe is pushed
        const recipePlace = toRecipeDestination(destination, record.name);
        const places = new Map(
          verified.document.ingredients.map((one) => [one.name, toDestination(destination, one.ref)]),
        );
        const crossing = verified.document.ingredients.map(async (ingredient): Promise<PromotedArtifact> => {
          const fallback = `${formatReference(ingredient.ref)}:${ingredient.version}`;
          try {
            const place = places.get(ingredient.name)!;
            const tag = selectTag(place, ingredient.version, ingredient.digest);
            const repository = homesOf.get(ingredient.name);
            if (repository === undefined) throw svcError('SVC-REG-005', { reference: fallback });
            const platforms = ingredient.platforms.map(formatPlatform).sort().join(',');
            const key = `${place.repository}:${tag}@${ingredient.digest} ${platforms}`;
            let isMine = false;
            const { status, bytes } = await crossings.run(key, () => {
              isMine = true;
              return ingredientLanes.run(() =>
                crossIngredient(bridge, options, ingredient, repository, place, tag),
              );
            });
            return {
              ingredient: ingredient.name,
              reference: `${formatReference(place)}:${tag}`,
              status: isMine ? status : 'up-to-date',
              pushedBytes: isMine ? bytes : 0,
            };
          } catch (error) {
            signal?.throwIfAborted();
            const coded = toSvcError(error);
            log.log('error', 'An ingredient did not reach the destination', {
              ingredient: ingredient.name,
              digest: ingredient.digest,
              error: coded,
            });
            return {
              ingredient: ingredient.name,
              reference: fallback,
              status: 'failed',
              pushedBytes: 0,
              error: coded,
            };
          }
        });
        ingredients.push(...(await settleAll(crossing)));
        const broken = ingredients.find(({ error }) => error)?.error;
        if (broken)
          return {
            recipe: { reference: named, status: 'skipped', pushedBytes: 0 },
            ingredients,
            error: broken,
          };
        const { status, bytes } = await crossRecipe(bridge, options, record, verified, held, recipePlace);
        if (status === 'pushed')
          log.log('info', 'Recipe promoted', { destination: named, digest: record.digest, bytes });
        return { recipe: { reference: named, status, pushedBytes: bytes }, ingredients };
      } catch (error) {
        signal?.throwIfAborted();
        const coded = toSvcError(error);
        log.log('error', 'A recipe did not reach the destination', { destination: named, error: coded });
        return failed(coded, ingredients);
      }
    },
  };
}
