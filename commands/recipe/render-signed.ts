import type { RecipeToSign, SignedRecipe } from '../../src/operation/recipe/sign-recipe.ts';
import { fr, type Sentence } from '../../src/text/language.ts';

/** The recipe to be signed. */
export function renderToSign({ name, version, ingredients, reference }: RecipeToSign): Sentence {
  const count = ingredients === 1 ? '1 ingredient' : `${ingredients} ingredients`;
  const frenchCount = ingredients === 1 ? '1 ingrédient' : `${ingredients} ingrédients`;
  return [
    `svc: ${name} ${version}, ${count}: ${reference}`,
    fr`svc: ${name} ${version}, ${frenchCount} : ${reference}`,
  ];
}

/** The signed recipe, and the key. */
export function renderSigned({ keyFingerprint, layout, unchanged }: SignedRecipe): Sentence {
  return unchanged
    ? [
        `svc: this key signed it before (${layout}): ${keyFingerprint}`,
        fr`svc: cette clé l’a déjà signée (${layout}) : ${keyFingerprint}`,
      ]
    : [`svc: signed (${layout}): ${keyFingerprint}`, fr`svc: signée (${layout}) : ${keyFingerprint}`];
}
