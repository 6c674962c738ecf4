import type { Digest } from '../base/digest.ts';
import { Pacer } from '../base/pacer.ts';
import type { TagRecord } from '../catalog/model.ts';
import type { Provenance } from '../contract/common.ts';
import type { Owner, PlatformOfTag } from '../contract/content.ts';
import { listImages } from '../engine/copy/list-images.ts';
import { GraphMemory, type ReadChild } from '../engine/copy/read-child.ts';
import type { Descriptor } from '../oci/descriptor.ts';
import { type ContentKind, contentKinds } from '../oci/kind.ts';
import { type Manifest, manifestLimits } from '../oci/manifest.ts';
import { isNonDistributable } from '../oci/media-types.ts';
import { formatPlatform } from '../oci/platform.ts';
import { readAhead } from '../store/blobs/read-ahead.ts';
import type { Store } from '../store/model.ts';
import { openRepository } from '../store/open-repository.ts';
import { readParsed } from './kept-manifests.ts';
import { readConfigPlatform } from './kept-platforms.ts';
import type { ViewParts } from './parts.ts';

/** Lists the owners of tags. Tags share their lists of owners, so there are few. */
function listOwners(tags: readonly Pick<TagRecord, 'owners'>[]): readonly Owner[] {
  return [...new Set(tags.map(({ owners }) => owners))].flat();
}

export function provenanceOf(tags: readonly Pick<TagRecord, 'owners'>[]): readonly Provenance[] {
  return [...new Set(listOwners(tags).map(({ provenance }) => provenance))].sort();
}

export function recipesOf(tags: readonly Pick<TagRecord, 'owners'>[]): readonly string[] {
  return [...new Set(listOwners(tags).flatMap(({ recipe }) => recipe ?? []))].sort();
}

/** Selects the kind of a repository: the most frequent kind of its versions. */
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

/**
 * Reads the manifests of versions ahead, and the configurations of images: the first blob of a manifest. A page of
 * versions needs both of each.
 */
export async function readVersionsAhead(store: Store, digests: readonly Digest[]): Promise<void> {
  const configs = digests.flatMap((digest) => store.index.manifest(digest)?.blobs[0]?.digest ?? []);
  await readAhead(store, [...digests, ...configs]);
}

/**
 * Reads the platforms of a manifest: of an image its own, of an index those of all images below it. An image that is not
 * served counts as absent.
 *
 * @param pacer that of the caller, where this is a part of its work: slices one after the other would add up
 */
export async function platformsOf(
  { store, gate }: Pick<ViewParts, 'store' | 'gate'>,
  repository: string,
  digest: Digest,
  manifest: Manifest,
  pacer: Pacer = new Pacer(),
): Promise<readonly PlatformOfTag[]> {
  if (manifest.kind === 'image') {
    const platform = await readConfigPlatform(store, manifest.config.digest);
    if (platform === undefined) return [];
    return [{ ...platform, digest, sizeBytes: store.index.sizeBelow(digest), present: true }];
  }
  const source = openRepository(store, repository, { owner: { provenance: 'import' } });
  const reference = `${repository}@${digest}`;
  const describe = async (child: Descriptor): Promise<ReadChild | undefined> => {
    const read = await readParsed(store, child.digest);
    if (read === undefined) return undefined;
    if (read.kind === 'index') return { index: read };
    return { platform: await readConfigPlatform(store, read.config.digest) };
  };
  const memory = new GraphMemory(pacer);
  const images = await listImages(source, manifest, { reference, memory, beyond: 'leave-out', describe });
  // one manifest may be named for any number of platforms
  const sizes = new Map<Digest, number | undefined>();
  const sizeHere = (child: Digest): number | undefined => {
    if (!sizes.has(child)) sizes.set(child, store.index.manifest(child) && store.index.sizeBelow(child));
    return sizes.get(child);
  };
  const platforms: PlatformOfTag[] = [];
  for (const { descriptor, platform } of images) {
    if (platform === undefined || platform.os === 'unknown') continue;
    if (pacer.isDue()) await pacer.rest();
    const { digest: child, mediaType, size } = descriptor;
    const here = sizeHere(child);
    const present = here !== undefined && gate.allowsManifest(repository, child);
    platforms.push({ ...platform, digest: child, mediaType, sizeBytes: here ?? size, present });
  }
  return platforms;
}

/**
 * Lists the non-distributable layers below a manifest that the store does not have. Reads each manifest once, and no more
 * than an artifact may have.
 */
export async function absentLayersOf(
  store: Store,
  manifest: Manifest,
  pacer: Pacer = new Pacer(),
): Promise<readonly Digest[]> {
  const absent = new Set<Digest>();
  const add = (read: Manifest): void => {
    if (read.kind === 'index') {
      for (const { digest } of read.manifests) if (below.size < manifestLimits.children) below.add(digest);
      return;
    }
    for (const { digest, mediaType } of read.layers)
      if (isNonDistributable(mediaType) && store.index.sizeOf(digest) === undefined) absent.add(digest);
  };
  const below = new Set<Digest>();
  add(manifest);
  // iteration over a set includes entries added during the iteration
  for (const digest of below) {
    if (pacer.isDue()) await pacer.rest();
    const child = store.index.manifest(digest) && (await readParsed(store, digest));
    if (child) add(child);
  }
  return [...absent];
}

/** Names platforms, each once. */
export async function namePlatforms(
  platforms: readonly PlatformOfTag[],
  pacer: Pacer,
): Promise<{
  readonly platforms: readonly string[];
  readonly presentPlatforms: readonly string[];
}> {
  const all = new Set<string>();
  const present = new Set<string>();
  for (const platform of platforms) {
    if (pacer.isDue()) await pacer.rest();
    const name = formatPlatform(platform);
    all.add(name);
    if (platform.present) present.add(name);
  }
  return { platforms: [...all], presentPlatforms: [...present] };
}
