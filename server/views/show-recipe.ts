import type { Digest } from '../../src/base/digest.ts';
import { Pacer } from '../../src/base/pacer.ts';
import { toUnknownName } from '../../src/catalog/unknown-name.ts';
import type { RecipeIngredientRecord } from '../../src/contract/recipe.ts';
import { readBlob } from '../../src/engine/copy/read-blob.ts';
import { type ListedRecipe, listRecipes as listAll } from '../../src/operation/list-recipes.ts';
import { compareVersions } from '../../src/recipe/constraint.ts';
import { recipeNameRule } from '../../src/recipe/metadata.ts';
import { openRepository } from '../../src/store/open-repository.ts';
import { svcError } from '../../src/text/error.ts';
import { readParsed } from '../../src/view/kept-manifests.ts';
import { listVersions } from '../../src/view/recipes.ts';
import { namePlatforms, platformsOf, readVersionsAhead } from '../../src/view/versions.ts';
import type { ViewParts } from './parts.ts';

type Parts = Pick<ViewParts, 'store' | 'instance' | 'gate'>;

/** An ingredient with its presence in the store. */
export interface IngredientView extends RecipeIngredientRecord {
  /** Bytes of everything present below it; absent when the store does not have its manifest. */
  readonly sizeBytes?: number;
  /** Whether the tag still names this digest, so that the version can be shown. */
  readonly isTagged: boolean;
  /** Platforms that are here; absent for content without platforms, and where they were not read. */
  readonly carried?: readonly string[];
}

export interface RecipeView {
  readonly name: string;
  /** The newest version first. */
  readonly versions: readonly ListedRecipe[];
  readonly selected: ListedRecipe;
  /** Ingredients of the selected version, in the order of the recipe. */
  readonly ingredients: readonly IngredientView[];
  /** Bytes of the ingredients that are present, each file counted once. */
  readonly sizeBytes: number;
  /** Whether the store has the document of the selected version. */
  readonly hasDocument: boolean;
}

export interface RecipeVersionQuery {
  readonly name: string;
  /** Default: the newest. */
  readonly version?: string | undefined;
  /** Nominal cookbook, where the version is in more than one. */
  readonly cookbook?: string | undefined;
}

/** @throws SVC-VAL-001 for a text that is the name of no recipe, such as a path */
export function requireRecipeName(name: string): string {
  const rule = recipeNameRule(name);
  if (rule !== undefined) throw svcError('SVC-VAL-001', { file: name.slice(0, 512), rule });
  return name;
}

/** When a recipe came into the store; undefined for one that was published here. */
export function landedAt(recipe: ListedRecipe): string | undefined {
  return 'resolvedAt' in recipe ? recipe.resolvedAt : undefined;
}

/** Orders versions of one recipe, the newest first: by version, then by the time of arrival. */
export function compareRecipes(a: ListedRecipe, b: ListedRecipe): number {
  const byVersion = compareVersions(b.version, a.version);
  return byVersion !== 0 ? byVersion : (landedAt(b) ?? '').localeCompare(landedAt(a) ?? '');
}

function measure(
  { store: { index } }: Parts,
  recipe: ListedRecipe,
): Pick<RecipeView, 'ingredients' | 'sizeBytes'> {
  const reached = new Set<Digest>();
  const ingredients = recipe.ingredients.map((ingredient): IngredientView => {
    const { repository, tag, digest } = ingredient;
    const isTagged = index.tag(repository, tag)?.digest === digest;
    if (index.manifest(digest) === undefined) return { ...ingredient, isTagged };
    for (const each of index.reach(digest)) reached.add(each);
    return { ...ingredient, isTagged, sizeBytes: index.sizeBelow(digest) };
  });
  let sizeBytes = 0;
  for (const digest of reached) sizeBytes += index.sizeOf(digest) ?? 0;
  return { ingredients, sizeBytes };
}

/** Ingredients whose platforms are read, the largest first: each costs a manifest, and an image its configuration. */
const mostRead = 50;

/** Adds the platforms that the store has of each ingredient whose recipe names none. */
async function withPlatforms(
  { store, gate }: Parts,
  ingredients: readonly IngredientView[],
): Promise<readonly IngredientView[]> {
  const read = new Set(
    [...ingredients]
      .filter(({ sizeBytes, platforms }) => sizeBytes !== undefined && platforms === undefined)
      .sort((a, b) => b.sizeBytes! - a.sizeBytes!)
      .slice(0, mostRead),
  );
  await readVersionsAhead(
    store,
    [...read].map(({ digest }) => digest),
  );
  const pacer = new Pacer();
  const shown: IngredientView[] = [];
  for (const ingredient of ingredients) {
    if (pacer.isDue()) await pacer.rest();
    const { repository, digest } = ingredient;
    const manifest = read.has(ingredient) ? await readParsed(store, digest) : undefined;
    const found =
      manifest === undefined ? [] : await platformsOf({ store, gate }, repository, digest, manifest, pacer);
    const { presentPlatforms: carried } = await namePlatforms(found, pacer);
    shown.push(carried.length === 0 ? ingredient : { ...ingredient, carried });
  }
  return shown;
}

/** Reads the document of a recipe: text that its author wrote. @throws SVC-REG-005 when the store does not have it */
export async function readDocument(
  { store }: Parts,
  { repository, tag, documentDigest: digest }: ListedRecipe,
): Promise<string> {
  const size = store.index.sizeOf(digest);
  if (size === undefined)
    throw svcError('SVC-REG-005', { reference: `${repository}@${digest}`, local: 'store' });
  const source = openRepository(store, repository, { owner: { provenance: 'recipe' } });
  const descriptor = { mediaType: 'application/octet-stream', digest, size };
  return (await readBlob(source, descriptor, `${repository}:${tag}`)).toString();
}

/**
 * Shows a recipe: its versions in the store, and the composition of one of them.
 *
 * @throws SVC-REG-005 without such a recipe or version; SVC-MED-030 or SVC-MED-032 while the gate is closed, SVC-MED-032 for
 *   one that did not pass
 */
export async function showRecipe(
  parts: Parts,
  { name, version, cookbook }: RecipeVersionQuery,
): Promise<RecipeView> {
  const versions = [...(await listVersions(parts, name))].sort(compareRecipes);
  const isAsked = (each: ListedRecipe) =>
    (version === undefined || each.version === version) &&
    (cookbook === undefined || each.cookbook === cookbook);
  const selected = versions.find(isAsked);
  if (selected === undefined) {
    const { instance, store } = parts;
    const all = await listAll(instance.context.config, store);
    if (all.some((each) => each.name === name && isAsked(each)))
      throw svcError('SVC-MED-032', { mediaId: store.mediaId });
    throw toUnknownName(
      version === undefined ? name : `${name}:${version}`,
      versions.map((each) => `${name}:${each.version}`),
    );
  }
  const { ingredients, sizeBytes } = measure(parts, selected);
  return {
    name,
    versions,
    selected,
    sizeBytes,
    ingredients: await withPlatforms(parts, ingredients),
    hasDocument: parts.store.index.sizeOf(selected.documentDigest) !== undefined,
  };
}
