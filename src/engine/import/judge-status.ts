import type { Digest } from '../../base/digest.ts';
import { vendoredAnnotation, vendoredFromAnnotation } from '../../chart/chart-artifact.ts';
import type { Descriptor } from '../../oci/descriptor.ts';
import { parseManifest } from '../../oci/manifest.ts';
import type { Platform } from '../../oci/platform.ts';
import { selectChildren } from '../../oci/select-children.ts';
import type { Store } from '../../store/model.ts';
import type { ContentStatus } from '../model.ts';
import type { Presence } from '../plan-sync.ts';

/** What a tag of the store holds, as far as an inspection compares with it. */
export interface Standing {
  readonly digest: Digest;
  /** The artifact that it was before dependencies were put into it. */
  readonly vendoredFrom?: string | undefined;
  /** Whether it has something for a platform; without one, at all. */
  has(platform: Platform | undefined): boolean;
}

/** @returns undefined when the tag is not there, or is held */
export async function readStanding(
  store: Store,
  repository: string,
  tag: string,
): Promise<Standing | undefined> {
  const known = store.index.tag(repository, tag);
  if (known === undefined || known.held) return undefined;
  const content = await store.readManifest(known.digest);
  const manifest = content && parseManifest(content.bytes, content.descriptor.mediaType);
  const annotations = manifest?.annotations ?? {};
  return {
    digest: known.digest,
    vendoredFrom:
      annotations[vendoredAnnotation] === undefined ? undefined : annotations[vendoredFromAnnotation],
    has: (platform) => {
      if (platform === undefined || manifest?.kind !== 'index') return true;
      const { children } = selectChildren(manifest, [platform]);
      return children.some(({ digest }) => store.index.manifest(digest) !== undefined);
    },
  };
}

/** Compares what an artifact has for a platform with what its tag holds here. Pure. */
export function judgeStatus(
  root: Digest,
  platform: Platform | undefined,
  contents: readonly Descriptor[],
  standing: Standing | undefined,
  presence: Presence,
): ContentStatus {
  if (standing === undefined) return 'new';
  if (standing.vendoredFrom === root) return 'up-to-date';
  if (standing.digest !== root) return standing.has(platform) ? 'outdated' : 'new';
  return contents.every(({ digest }) => presence.isPresent(digest)) ? 'up-to-date' : 'new';
}
