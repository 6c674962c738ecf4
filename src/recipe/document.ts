import { runAtOnce, type Steps } from '../base/pacer.ts';
import { svcError } from '../text/error.ts';
import { fr } from '../text/language.ts';
import { type Rule, rule } from '../text/rule.ts';
import { constraintLimit, isConstraint } from './constraint.ts';
import { DocumentReader } from './document-reader.ts';
import { readIngredient } from './ingredient.ts';
import { nameLimit, readMetadata, recipeNameRule } from './metadata.ts';
import type { CookedRecipe, Ingredient, Recipe, Retriever, RetrieverEntry } from './model.ts';
import { recipeApiVersion } from './model.ts';
import { childPath, isBareScalar, isYamlMap, readYaml, type YamlMap, type YamlValue } from './read-yaml.ts';
import { readRepository, versionRule } from './reference-rule.ts';

/**
 * Opens a document of one kind. A wrong version or kind ends the reading, as its other members have no known meaning.
 *
 * @throws SVC-VAL-001
 */
function openDocument(
  reader: DocumentReader,
  value: YamlValue,
  kind: 'Recipe' | 'Retriever',
  file: string,
): YamlMap {
  const foreign = toForeignRule(value, kind);
  if (foreign !== undefined)
    throw svcError('SVC-VAL-001', { file, rule: foreign, problem: isEmpty(value) ? 'empty' : 'source' });
  if (isYamlMap(value)) {
    reader.text(value.get('apiVersion'), 'apiVersion', 253, (text) =>
      text === recipeApiVersion
        ? undefined
        : rule(['must be {version}', fr`doit être {version}`], { version: recipeApiVersion }),
    );
    reader.text(value.get('kind'), 'kind', 253, (text) =>
      text === kind
        ? undefined
        : text === 'Recipe' || text === 'Retriever'
          ? rule(
              [
                'must be {kind} here: this document is a {actual}',
                fr`doit être {kind} ici : ce document est un {actual}`,
              ],
              { kind, actual: text },
            )
          : rule(['must be Recipe or Retriever', fr`doit être Recipe ou Retriever`]),
    );
  }
  reader.finish();
  return reader.object(value, '', ['apiVersion', 'kind', 'metadata', 'spec'])!;
}

const isEmpty = (value: YamlValue): boolean => isBareScalar(value) && value.bare === null;

/** Describes a file that is no document of svc; undefined for one that may be. */
function toForeignRule(value: YamlValue, kind: string): Rule | undefined {
  if (isEmpty(value))
    return rule(['is empty, or has comments only', fr`est vide ou n’a que des commentaires`]);
  if (!isYamlMap(value))
    return rule(
      [
        'is no {kind}: it must be a map of members',
        fr`n’est pas un {kind} : ce doit être une table de membres`,
      ],
      { kind },
    );
  const isCompose = !value.has('apiVersion') && isYamlMap(value.get('services'));
  return isCompose
    ? rule([
        'is a compose file: svc recipe init NAME --from FILE drafts a recipe from it',
        fr`est un fichier compose : svc recipe init NOM --from FICHIER en fait un brouillon de recette`,
      ])
    : undefined;
}

/**
 * Reads a Recipe, draft or cooked.
 *
 * @param bytes the document, at most 4 MiB
 * @param file name of the document in errors
 * @throws SVC-VAL-001 with file, path and rule of the first problem, all others in its detail; SVC-VAL-002 when larger
 */
export function parseRecipe(bytes: Uint8Array, file: string): Recipe {
  return toRecipe(readYaml(bytes, file), file);
}

