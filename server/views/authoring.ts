import { svcError } from '../../src/base/error.ts';
import type { LintReport } from '../../src/operation/authoring/lint-recipe.ts';
import type { ViewParts } from './parts.ts';
import { largestDocument } from './plan.ts';

/** A recipe document of a request as bytes. @param file its name in errors @throws SVC-VAL-002 */
export function toRecipeDocument(text: string, file: string): Buffer {
  const document = Buffer.from(text);
  if (document.length > largestDocument) throw svcError('SVC-VAL-002', { limit: largestDocument, file });
  return document;
}

/** Finds what is worth changing in a recipe document; asks nobody. @throws SVC-VAL-002 */
export function showLint(
  { operations }: Pick<ViewParts, 'operations'>,
  document: string,
): Promise<LintReport> {
  return operations.authoring.lint({ document: toRecipeDocument(document, 'document') });
}
