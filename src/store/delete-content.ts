import type { Digest } from '../base/digest.ts';
import { Pacer } from '../base/pacer.ts';
import type { Content, Tag } from '../catalog/content.ts';
import { type ContentChange, isSameOwner, type PublishedChange } from '../catalog/content-records.ts';
import type { TagRecord } from '../catalog/model.ts';
import { selectRestored } from '../catalog/re-point.ts';
import { documentOf } from '../catalog/tag-rules.ts';
import type { Owner } from '../contract/content.ts';
import { isAttachmentTag } from '../oci/reference.ts';
import { readParsed, toTagKey } from './judge-put.ts';
import type { CollectionResult, DeleteOptions, RemovedTag, Store } from './model.ts';
import { reclaim } from './reclaim.ts';
import type { StoreCore } from './store-core.ts';

/**
 * Records a removal exclusively, and then removes the files that nothing references any more. The records come first: a
 * kill between the steps leaves files without a record, never the reverse. A collection removes these files.
 *
 * @param plan called while no other change runs, and until it has resolved; undefined when there is nothing to do
 * @param conclude turns the removed blobs into the result
 */
async function runRemoval<T>(
  core: StoreCore,
  plan: () => ContentChange[] | undefined | Promise<ContentChange[]>,
  conclude: (result: CollectionResult) => T,
): Promise<T | undefined> {
  await core.requireWritable();
  return core.gate
    .exclusive(async () => {
      const changes = await plan();
      if (changes === undefined) return undefined;
      return changes.length === 0 ? [] : core.keeper.change('content', () => core.record(changes));
    })
    .then(async (released: readonly Content[] | undefined) => {
      if (released === undefined) return undefined;
      if (released.length === 0) return conclude({ blobs: 0, bytes: 0 });
      return core.keeper.change('content', async () => conclude(await reclaim(core, released)));
    });
}

/**
 * Prepares the records of publications under tags, which remain after the tags are deleted.
 *
 * @returns the records for one of these tags
 */
async function readPublished(
  core: StoreCore,
  tags: readonly Tag[],
): Promise<(tag: Tag) => PublishedChange[]> {
  const documents = new Map<Digest, Digest | undefined>();
  const isPublished = ({ tag, kind, held }: Tag) => kind === 'Recipe' && !held && !isAttachmentTag(tag);
  for (const { digest } of tags.filter(isPublished)) {
    // without the document of a damaged manifest, only the same manifest can be published again
    const manifest = await readParsed(core, digest).catch(() => undefined);
    documents.set(digest, documentOf(manifest));
  }
  return (tag) => {
    if (!isPublished(tag)) return [];
    const document = documents.get(tag.digest);
    const { home, digest } = tag;
    const published = { op: 'published', repo: home.name, tag: tag.tag, digest } as const;
    return [{ ...published, ...(document === undefined ? {} : { document }) }];
  };
}

/**
 * Plans the records that return freed tags to the owners that were displaced from them. These records must be
 * last in the batch that frees the tags.
 *
 * @param freed tags that lose their last owner; a tag whose publication is remembered is not returned
 * @param ownersLeft owners that a tag has after the removal
 */
function planRestored(
  core: StoreCore,
  freed: readonly { readonly repository: string; readonly tag: string }[],
  ownersLeft: (tag: TagRecord) => readonly Owner[],
): ContentChange[] {
  return freed.flatMap((one) => planRestoredTag(core, one, ownersLeft));
}

function planRestoredTag(
  { graph, index }: StoreCore,
  { repository: repo, tag }: { readonly repository: string; readonly tag: string },
  ownersLeft: (tag: TagRecord) => readonly Owner[],
): ContentChange[] {
  const aliases = index.displacedFrom(repo, tag).map((one) => ({ ...one, owners: ownersLeft(one) }));
  const back = selectRestored(tag, aliases, graph.publications.get(repo)?.get(tag)?.digest);
  if (back === undefined) return [];
  const { alias, leaving, restored } = back;
  const { digest, kind } = restored;
  return [
    ...restored.owners.map((owner): ContentChange => ({ op: 'tag', repo, tag, digest, kind, owner })),
    ...leaving.map((owner): ContentChange => ({ op: 'disown', repo, tag: alias.tag, owner })),
  ];
}

/**
 * Removes a tag with all its owners, and collects content that only this tag reached. The publication of the
 * tag is remembered; a tag without one returns to the owners that were displaced from it.
 *
 * @returns undefined when there is no such tag
 */
export async function deleteTag(
  { core }: Store,
  repository: string,
  tag: string,
  { require }: DeleteOptions = {},
): Promise<CollectionResult | undefined> {
  const known = core.graph.tag(repository, tag);
  if (known === undefined) return undefined;
  core.requireAdoptable();
  require?.();
  const toPublished = await readPublished(core, [known]);
  const plan = (): ContentChange[] | undefined => {
    const current = core.graph.tag(repository, tag);
    if (current === undefined) return undefined;
    require?.();
    const published = toPublished(current);
    const restored = published.length > 0 ? [] : planRestored(core, [{ repository, tag }], ownersOf);
    return [{ op: 'untag', repo: repository, tag }, ...published, ...restored];
  };
  return runRemoval(core, plan, (result) => result);
}