/** Reads the value of a document as a Recipe, as `parseRecipe` does. @throws SVC-VAL-001 */
export function toRecipe(value: YamlValue, file: string): Recipe {
  const reader = new DocumentReader(file);
  const document = openDocument(reader, value, 'Recipe', file);
  const metadata = readMetadata(reader, document.get('metadata'), 'Recipe');
  const spec = reader.object(document.get('spec'), 'spec', ['ingredients']);
  const path = 'spec.ingredients';
  const items = spec && reader.list(spec.get('ingredients'), path, 'non-empty');
  const ingredients: Ingredient[] = [];
  const seen = new Map<string, number>();
  for (const [i, item] of (items ?? []).entries()) {
    const ingredient = readIngredient(reader, item, childPath(path, i));
    if (!ingredient) continue;
    const earlier = seen.get(ingredient.name);
    if (earlier === undefined) seen.set(ingredient.name, i);
    else
      reader.fail(
        `${path}[${i}].name`,
        rule(
          [
            'must be unique in the recipe: {other} has the same name',
            fr`doit être unique dans la recette ; {other} porte le même nom`,
          ],
          { other: `${path}[${earlier}]` },
        ),
      );
    ingredients.push(ingredient);
  }
  reader.finish();
  return { kind: 'Recipe', metadata: metadata!, ingredients };
}

/**
 * Reads a Retriever.
 *
 * @param bytes the document, at most 4 MiB
 * @param file name of the document in errors
 * @throws SVC-VAL-001 with file, path and rule of the first problem, all others in its detail; SVC-VAL-002 when larger
 */
export function parseRetriever(bytes: Uint8Array, file: string): Retriever {
  const reader = new DocumentReader(file);
  const document = openDocument(reader, readYaml(bytes, file), 'Retriever', file);
  const metadata = readMetadata(reader, document.get('metadata'), 'Retriever');
  const spec = reader.object(document.get('spec'), 'spec', ['cookbook', 'recipes']);
  const cookbook = spec && readRepository(reader, spec.get('cookbook'), 'spec.cookbook');
  const items = spec && reader.list(spec.get('recipes'), 'spec.recipes', 'non-empty');
  const recipes: RetrieverEntry[] = [];
  for (const [i, item] of (items ?? []).entries()) {
    const path = `spec.recipes[${i}]`;
    const map = reader.object(item, path, ['name', 'version', 'cookbook']);
    if (!map) continue;
    const name = reader.text(map.get('name'), `${path}.name`, nameLimit, recipeNameRule);
    const version = reader.text(map.get('version'), `${path}.version`, constraintLimit, versionRule);
    const written = map.get('cookbook');
    const own = written === undefined ? cookbook : readRepository(reader, written, `${path}.cookbook`);
    if (name !== undefined && version !== undefined && own) recipes.push({ name, version, cookbook: own });
  }
  reader.finish();
  const { version: _, ...described } = metadata!;
  return { kind: 'Retriever', metadata: described, cookbook: cookbook!, recipes };
}

/**
 * Checks that a recipe is cooked, as publishing and transfer require: an exact tag and a digest on every ingredient.
 *
 * @throws SVC-VAL-001 for the first ingredient that is not pinned, the others in its detail
 */
export function requireCooked(recipe: Recipe, file: string): CookedRecipe {
  return runAtOnce(requireCookedSteps(recipe, file));
}

/** As {@link requireCooked}, in short steps. @throws SVC-VAL-001 */
export function* requireCookedSteps(recipe: Recipe, file: string): Steps<CookedRecipe> {
  const reader = new DocumentReader(file);
  for (const [i, { version, digest }] of recipe.ingredients.entries()) {
    const path = `spec.ingredients[${i}]`;
    if (isConstraint(version))
      reader.fail(
        `${path}.version`,
        rule([
          'must be an exact tag in a pinned recipe',
          fr`doit être une étiquette exacte dans une recette figée`,
        ]),
      );
    if (digest === undefined)
      reader.fail(
        `${path}.digest`,
        rule(['is required in a pinned recipe', fr`est requis dans une recette figée`]),
      );
    yield;
  }
  reader.finish({ unpinned: 'yes' });
  return recipe as CookedRecipe;
}
