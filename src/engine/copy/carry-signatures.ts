import { Readable } from 'node:stream';
import { forEachBounded, type Semaphore } from '../../base/concurrency.ts';
import { type Digest, hashBytes } from '../../base/digest.ts';
import type { Descriptor } from '../../oci/descriptor.ts';
import { readListEntries } from '../../oci/list-entries.ts';
import { ManifestError, manifestLimits, parseManifest } from '../../oci/manifest.ts';
import { mediaTypes } from '../../oci/media-types.ts';
import type { CallOptions, ManifestContent, Source, Target } from '../../oci/ports.ts';
import { fallbackTag } from '../../oci/reference.ts';
import { toReferrer } from '../../oci/referrer.ts';
import { isSvcError, type SvcError } from '../../text/error.ts';
import type { ErrorCode } from '../../text/errors/registry.ts';
import { type FoundSignatures, readClassicEvidence } from '../../trust/discover.ts';
import { listSound } from '../../trust/judge.ts';
import { type MergedClassic, mergeClassic } from '../../trust/merge-classic.ts';
import type { SignatureEvidence } from '../../trust/model.ts';
import { type SignatureTrust, selectCarried } from '../../trust/select-carried.ts';
import { toWholeClassic } from '../../trust/whole-classic.ts';
import { type BlobQuestion, copyGraph } from './copy-graph.ts';
import { readTargetSignatures } from './read-target-signatures.ts';

export interface CarryOptions extends CallOptions {
  /** Names the subject in errors. */
  readonly reference: string;
  /**
   * Decides which signatures are sound: these are kept first where not all fit. Default: those that arrive.
   */
  readonly trust?: SignatureTrust;
  /** Name of the repository at a destination, `<host>/<path>`. Absent: the target is the store. */
  readonly place?: string;
  readonly limiter?: Semaphore;
  /** Whether the target lacks a blob of an artifact that it has. Default: nothing is asked. */
  readonly isLost?: BlobQuestion | undefined;
  /** Called when all blobs of a signature are at the target, before its put. */
  readonly check?: () => Promise<void>;
  readonly onBytes?: (count: number) => void;
  /** Called before a classic tag at the target is pointed at the merged signatures. */
  readonly onRepoint?: (tag: string, from: Digest, to: Digest) => void;
  /** Called with the number of signatures of source and target that no longer fit under a classic tag. */
  readonly onLeftOut?: (tag: string, count: number) => void;
  /**
   * Called for a signature artifact of which the source lacks a part or has other bytes; the artifact is not
   * carried. An error that it throws ends the operation. Without this callback the failure itself ends it.
   *
   * `isReduced`: the signatures of the artifact that are whole are carried.
   */
  readonly onBroken?: (signature: Digest, error: SvcError, isReduced: boolean) => void;
  /**
   * Called for a signature that the target has no room to list, or whose list there belongs to somebody else (SVC-DST-005).
   * Without this callback the failure ends the operation.
   */
  readonly onUnlisted?: (layout: SignatureEvidence['layout'], error: SvcError) => void;
  /**
   * Merges referrers into the fallback index, for a target that maintains this index itself. Default: the
   * merged index is pushed as a manifest, as for the store.
   */
  readonly putFallback?: (referrers: readonly Descriptor[]) => Promise<void>;
  /**
   * Whether such a target lists referrers without this index. Where it does not, a bundle that is there already may not be
   * listed: its index may have been unusable when it was put.
   */
  readonly hasReferrersApi?: () => Promise<boolean>;
}

interface CarriedSignatures {
  /** Signature artifacts that are at the target now, found or put. */
  readonly carried: readonly Digest[];
  readonly moved: { readonly count: number; readonly bytes: number };
}

/** The entries of a fallback index; undefined for content of another kind. */
function readEntries(index: ManifestContent | undefined): readonly Descriptor[] | undefined {
  if (!index) return [];
  try {
    return readListEntries(index.bytes).manifests;
  } catch (error) {
    if (error instanceof ManifestError) return undefined;
    throw error;
  }
}

/** Whether every target accepts the index unchanged. */
function isExact({ bytes, descriptor }: ManifestContent): boolean {
  try {
    return parseManifest(bytes, descriptor.mediaType).kind === 'index';
  } catch (error) {
    if (error instanceof ManifestError) return false;
    throw error;
  }
}

