import { toFilesetImage } from '../../src/fileset/pack-image.ts';
import { mediaTypes } from '../../src/oci/media-types.ts';
import { toRecipeArtifact } from '../../src/recipe/artifact.ts';
import { parseRecipe } from '../../src/recipe/document.ts';
import { type Artifact, packLayer } from './oci-content.ts';
import type { Source } from './source.ts';

/** Packs a folder as a FileSet. @param layer file for its layer */
export async function packFileset(name: string, folder: string, layer: string): Promise<Artifact> {
  const packed = await packLayer(folder, layer);
  const { manifest, config } = toFilesetImage(packed.descriptor);
  const { digest } = toFilesetImage(packed.descriptor);
  const root = { mediaType: mediaTypes.ociManifest, digest, size: manifest.length };
  const { config: named } = JSON.parse(manifest.toString()) as { config: (typeof packed)['descriptor'] };
  return {
    name,
    root,
    contents: [packed, { descriptor: named, from: config }, { descriptor: root, from: manifest }],
  };
}

/** An ingredient of the recipe of the release. */
export interface ReleasedIngredient {
  readonly name: string;
  readonly kind: 'ContainerImage' | 'HelmChart' | 'FileSet';
  readonly artifact: Artifact;
}

/** Writes the recipe `svc@<version>`, with each ingredient pinned to its digest. */
export function toReleaseRecipe(
  { version, date }: Source,
  ingredients: readonly ReleasedIngredient[],
): Buffer {
  const lines = ingredients.flatMap(({ name, kind, artifact }) => [
    `    - name: ${name}`,
    `      kind: ${kind}`,
    `      ref: ${artifact.name.replace(/:[^:/]*$/, '')}`,
    `      version: ${version}`,
    `      digest: ${artifact.root.digest}`,
  ]);
  const head = [
    'apiVersion: recipe.tobby.dev/v1alpha1',
    'kind: Recipe',
    'metadata:',
    '  name: svc',
    `  version: ${version}`,
    '  description: The program itself, as image, chart, packages and single files',
    '  annotations:',
    `    recipe.tobby.dev/cooked-at: "${date.toISOString()}"`,
    'spec:',
    '  ingredients:',
  ];
  return Buffer.from(`${[...head, ...lines].join('\n')}\n`);
}

/** Wraps the recipe as the artifact of a cookbook. */
export function toRecipeContent(name: string, document: Buffer, date: Date): Artifact {
  const recipe = parseRecipe(document, 'recipe.yaml');
  const { manifest, blobs } = toRecipeArtifact(document, recipe, date.toISOString());
  const contents = blobs.map(({ descriptor, bytes }) => ({ descriptor, from: bytes }));
  return {
    name,
    root: manifest.descriptor,
    contents: [...contents, { descriptor: manifest.descriptor, from: manifest.bytes }],
  };
}
