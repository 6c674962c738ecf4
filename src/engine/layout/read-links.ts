import { isNameless, isUntagged } from '../../archive/entry-name.ts';
import type { Layout } from '../../archive/model.ts';
import { forEachBounded } from '../../base/concurrency.ts';
import type { Digest } from '../../base/digest.ts';
import type { Descriptor } from '../../oci/descriptor.ts';
import { readListEntries } from '../../oci/list-entries.ts';
import { ManifestError, manifestLimits, parseManifest } from '../../oci/manifest.ts';
import { isImageType } from '../../oci/media-types.ts';
import { isSvcError } from '../../text/error.ts';

/** References between the entries of a layout. */
export interface EntryLinks {
  /** Subjects of untagged entries. */
  readonly subjects: ReadonlyMap<Digest, Digest>;
  /** Nameless entries that another entry reaches through its index. */
  readonly children: ReadonlySet<Digest>;
}

/** The subject and the children of a manifest. */
interface ManifestLinks {
  readonly subject?: Descriptor;
  /** Of an index. */
  readonly manifests?: readonly Descriptor[];
}

/**
 * Reads the links of a manifest. An index with an unusable entry cannot be imported; the usable ones are still its own,
 * and no entries by themselves.
 *
 * @throws ManifestError
 */
function parseLinks(bytes: Uint8Array): ManifestLinks {
  try {
    const manifest = parseManifest(bytes);
    const subject = manifest.subject === undefined ? {} : { subject: manifest.subject };
    return manifest.kind === 'index' ? { ...subject, manifests: manifest.manifests } : subject;
  } catch (error) {
    if (error instanceof ManifestError) return { manifests: readListEntries(bytes).manifests };
    throw error;
  }
}

/**
 * Reads the manifests of a layout, only as far as entries without a name require it. A manifest that cannot
 * be read has no links here; the import of its entry reports the reason.
 */
export async function readLinks({ entries, source }: Layout): Promise<EntryLinks> {
  const subjects = new Map<Digest, Digest>();
  const children = new Set<Digest>();
  const nameless = new Set(entries.filter(isNameless).map(({ digest }) => digest));
  const visited = new Set<Digest>();

  const read = async ({ digest, size }: Descriptor): Promise<ManifestLinks | undefined> => {
    if (size > manifestLimits.bytes) return undefined;
    try {
      const content = await source.fetchManifest(digest);
      return content && parseLinks(content.bytes);
    } catch (error) {
      if (error instanceof ManifestError || isSvcError(error)) return undefined;
      throw error;
    }
  };
  const walk = async (entry: Descriptor, links: ManifestLinks | undefined, depth: number): Promise<void> => {
    if (links?.manifests === undefined || depth > manifestLimits.nesting) return;
    for (const child of links.manifests) {
      if (nameless.has(child.digest) && child.digest !== entry.digest) children.add(child.digest);
      if (isImageType(child.mediaType) || visited.has(child.digest)) continue;
      // only existing manifests are remembered: a manifest can name any number of absent ones, which would
      // fill memory
      if (!(await source.hasManifest(child.digest))) continue;
      visited.add(child.digest);
      await walk(entry, await read(child), depth + 1);
    }
  };

  const needed = entries.filter(
    (entry) => isUntagged(entry) || (nameless.size > 0 && !isImageType(entry.mediaType)),
  );
  await forEachBounded(needed, 8, async (entry) => {
    const manifest = await read(entry);
    if (manifest?.subject && isUntagged(entry)) subjects.set(entry.digest, manifest.subject.digest);
    if (nameless.size > 0) await walk(entry, manifest, 0);
  });
  return { subjects, children };
}
