import { effectiveArtifactType, type Manifest } from './manifest.ts';
import { mediaTypes } from './media-types.ts';

/** What an artifact is, as users name it. `FileSet` is known from a recipe or from packing only: its bytes are an image. */
export type ContentKind = 'ContainerImage' | 'HelmChart' | 'OCIArtifact' | 'FileSet' | 'Recipe';
export const contentKinds: readonly ContentKind[] = [
  'ContainerImage',
  'HelmChart',
  'OCIArtifact',
  'FileSet',
  'Recipe',
];

/** The kind that a manifest shows by itself. */
export function kindOf(manifest: Manifest): ContentKind {
  const artifactType = effectiveArtifactType(manifest);
  if (artifactType === mediaTypes.recipe) return 'Recipe';
  if (manifest.kind === 'index')
    return manifest.artifactType === undefined ? 'ContainerImage' : 'OCIArtifact';
  if (manifest.config.mediaType === mediaTypes.helmConfig) return 'HelmChart';
  const isImage =
    manifest.config.mediaType === mediaTypes.ociConfig ||
    manifest.config.mediaType === mediaTypes.dockerConfig;
  return isImage && manifest.artifactType === undefined ? 'ContainerImage' : 'OCIArtifact';
}
