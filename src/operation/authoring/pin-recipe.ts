import { type PinChoices, type PinResult, pinRecipe as pin } from '../../engine/authoring/pin-recipe.ts';
import type { Context } from '../context.ts';

export interface PinRecipeInput extends Omit<PinChoices, 'cookedAt'> {
  readonly document: Uint8Array;
  /** Name of the document in errors. */
  readonly file: string;
  readonly signal?: AbortSignal | undefined;
}

/**
 * Pins the constraints and tags of a recipe document to digests of the registries. Writes nothing: the result has the
 * document.
 *
 * @throws SVC-VAL-001, SVC-VAL-002 for the draft; what the registries answer is part of the result
 */
export function pinRecipe(
  { registry }: Pick<Context, 'registry'>,
  { signal, ...input }: PinRecipeInput,
): Promise<PinResult> {
  const cookedAt = `${new Date().toISOString().slice(0, 19)}Z`;
  return pin({ ...input, cookedAt }, { registry, signal });
}
