import { pipeline } from 'node:stream/promises';
import { decodeBase64 } from '../attest/encoding.ts';
import { signatureAnnotation } from '../attest/simple-signing.ts';
import { forEachBounded } from '../base/concurrency.ts';
import type { Digest } from '../base/digest.ts';
import { releaseMemory } from '../base/release-memory.ts';
import { hasDisposableChunks } from '../base/stream/disposable-chunks.ts';
import { verified } from '../base/stream/verified.ts';
import { announcedAs } from '../oci/announced.ts';
import type { Descriptor } from '../oci/descriptor.ts';
import { readListEntries } from '../oci/list-entries.ts';
import { type Manifest, ManifestError, parseManifest } from '../oci/manifest.ts';
import { isBundleType, isImageType, mediaTypes } from '../oci/media-types.ts';
import type { CallOptions, ManifestContent, SignedSource, Source } from '../oci/ports.ts';
import { fallbackTag } from '../oci/reference.ts';
import { isSvcError, type SvcError, svcError } from '../text/error.ts';
import { fr } from '../text/language.ts';
import { type Rule, type RuleValue, rule } from '../text/rule.ts';
import type { Candidate, Candidates } from './candidates.ts';
import { signatureLimits } from './claim.ts';
import { isApproval } from './judge.ts';
import type { SignatureEvidence } from './model.ts';
import { isBundleManifest, rememberNoBundle } from './no-bundles.ts';
import { readClassicLayer } from './read-classic.ts';
import { readEvidence } from './read-evidence.ts';
import { isSignatureSized } from './select-carried.ts';
import { toLimit, toReason, toShort } from './to-reason.ts';
import { toUsableClassic } from './whole-classic.ts';

/** Most failed requests of one search: from a silent source, not every listed signature is requested. */
const mostFailures = 8;
/** Most reasons that a search reports. */
const mostReasons = 16;
const fetchesAtOnce = 8;

const referrersList = rule(['the list of referrers', fr`la liste des référents`]);
const notValid = rule(['its manifest is not valid', fr`son manifeste n’est pas valide`]);

/** Thrown when a search needs more memory than it is allowed. */
export class TooLarge extends Error {}

function read({ bytes, descriptor }: ManifestContent): Manifest | undefined {
  try {
    return parseManifest(bytes, descriptor.mediaType);
  } catch (error) {
    if (error instanceof ManifestError) return undefined;
    throw error;
  }
}

type Layer = SignatureEvidence['layers'][number];

/** Collects the artifacts of one subject under common limits. */
export class Collector {
  readonly evidence: SignatureEvidence[] = [];
  /** Why manifests and lists were skipped that may have had a signature, by the English text. */
  readonly unusable = new Map<string, Rule>();
  /** The first failure of a request. */
  unread: SvcError | undefined;
  leftOut = 0;
  /** The first limit that the lists of referrers exceeded. A signature may be among the unread entries. */
  crowded: Rule | undefined;
  readonly #source: Source;
  readonly #subject: Digest;
  readonly #allowance: number;
  readonly #options: CallOptions;
  /** Number of signatures so far that are well-formed and name the subject. */
  readonly #claims = { classic: 0, bundle: 0 };
  #bytes = 0;
  #failures = 0;

  constructor(source: Source, subject: Digest, allowance: number, options: CallOptions) {
    this.#source = source;
    this.#subject = subject;
    this.#allowance = allowance;
    this.#options = options;
  }

