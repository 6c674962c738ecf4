import type { ContentChange } from '../../src/catalog/content-records.ts';
import type { RecipeRecord } from '../../src/catalog/model.ts';
import type { RecipeChange } from '../../src/catalog/recipe-book.ts';
import type { RecipeIngredientRecord } from '../../src/contract/recipe.ts';
import type { Descriptor } from '../../src/oci/descriptor.ts';
import { mediaTypes } from '../../src/oci/media-types.ts';
import { toRecipeArtifact } from '../../src/recipe/artifact.ts';
import { parseRecipe } from '../../src/recipe/document.ts';
import { toRecipeDocument } from '../kit/content/origin.ts';

const host = 'registry.example';
const ingredientsOfOne = 6;

/** An image of the store that a recipe can pin. */
export interface PinnedImage {
  readonly repository: string;
  readonly tag: string;
  readonly digest: string;
}

/** How many recipes a store of so many repositories has, each in five versions. */
export function countRecipes(repositories: number): number {
  return Math.max(1, Math.round(repositories / 50));
}

export const recipeVersions = 5;
export const toRecipeName = (recipe: number): string => `delivery-${recipe}`;
export const toRecipeVersion = (version: number): string => `1.${version}.0`;

/** Numbers of the repositories that a recipe pins: all between one fifth and two fifths of the store. */
export function toPinnedRepositories(recipe: number, repositories: number): readonly number[] {
  const from = Math.round(repositories / 5) + recipe * ingredientsOfOne;
  return Array.from({ length: ingredientsOfOne }, (_, i) => from + i);
}

/** Whether a recipe pins the version of a repository. */
export function isPinned(repository: number, version: number, repositories: number): boolean {
  const [from] = toPinnedRepositories(0, repositories);
  const end = toPinnedRepositories(countRecipes(repositories), repositories)[0]!;
  return version < recipeVersions && repository >= from! && repository < end;
}

interface RecipeChanges {
  readonly content: readonly ContentChange[];
  readonly recipes: readonly RecipeChange[];
}

/**
 * The records of a recipe that a synchronization brought, with its images in the same version.
 *
 * @param put writes a blob and describes it
 */
export function toRecipeChanges(
  recipe: number,
  version: number,
  images: readonly PinnedImage[],
  put: (text: string, mediaType: string) => Descriptor,
): RecipeChanges {
  const name = toRecipeName(recipe);
  const tag = toRecipeVersion(version);
  const cookbook = `${host}/cookbook`;
  const repository = `${cookbook}/${name}`;
  const owner = { provenance: 'recipe', recipe: `${name}@${tag}`, cookbook } as const;
  const ingredients = images.map((image, i) => ({ ...image, name: `service-${i}` }));
  const document = toRecipeDocument(host, {
    name,
    version: tag,
    ingredients: ingredients.map((each) => ({ ...each, version: each.tag })),
  });
  const bytes = Buffer.from(document);
  // an hour apart, the versions of a recipe some days
  const created = new Date(Date.UTC(2026, 0, 1 + version * 20, recipe % 24)).toISOString();
  const { manifest, blobs } = toRecipeArtifact(bytes, parseRecipe(bytes, 'recipe.yaml'), created);
  for (const blob of blobs) put(blob.bytes.toString(), blob.descriptor.mediaType);
  const { digest, size } = put(manifest.bytes.toString(), mediaTypes.ociManifest);
  const record: RecipeRecord = {
    name,
    version: tag,
    cookbook,
    repository,
    tag,
    digest,
    documentDigest: blobs[1]!.descriptor.digest,
    runId: `run-${version}`,
    zone: 'zone-b',
    resolvedAt: created,
    verified: true,
    ingredients: ingredients.map(
      (each): RecipeIngredientRecord => ({
        name: each.name,
        kind: 'ContainerImage',
        ref: `${host}/${each.repository}`,
        repository: each.repository,
        tag: each.tag,
        digest: each.digest as RecipeIngredientRecord['digest'],
      }),
    ),
  };
  return {
    content: [
      {
        op: 'manifest',
        digest,
        type: mediaTypes.ociManifest,
        artifactType: mediaTypes.recipe,
        size,
        blobs: blobs.flatMap(({ descriptor }) => [descriptor.digest, descriptor.size]),
      },
      { op: 'put', repo: repository, digest },
      { op: 'tag', repo: repository, tag, digest, kind: 'Recipe', owner },
      ...images.map(
        (image): ContentChange => ({
          op: 'tag',
          repo: image.repository,
          tag: image.tag,
          digest: image.digest as RecipeRecord['digest'],
          kind: 'ContainerImage',
          owner,
        }),
      ),
    ],
    recipes: [{ op: 'recipe', ...record }],
  };
}
