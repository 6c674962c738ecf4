import { pipeline } from 'node:stream/promises';
import { decodeBase64 } from '../attest/encoding.ts';
import { signPredicate } from '../attest/predicate-types.ts';
import { signatureAnnotation } from '../attest/simple-signing.ts';
import { forEachBounded, Semaphore } from '../base/concurrency.ts';
import type { Digest } from '../base/digest.ts';
import { isSvcError, type SvcError, svcError } from '../base/error.ts';
import { releaseMemory } from '../base/release-memory.ts';
import { hasDisposableChunks } from '../base/stream/disposable-chunks.ts';
import { verified } from '../base/stream/verified.ts';
import type { Descriptor } from '../oci/descriptor.ts';
import { effectiveArtifactType, type Manifest, ManifestError, parseManifest } from '../oci/manifest.ts';
import { isBundleType, isIndexType, mediaTypes } from '../oci/media-types.ts';
import type { CallOptions, ManifestContent, SignedSource, Source } from '../oci/ports.ts';
import { fallbackTag, signatureTag } from '../oci/reference.ts';
import { signatureLimits } from './claim.ts';
import { isApproval } from './judge.ts';
import type { SignatureEvidence } from './model.ts';
import { readClassicLayer } from './read-classic.ts';
import { readEvidence } from './read-evidence.ts';
import { isSignatureSized } from './select-carried.ts';

export interface FoundSignatures {
  /**
   * Classic signatures first, then bundles in the order of the listing, those announced as attestations last.
   */
  readonly evidence: readonly SignatureEvidence[];
  /** Number of listed signatures that were not read because a limit was reached. Absent: none. */
  readonly leftOut?: number;
  /** The referrers fallback index, if there is one; it is copied with the manifests it lists. */
  readonly fallbackIndex?: ManifestContent;
}

/**
 * Bytes that one search may hold in memory while other searches run. Ordinary signatures have a few KiB;
 * larger searches run one at a time.
 */
const sharedBytes = 2_097_152;
const alone = new Semaphore(1);

/** Thrown when a search needs more memory than `sharedBytes`. */
class TooLarge extends Error {}

/**
 * Finds every signature of a subject: under the classic tag, by the referrers API, and under the fallback
 * tag. Attestations and SBOMs under their own tags are ignored. Sizes are checked before content is fetched.
 * A signature that exists and cannot be read is part of the result, so that it is never mistaken for absence.
 *
 * @throws the error of the source when it cannot be queried: unreachable is not unsigned
 */
export async function collectSignatures(
  source: SignedSource,
  subject: Digest,
  options: CallOptions = {},
): Promise<FoundSignatures> {
  try {
    return await collect(source, subject, sharedBytes, options);
  } catch (error) {
    if (!(error instanceof TooLarge)) throw error;
    return alone.run(() => collect(source, subject, signatureLimits.totalBytes, options));
  }
}

async function collect(
  source: SignedSource,
  subject: Digest,
  allowance: number,
  options: CallOptions,
): Promise<FoundSignatures> {
  const classicTag = signatureTag(subject);
  const indexTag = fallbackTag(subject);
  const collector = new Collector(source, subject, allowance, options);
  const [classic, referrers, fallback] = await Promise.all([
    classicTag === undefined ? undefined : collector.fetchManifest(classicTag),
    source.listReferrers(subject, undefined, options),
    collector.fetchManifest(indexTag),
  ]);
  if (classic) await collector.addClassic(classic, classicTag!);
  const listed = fallback && readIndex(fallback);
  const candidates = new Map<Digest, Candidate>();
  for (const descriptor of listed ?? []) candidates.set(descriptor.digest, { descriptor, tag: indexTag });
  for (const descriptor of referrers) candidates.set(descriptor.digest, { descriptor });
  await collector.addReferrers([...candidates.values()]);
  const { evidence, unusable, leftOut } = collector;
  if (evidence.length === 0 && unusable) throw unusable;
  return {
    evidence,
    ...(leftOut === 0 ? {} : { leftOut }),
    ...(fallback && listed ? { fallbackIndex: fallback } : {}),
  };
}

/** Reads the signatures of a classic artifact, within the limits of a search. */
export async function readClassicEvidence(
  source: Source,
  subject: Digest,
  manifest: ManifestContent,
  tag: string,
  options: CallOptions = {},
): Promise<readonly SignatureEvidence[]> {
  const collector = new Collector(source, subject, signatureLimits.totalBytes, options);
  await alone.run(() => collector.addClassic(manifest, tag));
  return collector.evidence;
}

/**
 * Frees the memory of a large set immediately, before the next set is read. The evidence has no bytes
 * afterwards.
 */
