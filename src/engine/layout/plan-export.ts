import { containerdAnnotation, nameAnnotation, toContainerdName } from '../../archive/entry-name.ts';
import { formatLayoutIndex, layoutIndexLimits } from '../../archive/layout-index.ts';
import type { LayoutContent, LayoutContents } from '../../archive/model.ts';
import type { Digest } from '../../base/digest.ts';
import { Pacer } from '../../base/pacer.ts';
import type { ManifestRecord } from '../../catalog/model.ts';
import type { MissingContent } from '../../contract/layout.ts';
import type { Descriptor } from '../../oci/descriptor.ts';
import { blobPath } from '../../oci/layout.ts';
import { manifestLimits } from '../../oci/manifest.ts';
import { mediaTypes } from '../../oci/media-types.ts';
import { parseManifestInTurns } from '../../oci/parse-in-turns.ts';
import { formatPlatform, toPlatform } from '../../oci/platform.ts';
import { isAttachmentTag } from '../../oci/reference.ts';
import type { Store } from '../../store/model.ts';
import { readStoredManifest } from '../../store/read-stored-manifest.ts';
import { svcError } from '../../text/error.ts';
import { fr } from '../../text/language.ts';
import { rule } from '../../text/rule.ts';
import {
  type ExportGate,
  type SelectedEntries,
  type SelectedEntry,
  toEntryReference,
  toReason,
} from './select-entries.ts';

/** Plan of a layout: all its files, in order. */
export interface ExportPlan extends LayoutContents {
  readonly entries: readonly (SelectedEntry & { readonly descriptor: Descriptor })[];
  readonly manifests: number;
  /** Descriptors of the manifests, which may lose their records while the layout is written. */
  readonly descriptors: ReadonlyMap<Digest, Descriptor>;
  readonly blobs: number;
  readonly missing: readonly MissingContent[];
}

/**
 * Decides all bytes of a layout from the store's index: the same content gives the same plan. Content is
 * listed in the order in which it is needed, children before parents, each once.
 *
 * @throws SVC-STO-001 when recorded content is absent, SVC-VAL-002 when the layout would list more than the
 *   limit
 */
export async function planExport(
  store: Store,
  { entries, missing: held }: SelectedEntries,
  gate?: ExportGate,
): Promise<ExportPlan> {
  const contents = new Map<Digest, LayoutContent>();
  const missing = [...held];
  const walked = new Set<Digest>();
  const descriptors = new Map<Digest, Descriptor>();
  const { index } = store;

  const pacer = new Pacer();
  /** Decisions, by repository and digest: any number of indexes may name the same manifest. */
  const decided = new Map<string, boolean>();
  /** Whether a manifest can be exported. An index without any of its children cannot. */
  const isHere = (repository: string, digest: Digest, depth = 0): boolean => {
    const key = `${repository}@${digest}`;
    const known = decided.get(key);
    if (known !== undefined) return known;
    const manifests = index.manifest(digest)?.manifests;
    const isAllowed = manifests !== undefined && (!gate || gate.allowsManifest(repository, digest));
    // a deeper one is not looked into, and may be reached by a shorter way too
    if (isAllowed && manifests.length > 0 && depth > manifestLimits.nesting) return true;
    const isAny = isAllowed && manifests.some((child) => isHere(repository, child, depth + 1));
    const found = isAllowed && (manifests.length === 0 || isAny);
    decided.set(key, found);
    return found;
  };
  const walk = async (entry: SelectedEntry, digest: Digest): Promise<void> => {
    if (walked.has(digest)) return;
    walked.add(digest);
    if (pacer.isDue()) await pacer.rest();
    const record = requireManifest(index, digest);
    const absent = new Set(record.manifests.filter((child) => !isHere(entry.repository, child)));
    for (const child of record.manifests) if (!absent.has(child)) await walk(entry, child);
    if (absent.size > 0) missing.push(...(await nameAbsent(store, entry, record, absent)));
    for (const { digest: blob, size } of record.blobs) {
      if (contents.has(blob)) continue;
      if (index.sizeOf(blob) !== size)
        throw svcError('SVC-STO-001', {
          path: blobPath(blob),
          detail: rule(['not in the store', fr`absent du stockage`]),
        });
      contents.set(blob, { digest: blob, size });
    }
    contents.set(digest, { digest, size: record.size });
    const { mediaType, size, artifactType } = record;
    descriptors.set(digest, {
      mediaType,
      digest,
      size,
      ...(artifactType === undefined ? {} : { artifactType }),
    });
  };

  const described: ExportPlan['entries'][number][] = [];
  for (const entry of entries) {
    requireManifest(index, entry.digest);
    if (!isHere(entry.repository, entry.digest)) {
      const { repository, tag, digest } = entry;
      const place = { repository, ...(tag === undefined ? {} : { tag }), digest };
      missing.push({
        ...place,
        ...toReason(
          rule(['no part of the index is in the store', fr`aucune partie de l’index n’est dans le stockage`]),
        ),
      });
      continue;
    }
    await walk(entry, entry.digest);
    described.push({ ...entry, descriptor: toEntryDescriptor(index, entry) });
  }
  const indexBytes = formatLayoutIndex(described.map(({ descriptor }) => descriptor));
  const { bytes: limit, children } = layoutIndexLimits;
  if (indexBytes.length > limit || described.length > children)
    throw svcError('SVC-VAL-002', { file: 'index.json', limit });
  return {
    entries: described,
    index: indexBytes,
    contents: [...contents.values()],
    manifests: walked.size,
    descriptors,
    blobs: contents.size - walked.size,
    missing,
  };
}

