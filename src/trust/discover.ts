import { pipeline } from 'node:stream/promises';
import { forEachBounded, Semaphore } from '../base/concurrency.ts';
import type { Digest } from '../base/digest.ts';
import { hasDisposableChunks } from '../base/disposable-chunks.ts';
import { isSvcError, type SvcError, svcError } from '../base/error.ts';
import { releaseMemory } from '../base/release-memory.ts';
import { verified } from '../base/verified.ts';
import type { Descriptor } from '../oci/descriptor.ts';
import { effectiveArtifactType, type Manifest, ManifestError, parseManifest } from '../oci/manifest.ts';
import { isBundleType, isIndexType, mediaTypes } from '../oci/media-types.ts';
import type { CallOptions, ManifestContent, SignedSource, Source } from '../oci/ports.ts';
import { fallbackTag, signatureTag } from '../oci/reference.ts';
import { decodeBase64, signatureLimits, signPredicate } from './claim.ts';
import { isApproval } from './judge.ts';
import type { SignatureEvidence } from './model.ts';
import { readClassicLayer, signatureAnnotation } from './read-classic.ts';
import { readEvidence } from './read-evidence.ts';

export interface FoundSignatures {
  /** Classic first, then bundles as they are listed, those that are announced as attestations last. */
  readonly evidence: readonly SignatureEvidence[];
  /** Signatures that are listed and were not looked at, because a limit was reached before them. Absent: none. */
  readonly leftOut?: number;
  /** The referrers fallback index, where there is one: it is carried with what it lists. */
  readonly fallbackIndex?: ManifestContent;
}

/** What one search may hold beside others. Honest signatures are a few KiB; whoever brings more is searched alone. */
const sharedBytes = 2_097_152;
const alone = new Semaphore(1);

/** A search that needs more than it may hold beside others. */
class TooLarge extends Error {}

/**
 * Finds every signature of a subject, wherever its signer put it: the classic tag, the referrers API, the fallback
 * tag. Attestations and SBOMs under tags of their own do not count. Sizes are checked before anything is fetched. A
 * signature that is there and cannot be read is part of the answer, so that it is never taken for absence.
 *
 * @throws whatever the source throws when it cannot be asked: unreachable is not unsigned
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

/** The signatures of a classic artifact, as far as a search looks at them. */
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

/** Gives the memory of a large set back at once: the next one would otherwise stand beside it. It is empty afterwards. */
export function releaseSignatures({ evidence }: FoundSignatures): void {
  for (const { layers } of evidence) for (const { bytes } of layers) releaseMemory(bytes);
}

/** @returns undefined when the tag names something else than an index */
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

/** A referrer that may be a signature, and the fallback tag where nothing else lists it. */
interface Candidate {
  readonly descriptor: Descriptor;
  readonly tag?: string;
}

const fetchesAtOnce = 8;
const predicateAnnotation = 'dev.sigstore.bundle.predicateType';

/** Referrers that do not say their type are looked into, since older fallback indexes leave it out. */
export function mayBeBundle({ artifactType, mediaType }: Descriptor): boolean {
  return artifactType === undefined ? !isIndexType(mediaType) : isBundleType(artifactType);
}

/** As cosign announces it. Unsigned: good for the order in which artifacts are looked at. */
function isAnnouncedAttestation({ descriptor: { annotations } }: Candidate): boolean {
  return (annotations?.[predicateAnnotation] ?? signPredicate) !== signPredicate;
}

/** Gathers artifacts of one subject under the limits that hold for all of them together. */
class Collector {
  readonly evidence: SignatureEvidence[] = [];
  /** The first manifest that is there and was left aside: too large, or with other bytes than it is named by. */
  unusable: SvcError | undefined;
  leftOut = 0;
  readonly #source: Source;
  readonly #subject: Digest;
  readonly #allowance: number;
  readonly #options: CallOptions;
  /** Signatures so far that parse and name the subject. */
  readonly #claims = { classic: 0, bundle: 0 };
  #bytes = 0;

  constructor(source: Source, subject: Digest, allowance: number, options: CallOptions) {
    this.#source = source;
    this.#subject = subject;
    this.#allowance = allowance;
    this.#options = options;
  }

  /** A manifest with other bytes than its digest is kept aside: it must not mask a signature that is in order. */
  async fetchManifest(reference: string): Promise<ManifestContent | undefined> {
    try {
      return await this.#source.fetchManifest(reference, this.#options);
    } catch (error) {
      if (!isSvcError(error, 'SVC-SIG-002')) throw error;
      this.unusable ??= error;
      return undefined;
    }
  }

  /**
   * The layers of a classic artifact, each in its place. One that breaks a limit or cannot be had stands there without
   * bytes, which no digest matches. Signers append, so the limits are spent on the last layers first.
   */
  async addClassic(content: ManifestContent, tag: string): Promise<void> {
    const manifest = read(content);
    const descriptors = manifest?.kind === 'image' ? manifest.layers : [];
    const isWanted = ({ mediaType, size, annotations }: Descriptor): boolean =>
      mediaType === mediaTypes.simpleSigning &&
      size <= signatureLimits.bytes &&
      decodeBase64(annotations?.[signatureAnnotation]) !== undefined;
    const needed = descriptors
      .filter(isWanted)
      .slice(-signatureLimits.count)
      .reduce((sum, { size }) => sum + size, this.#bytes);
    // known before the first of them is fetched in vain
    if (needed > this.#allowance && this.#allowance < signatureLimits.totalBytes) throw new TooLarge();
    const layers: Layer[] = [];
    for (const descriptor of descriptors.toReversed()) {
      let bytes: Buffer | undefined;
      if (isWanted(descriptor)) {
        const isFull =
          this.#claims.classic >= signatureLimits.count ||
          this.#bytes + descriptor.size > signatureLimits.classicBytes;
        if (isFull || !this.#admits(descriptor.size)) this.leftOut += 1;
        else bytes = await this.#fetchBytes(descriptor);
      }
      if (bytes && !('flaw' in readClassicLayer(descriptor, bytes, this.#subject))) this.#claims.classic += 1;
      layers.push(toLayer(descriptor, bytes));
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
      if (this.#claims.bundle >= signatureLimits.count) this.leftOut += 1;
      else found[i] = await this.#fetchBundle(candidate);
    });
    for (const one of found) if (one) this.evidence.push(one);
  }

  /** Nothing of it is fetched that a look at what announces it can spare. */
  async #fetchBundle({ descriptor, tag }: Candidate): Promise<SignatureEvidence | undefined> {
    const { artifactType, digest } = descriptor;
    if (!this.#admits(descriptor.size)) return this.#leave(descriptor);
    const content = await this.fetchManifest(digest);
    if (!content) return undefined;
    // said to be smaller than it is: nothing that a signer writes
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
        layer.size <= signatureLimits.bytes;
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
   * Takes bytes out of what the artifacts of a subject share. False: they do not fit.
   *
   * @throws TooLarge where only the allowance of this search forbids it
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

  /** @returns undefined when the source holds other bytes than the manifest names, or none */
  async #fetchBytes(descriptor: Descriptor): Promise<Buffer | undefined> {
    // of the announced size, which was bounded; verified() lets no more through
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
