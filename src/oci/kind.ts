import { type ContentKind, kind } from '../contract/common.ts';
import { effectiveArtifactType, type Manifest } from './manifest.ts';
import { mediaTypes } from './media-types.ts';

/** Kind of an artifact. `FileSet` is known only from a recipe or from packing: its manifest is that of an image. */
export type { ContentKind };
export const contentKinds: readonly ContentKind[] = kind.enum;

/** Returns the kind that follows from a manifest alone. */
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
