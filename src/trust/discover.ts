import { pipeline } from 'node:stream/promises';
import { Semaphore } from '../base/concurrency.ts';
import type { Digest } from '../base/digest.ts';
import { hasDisposableChunks } from '../base/disposable-chunks.ts';
import { isSvcError, type SvcError, svcError } from '../base/error.ts';
import { releaseMemory } from '../base/release-memory.ts';
import { verified } from '../base/verified.ts';
import type { Descriptor } from '../oci/descriptor.ts';
import { effectiveArtifactType, type Manifest, ManifestError, parseManifest } from '../oci/manifest.ts';
import { isBundleType, isIndexType } from '../oci/media-types.ts';
import type { CallOptions, ManifestContent, SignedSource } from '../oci/ports.ts';
import { fallbackTag, signatureTag } from '../oci/reference.ts';
import { signatureLimits } from './claim.ts';
import type { SignatureEvidence } from './model.ts';

export interface FoundSignatures {
  /** Classic first, then bundles in the order in which they are listed. */
  readonly evidence: readonly SignatureEvidence[];
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
  const collector = new Collector(source, allowance, options);
  const [classic, referrers, fallback] = await Promise.all([
    classicTag === undefined ? undefined : collector.fetchManifest(classicTag),
    source.listReferrers(subject, undefined, options),
    collector.fetchManifest(indexTag),
  ]);
  if (classic) await collector.addClassic(classic, classicTag!);
  for (const descriptor of referrers) await collector.addReferrer(descriptor);
  const listed = fallback && readIndex(fallback);
  for (const descriptor of listed ?? []) await collector.addReferrer(descriptor, indexTag);
  const { evidence, unusable } = collector;
  if (evidence.length === 0 && unusable) throw unusable;
  return { evidence, ...(fallback && listed ? { fallbackIndex: fallback } : {}) };
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

type Layers = SignatureEvidence['layers'];

/** Gathers artifacts of one subject under the limits that hold for all of them together. */
class Collector {
  readonly evidence: SignatureEvidence[] = [];
  /** The first manifest that is there and was left aside: too large, or with other bytes than it is named by. */
  unusable: SvcError | undefined;
  readonly #source: SignedSource;
  readonly #allowance: number;
  readonly #options: CallOptions;
  readonly #seen = new Set<Digest>();
  #signatures = 0;
  #bytes = 0;

  constructor(source: SignedSource, allowance: number, options: CallOptions) {
    this.#source = source;
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

  async addClassic(content: ManifestContent, tag: string): Promise<void> {
    this.#seen.add(content.descriptor.digest);
    const manifest = read(content);
    const layers = manifest?.kind === 'image' ? await this.#fetchLayers(manifest.layers) : [];
    this.evidence.push({ layout: 'classic', tag, manifest: content, layers });
  }

  /** Referrers that do not say their type are looked into, since older fallback indexes leave it out. */
  async addReferrer(descriptor: Descriptor, tag?: string): Promise<void> {
    const { artifactType, mediaType, digest } = descriptor;
    if (artifactType === undefined ? isIndexType(mediaType) : !isBundleType(artifactType)) return;
    if (this.#seen.has(digest) || this.#seen.size > signatureLimits.count) return;
    this.#seen.add(digest);
    if (!this.#admits(descriptor.size)) return this.#leave(descriptor);
    const content = await this.fetchManifest(digest);
    if (!content) return;
    // said to be smaller than it is: nothing that a signer writes
    if (content.bytes.length > descriptor.size) return this.#leave(descriptor);
    this.#bytes += content.bytes.length;
    const manifest = read(content);
    if (artifactType === undefined && !(manifest && isBundleType(effectiveArtifactType(manifest)))) return;
    const layers = manifest?.kind === 'image' ? await this.#fetchLayers(manifest.layers) : [];
    this.evidence.push({
      layout: 'bundle',
      ...(tag === undefined ? {} : { tag }),
      manifest: content,
      layers,
    });
  }

  /**
   * The layers of an artifact, each in its place. One that breaks a limit or cannot be had stands there without bytes,
   * which no digest matches. Signers append, so the limits are spent on the last layers first.
   */
  async #fetchLayers(descriptors: readonly Descriptor[]): Promise<Layers> {
    const layers: Layers[number][] = [];
    const needed = descriptors
      .slice(-signatureLimits.count)
      .reduce((sum, { size }) => (size > signatureLimits.bytes ? sum : sum + size), this.#bytes);
    // known before the first of them is fetched in vain
    if (needed > this.#allowance && this.#allowance < signatureLimits.totalBytes) throw new TooLarge();
    for (const descriptor of descriptors.toReversed()) {
      const { mediaType, size } = descriptor;
      let bytes: Buffer | undefined;
      if (this.#signatures < signatureLimits.count && this.#admits(size)) {
        this.#signatures += 1;
        this.#bytes += size;
        bytes = await this.#fetchBytes(descriptor);
      }
      layers.push({ mediaType, annotations: descriptor.annotations ?? {}, bytes: bytes ?? Buffer.alloc(0) });
    }
    return layers.reverse();
  }

  /** @throws TooLarge where only the allowance of this search forbids it */
  #admits(size: number): boolean {
    if (size > signatureLimits.bytes || this.#bytes + size > signatureLimits.totalBytes) return false;
    if (this.#bytes + size > this.#allowance) throw new TooLarge();
    return true;
  }

  #leave({ digest }: Descriptor): void {
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
