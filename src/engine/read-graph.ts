import { forEachBounded } from '../base/concurrency.ts';
import type { Digest } from '../base/digest.ts';
import { svcError } from '../base/error.ts';
import type { Descriptor } from '../oci/descriptor.ts';
import { effectiveArtifactType, type Manifest, manifestLimits } from '../oci/manifest.ts';
import { formatPlatform, isSamePlatform, type Platform } from '../oci/platform.ts';
import type { CallOptions, Source } from '../oci/ports.ts';
import { selectChildren } from '../oci/select-children.ts';
import { readManifest, toAbsentPlatforms } from './read-manifest.ts';
import { readOwnPlatform } from './read-own-platform.ts';

/** What must be carried so that a manifest is whole for the platforms asked for. */
export interface ContentGraph {
  readonly root: Descriptor;
  /** The root first; each once. */
  readonly manifests: readonly Descriptor[];
  /** Each once, layers that need not be distributed included. */
  readonly blobs: readonly Descriptor[];
  /** Children of a root index that are not asked for. */
  readonly isSparse: boolean;
}

export interface GraphOptions extends CallOptions {
  /** Names the root in errors. */
  readonly reference: string;
  /** Empty: all. */
  readonly platforms: readonly Platform[];
  /** What the root must say that it is, when the recipe demands it. */
  readonly artifactType?: string | undefined;
}

/** Holds the root to what the recipe says of it: its artifact type, and for a single image its platform. */
async function checkRoot(source: Source, manifest: Manifest, options: GraphOptions): Promise<void> {
  const { artifactType, platforms, reference } = options;
  if (artifactType !== undefined) {
    const actual = effectiveArtifactType(manifest) ?? 'none';
    if (actual !== artifactType) throw svcError('SVC-SIG-003', { expected: artifactType, actual, reference });
  }
  if (manifest.kind === 'index' || platforms.length === 0) return;
  const own = await readOwnPlatform(source, manifest, reference, options);
  const missing = platforms.filter((platform) => own === undefined || !isSamePlatform(own, platform));
  if (missing.length > 0)
    throw svcError('SVC-REG-008', {
      reference,
      platforms: missing.map(formatPlatform),
      available: own === undefined ? [] : [formatPlatform(own)],
    });
}

/**
 * Reads the manifests below a digest and lists what must be carried. Nothing but manifests, and the config of a single
 * image whose platform is in question, is read.
 *
 * @throws SVC-REG-005, SVC-REG-007, SVC-REG-008, SVC-SIG-002, SVC-SIG-003
 */
export async function readGraph(source: Source, root: Digest, options: GraphOptions): Promise<ContentGraph> {
  const { reference, platforms } = options;
  const manifests = new Map<Digest, Descriptor>();
  const blobs = new Map<Digest, Descriptor>();
  let rootDescriptor: Descriptor = { mediaType: '', digest: root, size: 0 };
  let isSparse = false;

  const walk = async (wanted: Descriptor, depth: number): Promise<void> => {
    if (manifests.has(wanted.digest)) return;
    if (depth > manifestLimits.nesting)
      throw svcError('SVC-REG-007', { reference, detail: `nested deeper than ${manifestLimits.nesting}` });
    manifests.set(wanted.digest, wanted);
    if (manifests.size > manifestLimits.children)
      throw svcError('SVC-REG-007', {
        reference,
        detail: `reaches more than ${manifestLimits.children} manifests`,
      });
    const { content, manifest } = await readManifest(source, wanted, reference, options);
    manifests.set(wanted.digest, content.descriptor);
    if (depth === 0) {
      rootDescriptor = content.descriptor;
      await checkRoot(source, manifest, options);
    }
    if (manifest.kind === 'image') {
      for (const blob of [manifest.config, ...manifest.layers]) blobs.set(blob.digest, blob);
      return;
    }
    const { children, missing } = selectChildren(manifest, depth === 0 ? platforms : []);
    if (missing.length > 0) throw toAbsentPlatforms(reference, missing, manifest);
    if (depth === 0) isSparse = children.length < manifest.manifests.length;
    await forEachBounded(children, 4, (child) => walk(child, depth + 1));
  };
  await walk(rootDescriptor, 0);
  return { root: rootDescriptor, manifests: [...manifests.values()], blobs: [...blobs.values()], isSparse };
}