  /** Lists the referrers that may be bundles. A fault of the list is recorded. */
  async listReferrers(source: SignedSource, candidates: Candidates): Promise<readonly Descriptor[]> {
    const listed = await this.#attempt(referrersList, () =>
      source.listReferrers(this.#subject, undefined, {
        ...this.#options,
        accepts: (entry) => candidates.accepts(entry),
        onFault: ({ kind, error, mayBeSignature }) => {
          if (error.code === 'SVC-VAL-002') this.crowded ??= toLimit(error);
          if (kind === 'transfer') this.#fail(error);
          else if (mayBeSignature) this.#note(referrersList, toReason(error));
        },
      }),
    );
    return listed ?? [];
  }

  /**
   * Reads the entries of a fallback index. A manifest of another kind under this tag is no list, and no signature.
   *
   * @returns undefined when the tag does not name an index
   */
  readIndex(
    content: ManifestContent,
    tag: string,
    candidates: Candidates,
  ): readonly Descriptor[] | undefined {
    if (isImageType(content.descriptor.mediaType) || read(content)?.kind === 'image') return undefined;
    try {
      const { manifests, skipped } = readListEntries(content.bytes, (entry) => candidates.accepts(entry));
      if (skipped?.mayBeSignature)
        this.#note(
          tag,
          skipped.count === 0
            ? skipped.rule
            : rule(
                ['{count} entries cannot be used: {why}', fr`{count} entrées sont inutilisables : {why}`],
                { count: skipped.count, why: skipped.rule },
              ),
        );
      return manifests;
    } catch (error) {
      if (!(error instanceof ManifestError)) throw error;
      if (error.isPage) this.#fail(svcError('SVC-REG-007', { reference: tag, detail: error.rule }));
      else this.#note(tag, error.rule);
      return undefined;
    }
  }

  /**
   * Fetches a manifest. One that does not match its digest or is larger than 4 MiB is recorded and skipped: it must not
   * mask a valid signature.
   */
  fetchManifest(reference: string): Promise<ManifestContent | undefined> {
    return this.#attempt(reference, () => this.#source.fetchManifest(reference, this.#options));
  }

  /**
   * Records the failure of a request, so that the search goes on. After some failures nothing more is requested.
   *
   * @returns undefined when it failed
   */
  async #attempt<T>(place: RuleValue, work: () => Promise<T>): Promise<T | undefined> {
    const { signal } = this.#options;
    if (this.#failures >= mostFailures) return undefined;
    try {
      return await work();
    } catch (error) {
      signal?.throwIfAborted();
      if (!isSvcError(error)) throw error;
      const isTooLarge = error.code === 'SVC-VAL-002';
      if (isTooLarge) this.leftOut += 1;
      if (isTooLarge && place === fallbackTag(this.#subject)) this.crowded ??= toLimit(error);
      if (isTooLarge || error.code === 'SVC-SIG-002') this.#note(place, toReason(error));
      else this.#fail(error);
      return undefined;
    }
  }

  #fail(error: SvcError): void {
    this.#failures += 1;
    this.unread ??= error;
  }

  #note(place: RuleValue, reason: Rule): undefined {
    if (this.unusable.size >= mostReasons) return;
    const noted = toShort(rule(['{place}: {reason}', fr`{place} : {reason}`], { place, reason }), 300);
    this.unusable.set(String(noted), noted);
  }

  /**
   * Reads the layers of a classic artifact in their order. Of an invalid manifest the layers that can be used are read. A layer over a limit, or one that cannot be
   * fetched, is kept with empty bytes, which match no digest. Signers append layers, so the limits are spent
   * on the last layers first.
   */
  async addClassic(found: ManifestContent, tag: string): Promise<void> {
    let content = found;
    let manifest = read(content);
    if (manifest === undefined) {
      this.#note(tag, notValid);
      content = toUsableClassic(found) ?? found;
      manifest = read(content);
    }
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
      let isMissing = false;
      if (isWanted(descriptor)) {
        const key = `${descriptor.digest} ${descriptor.size}`;
        const isFull =
          this.#claims.classic >= signatureLimits.read ||
          this.#bytes + (known.has(key) ? 0 : descriptor.size) > signatureLimits.classicBytes;
        if (isFull || !(known.has(key) || this.#admits(descriptor.size))) isLeftOut = true;
        else {
          if (!known.has(key)) known.set(key, await this.#fetchBytes(descriptor));
          bytes = known.get(key);
          isMissing = bytes === undefined;
        }
      }
      if (bytes && !('flaw' in readClassicLayer(descriptor, bytes, this.#subject))) this.#claims.classic += 1;
      if (isLeftOut) this.leftOut += 1;
      layers.push({
        ...toLayer(descriptor, bytes),
        ...(isLeftOut ? { isLeftOut } : {}),
        ...(isMissing ? { isMissing } : {}),
      });
    }
    this.evidence.push({ layout: 'classic', tag, manifest: content, layers: layers.reverse() });
  }

  /**
   * Reads the referrers that may be bundles. Those announced as another kind are requested if nothing else is
   * well-formed and names the subject: only the manifests show that there is no signature.
   */
  async addReferrers(candidates: Candidates): Promise<void> {
    if (candidates.isCut) {
      const limit = rule(
        ['{unannounced} referrers of other types', fr`{unannounced} référents d’autres types`],
        { unannounced: signatureLimits.unannounced },
      );
      this.crowded ??= limit;
      this.#note(
        rule(['the lists of referrers', fr`les listes de référents`]),
        rule(['more than {limit}', fr`plus de {limit}`], { limit }),
      );
    }
    await this.#addBundles(candidates.listLikely());
    if (this.#claims.classic + this.#claims.bundle === 0) await this.#addBundles(candidates.listOthers());
  }

  async #addBundles(candidates: readonly Candidate[]): Promise<void> {
    const found: (SignatureEvidence | undefined)[] = [];
    await forEachBounded(candidates, fetchesAtOnce, async (candidate, i) => {
      if (this.#claims.bundle >= signatureLimits.read) {
        this.leftOut += 1;
        this.crowded ??= rule(['{read} signatures', fr`{read} signatures`], { read: signatureLimits.read });
      } else found[i] = await this.#fetchBundle(candidate);
    });
    for (const one of found) if (one) this.evidence.push(one);
  }

  /**
   * Fetches a possible bundle artifact by its digest. The type and the size in a list are hints. Only fetched content counts
   * for the limits: absent entries use up nothing.
   *
   * @returns undefined when its manifest says that it is none, and when it cannot be used, which is recorded
   */
  async #fetchBundle({ descriptor, tag }: Candidate): Promise<SignatureEvidence | undefined> {
    const { artifactType, digest } = descriptor;
    const answer = await this.#attempt(digest, async () => ({
      content: await this.#source.fetchManifest(digest, this.#options),
    }));
    if (!answer) return undefined;
    const { content } = answer;
    if (!content) {
      // a list says nothing about the kind of an absent manifest
      if (announcedAs(descriptor) !== 'other')
        this.#note(digest, rule(['it is listed, and is not there', fr`il est listé, et il est absent`]));
      return undefined;
    }
    const manifest = read(content);
    if (!isBundleType(artifactType)) {
      if (manifest === undefined) {
        this.#note(digest, notValid);
        return undefined;
      }
      if (!isBundleManifest(manifest)) {
        rememberNoBundle(digest);
        return undefined;
      }
    }
    if (!this.#admits(content.bytes.length)) return this.#leave(content.descriptor);
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
        else this.#leave(layer);
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

  #leave({ digest, size }: Descriptor): undefined {
    this.leftOut += 1;
    if (size > signatureLimits.bytes)
      return this.#note(
        digest,
        rule(['larger than {bytes} bytes', fr`plus de {bytes} octets`], { bytes: signatureLimits.bytes }),
      );
    const limit = rule(['{totalBytes} bytes of signatures', fr`{totalBytes} octets de signatures`], {
      totalBytes: signatureLimits.totalBytes,
    });
    this.crowded ??= limit;
    return this.#note(digest, rule(['beyond {limit}', fr`au-delà de {limit}`], { limit }));
  }

  /** @returns undefined when the content cannot be read, or does not match the digest */
  async #fetchBytes(descriptor: Descriptor): Promise<Buffer | undefined> {
    return this.#attempt(descriptor.digest, async () => {
      try {
        return await this.#readBytes(descriptor);
      } catch (error) {
        // its source does not have it: the reading of the empty layer says so
        if (isSvcError(error, 'SVC-SIG-002') || isSvcError(error, 'SVC-REG-005')) return undefined;
        throw error;
      }
    });
  }

  async #readBytes(descriptor: Descriptor): Promise<Buffer> {
    // the announced size was checked, and verified() passes no more bytes
    const bytes = Buffer.alloc(descriptor.size);
    let at = 0;
    const { signal } = this.#options;
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
      { signal },
    );
    return bytes;
  }
}

function toLayer({ mediaType, annotations }: Descriptor, bytes: Buffer = Buffer.alloc(0)): Layer {
  return { mediaType, annotations: annotations ?? {}, bytes };
}
