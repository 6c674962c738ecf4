import { type LintReport, lintRecipe } from '../../src/authoring/door.ts';
import { readRecipeDocument } from '../../src/recipe/read-document.ts';
import { isSvcError, type SvcError, svcError } from '../../src/text/error.ts';
import { fr } from '../../src/text/language.ts';
import { rule } from '../../src/text/rule.ts';
import type { ViewCaller, ViewParts } from './parts.ts';
import { largestDocument } from './plan.ts';

/** A recipe document of a request as bytes. @param file its name in errors @throws SVC-VAL-002 */
export function toRecipeDocument(text: string, file: string): Buffer {
  const document = Buffer.from(text);
  if (document.length > largestDocument) throw svcError('SVC-VAL-002', { limit: largestDocument, file });
  return document;
}

/** Finds members of a recipe document that are worth changing; uses no network. @throws SVC-VAL-002; the reason of the signal */
export function showLint(
  { instance, identity, signal }: Pick<ViewParts, 'instance'> & ViewCaller,
  document: string,
): Promise<LintReport> {
  const file = 'document';
  return lintRecipe(instance.context.config, {
    document: toRecipeDocument(document, file),
    file,
    caller: { actor: identity.actor, signal },
  });
}

/** The errors of recipe documents that cannot be read, by name; an empty text is no document. */
export async function listWrongDocuments(
  { identity, signal }: ViewCaller,
  documents: Readonly<Record<string, string>>,
): Promise<Map<string, SvcError>> {
  const wrong = new Map<string, SvcError>();
  for (const [file, text] of Object.entries(documents))
    try {
      if (text !== '')
        await readRecipeDocument(toRecipeDocument(text, file), file, { actor: identity.actor, signal });
    } catch (error) {
      if (!isSvcError(error)) throw error;
      wrong.set(file, error);
    }
  return wrong;
}

/** The error of a side of a comparison without exactly one of document and reference. */
export const toSideError = (name: 'old' | 'new'): SvcError =>
  svcError('SVC-VAL-001', {
    file: rule(['request body', fr`corps de la requête`]),
    path: `/${name}`,
    rule: rule([
      'must have either a document or a reference',
      fr`doit avoir soit un document, soit une référence`,
    ]),
  });
