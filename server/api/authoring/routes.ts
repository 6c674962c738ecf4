import { type RecipeSide, sayFindings } from '../../../src/authoring/door.ts';
import * as api from '../../../src/contract/operations/recipes.ts';
import type { TypeOf } from '../../../src/contract/schema.ts';
import { parsePlatform } from '../../../src/oci/platform.ts';
import { parseStoredName } from '../../../src/recipe/versioned-name.ts';
import { words } from '../../../src/text/words/words.ts';
import { showLint, toRecipeDocument, toSideError } from '../../views/authoring.ts';
import { type ApiRoute, route } from '../api-route.ts';

/** @throws SVC-VAL-001 unless there is exactly one of document and reference, SVC-VAL-002 */
function toSide(name: 'old' | 'new', { document, reference }: TypeOf<typeof api.side>): RecipeSide {
  if ((document === undefined) === (reference === undefined)) throw toSideError(name);
  if (document !== undefined) return { document: toRecipeDocument(document, name) };
  const stored = parseStoredName(reference!.trim());
  return stored === undefined ? { reference: reference! } : { stored };
}

export const authoringRoutes: readonly ApiRoute[] = [
  route(api.lintRecipe, async (call) => {
    const { findings, ...counts } = await showLint(call, call.body.document);
    return { json: { findings: await sayFindings(findings, words.en), ...counts } };
  }),
  route(api.pinRecipe, async (call) => {
    const { instance, operations, body, identity } = call;
    const update = body.update ?? [];
    const file = 'document';
    const input = { document: toRecipeDocument(body.document, file), file };
    const platforms = (body.platforms ?? []).flatMap((text) => parsePlatform(text) ?? []);
    const { document, findings, ...report } = await instance.places.documents.run(
      call.holder,
      call.signal,
      (signal) =>
        operations.pinRecipe(instance.context, {
          ...input,
          platforms,
          update: update.length === 0 ? 'none' : update.includes('*') ? 'all' : update,
          version: body.setVersion,
          actor: identity.actor,
          signal,
        }),
    );
    const said = await sayFindings(findings, words.en);
    return { json: { ...report, findings: said, ...(document ? { document: document.toString() } : {}) } };
  }),
  route(api.diffRecipes, async (call) => {
    const { actor } = call.identity;
    const sides = { old: toSide('old', call.body.old), new: toSide('new', call.body.new) };
    return {
      json: await call.instance.places.documents.run(call.holder, call.signal, (signal) =>
        call.operations.diffSides(call, { ...sides, actor, signal }),
      ),
    };
  }),
];