export function releaseSignatures({ evidence }: FoundSignatures): void {
  for (const { layers } of evidence) for (const { bytes } of layers) releaseMemory(bytes);
}

/** @returns undefined when the tag does not name an index */
function readIndex(content: ManifestContent): readonly Descriptor[] | undefined {
  const manifest = read(content);
  return manifest?.kind === 'index' ? manifest.manifests : undefined;
}

function read({ bytes, descriptor }: ManifestContent): Manifest | undefined {
  try {
    return parseManifest(bytes, descriptor.mediaType);
  } catch (error) {
    if (error instanceof ManifestError) return undefined;
    throw error;
  }
}

type Layer = SignatureEvidence['layers'][number];

/** A referrer that may be a signature; `tag` is the fallback tag when only the fallback index lists it. */
interface Candidate {
  readonly descriptor: Descriptor;
  readonly tag?: string;
}

const fetchesAtOnce = 8;
const predicateAnnotation = 'dev.sigstore.bundle.predicateType';

/**
 * Whether a referrer may be a bundle. A referrer without a type may be one, since older fallback indexes omit
 * it.
 */
export function mayBeBundle({ artifactType, mediaType }: Descriptor): boolean {
  return artifactType === undefined ? !isIndexType(mediaType) : isBundleType(artifactType);
}

/** Whether an annotation of cosign announces an attestation. Unsigned; used only for the order of reading. */
function isAnnouncedAttestation({ descriptor: { annotations } }: Candidate): boolean {
  return (annotations?.[predicateAnnotation] ?? signPredicate) !== signPredicate;
}

/** Collects the artifacts of one subject under common limits. */
class Collector {
  readonly evidence: SignatureEvidence[] = [];
  /** Error of the first manifest that was skipped because it is too large or does not match its digest. */
  unusable: SvcError | undefined;
  leftOut = 0;
  readonly #source: Source;
  readonly #subject: Digest;
  readonly #allowance: number;
  readonly #options: CallOptions;
  /** Number of signatures so far that are well-formed and name the subject. */
  readonly #claims = { classic: 0, bundle: 0 };
  #bytes = 0;

  constructor(source: Source, subject: Digest, allowance: number, options: CallOptions) {
    this.#source = source;
    this.#subject = subject;
    this.#allowance = allowance;
    this.#options = options;
  }

  /**
   * Fetches a manifest. One that does not match its digest or is larger than 4 MiB is recorded and skipped: it must not
   * mask a valid signature.
   */
  async fetchManifest(reference: string): Promise<ManifestContent | undefined> {
    try {
      return await this.#source.fetchManifest(reference, this.#options);
    } catch (error) {
      if (isSvcError(error, 'SVC-VAL-002')) this.leftOut += 1;
      else if (!isSvcError(error, 'SVC-SIG-002')) throw error;
      this.unusable ??= error;
      return undefined;
    }
  }

