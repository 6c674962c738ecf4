import type { RecipeDiff } from '../src/engine/authoring/diff-recipes.ts';
import type { PinChoices, PinResult } from '../src/engine/authoring/pin-recipe.ts';
import { diffRecipes } from '../src/operation/authoring/diff-recipes.ts';
import { type LintReport, lintRecipe } from '../src/operation/authoring/lint-recipe.ts';
import {
  type OpenedRecipe,
  openPublishedRecipe,
  openRecipeDocument,
} from '../src/operation/authoring/open-recipe.ts';
import { pinRecipe } from '../src/operation/authoring/pin-recipe.ts';
import type { Context } from '../src/operation/context.ts';
import { PlanPlaces, planLimits } from './plan-places.ts';

/** Who asks: each caller has one place at once among those that ask registries. */
interface Caller {
  readonly actor: string;
  /** Aborted when the client disconnects. */
  readonly signal: AbortSignal;
}

/** One side of a comparison: a document, or the reference of a published recipe. */
export type RecipeSide = { readonly document: Buffer } | { readonly reference: string };

/** Work on recipe documents that are given with a request. Nothing is written. */
export interface AuthoringOperations {
  /** Contacts nothing. @throws SVC-VAL-002 */
  lint(request: { readonly document: Buffer }): Promise<LintReport>;
  /** @throws SVC-VAL-001, SVC-VAL-002 for the draft, SVC-SRV-006 when no place is free in time */
  pin(request: Caller & Omit<PinChoices, 'cookedAt'> & { readonly document: Buffer }): Promise<PinResult>;
  /** @throws SVC-VAL-001, SVC-VAL-002, SVC-REG-001, SVC-SRV-006, errors of the registry of a reference */
  diff(request: Caller & { readonly old: RecipeSide; readonly new: RecipeSide }): Promise<RecipeDiff>;
}

/** What its places are for, in refusals. */
export const documentNames = {
  busy: 'other recipes are being pinned or compared',
  one: 'the pin or comparison',
} as const;

/** Makes the operations of an instance on recipe documents. */
export function createAuthoringOperations(context: Context): AuthoringOperations {
  const places = new PlanPlaces(planLimits, documentNames);
  const open = (side: RecipeSide, file: string, signal: AbortSignal): Promise<OpenedRecipe> =>
    'document' in side
      ? openRecipeDocument(context, { document: side.document, file })
      : openPublishedRecipe(context, side.reference, { signal });
  return {
    lint: ({ document }) => lintRecipe(context.config, { document, file: 'document' }),
    pin: ({ actor, signal: gone, ...input }) =>
      places.run(actor, gone, (signal) => pinRecipe(context, { ...input, file: 'document', signal })),
    diff: ({ actor, signal: gone, old, new: now }) =>
      places.run(actor, gone, async (signal) =>
        diffRecipes(await open(old, 'old', signal), await open(now, 'new', signal), signal),
      ),
  };
}
