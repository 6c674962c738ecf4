import { LintAnswer, PinAnswer, RecipeDiff } from '../../../src/contract/authoring.ts';
import { described, list, object, type TypeOf, text } from '../../../src/contract/schema.ts';
import { type Platform, parsePlatform } from '../../../src/oci/platform.ts';
import { sayFinding } from '../../../src/recipe/lint/say-finding.ts';
import { parseStoredName } from '../../../src/recipe/versioned-name.ts';
import { svcError } from '../../../src/text/error.ts';
import { fr } from '../../../src/text/language.ts';
import { rule } from '../../../src/text/rule.ts';
import { words } from '../../../src/text/words/words.ts';
import type { RecipeSide } from '../../authoring-operations.ts';
import { showLint, toRecipeDocument } from '../../views/authoring.ts';
import { type ApiCall, type ApiRoute, route } from '../api-route.ts';
import { contacting } from '../openapi/error-codes.ts';
import { exampleRecipe } from '../openapi/example-documents.ts';

const recipeText = described('Recipe (YAML), draft or pinned, at most 4 MiB', text({ minLength: 1 }));
/** Bytes of a request: escapes can make a document four times as long. */
const limit = 16_777_216;

/** @throws SVC-VAL-001 */
function toPlatforms(texts: readonly string[]): readonly Platform[] {
  return texts.map((text, i) => {
    const platform = parsePlatform(text);
    if (platform !== undefined) return platform;
    throw svcError('SVC-VAL-001', {
      file: rule(['request body', fr`corps de la requête`]),
      path: `/platforms/${i}`,
      rule: rule([
        'must be os/arch[/variant], such as linux/amd64',
        fr`doit être os/arch[/variante], par exemple linux/amd64`,
      ]),
    });
  });
}

/** @throws SVC-VAL-001 unless there is exactly one of document and reference, SVC-VAL-002 */
function toSide(
  { store, operations, gate }: Pick<ApiCall, 'store' | 'operations' | 'gate'>,
  name: 'old' | 'new',
  { document, reference }: TypeOf<typeof side>,
): RecipeSide {
  if ((document === undefined) === (reference === undefined))
    throw svcError('SVC-VAL-001', {
      file: rule(['request body', fr`corps de la requête`]),
      path: `/${name}`,
      rule: rule([
        'must have either a document or a reference',
        fr`doit avoir soit un document, soit une référence`,
      ]),
    });
  if (document !== undefined) return { document: toRecipeDocument(document, name) };
  const stored = parseStoredName(reference!.trim());
  return stored === undefined ? { reference: reference! } : { stored, view: { store, operations, gate } };
}

const side = object({
  'document?': recipeText,
  'reference?': described(
    'Reference of a published recipe, or `<name>@<version>` of the store, instead of a document',
    text({ minLength: 1, maxLength: 1024 }),
  ),
});

export const authoringRoutes: readonly ApiRoute[] = [
  route({
    id: 'lintRecipe',
    method: 'POST',
    path: '/recipes/lint',
    floor: 'viewer',
    errors: [],
    summary: 'Checks a recipe document, draft or pinned, without asking a registry',
    body: {
      schema: object({ document: recipeText }),
      limit,
      required: true,
      examples: { recipe: { summary: 'Checks a recipe', value: { document: exampleRecipe } } },
    },
    success: { status: 200, description: 'The findings', schema: LintAnswer },
    handler: async (call) => {
      const { findings, ...counts } = await showLint(call, call.body.document);
      return { json: { findings: findings.map((one) => sayFinding(one, words.en)), ...counts } };
    },
  }),
  route({
    id: 'pinRecipe',
    method: 'POST',
    path: '/recipes/pin',
    floor: 'operator',
    errors: [],
    summary: 'Pins the constraints and tags of a recipe to digests of its registries, without side effects',
    body: {
      schema: object({
        document: recipeText,
        'platforms?': described(
          'Platforms of the images that name none, `os/arch[/variant]`',
          list(text({ maxLength: 191 })),
        ),
        'update?': described(
          'Names of ingredients whose tag is asked for again; `*`: all. Default: none',
          list(text({ maxLength: 63 })),
        ),
        'setVersion?': described(
          'Version of the recipe in the result',
          text({ minLength: 1, maxLength: 128 }),
        ),
      }),
      limit,
      required: true,
      examples: {
        draft: {
          summary: 'Pins a draft as version 1.1.0',
          value: { document: exampleRecipe, setVersion: '1.1.0' },
        },
      },
    },
    success: {
      status: 200,
      description: 'The pinned document, or every ingredient that could not be pinned',
      schema: PinAnswer,
    },
    handler: async ({ operations, body, identity, holder, signal }) => {
      const update = body.update ?? [];
      const { document, findings, ...report } = await operations.authoring.pin({
        document: toRecipeDocument(body.document, 'document'),
        platforms: toPlatforms(body.platforms ?? []),
        update: update.length === 0 ? 'none' : update.includes('*') ? 'all' : update,
        version: body.setVersion,
        actor: identity.actor,
        holder,
        signal,
      });
      const said = findings.map((one) => sayFinding(one, words.en));
      return { json: { ...report, findings: said, ...(document ? { document: document.toString() } : {}) } };
    },
  }),
  route({
    id: 'diffRecipes',
    method: 'POST',
    path: '/recipes/diff',
    floor: 'operator',
    errors: [...contacting, 'SVC-SIG-002', 'SVC-SIG-003', 'SVC-MED-030', 'SVC-MED-032'],
    summary: 'Compares two pinned recipes: what is added, removed and pinned anew, and the bytes to transfer',
    body: {
      schema: object({ old: described('The old recipe', side), new: described('The new recipe', side) }),
      limit,
      required: true,
      examples: {
        documents: {
          summary: 'Compares two documents',
          value: {
            old: { document: exampleRecipe },
            new: { document: exampleRecipe.replace('version: 1.0.0', 'version: 1.1.0') },
          },
        },
      },
    },
    success: { status: 200, description: 'The difference', schema: RecipeDiff },
    handler: async (call) => ({
      json: await call.operations.authoring.diff({
        old: toSide(call, 'old', call.body.old),
        new: toSide(call, 'new', call.body.new),
        actor: call.identity.actor,
        holder: call.holder,
        signal: call.signal,
      }),
    }),
  }),
];
