import { fr } from '../../text/language.ts';
import { LintAnswer, PinAnswer, RecipeDiff } from '../authoring.ts';
import { field, operation } from '../operation.ts';
import { platformText, recipePlace, registryAddress } from '../patterns.ts';
import { PublishedRecipe, RecipeList, RecipeMapping } from '../recipe.ts';
import { described, list, object, text } from '../schema.ts';
import { changing, contacting, reading, showing } from './error-codes.ts';
import { exampleRecipe } from './example-documents.ts';
import { sorting } from './sorting.ts';

export const registry = field(
  registryAddress,
  [
    'how nodes reach the registry, [http://|https://]host[:port]',
    fr`comment les nœuds atteignent le registre, [http://|https://]hôte[:port]`,
  ],
  'https://registry.example',
  'Default: the destination, else the host of this request',
);

const recipeText = described('Recipe (YAML), draft or pinned, at most 4 MiB', text({ minLength: 1 }));
/** Bytes of a request: escapes can make a document four times as long. */
const limit = 16_777_216;

/** A recipe of a comparison: a document or a reference. */
export const side = object({
  'document?': recipeText,
  'reference?': described(
    'Reference of a published recipe, or `<name>@<version>` of the store, instead of a document',
    text({ minLength: 1, maxLength: 1024 }),
  ),
});

/** Orders of the list; by signature, recipes without a valid one come first. */
export const recipeOrders = ['name', 'landed', 'ingredients', 'signature'] as const;

export const listRecipes = operation({
  id: 'listRecipes',
  method: 'GET',
  path: '/recipes',
  floor: 'viewer',
  errors: reading,
  summary: 'Recipes in the store',
  query: {
    q: field(text({ maxLength: 256 }), 'Words of the name, or parts of them', 'shop'),
    ...sorting(recipeOrders, 'By name while the medium is not verified'),
  },
  answer: { status: 200, description: 'The recipes', schema: RecipeList },
});

export const getRecipeMapping = operation({
  id: 'getRecipeMapping',
  method: 'GET',
  path: '/recipes/{recipe}/mapping',
  floor: 'viewer',
  errors: [...showing, 'SVC-DST-001'],
  summary: 'Locations of the ingredients of a recipe, and mirror configuration files for nodes',
  query: { registry },
  answer: { status: 200, description: 'The mapping', schema: RecipeMapping },
});

export const publishRecipe = operation({
  id: 'publishRecipe',
  method: 'POST',
  path: '/recipes/publish',
  floor: 'operator',
  errors: [
    ...contacting,
    ...changing,
    'SVC-POL-002',
    'SVC-POL-004',
    'SVC-POL-005',
    'SVC-DST-002',
    'SVC-DST-003',
    'SVC-DST-004',
  ],
  summary: 'Publishes a recipe into a cookbook, of this registry or another',
  body: {
    schema: object({
      reference: recipePlace,
      document: described('Recipe (YAML), at most 4 MiB', text({ minLength: 1 })),
    }),
    limit,
    required: true,
    examples: {
      recipe: {
        summary: 'Publishes version 1.0.0 of a recipe',
        value: {
          reference: 'registry.example/cookbook/platform:1.0.0',
          document: exampleRecipe,
        },
      },
    },
  },
  answer: { status: 200, description: 'The published recipe', schema: PublishedRecipe },
});

export const lintRecipe = operation({
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
  answer: { status: 200, description: 'The findings', schema: LintAnswer },
});

export const pinRecipe = operation({
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
        list(platformText),
      ),
      'update?': described(
        'Names of ingredients whose tag is asked for again; `*`: all. Default: none',
        list(text({ maxLength: 63 })),
      ),
      'setVersion?': described('Version of the recipe in the result', text({ minLength: 1, maxLength: 128 })),
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
  answer: {
    status: 200,
    description: 'The pinned document, or every ingredient that could not be pinned',
    schema: PinAnswer,
  },
});

export const diffRecipes = operation({
  id: 'diffRecipes',
  method: 'POST',
  path: '/recipes/diff',
  floor: 'operator',
  errors: [...contacting, 'SVC-SIG-002', 'SVC-SIG-003', 'SVC-MED-030', 'SVC-MED-032'],
  summary:
    'Compares two pinned recipes: ingredients added, removed and pinned anew, and the bytes to transfer',
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
  answer: { status: 200, description: 'The difference', schema: RecipeDiff },
});
