import { decodeBase64 } from '../attest/encoding.ts';
import { toClassicManifest } from '../attest/signature-artifact.ts';
import { signatureAnnotation } from '../attest/simple-signing.ts';
import type { Descriptor } from '../oci/descriptor.ts';
import { type ImageManifest, ManifestError, manifestLimits, parseManifest } from '../oci/manifest.ts';
import { mediaTypes } from '../oci/media-types.ts';
import type { ManifestContent } from '../oci/ports.ts';
import { signatureLimits } from './claim.ts';
import { isSignatureSized } from './select-carried.ts';

/** A classic artifact with the signatures of two artifacts. */
export interface MergedClassic {
  readonly manifest: ManifestContent;
  /** Bytes of the config of a newly written manifest; absent when the manifest is one of the two. */
  readonly config?: Buffer;
  /** Number of layers that do not fit. */
  readonly leftOut: number;
}

/**
 * Most bytes of other manifest members that a merge keeps: enough for the annotations of a tool, too few for
 * padding.
 */
const keptMembersBytes = 4096;

/**
 * Merges the signatures of two artifacts of one `.sig` tag, one by one and in signing order. When one artifact contains
 * all signatures of the other, it is used unchanged. When both do not fit, verified signatures have precedence and are
 * placed last, where a search begins. Then follow those of the new artifact, then those of the existing one, the latest
 * first.
 *
 * @param standing the existing artifact
 * @param arriving the new artifact
 * @param findSound returns the keys of all signatures that verify, as `toSignatureKey` writes them; called
 *   only when both do not fit
 * @returns undefined when the existing artifact contains all signatures, or the new one is not a classic
 *   artifact
 */
export async function mergeClassic(
  standing: ManifestContent | undefined,
  arriving: ManifestContent,
  findSound: () => Promise<ReadonlySet<string>> = async () => new Set(),
): Promise<MergedClassic | undefined> {
  const offered = readImage(arriving);
  if (!offered) return undefined;
  const held = standing && readImage(standing);
  if (!held && isWithin(offered)) return { manifest: arriving, leftOut: 0 };
  const kept = held?.layers ?? [];
  const added = selectNew(kept, toReachable(offered.layers));
  if (held && added.length === 0 && isWithin(held)) return undefined;
  if (selectNew(offered.layers, kept, () => true).length === 0 && isWithin(offered))
    return { manifest: arriving, leftOut: 0 };
  const all = [...kept, ...added];
  if (standing && fits(all)) {
    const merged = toMerged(toKeptMembers(standing), all);
    if (readImage(merged.manifest)) return { ...merged, leftOut: 0 };
  }
  const layers = selectFitting(kept, toReachable(offered.layers), await findSound());
  const merged = toMerged({}, layers);
  if (merged.manifest.descriptor.digest === standing?.descriptor.digest) return undefined;
  return { ...merged, leftOut: all.length - layers.length };
}

/** Whether an artifact is copied unchanged. */
const isWithin = (image: ImageManifest): boolean => isSignatureSized(image) && fits(image.layers);

/** Whether one artifact may contain all of these signatures. */
function fits(layers: readonly Descriptor[]): boolean {
  const bytes = layers.reduce((sum, { size }) => sum + size, 0);
  return (
    layers.length <= signatureLimits.count &&
    layers.every(({ size }) => size <= signatureLimits.bytes) &&
    bytes <= signatureLimits.classicBytes
  );
}

/** Selects the layers that a search reads: the last ones, because signers append. */
const toReachable = (layers: readonly Descriptor[]): readonly Descriptor[] =>
  layers.slice(-signatureLimits.read);

/** Whether the annotations of a layer are so large that they displace other signatures. */
function isPadded({ annotations = {} }: Descriptor): boolean {
  return Object.keys(annotations).length > 64 || JSON.stringify(annotations).length > 65_536;
}

