import type { Digest } from '../../src/base/digest.ts';
import { parseJson } from '../../src/base/parse-json.ts';
import { readWhole } from '../../src/disk/read-whole.ts';
import { type ContentKind, contentKinds } from '../../src/oci/kind.ts';
import { type Manifest, parseManifest } from '../../src/oci/manifest.ts';
import { isBundleType } from '../../src/oci/media-types.ts';
import { formatPlatform, toPlatform } from '../../src/oci/platform.ts';
import { fallbackTag, isAttachmentTag, signatureTag } from '../../src/oci/reference.ts';
import type { Provenance, Store, TagRecord } from '../../src/store/model.ts';

export interface PlatformView {
  readonly os: string;
  readonly architecture: string;
  readonly variant?: string;
  readonly digest: Digest;
  readonly sizeBytes: number;
  readonly present: boolean;
}

export interface SignatureView {
  readonly layout: 'classic' | 'bundle';
  readonly digest: Digest;
}

const largestConfig = 1 << 20;

export function provenanceOf(tags: readonly Pick<TagRecord, 'owners'>[]): readonly Provenance[] {
  return [...new Set(tags.flatMap(({ owners }) => owners.map(({ provenance }) => provenance)))].sort();
}

export function recipesOf(tags: readonly Pick<TagRecord, 'owners'>[]): readonly string[] {
  return [...new Set(tags.flatMap(({ owners }) => owners.flatMap(({ recipe }) => recipe ?? [])))].sort();
}

/** Tags that name a version: signatures and fallback indexes are shown with what they belong to. */
export function versionTags(tags: readonly TagRecord[]): readonly TagRecord[] {
  return tags.filter(({ tag }) => !isAttachmentTag(tag));
}

/** The kind a repository is shown as: that of most of its versions. */
export function toKind(kinds: ReadonlyMap<ContentKind, number>): ContentKind {
  let best: ContentKind = 'OCIArtifact';
  let most = 0;
  for (const kind of contentKinds) {
    const count = kinds.get(kind) ?? 0;
    if (count > most) {
      best = kind;
      most = count;
    }
  }
  return best;
}

/** Signatures that are known of a manifest, in both layouts. */
export function signaturesOf(store: Store, repository: string, digest: Digest): readonly SignatureView[] {
  const found: SignatureView[] = [];
  const name = signatureTag(digest);
  const classic = name === undefined ? undefined : store.index.tag(repository, name);
  if (classic !== undefined) found.push({ layout: 'classic', digest: classic.digest });
  for (const referrer of store.index.referrers(repository, digest)) {
    if (isBundleType(referrer.artifactType)) found.push({ layout: 'bundle', digest: referrer.digest });
  }
  return found;
}

/** Whether a version is signed, by the index alone. */
export function isSigned(store: Store, repository: string, digest: Digest): boolean {
  return (
    signaturesOf(store, repository, digest).length > 0 ||
    store.index.tag(repository, fallbackTag(digest)) !== undefined
  );
}

async function readConfigPlatform(store: Store, config: Digest): Promise<PlatformView[] | undefined> {
  const size = store.index.sizeOf(config);
  if (size === undefined || size > largestConfig) return undefined;
  const { file } = await store.openBlob(config);
  try {
    const bytes = await readWhole(file, size);
    const { os, architecture, variant } = (parseJson(bytes) ?? {}) as Record<string, unknown>;
    if (typeof os !== 'string' || typeof architecture !== 'string' || os === '') return undefined;
    const platform = toPlatform({ os, architecture, ...(typeof variant === 'string' ? { variant } : {}) });
    return [{ ...platform, digest: config, sizeBytes: 0, present: true }];
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  } finally {
    await file.close();
  }
}

/** Platforms of a manifest: an index names them, an image's configuration tells its own. */
export async function platformsOf(
  store: Store,
  digest: Digest,
  manifest: Manifest,
): Promise<readonly PlatformView[]> {
  if (manifest.kind === 'image') {
    const found = await readConfigPlatform(store, manifest.config.digest);
    return (found ?? []).map((platform) => ({
      ...platform,
      digest,
      sizeBytes: store.index.sizeBelow(digest),
    }));
  }
  return manifest.manifests.flatMap((child) => {
    if (child.platform === undefined || child.platform.os === 'unknown') return [];
    const present = store.index.manifest(child.digest) !== undefined;
    return [
      {
        ...toPlatform(child.platform),
        digest: child.digest,
        sizeBytes: present ? store.index.sizeBelow(child.digest) : child.size,
        present,
      },
    ];
  });
}

/** A manifest of the store, parsed; undefined when its bytes cannot be had. */
export async function readParsed(store: Store, digest: Digest): Promise<Manifest | undefined> {
  const content = await store.readManifest(digest);
  return content && parseManifest(content.bytes, content.descriptor.mediaType);
}

export function formatPlatforms(platforms: readonly PlatformView[]): readonly string[] {
  return platforms.map(formatPlatform);
}