function ownersOf({ owners }: TagRecord): readonly Owner[] {
  return owners;
}

/**
 * Removes a manifest and its tags from a repository. The tags return to the owners that were displaced from
 * them. A parent in that repository still reaches the manifest.
 *
 * @returns undefined when the repository does not have the manifest
 */
export async function deleteManifest(
  { core }: Store,
  repository: string,
  digest: Digest,
  { require }: DeleteOptions = {},
): Promise<CollectionResult | undefined> {
  const tagsHere = () =>
    (core.graph.get(digest)?.links?.tags ?? []).filter(({ home }) => home.name === repository);
  if (!core.index.isManifestIn(repository, digest)) return undefined;
  core.requireAdoptable();
  require?.();
  const toPublished = await readPublished(core, tagsHere());
  const plan = (): ContentChange[] | undefined => {
    const content = core.graph.get(digest);
    if (content === undefined || !core.index.isManifestIn(repository, digest)) return undefined;
    require?.();
    // A deletion on request ends the hold, which only protects against collection.
    core.holds.release(content);
    const tags = tagsHere();
    const published = tags.flatMap(toPublished);
    const freed = tags.flatMap(({ tag }) =>
      published.some((one) => one.tag === tag) ? [] : [{ repository, tag }],
    );
    const restored = planRestored(core, freed, (alias) => (alias.digest === digest ? [] : alias.owners));
    return [{ op: 'drop', repo: repository, digest }, ...published, ...restored];
  };
  return runRemoval(core, plan, (result) => result);
}

/**
 * Checks, before a deletion is planned, that the store can be changed.
 *
 * @throws SVC-STO-002, SVC-MED-030, SVC-CFG-001
 */
export function requireDeletable({ core }: Store): void {
  core.requireAdoptable();
}

/**
 * Removes the records of deleted publications of a repository.
 *
 * @returns false when there is nothing to forget
 */
export async function forgetPublished({ core }: Store, repository: string): Promise<boolean> {
  if (!core.index.hasPublications(repository)) return false;
  const plan = (): ContentChange[] => [{ op: 'unpublished', repo: repository }];
  return (await runRemoval(core, plan, () => true)) ?? false;
}

/**
 * Ends an upload or mount.
 *
 * @returns false when there is none, or when a manifest of the repository needs the blob
 */
export async function deleteBlob({ core }: Store, repository: string, digest: Digest): Promise<boolean> {
  const plan = (): ContentChange[] | undefined => {
    const content = core.graph.get(digest);
    if (content === undefined || !core.graph.repositories.get(repository)?.uploads.has(content))
      return undefined;
    core.holds.release(content);
    return [{ op: 'unblob', repo: repository, digest }];
  };
  const content = core.graph.get(digest);
  if (content === undefined || !core.graph.repositories.get(repository)?.uploads.has(content)) return false;
  return (await runRemoval(core, plan, () => true)) ?? false;
}

/** An owner that leaves a tag. */
export interface Release {
  readonly repository: string;
  readonly tag: string;
  readonly owner: Owner;
}

/**
 * Removes owners from tags in one batch. A tag that loses its last owner is removed, or returns to the owners
 * that were displaced from it.
 *
 * @param releases the owners, or a function that decides on them while no other change runs
 * @returns the tags that were removed or changed their digest, and the collected blobs and bytes
 */
export async function releaseOwners(
  { core }: Store,
  releases: readonly Release[] | (() => Promise<readonly Release[]>),
): Promise<{ readonly removed: readonly RemovedTag[] } & CollectionResult> {
  const before = new Map<string, RemovedTag>();
  // half of a store may be released at once: other requests take turns, and no other change runs meanwhile
  const plan = async (): Promise<ContentChange[]> => {
    const pacer = new Pacer();
    const changes: ContentChange[] = [];
    const left = new Map<string, readonly Owner[]>();
    const decided = typeof releases === 'function' ? await releases() : releases;
    for (const { repository, tag, owner } of decided) {
      if (pacer.isDue()) await pacer.rest();
      const known = core.graph.tag(repository, tag);
      if (known === undefined) continue;
      const key = toTagKey({ repository, tag });
      before.set(key, { repository, tag, digest: known.digest });
      left.set(
        key,
        (left.get(key) ?? known.owners).filter((other) => !isSameOwner(other, owner)),
      );
      changes.push({ op: 'disown', repo: repository, tag, owner });
    }
    const ownersLeft = (alias: TagRecord) => left.get(toTagKey(alias)) ?? alias.owners;
    // after all others: changes that free a tag come before those that return it
    const restored: ContentChange[] = [];
    for (const [key, one] of before) {
      if (left.get(key)!.length > 0) continue;
      if (pacer.isDue()) await pacer.rest();
      restored.push(...planRestoredTag(core, one, ownersLeft));
    }
    return [...changes, ...restored];
  };
  if (typeof releases !== 'function' && releases.length === 0) return { removed: [], blobs: 0, bytes: 0 };
  const result = await runRemoval(core, plan, (collected) => ({
    removed: [...before.values()].filter(
      ({ repository, tag, digest }) => core.graph.tag(repository, tag)?.digest !== digest,
    ),
    ...collected,
  }));
  return result ?? { removed: [], blobs: 0, bytes: 0 };
}