/** Removes all annotations except the signature from a padded layer. */
function toSlim(layer: Descriptor): Descriptor {
  if (!isPadded(layer)) return layer;
  const { mediaType, digest, size, annotations } = layer;
  const signature = annotations?.[signatureAnnotation] ?? '';
  return { mediaType, digest, size, annotations: { [signatureAnnotation]: signature } };
}

/** Selects the layers that fit into one artifact, with verified signatures last. */
function selectFitting(
  held: readonly Descriptor[],
  offered: readonly Descriptor[],
  sound: ReadonlySet<string>,
): readonly Descriptor[] {
  const isSound = (layer: Descriptor): boolean => isSignature(layer) && sound.has(toSignatureKey(layer));
  const rest = [...held, ...offered.filter(isSignature)].filter((one) => !isSound(one) && !isPadded(one));
  const ranked = [...offered.filter(isSound), ...held.filter(isSound).map(toSlim), ...rest.reverse()];
  const empty = toMerged({}, []).manifest.bytes.length;
  // 16 bytes for the digits of the config's size
  let room = manifestLimits.bytes - empty - 16;
  let bytes = 0;
  const chosen = new Map<string, Descriptor>();
  for (const layer of ranked) {
    const key = toSignatureKey(layer);
    const length = Buffer.byteLength(JSON.stringify(layer)) + 1;
    if (chosen.has(key) || chosen.size >= signatureLimits.count) continue;
    const isTooLarge = layer.size > signatureLimits.bytes;
    if (isTooLarge || length > room || bytes + layer.size > signatureLimits.classicBytes) continue;
    chosen.set(key, layer);
    room -= length;
    bytes += layer.size;
  }
  const kept = [...chosen.values()];
  const known = kept.filter(isSound);
  return [...kept.slice(known.length).reverse(), ...known.reverse()];
}

/** Lists the signatures of a new classic artifact that the existing one does not contain. */
export function listNewClassic(
  standing: ManifestContent | undefined,
  arriving: ManifestContent,
): readonly Descriptor[] {
  const offered = readImage(arriving)?.layers ?? [];
  return selectNew((standing && readImage(standing)?.layers) ?? [], toReachable(offered));
}

function readImage({ bytes, descriptor }: ManifestContent): ImageManifest | undefined {
  try {
    const manifest = parseManifest(bytes, descriptor.mediaType);
    return manifest.kind === 'image' ? manifest : undefined;
  } catch (error) {
    if (error instanceof ManifestError) return undefined;
    throw error;
  }
}

/** Key of a classic signature: digest and signature, because several keys can sign the same payload. */
export function toSignatureKey({ digest, annotations }: Pick<Descriptor, 'digest' | 'annotations'>): string {
  const text = annotations?.[signatureAnnotation];
  return `${digest} ${decodeBase64(text)?.toString('base64') ?? text ?? ''}`;
}

const isSignature = ({ mediaType, annotations }: Descriptor): boolean =>
  mediaType === mediaTypes.simpleSigning && decodeBase64(annotations?.[signatureAnnotation]) !== undefined;

function selectNew(
  known: readonly Descriptor[],
  offered: readonly Descriptor[],
  counts: (layer: Descriptor) => boolean = isSignature,
): readonly Descriptor[] {
  const seen = new Set(known.map(toSignatureKey));
  return offered.filter((layer) => {
    if (seen.has(toSignatureKey(layer)) || !counts(layer)) return false;
    seen.add(toSignatureKey(layer));
    return true;
  });
}

/** Returns the members of a manifest that a merge keeps, unless they are padded. */
function toKeptMembers({ bytes }: ManifestContent): object {
  const { layers: _, config: __, ...members } = JSON.parse(bytes.toString('utf8')) as Record<string, unknown>;
  return Buffer.byteLength(JSON.stringify(members)) <= keptMembersBytes ? members : {};
}

function toMerged(members: object, layers: readonly Descriptor[]): Omit<MergedClassic, 'leftOut'> {
  const { manifest, config } = toClassicManifest(layers, members);
  return { manifest, config: config.bytes };
}