  /**
   * Reads the layers of a classic artifact in their order. A layer over a limit, or one that cannot be
   * fetched, is kept with empty bytes, which match no digest. Signers append layers, so the limits are spent
   * on the last layers first.
   */
  async addClassic(content: ManifestContent, tag: string): Promise<void> {
    const manifest = read(content);
    const descriptors = manifest?.kind === 'image' ? manifest.layers : [];
    const isWanted = ({ mediaType, size, annotations }: Descriptor): boolean =>
      mediaType === mediaTypes.simpleSigning &&
      size <= signatureLimits.bytes &&
      decodeBase64(annotations?.[signatureAnnotation]) !== undefined;
    const wanted = descriptors.filter(isWanted).slice(-signatureLimits.read);
    const sizes = new Map(wanted.map(({ digest, size }) => [digest, size]));
    const needed = [...sizes.values()].reduce((sum, size) => sum + size, this.#bytes);
    // checked before the first layer is fetched
    if (needed > this.#allowance && this.#allowance < signatureLimits.totalBytes) throw new TooLarge();
    const layers: Layer[] = [];
    /** Payloads: several keys sign the same one. */
    const known = new Map<string, Buffer | undefined>();
    for (const descriptor of descriptors.toReversed()) {
      let bytes: Buffer | undefined;
      let isLeftOut = false;
      if (isWanted(descriptor)) {
        const key = `${descriptor.digest} ${descriptor.size}`;
        const isFull =
          this.#claims.classic >= signatureLimits.read ||
          this.#bytes + (known.has(key) ? 0 : descriptor.size) > signatureLimits.classicBytes;
        if (isFull || !(known.has(key) || this.#admits(descriptor.size))) isLeftOut = true;
        else {
          if (!known.has(key)) known.set(key, await this.#fetchBytes(descriptor));
          bytes = known.get(key);
        }
      }
      if (bytes && !('flaw' in readClassicLayer(descriptor, bytes, this.#subject))) this.#claims.classic += 1;
      if (isLeftOut) this.leftOut += 1;
      layers.push({ ...toLayer(descriptor, bytes), ...(isLeftOut ? { isLeftOut } : {}) });
    }
    this.evidence.push({ layout: 'classic', tag, manifest: content, layers: layers.reverse() });
  }

  async addReferrers(candidates: readonly Candidate[]): Promise<void> {
    const bundles = candidates.filter(({ descriptor }) => mayBeBundle(descriptor));
    const ordered = [
      ...bundles.filter((one) => !isAnnouncedAttestation(one)),
      ...bundles.filter(isAnnouncedAttestation),
    ];
    const found: (SignatureEvidence | undefined)[] = [];
    await forEachBounded(ordered, fetchesAtOnce, async (candidate, i) => {
      if (this.#claims.bundle >= signatureLimits.read) this.leftOut += 1;
      else found[i] = await this.#fetchBundle(candidate);
    });
    for (const one of found) if (one) this.evidence.push(one);
  }

  /**
   * Fetches a bundle artifact; the descriptor is checked first, so that no more than necessary is fetched.
   */
  async #fetchBundle({ descriptor, tag }: Candidate): Promise<SignatureEvidence | undefined> {
    const { artifactType, digest } = descriptor;
    if (!this.#admits(descriptor.size)) return this.#leave(descriptor);
    const content = await this.fetchManifest(digest);
    if (!content) return undefined;
    // larger than announced: no signing tool writes this
    if (content.bytes.length > descriptor.size) return this.#leave(descriptor);
    const manifest = read(content);
    if (artifactType === undefined && !(manifest && isBundleType(effectiveArtifactType(manifest))))
      return undefined;
    const layers: Layer[] = [];
    const image = manifest?.kind === 'image' ? manifest : undefined;
    for (const layer of image?.layers ?? []) {
      const isWanted =
        image?.subject?.digest === this.#subject &&
        image.layers.length === 1 &&
        isBundleType(layer.mediaType) &&
        isSignatureSized(image);
      let bytes: Buffer | undefined;
      if (isWanted) {
        if (this.#admits(layer.size)) bytes = await this.#fetchBytes(layer);
        else this.leftOut += 1;
      }
      layers.push(toLayer(layer, bytes));
    }
    const evidence: SignatureEvidence = {
      layout: 'bundle',
      ...(tag === undefined ? {} : { tag }),
      manifest: content,
      layers,
    };
    for (const reading of readEvidence(evidence, this.#subject))
      if (!('flaw' in reading) && isApproval(reading)) this.#claims.bundle += 1;
    return evidence;
  }

  /**
   * Reserves bytes of the common limit.
   *
   * @returns false when they exceed it
   * @throws TooLarge when only the allowance of this search is exceeded
   */
  #admits(size: number): boolean {
    if (size > signatureLimits.bytes || this.#bytes + size > signatureLimits.totalBytes) return false;
    if (this.#bytes + size > this.#allowance) throw new TooLarge();
    this.#bytes += size;
    return true;
  }

  #leave({ digest }: Descriptor): undefined {
    this.leftOut += 1;
    this.unusable ??= svcError('SVC-VAL-002', { limit: signatureLimits.bytes, file: digest });
  }

  /** @returns undefined when the content of the source is absent or does not match the digest */
  async #fetchBytes(descriptor: Descriptor): Promise<Buffer | undefined> {
    // the announced size was checked, and verified() passes no more bytes
    const bytes = Buffer.alloc(descriptor.size);
    let at = 0;
    const { signal } = this.#options;
    try {
      const stream = await this.#source.fetchBlob(descriptor, this.#options);
      const isDisposable = hasDisposableChunks(stream);
      await pipeline(
        stream,
        verified(descriptor),
        async (passed: AsyncIterable<Buffer>) => {
          for await (const chunk of passed) {
            at += chunk.copy(bytes, at);
            if (isDisposable) releaseMemory(chunk);
          }
        },
        signal ? { signal } : {},
      );
    } catch (error) {
      if (isSvcError(error, 'SVC-SIG-002') || isSvcError(error, 'SVC-REG-005')) return undefined;
      throw error;
    }
    return bytes;
  }
}

function toLayer({ mediaType, annotations }: Descriptor, bytes: Buffer = Buffer.alloc(0)): Layer {
  return { mediaType, annotations: annotations ?? {}, bytes };
}
