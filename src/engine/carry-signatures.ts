import type { Semaphore } from '../base/concurrency.ts';
import { type Digest, hashBytes } from '../base/digest.ts';
import type { Descriptor } from '../oci/descriptor.ts';
import { ManifestError, parseManifest } from '../oci/manifest.ts';
import { mediaTypes } from '../oci/media-types.ts';
import type { CallOptions, ManifestContent, Source, Target } from '../oci/ports.ts';
import { fallbackTag } from '../oci/reference.ts';
import type { FoundSignatures } from '../trust/discover.ts';
import { copyGraph } from './copy-graph.ts';

export interface CarryOptions extends CallOptions {
  /** Names the subject in errors. */
  readonly reference: string;
  readonly lanes?: Semaphore;
  readonly onBytes?: (count: number) => void;
  /** Whether what stands under the classic tag at the target stays. Without it the carried one takes its place. */
  readonly keepsClassic?: (standing: Descriptor) => Promise<boolean>;
  readonly onRepoint?: (tag: string, from: Digest, to: Digest) => void;
  /**
   * Merges referrers into the fallback index of a target that keeps it itself. Without it the merged index is put here,
   * as into the store.
   */
  readonly putFallback?: (referrers: readonly Descriptor[]) => Promise<void>;
}

export interface CarriedSignatures {
  /** Signature artifacts that are at the target now, found or put. */
  readonly carried: readonly Digest[];
  readonly moved: { readonly count: number; readonly bytes: number };
}

function readEntries(index: ManifestContent | undefined): readonly Descriptor[] {
  if (!index) return [];
  try {
    const manifest = parseManifest(index.bytes, index.descriptor.mediaType);
    return manifest.kind === 'index' ? manifest.manifests : [];
  } catch (error) {
    if (error instanceof ManifestError) return [];
    throw error;
  }
}

/**
 * The fallback index that lists what either lists; of the arriving one only what was carried along. What stands is never
 * dropped.
 *
 * @returns undefined when what stands says it all
 */
export function mergeFallback(
  standing: ManifestContent | undefined,
  arriving: ManifestContent,
  carried: ReadonlySet<Digest>,
): ManifestContent | undefined {
  const listed = readEntries(standing);
  const known = new Set(listed.map(({ digest }) => digest));
  const offered = readEntries(arriving);
  const added = offered.filter(({ digest }) => carried.has(digest) && !known.has(digest));
  if (added.length === 0) return undefined;
  if (listed.length === 0 && added.length === offered.length) return arriving;
  const bytes = Buffer.from(
    JSON.stringify({ schemaVersion: 2, mediaType: mediaTypes.ociIndex, manifests: [...listed, ...added] }),
  );
  return {
    bytes,
    descriptor: { mediaType: mediaTypes.ociIndex, digest: hashBytes(bytes), size: bytes.length },
  };
}

/**
 * Carries the signature artifacts of a subject, bit-exact and in both layouts, with the fallback tag where there is one.
 * The bytes pushed are those that were collected. Carrying again moves nothing.
 *
 * @param source has the blobs of the artifacts
 * @throws what the two ends throw; nothing is skipped in silence
 */
export async function carrySignatures(
  found: FoundSignatures,
  source: Source,
  target: Target & Source,
  subject: Digest,
  options: CarryOptions,
): Promise<CarriedSignatures> {
  const { reference, lanes, onBytes, signal } = options;
  const call: CallOptions = signal ? { signal } : {};
  const copying = {
    ...call,
    reference: `signature of ${reference}`,
    ...(lanes ? { lanes } : {}),
    ...(onBytes ? { onBytes } : {}),
  };
  const carried = new Set<Digest>();
  const moved = { count: 0, bytes: 0 };
  const copy = async (manifest: ManifestContent, tag?: string): Promise<void> => {
    const { moved: some } = await copyGraph(source, target, manifest, {
      ...copying,
      ...(tag ? { tag } : {}),
    });
    moved.count += some.count;
    moved.bytes += some.bytes;
    carried.add(manifest.descriptor.digest);
  };

  for (const { layout, tag, manifest } of found.evidence) {
    if (layout === 'bundle' || tag === undefined) {
      await copy(manifest);
      continue;
    }
    const standing = await target.resolve(tag, call);
    if (standing && standing.digest !== manifest.descriptor.digest) {
      if (await options.keepsClassic?.(standing)) continue;
      options.onRepoint?.(tag, standing.digest, manifest.descriptor.digest);
    }
    await copy(manifest, tag);
  }

  if (found.fallbackIndex) {
    if (options.putFallback) {
      const referrers = readEntries(found.fallbackIndex).filter(({ digest }) => carried.has(digest));
      if (referrers.length > 0) await options.putFallback(referrers);
    } else {
      const tag = fallbackTag(subject);
      const merged = mergeFallback(await target.fetchManifest(tag, call), found.fallbackIndex, carried);
      if (merged) {
        await target.pushManifest(tag, merged, call);
        moved.count += 1;
        moved.bytes += merged.bytes.length;
      }
    }
  }
  return { carried: [...carried], moved };
}
