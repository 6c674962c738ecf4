import type { Digest } from '../../base/digest.ts';
import { Pacer } from '../../base/pacer.ts';
import type { Descriptor } from '../../oci/descriptor.ts';
import { type IndexManifest, manifestLimits } from '../../oci/manifest.ts';
import type { Platform } from '../../oci/platform.ts';
import type { CallOptions, Prober, Source } from '../../oci/ports.ts';
import { attestedChild } from '../../oci/select-children.ts';
import { isSvcError, svcError } from '../../text/error.ts';
import { fr } from '../../text/language.ts';
import { rule } from '../../text/rule.ts';
import { type ReadManifest, readManifest } from './read-manifest.ts';
import { readOwnPlatform } from './read-own-platform.ts';

/** A child without a named platform: a nested index, or an image with the platform of its configuration. */
export type ReadChild =
  | { readonly index: IndexManifest; readonly platform?: undefined }
  | { readonly index?: undefined; readonly platform: Platform | undefined };

/** Bytes of parsed manifests that are remembered. */
const rememberedBytes = 16 << 20;

/**
 * Manifests and platforms that the walks of one operation have read from the same artifact. A small artifact can name
 * one manifest in any number of places: each is read once. Parsed manifests are remembered up to 16 MiB of their bytes.
 */
export class GraphMemory {
  readonly pacer: Pacer;
  readonly #manifests = new Map<Digest, ReadManifest>();
  /** Platforms of images; undefined: an image that names none. */
  readonly #platforms = new Map<Digest, Platform | undefined>();
  /** Manifests that are being read, by digest and size. */
  readonly #reading = new Map<string, Promise<ReadManifest>>();
  #bytes = 0;

  constructor(pacer: Pacer = new Pacer()) {
    this.pacer = pacer;
  }

  /** @param wanted with its size, if that is known: one of another size is read again, which reports the difference */
  manifest({ digest, size }: Descriptor): ReadManifest | undefined {
    const known = this.#manifests.get(digest);
    return size === 0 || known?.content.bytes.length === size ? known : undefined;
  }

  /**
   * Reads a manifest that is not remembered, once for all that ask while it is being read.
   *
   * @throws the errors of `readManifest`
   */
  async read(
    source: Source,
    wanted: Descriptor,
    reference: string,
    options: CallOptions,
  ): Promise<ReadManifest> {
    const key = `${wanted.digest} ${wanted.size}`;
    const known = this.manifest(wanted) ?? this.#reading.get(key);
    if (known !== undefined) return known;
    const work = readManifest(source, wanted, reference, options);
    this.#reading.set(key, work);
    try {
      const read = await work;
      this.hold(wanted.digest, read);
      return read;
    } finally {
      this.#reading.delete(key);
    }
  }

  hold(digest: Digest, read: ReadManifest): void {
    if (this.#manifests.has(digest)) return;
    const { length } = read.content.bytes;
    if (this.#bytes + length > rememberedBytes) return;
    this.#bytes += length;
    this.#manifests.set(digest, read);
  }

  child(wanted: Descriptor): ReadChild | undefined {
    const { digest } = wanted;
    const known = this.manifest(wanted)?.manifest;
    if (known?.kind === 'index') return { index: known };
    return this.#platforms.has(digest) ? { platform: this.#platforms.get(digest) } : undefined;
  }

  holdPlatform(digest: Digest, platform: Platform | undefined): void {
    this.#platforms.set(digest, platform);
  }
}

/** A walk through the children of an index that do not name their platform. */
export interface ChildSearch extends CallOptions {
  readonly source: Source & Partial<Pick<Prober, 'hasManifest'>>;
  /** Names the root in errors. */
  readonly reference: string;
  readonly memory: GraphMemory;
  /** Describes a child of the source without reading it; returns undefined for an absent child. */
  readonly describe?: ((child: Descriptor) => Promise<ReadChild | undefined>) | undefined;
  /** Number of manifests that may still be read. */
  left: number;
}

/** Whether a descriptor names a platform. Attestations have the operating system `unknown`. */
export function isNamed({ platform }: Descriptor): boolean {
  return platform !== undefined && platform.os !== 'unknown';
}

/** Whether a child is a nested index, or an image whose platform only its configuration names. */
export function namesNoPlatform(child: Descriptor): boolean {
  return !isNamed(child) && attestedChild(child) === undefined;
}

/**
 * Lets others have the loop from time to time, and ends a walk that nobody waits for.
 *
 * @throws the reason of the signal
 */
export async function takeTurn({ pacer }: GraphMemory, signal: AbortSignal | undefined): Promise<void> {
  if (pacer.isDue()) await pacer.rest();
  signal?.throwIfAborted();
}

/** @throws SVC-REG-009 */
export function refuseMore(reference: string): never {
  throw svcError('SVC-REG-009', {
    reference,
    detail: rule(['reaches more than {children} manifests', fr`atteint plus de {children} manifestes`], {
      children: manifestLimits.children,
    }),
  });
}

/**
 * Reads a child that does not name its platform; undefined where the source does not have it, as in a sparse
 * index.
 *
 * @throws SVC-REG-009 when the search exceeds the limit of manifests; errors of reading a manifest or a configuration;
 *   the reason of the signal
 */
export async function readChild(search: ChildSearch, child: Descriptor): Promise<ReadChild | undefined> {
  const { source, reference, memory } = search;
  await takeTurn(memory, search.signal);
  const known = memory.child(child);
  if (known) return known;
  search.left -= 1;
  if (search.left < 0) refuseMore(reference);
  if (source.hasManifest && !(await source.hasManifest(child.digest, search))) return undefined;
  if (search.describe) return search.describe(child).catch(ignoreAbsence);
  const read = await memory.read(source, child, reference, search).catch(ignoreAbsence);
  if (read === undefined) return undefined;
  if (read.manifest.kind === 'index') return { index: read.manifest };
  const platform = await readOwnPlatform(source, read.manifest, reference, search).catch(ignoreAbsence);
  memory.holdPlatform(child.digest, platform);
  return { platform };
}

function ignoreAbsence(error: unknown): undefined {
  if (!isSvcError(error, 'SVC-REG-005')) throw error;
}
