import { Semaphore } from '../../base/concurrency.ts';
import { Once } from '../../base/once.ts';
import { settleAll } from '../../base/settle-all.ts';
import { formatPlatform } from '../../oci/platform.ts';
import { formatReference } from '../../oci/reference.ts';
import { isSvcError, type SvcError, selectPrincipal, svcError, toSvcError } from '../../text/error.ts';
import { HeldContent } from '../copy/held-content.ts';
import { isInCookbook, toDestination, toRecipeDestination } from '../sync/recipe-places.ts';
import type { PromotedArtifact, PromotedRecipe, Promotion, PromotionOptions, PushResult } from './model.ts';
import { pushIngredient } from './push-ingredient.ts';
import { pushRecipe } from './push-recipe.ts';
import { openPushSession } from './push-session.ts';
import { openRecipeTags } from './recipe-tags.ts';
import { verifyCarried } from './verify-carried.ts';

/**
 * Opens a promotion. Everything is verified again from the bytes that are pushed: manifests and documents
 * from the buffers that were verified, blobs while they are streamed. Ingredients are pushed before their
 * recipe, the recipe only after all of them, tags last.
 */
export function openPromotion(options: PromotionOptions): Promotion {
  const { destination, report, signal } = options;
  const session = openPushSession(options);
  const ingredientLimiter = new Semaphore(options.parallelism ?? 3);
  const pushes = new Once<string, PushResult>();
  const recipeTags = openRecipeTags(session.open, { signal });

  return {
    async promote(record, tags) {
      const log = report.child({ recipe: `${record.name}@${record.version}` });
      const named = `${destination.registry}/${destination.cookbook}/${record.name}:${record.version}`;
      const failed = (error: SvcError, ingredients: readonly PromotedArtifact[]): PromotedRecipe => ({
        recipe: { reference: named, status: 'failed', pushedBytes: 0, error },
        ingredients,
        error,
      });
      const ingredients: PromotedArtifact[] = [];
      try {
        // a name that is invalid at the destination is found before anything of the recipe is pushed
        const recipePlace = toRecipeDestination(destination, record.name);
        const claim = await recipeTags.claim(recipePlace, record).catch((error: unknown) => {
          signal?.throwIfAborted();
          if (isSvcError(error, 'SVC-POL-004')) throw error;
          // the error is kept: each ingredient reports an unreachable destination too
          return { error };
        });
        const held = new HeldContent();
        const verified = await verifyCarried(record, held, options);
        const repositoryOf = new Map(record.ingredients.map(({ name, repository }) => [name, repository]));
        const places = new Map(
          verified.document.ingredients.map((one) => [one.name, toDestination(destination, one.ref)]),
        );
        const pending = verified.document.ingredients.map(async (ingredient): Promise<PromotedArtifact> => {
          const fallback = `${formatReference(ingredient.ref)}:${ingredient.version}`;
          try {
            const place = places.get(ingredient.name)!;
            const tag = tags.get(ingredient.name) ?? ingredient.version;
            const repository = repositoryOf.get(ingredient.name);
            if (repository === undefined) throw svcError('SVC-REG-005', { reference: fallback });
            const platforms = ingredient.platforms.map(formatPlatform).sort().join(',');
            const key = `${place.repository}:${tag}@${ingredient.digest} ${platforms}`;
            let isMine = false;
            const { status, bytes } = await pushes.run(key, () => {
              isMine = true;
              const push = () => pushIngredient(session, options, ingredient, repository, place, tag);
              return ingredientLimiter.run(() =>
                isInCookbook(place.repository, destination)
                  ? recipeTags.pushIngredient(place, tag, ingredient.digest, push)
                  : push(),
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
        ingredients.push(...(await settleAll(pending)));
        const broken = selectPrincipal(ingredients.flatMap(({ error }) => error ?? []));
        if (broken)
          return {
            recipe: { reference: named, status: 'skipped', pushedBytes: 0 },
            ingredients,
            error: broken,
          };
        if ('error' in claim) throw claim.error;
        const { status, bytes } = await recipeTags.push(recipePlace, record, claim, (at) =>
          pushRecipe(session, options, record, verified, held, recipePlace, at),
        );
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
