import { blobPath } from '../../../../src/oci/layout.ts';
import { mediaTypes } from '../../../../src/oci/media-types.ts';
import { type Artifact, buildImage } from '../../content/content.ts';
import type { Files } from './mutation.ts';

export const nameKey = 'org.opencontainers.image.ref.name';
export const image: Artifact = buildImage('victim', { ownLayers: 2, layerSize: 100_000 });
export const [config, layer, second] = image.blobs;
export const manifest = image.manifest;

interface IndexEntry {
  [member: string]: unknown;
}

export function toEntry(artifact: Artifact, name = 'victim/app:1'): IndexEntry {
  return { ...artifact.manifest.descriptor, annotations: { [nameKey]: name } };
}

export function toIndex(entries: readonly unknown[], more: Record<string, unknown> = {}): Buffer {
  return Buffer.from(
    JSON.stringify({ schemaVersion: 2, mediaType: mediaTypes.ociIndex, manifests: entries, ...more }),
  );
}

/** A good layout of one image. */
export function toFiles(
  artifact: Artifact = image,
  entries: readonly unknown[] = [toEntry(artifact)],
): Files {
  const files: Files = new Map([
    ['oci-layout', Buffer.from('{"imageLayoutVersion":"1.0.0"}')],
    ['index.json', toIndex(entries)],
  ]);
  const add = ({ manifest: { descriptor, bytes }, blobs, children }: Artifact): void => {
    for (const child of children) add(child.artifact);
    for (const blob of blobs) files.set(blobPath(blob.descriptor.digest), blob.bytes);
    files.set(blobPath(descriptor.digest), bytes);
  };
  add(artifact);
  return files;
}
