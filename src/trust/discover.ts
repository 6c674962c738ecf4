import { pipeline } from 'node:stream/promises';
import type { Digest } from '../base/digest.ts';
import { isSvcError, type SvcError } from '../base/error.ts';
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
  const classicTag = signatureTag(subject);
  const indexTag = fallbackTag(subject);
  const collector = new Collector(source, options);
  const [classic, referrers, fallback] = await Promise.all([
    classicTag === undefined ? undefined : collector.fetchManifest(classicTag),
    source.listReferrers(subject, undefined, options),
    collector.fetchManifest(indexTag),
  ]);
  if (classic) await collector.addClassic(classic, classicTag!);
  for (const descriptor of referrers) await collector.addReferrer(descriptor);
  const listed = fallback && readIndex(fallback);
  for (const descriptor of listed ?? []) await collector.addReferrer(descriptor, indexTag);
  const { evidence, mismatch } = collector;
  if (evidence.length === 0 && mismatch) throw mismatch;
  return { evidence, ...(fallback && listed ? { fallbackIndex: fallback } : {}) };
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
  /** The first manifest whose bytes were not those it is named by. */
  mismatch: SvcError | undefined;
  readonly #source: SignedSource;
  readonly #options: CallOptions;
  readonly #seen = new Set<Digest>();
  #signatures = 0;
  #bytes = 0;

  constructor(source: SignedSource, options: CallOptions) {
    this.#source = source;
    this.#options = options;
  }

  /** A manifest with other bytes than its digest is kept aside: it must not mask a signature that is in order. */
  async fetchManifest(reference: string): Promise<ManifestContent | undefined> {
    try {
      return await this.#source.fetchManifest(reference, this.#options);
    } catch (error) {
      if (!isSvcError(error, 'SVC-SIG-002')) throw error;
      this.mismatch ??= error;
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
    const content = await this.fetchManifest(digest);
    if (!content) return;
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
    for (const descriptor of descriptors.toReversed()) {
      const { mediaType, size } = descriptor;
      const isWithin =
        size <= signatureLimits.bytes &&
        this.#signatures < signatureLimits.count &&
        this.#bytes + size <= signatureLimits.totalBytes;
      let bytes: Buffer | undefined;
      if (isWithin) {
        this.#signatures += 1;
        this.#bytes += size;
        bytes = await this.#fetchBytes(descriptor);
      }
      layers.push({ mediaType, annotations: descriptor.annotations ?? {}, bytes: bytes ?? Buffer.alloc(0) });
    }
    return layers.reverse();
  }

  /** @returns undefined when the source holds other bytes than the manifest names, or none */
  async #fetchBytes(descriptor: Descriptor): Promise<Buffer | undefined> {
    const chunks: Buffer[] = [];
    const { signal } = this.#options;
    try {
      await pipeline(
        await this.#source.fetchBlob(descriptor, this.#options),
        verified(descriptor),
        async (passed: AsyncIterable<Buffer>) => {
          for await (const chunk of passed) chunks.push(chunk);
        },
        signal ? { signal } : {},
      );
    } catch (error) {
      if (isSvcError(error, 'SVC-SIG-002') || isSvcError(error, 'SVC-REG-005')) return undefined;
      throw error;
    }
    return Buffer.concat(chunks);
  }
}