function requireManifest(index: Store['index'], digest: Digest): ManifestRecord {
  const record = index.manifest(digest);
  if (record) return record;
  throw svcError('SVC-STO-001', {
    path: blobPath(digest),
    detail: rule(['not in the store', fr`absent du stockage`]),
  });
}

/** Platforms of an index that the store does not have. */
async function nameAbsent(
  store: Store,
  { repository, tag }: SelectedEntry,
  { digest }: ManifestRecord,
  absent: ReadonlySet<Digest>,
): Promise<MissingContent[]> {
  const content = await readStoredManifest(store, digest);
  const manifest = content && (await parseManifestInTurns(content.bytes, content.descriptor.mediaType));
  const children = manifest?.kind === 'index' ? manifest.manifests : [];
  const seen = new Set<Digest>();
  return children.flatMap((child) => {
    if (!absent.has(child.digest) || seen.has(child.digest)) return [];
    seen.add(child.digest);
    const name =
      child.platform && child.platform.os !== 'unknown'
        ? formatPlatform(toPlatform(child.platform))
        : 'a part';
    return [
      {
        repository,
        ...(tag === undefined ? {} : { tag }),
        digest: child.digest,
        ...toReason(
          rule(
            ['{name} of the index is not in the store', fr`{name}, de l’index, n’est pas dans le stockage`],
            {
              name,
            },
          ),
        ),
      },
    ];
  });
}

/** The descriptor of an entry as listed in `index.json`, with its full name. */
function toEntryDescriptor(index: Store['index'], entry: SelectedEntry): Descriptor {
  const { repository, tag, digest } = entry;
  const { mediaType, size, artifactType } = requireManifest(index, digest);
  // for an image without an artifact type the store's index records the type of its configuration
  const configTypes: readonly string[] = [mediaTypes.ociConfig, mediaTypes.dockerConfig];
  const isImage = artifactType === undefined || configTypes.includes(artifactType);
  const isNamed = tag !== undefined && !isAttachmentTag(tag);
  const containerdName = isImage && isNamed ? toContainerdName(repository, tag) : undefined;
  return {
    mediaType,
    digest,
    size,
    ...(isImage ? {} : { artifactType }),
    annotations: {
      ...(containerdName === undefined ? {} : { [containerdAnnotation]: containerdName }),
      [nameAnnotation]: toEntryReference(entry),
    },
  };
}
