import type { Digest } from '../../base/digest.ts';
import { vendoredAnnotation, vendoredFromAnnotation } from '../../chart/chart-artifact.ts';
import type { ContentStatus } from '../../contract/common.ts';
import type { Descriptor } from '../../oci/descriptor.ts';
import { parseManifestInTurns } from '../../oci/parse-in-turns.ts';
import { formatPlatform, type Platform } from '../../oci/platform.ts';
import type { CallOptions } from '../../oci/ports.ts';
import type { Store } from '../../store/model.ts';
import { openRepository } from '../../store/open-repository.ts';
import { readStoredManifest } from '../../store/read-stored-manifest.ts';
import { listImages, namePlatforms } from '../copy/list-images.ts';
import type { Presence } from '../sync/presence.ts';

/** The content of a tag of the store, as far as an inspection compares with it. */
interface LocalStatus {
  readonly digest: Digest;
  /** Digest of the artifact before dependencies were added to it. */
  readonly vendoredFrom?: string | undefined;
  /** Whether it has an image for a platform; undefined: always true. */
  has(platform: Platform | undefined): boolean;
}

/** @returns undefined when the tag does not exist, or is held */
export async function readLocalStatus(
  store: Store,
  repository: string,
  tag: string,
  call: CallOptions = {},
): Promise<LocalStatus | undefined> {
  const known = store.index.tag(repository, tag);
  if (known === undefined || known.held) return undefined;
  const content = await readStoredManifest(store, known.digest);
  const manifest = content && (await parseManifestInTurns(content.bytes, content.descriptor.mediaType));
  const annotations = manifest?.annotations ?? {};
  const source = openRepository(store, repository, { owner: { provenance: 'import' } });
  const images =
    manifest?.kind === 'index'
      ? await listImages(source, manifest, {
          ...call,
          reference: `${repository}:${tag}`,
          beyond: 'leave-out',
        })
      : [];
  const digests = new Set(images.map(({ descriptor }) => descriptor.digest));
  for (const digest of digests) if (store.index.manifest(digest) === undefined) digests.delete(digest);
  const here = images.filter(({ descriptor }) => digests.has(descriptor.digest));
  const platforms = new Set(namePlatforms(here));
  return {
    digest: known.digest,
    vendoredFrom:
      annotations[vendoredAnnotation] === undefined ? undefined : annotations[vendoredFromAnnotation],
    has: (platform) =>
      platform === undefined || manifest?.kind !== 'index' || platforms.has(formatPlatform(platform)),
  };
}

/** Compares the content of an artifact for a platform with that of its tag in the store. Pure. */
export function judgeStatus(
  root: Digest,
  platform: Platform | undefined,
  contents: readonly Descriptor[],
  current: LocalStatus | undefined,
  presence: Presence,
): ContentStatus {
  if (current === undefined) return 'new';
  if (current.vendoredFrom === root) return 'up-to-date';
  if (current.digest !== root) return current.has(platform) ? 'outdated' : 'new';
  return contents.every((one) => presence.isPresent(one)) ? 'up-to-date' : 'new';
}
