import type { Digest } from '../../base/digest.ts';
import {
  type ContentChange,
  isSameOwner,
  storeFormat,
  type TagChange,
} from '../../catalog/content-records.ts';
import type { RecipeRecord } from '../../catalog/model.ts';
import type { RecipeChange } from '../../catalog/recipe-book.ts';
import type { Owner } from '../../contract/content.ts';
import type { Store } from '../../store/model.ts';
import type { AbsentBlob } from '../../store/rest/absent-list.ts';
import { type MediumEntry, mediaFormats } from '../../store/rest/media-manifest.ts';
import type { CarriedStore } from '../../store/rest/write-carried.ts';
import type { SelectedEntry } from '../layout/select-entries.ts';
import { toMediumId } from './identify.ts';
import type { Delivery } from './model.ts';

/**
 * Describes the store of one part: records of the chosen recipes, and of everything that they name, whether it is on
 * this part or not.
 *
 * @param about.part from 1
 * @param about.isWhole whether nothing is absent or cut
 * @param about.others files of the part that are no blobs
 */
export function describePart(
  { index }: Pick<Store, 'index'>,
  delivery: Delivery,
  about: {
    readonly part: number;
    readonly isWhole: boolean;
    readonly others: readonly MediumEntry[];
    /** RFC 3339 UTC. */
    readonly writtenAt: string;
    readonly version: string;
  },
): CarriedStore {
  const { id, zone, base, sync, closures, content, parts, program } = delivery;
  const present = new Map([...content.always, ...parts[about.part - 1]!.blobs]);
  const changes = new Map<string, ContentChange>();
  const puts = new Map<string, ContentChange>();
  const tags = new Map<string, ContentChange>();
  for (const { record, entries } of closures)
    for (const entry of entries) {
      const { repository: repo, digest } = entry;
      const facts = index.manifest(digest);
      if (facts === undefined) continue;
      const { mediaType: type, size, artifactType, subject, manifests, blobs } = facts;
      const isUnverified = blobs.some((blob) => !present.has(blob.digest));
      changes.set(digest, {
        op: 'manifest',
        digest,
        type,
        size,
        ...(artifactType === undefined ? {} : { artifactType }),
        ...(subject === undefined ? {} : { subject }),
        ...(manifests.length === 0 ? {} : { manifests }),
        ...(blobs.length === 0 ? {} : { blobs: blobs.flatMap((blob) => [blob.digest, blob.size]) }),
        ...(isUnverified ? { unverified: true as const } : {}),
      });
      puts.set(`${repo}@${digest}`, { op: 'put', repo, digest });
      if (entry.tag === undefined) continue;
      for (const change of toTags(index, record, { ...entry, tag: entry.tag }))
        tags.set(JSON.stringify(change), change);
    }
  const recipes = closures.map(({ record }): RecipeChange => ({ op: 'recipe', ...record, zone }));
  const { runId, resolvedAt } = sync;
  return {
    header: {
      mediaFormat: about.isWhole ? mediaFormats.whole : mediaFormats.partial,
      storeFormat,
      mediaId: toMediumId(delivery, about.part),
      zone,
      producedBy: { version: about.version, runId },
      resolvedAt,
      writtenAt: about.writtenAt,
      delivery: { id, part: about.part, parts: parts.length },
      ...(base === undefined ? {} : { base }),
      ...(program === undefined
        ? {}
        : {
            program: { version: program.version, files: program.files.length, bytes: program.bytes },
          }),
      recipes: closures.map(({ record: { name, version, repository, digest } }) => ({
        name,
        version,
        repository,
        digest,
      })),
    },
    content: [...changes.values(), ...puts.values(), ...tags.values()],
    recipes: [...recipes, { op: 'sync', ...sync, zone }],
    present,
    others: about.others,
  };
}

/** The records of a tag: one for each owner that is the recipe. */
function toTags(
  index: Store['index'],
  { name, version, cookbook, ingredients }: RecipeRecord,
  { repository, tag, digest }: SelectedEntry & { readonly tag: string },
): TagChange[] {
  const own: Owner = { provenance: 'recipe', recipe: `${name}@${version}`, cookbook };
  const known = index.tag(repository, tag);
  const recorded = known?.digest === digest ? known : undefined;
  const owners = recorded?.owners.filter((owner) => isSameOwner(owner, own)) ?? [];
  const kind = recorded?.kind ?? ingredients.find((one) => one.digest === digest)?.kind ?? 'Recipe';
  return (owners.length > 0 ? owners : [own]).map((owner) => ({
    op: 'tag',
    repo: repository,
    tag,
    digest,
    kind,
    owner,
  }));
}

/**
 * Lists the blobs that recipes of a part need and that are not whole on it, sorted by digest.
 *
 * @param part from 1
 */
export function listAbsent(
  { content, parts }: Pick<Delivery, 'content' | 'parts'>,
  part: number,
): AbsentBlob[] {
  const places = new Map<Digest, Set<number>>();
  for (const [i, { blobs, segments }] of parts.entries()) {
    for (const digest of [...blobs.keys(), ...segments.map((one) => one.digest)]) {
      const known = places.get(digest);
      if (known) known.add(i + 1);
      else places.set(digest, new Set([i + 1]));
    }
  }
  const absent: AbsentBlob[] = [...content.absent].map(([digest, size]) => ({ digest, size, at: 'base' }));
  for (const [digest, size] of content.blobs) {
    const at = [...(places.get(digest) ?? [])];
    if (at.length > 1 || at[0] !== part) absent.push({ digest, size, at });
  }
  return absent.sort((a, b) => (a.digest < b.digest ? -1 : 1));
}
