import { forEachBounded } from '../../base/concurrency.ts';
import type { Digest } from '../../base/digest.ts';
import type { Descriptor } from '../../oci/descriptor.ts';
import {
  effectiveArtifactType,
  type ImageManifest,
  type Manifest,
  manifestLimits,
} from '../../oci/manifest.ts';
import { isBundleType, isIndexType } from '../../oci/media-types.ts';
import { formatPlatform, isSamePlatform, type Platform } from '../../oci/platform.ts';
import type { BlobFetcher, CallOptions, Source } from '../../oci/ports.ts';
import { listChildren } from '../../oci/select-children.ts';
import { svcError } from '../../text/error.ts';
import { fr } from '../../text/language.ts';
import { rule } from '../../text/rule.ts';
import { type ChosenChild, chooseChildren } from './choose-children.ts';
import { GraphMemory, refuseMore, takeTurn } from './read-child.ts';
import { requireReadable } from './read-manifest.ts';
import { readOwnPlatform } from './read-own-platform.ts';

/** A manifest and the content that it names. */
interface GraphManifest extends Descriptor {
  /** All children of an index, also those not requested. */
  readonly manifests: readonly Digest[];
  readonly blobs: readonly Descriptor[];
}

/** The manifests and blobs that make a manifest complete for the requested platforms. */
export interface ManifestGraph {
  readonly root: Descriptor;
  /** The parsed root. */
  readonly manifest: Manifest;
  /** The root first; each once. */
  readonly manifests: readonly GraphManifest[];
  /** Each once, layers that need not be distributed included. */
  readonly blobs: readonly Descriptor[];
  /** Whether an index has children that are not requested. */
  readonly isSparse: boolean;
  /** Digests of the manifests that are signatures of a subject. */
  readonly signatures: readonly Digest[];
  /** Layers that need not be distributed and are left out, because the registry does not have them. */
  readonly absentLayers?: readonly Digest[];
}

interface GraphOptions extends CallOptions {
  /** Names the root in errors. */
  readonly reference: string;
  /** Platforms to carry; empty: all. */
  readonly platforms: readonly Platform[];
  /** Results of earlier walks through the same artifact. */
  readonly memory?: GraphMemory;
  /** `indexes`: images below an index are not read, and are no part of the graph. Default: everything is read. */
  readonly reads?: 'everything' | 'indexes';
}

function blobsBelow(manifest: Manifest): readonly Descriptor[] {
  return manifest.kind === 'image' ? [manifest.config, ...manifest.layers] : [];
}

/** Converts a manifest to its entry in a graph. */
export function toGraphManifest(descriptor: Descriptor, manifest: Manifest): GraphManifest {
  const children = manifest.kind === 'index' ? listChildren(manifest) : [];
  return { ...descriptor, manifests: children.map(({ digest }) => digest), blobs: blobsBelow(manifest) };
}

/** Requires that a single image has the requested platforms. @throws SVC-REG-008 */
async function requireOwnPlatform(
  source: BlobFetcher,
  manifest: ImageManifest,
  options: GraphOptions,
): Promise<void> {
  const { platforms, reference } = options;
  if (platforms.length === 0) return;
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
 * Reads the manifests below a digest and lists the manifests and blobs to carry. It reads only manifests, and
 * configurations of images to find their platform.
 *
 * @throws SVC-REG-005, SVC-REG-008, SVC-REG-009, SVC-SIG-002, errors of the source
 */
export async function readGraph(source: Source, root: Digest, options: GraphOptions): Promise<ManifestGraph> {
  const { reference, platforms, memory = new GraphMemory(), signal, reads = 'everything' } = options;
  const manifests = new Map<Digest, GraphManifest>();
  const blobs = new Map<Digest, Descriptor>();
  const images = new Set<Digest>();
  const signatures: Digest[] = [];
  let rootDescriptor: Descriptor = { mediaType: '', digest: root, size: 0 };
  let rootManifest: Manifest | undefined;
  let isSparse = false;

  /** Ways that were walked: the greatest depth, by digest and by the requested platforms. */
  const walked = new Map<Digest, Map<string, number>>();
  /** Notes a way. @returns whether it leads to nothing new, as one to all platforms did, or one to these, at least as deep */
  const isWalked = (digest: Digest, asked: readonly Platform[], depth: number): boolean => {
    const ways = walked.get(digest) ?? new Map<string, number>();
    walked.set(digest, ways);
    const key = asked.map(formatPlatform).join(' ');
    if (['', key].some((one) => (ways.get(one) ?? -1) >= depth)) return true;
    ways.set(key, depth);
    return false;
  };
  const walk = async (wanted: Descriptor, asked: readonly Platform[], depth: number): Promise<void> => {
    const { digest } = wanted;
    if (isWalked(digest, asked, depth)) return;
    if (depth > manifestLimits.nesting)
      throw svcError('SVC-REG-009', {
        reference,
        detail: rule(['nested deeper than {nesting}', fr`imbriqué à plus de {nesting} niveaux`], {
          nesting: manifestLimits.nesting,
        }),
      });
    const isKnown = manifests.has(digest);
    if (isKnown && images.has(digest)) return;
    if (!isKnown) manifests.set(digest, { ...wanted, manifests: [], blobs: [] });
    if (manifests.size > manifestLimits.children) refuseMore(reference);
    await takeTurn(memory, signal);
    const { content, manifest } = await memory.read(source, wanted, reference, options);
    if (manifest.kind === 'image') images.add(digest);
    if (!isKnown) {
      manifests.set(digest, toGraphManifest(content.descriptor, manifest));
      if (manifest.subject && isBundleType(effectiveArtifactType(manifest))) signatures.push(digest);
    }
    if (depth === 0) {
      rootDescriptor = content.descriptor;
      rootManifest = manifest;
    }
    if (manifest.kind === 'image') {
      if (depth === 0) await requireOwnPlatform(source, manifest, options);
      for (const blob of blobsBelow(manifest)) blobs.set(blob.digest, blob);
      return;
    }
    const children = await chooseChildren(source, manifest, { ...options, memory, platforms: asked });
    const isRead = ({ descriptor }: ChosenChild): boolean => {
      if (reads === 'everything' || isIndexType(descriptor.mediaType)) return true;
      requireReadable(descriptor, reference);
      return false;
    };
    isSparse ||= children.length < listChildren(manifest).length;
    await forEachBounded(children.filter(isRead), 4, (child) =>
      walk(child.descriptor, child.platforms, depth + 1),
    );
  };
  await walk(rootDescriptor, platforms, 0);
  return {
    root: rootDescriptor,
    manifest: rootManifest!,
    manifests: [...manifests.values()],
    blobs: [...blobs.values()],
    signatures,
    isSparse,
  };
}