/** Bytes of an index of these referrers, without the first ones where the limits are exceeded. */
function toFallbackBytes(referrers: readonly Descriptor[]): Buffer {
  const toBytes = (manifests: readonly Descriptor[]): Buffer =>
    Buffer.from(JSON.stringify({ schemaVersion: 2, mediaType: mediaTypes.ociIndex, manifests }));
  let over = toBytes(referrers).length - manifestLimits.bytes;
  let first = Math.max(0, referrers.length - manifestLimits.children);
  for (; over > 0 && first < referrers.length; first += 1)
    over -= Buffer.byteLength(JSON.stringify(referrers[first])) + 1;
  return toBytes(referrers.slice(first));
}

/**
 * Merges two fallback indexes: all entries of the current one, and those entries of the arriving one that
 * were carried. Current entries are left out only where both together exceed the limits of a manifest.
 *
 * @returns undefined when the current index needs no change
 */
export function mergeFallback(
  current: ManifestContent | undefined,
  arriving: ManifestContent,
  carried: ReadonlySet<Digest>,
): ManifestContent | undefined {
  const listed = readEntries(current);
  // other content under the tag belongs to somebody else
  if (listed === undefined) return undefined;
  const known = new Set(listed.map(({ digest }) => digest));
  const offered = readEntries(arriving) ?? [];
  const added = offered.filter(({ digest }) => carried.has(digest) && !known.has(digest));
  if (added.length === 0) return undefined;
  if (listed.length === 0 && added.length === offered.length && isExact(arriving)) return arriving;
  const bytes = toFallbackBytes([...listed, ...added]);
  return {
    bytes,
    descriptor: { mediaType: mediaTypes.ociIndex, digest: hashBytes(bytes), size: bytes.length },
  };
}

const artifactsAtOnce = 8;

/** Errors of a source that lacks a part of an artifact. */
const incomplete: readonly ErrorCode[] = ['SVC-REG-005', 'SVC-SIG-002'];
/** Errors of a source that does not answer. */
const unanswered: readonly ErrorCode[] = ['SVC-REG-002', 'SVC-REG-003', 'SVC-REG-007', 'SVC-NET-001'];

/**
 * Carries the signature artifacts of a subject in both layouts, and its fallback tag if it has one. Bundles
 * are carried bit-exact. Classic signatures are merged with those under their tag at the target, so that none
 * of these is lost. The bytes pushed are those that were collected. A second call moves nothing.
 *
 * @param source has the blobs of the artifacts
 * @throws errors of source and target; without `onBroken` no artifact is skipped
 */
