// The door of this room: the program uses the tools of authors through it alone. The tools load when they are used.

type Work<A extends unknown[], R> = (...args: A) => R;

/** Returns work whose code loads when it is first called. */
const later =
  <A extends unknown[], R>(load: () => Promise<Work<A, R>>) =>
  async (...args: A): Promise<Awaited<R>> =>
    await (await load())(...args);

export type { RecipeSide } from './diff/diff-recipes.ts';
export { isDifferent, listOtherMembers, type OtherMember } from './diff/difference.ts';
export type { RecipeDraft } from './draft/draft-recipe.ts';
export { doubtWords, formatNames, omissionWords } from './draft/words.ts';
export { type Doubt, type OmissionReason, sourceFormats } from './foreign/model.ts';
export type { LintReport } from './lint/lint-recipe.ts';
export type { RetrieverFinding } from './lint/lint-retriever.ts';
export type { Finding } from './lint/model.ts';
export type { SaidFinding, ToPinCommand } from './lint/say-finding.ts';
export { withMember } from './lint/with-member.ts';
export type { OpenedRecipe } from './open/open-recipe.ts';
export type { ShownRecipe } from './open/show-recipe.ts';
export type { PinChoices, PinReport, PinResult } from './pin/pin-document.ts';
export type { VendorTarget } from './pin/pin-recipe.ts';

export const diffRecipes = later(async () => (await import('./diff/diff-recipes.ts')).diffRecipes);
export const diffSides = later(async () => (await import('./diff/diff-recipes.ts')).diffSides);
export const draftRecipe = later(async () => (await import('./draft/draft-recipe.ts')).draftRecipe);
export const readValues = later(async () => (await import('./draft/read-values.ts')).readValues);
export const readVariables = later(async () => (await import('./foreign/interpolate.ts')).readVariables);
export const lintRecipe = later(async () => (await import('./lint/lint-recipe.ts')).lintRecipe);
export const lintRetriever = later(async () => (await import('./lint/lint-retriever.ts')).lintRetriever);
export const nameChartImages = later(async () => (await import('./draft/name-images.ts')).nameChartImages);
export const openPublishedRecipe = later(
  async () => (await import('./open/open-recipe.ts')).openPublishedRecipe,
);
export const openRecipeDocument = later(
  async () => (await import('./open/open-recipe.ts')).openRecipeDocument,
);
export const openStoredRecipe = later(async () => (await import('./open/stored-recipe.ts')).openStoredRecipe);
export const pinRecipe = later(async () => (await import('./pin/pin-recipe.ts')).pinRecipe);
export const sayFindings = later(async () => (await import('./lint/say-finding.ts')).sayFindings);
export const showRecipe = later(async () => (await import('./open/show-recipe.ts')).showRecipe);
