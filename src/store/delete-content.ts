import type { Digest } from '../base/digest.ts';
import type { Content } from './content.ts';
import type { ContentChange } from './content-records.ts';
import type { CollectionResult, Owner, RemovedTag } from './model.ts';
import { reclaim } from './reclaim.ts';
import type { StoreCore } from './store-core.ts';

/**
 * Records what goes, alone, and then removes the files that nothing holds any more. The records come first: a kill
 * in between leaves files without a record, which a collection removes, never a record without its files.
 *
 * @param plan asked when nothing else changes; undefined: there is nothing to do
 */
async function takeAway<T>(
  core: StoreCore,
  plan: () => ContentChange[] | undefined,
  conclude: (result: CollectionResult) => T,
): Promise<T | undefined> {
  await core.requireWritable();
  return core.gate
    .exclusive(async () => {
      const changes = plan();
      if (changes === undefined) return undefined;
      return changes.length === 0 ? [] : core.keeper.change('content', () => core.record(changes));
    })
    .then(async (released: readonly Content[] | undefined) => {
      if (released === undefined) return undefined;
      if (released.length === 0) return conclude({ blobs: 0, bytes: 0 });
      return core.keeper.change('content', async () => conclude(await reclaim(core, released)));
    });
}

export async function deleteTag(
  core: StoreCore,
  repository: string,
  tag: string,
): Promise<CollectionResult | undefined> {
  const plan = (): ContentChange[] | undefined =>
    core.graph.tag(repository, tag) && [{ op: 'untag', repo: repository, tag }];
  if (plan() === undefined) return undefined;
  return takeAway(core, plan, (result) => result);
}

/** Takes a manifest out of a repository with its tags there. A parent in that repository still reaches it. */
export async function deleteManifest(
  core: StoreCore,
  repository: string,
  digest: Digest,
): Promise<CollectionResult | undefined> {
  const plan = (): ContentChange[] | undefined => {
    const content = core.graph.get(digest);
    if (content === undefined || !core.index.isManifestIn(repository, digest)) return undefined;
    // Whoever deletes it does not want it held: the promise was about not losing it unasked.
    core.holds.release(content);
    return [{ op: 'drop', repo: repository, digest }];
  };
  if (!core.index.isManifestIn(repository, digest)) return undefined;
  return takeAway(core, plan, (result) => result);
}

/** Ends an upload or mount. @returns false when there is none, or when a manifest of the repository needs the blob */
export async function deleteBlob(core: StoreCore, repository: string, digest: Digest): Promise<boolean> {
  const plan = (): ContentChange[] | undefined => {
    const content = core.graph.get(digest);
    if (content === undefined || !core.graph.repositories.get(repository)?.uploads.has(content))
      return undefined;
    core.holds.release(content);
    return [{ op: 'unblob', repo: repository, digest }];
  };
  const content = core.graph.get(digest);
  if (content === undefined || !core.graph.repositories.get(repository)?.uploads.has(content)) return false;
  return (await takeAway(core, plan, () => true)) ?? false;
}

/** Removes owners from tags in one batch; tags that lose their last one go. */
export async function releaseOwners(
  core: StoreCore,
  releases: readonly { readonly repository: string; readonly tag: string; readonly owner: Owner }[],
): Promise<{ readonly removed: readonly RemovedTag[] } & CollectionResult> {
  const before = new Map<string, RemovedTag>();
  const plan = (): ContentChange[] => {
    const changes: ContentChange[] = [];
    for (const { repository, tag, owner } of releases) {
      const known = core.graph.tag(repository, tag);
      if (known === undefined) continue;
      before.set(`${repository}:${tag}`, { repository, tag, digest: known.digest });
      changes.push({ op: 'disown', repo: repository, tag, owner });
    }
    return changes;
  };
  if (releases.length === 0) return { removed: [], blobs: 0, bytes: 0 };
  const result = await takeAway(core, plan, (collected) => ({
    removed: [...before.values()].filter(({ repository, tag }) => !core.graph.tag(repository, tag)),
    ...collected,
  }));
  return result ?? { removed: [], blobs: 0, bytes: 0 };
}