export async function carrySignatures(
  found: FoundSignatures,
  source: Source,
  target: Target & Source,
  subject: Digest,
  options: CarryOptions,
): Promise<CarriedSignatures> {
  const { reference, limiter, onBytes, signal } = options;
  const call: CallOptions = { signal };
  const copying = {
    ...call,
    reference: `signature of ${reference}`,
    ...(limiter ? { limiter } : {}),
    isLost: options.isLost,
    ...(options.check ? { check: options.check } : {}),
    ...(onBytes ? { onBytes } : {}),
  };
  const carried = new Set<Digest>();
  /** Bundles that the target had. */
  const standing: ManifestContent[] = [];
  const moved = { count: 0, bytes: 0 };
  /** Bundles that the target does not list by itself: one write lists all. A write for each would read a growing index each time. */
  const unlisted: Descriptor[] = [];
  const pushTarget: Target & Source = options.putFallback
    ? {
        ...target,
        pushManifest: (name, manifest, push) =>
          target.pushManifest(name, manifest, { ...push, onUnlisted: (entry) => unlisted.push(entry) }),
      }
    : target;
  const copy = async (manifest: ManifestContent, from: Source, tag?: string): Promise<boolean> => {
    const { moved: some } = await copyGraph(from, pushTarget, manifest, {
      ...copying,
      ...(tag ? { tag } : {}),
    });
    moved.count += some.count;
    moved.bytes += some.bytes;
    carried.add(manifest.descriptor.digest);
    return some.count > 0;
  };
  const carryClassic = async (manifest: ManifestContent, from: Source, tag: string): Promise<void> => {
    const current = await target.resolve(tag, call);
    if (current?.digest === manifest.descriptor.digest) {
      await copy(manifest, from, tag);
      return;
    }
    const isWhole = current !== undefined && (await target.hasManifest(current.digest, call));
    const readHeld = (digest: Digest): Promise<ManifestContent | undefined> =>
      options.place === undefined
        ? target.fetchManifest(digest, call)
        : readTargetSignatures(target, digest, `${options.place}:${tag}`, call);
    const held = isWhole ? await readHeld(current.digest) : undefined;
    const findSound = async (): Promise<ReadonlySet<string>> => {
      const { policy, scopePath } = options.trust ?? {};
      if (!policy || scopePath === undefined) return new Set();
      const known = held ? await readClassicEvidence(target, subject, held, tag, call) : [];
      return listSound(subject, [...found.evidence, ...known], policy, scopePath);
    };
    const merged = await mergeClassic(held, manifest, findSound);
    if (!merged) return;
    if (current) options.onRepoint?.(tag, current.digest, merged.manifest.descriptor.digest);
    if (merged.leftOut > 0) options.onLeftOut?.(tag, merged.leftOut);
    await copy(merged.manifest, withConfig(from, merged), tag);
  };
  /** Without the signatures that the source lacks a part of. @returns false when none is left */
  const carryWhole = async (evidence: SignatureEvidence, tag: string): Promise<boolean> => {
    const whole = toWholeClassic(evidence);
    if (!whole) return false;
    await carryClassic(whole.manifest, withConfig(source, whole), tag);
    return true;
  };

  // a search with failures was accepted because of other signatures: the next run carries these
  const passed = new Set<ErrorCode>(found.unread ? [...incomplete, ...unanswered] : incomplete);
  const { evidence, leftOut } = await selectCarried(subject, found.evidence, undefined, options.trust);
  if (leftOut > 0) options.onLeftOut?.(fallbackTag(subject), leftOut);
  await forEachBounded(evidence, artifactsAtOnce, async (one) => {
    const { layout, tag, manifest } = one;
    const isClassic = layout === 'classic' && tag !== undefined;
    try {
      if (isClassic) await carryClassic(manifest, source, tag);
      else if (!(await copy(manifest, source))) standing.push(manifest);
    } catch (error) {
      if (options.onUnlisted && isSvcError(error, 'SVC-DST-005')) return options.onUnlisted(layout, error);
      if (!options.onBroken || !isSvcError(error) || !passed.has(error.code)) throw error;
      const isReduced = isClassic && (await carryWhole(one, tag));
      options.onBroken(manifest.descriptor.digest, error, isReduced);
    }
  });

  if (options.putFallback) {
    const sizes = new Map(
      evidence.map(({ manifest: { descriptor } }) => [descriptor.digest, descriptor.size]),
    );
    // the size in a list of others is a hint; clients of the destination may rely on it
    const listed = (readEntries(found.fallbackIndex) ?? [])
      .filter(({ digest }) => carried.has(digest))
      .map((entry) => ({ ...entry, size: sizes.get(entry.digest) ?? entry.size }));
    const isListed = standing.length === 0 || (await options.hasReferrersApi?.()) !== false;
    const unsure = isListed ? [] : standing.map(toEntry);
    const entries = [...unlisted, ...unsure, ...listed];
    const referrers = [...new Map(entries.map((entry) => [entry.digest, entry])).values()];
    try {
      if (referrers.length > 0) await options.putFallback(referrers);
    } catch (error) {
      if (!options.onUnlisted || !isSvcError(error, 'SVC-DST-005')) throw error;
      options.onUnlisted('bundle', error);
    }
  } else if (found.fallbackIndex) {
    const tag = fallbackTag(subject);
    const merged = mergeFallback(await target.fetchManifest(tag, call), found.fallbackIndex, carried);
    if (merged) {
      await target.pushManifest(tag, merged, call);
      moved.count += 1;
      moved.bytes += merged.bytes.length;
    }
  }
  return { carried: [...carried], moved };
}

/** The entry of a carried bundle in the fallback index. */
const toEntry = (bundle: ManifestContent): Descriptor =>
  toReferrer(bundle, parseManifest(bundle.bytes, bundle.descriptor.mediaType));

/** Adds the config of a merged artifact to the source, since no repository has it yet. */
function withConfig(source: Source, { config }: Pick<MergedClassic, 'config'>): Source {
  if (!config) return source;
  const digest = hashBytes(config);
  return {
    resolve: (reference, call) => source.resolve(reference, call),
    fetchManifest: (reference, call) => source.fetchManifest(reference, call),
    fetchBlob: async (blob, call) =>
      blob.digest === digest ? Readable.from([config]) : source.fetchBlob(blob, call),
  };
}
