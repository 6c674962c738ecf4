import type { Digest } from '../base/digest.ts';
import type { Content } from './content.ts';
import { type ContentChange, isSameOwner } from './content-records.ts';
import { MissingBlobsError } from './missing-blobs.ts';
import type { Store, TagRecord } from './model.ts';
import type { StoreCore } from './store-core.ts';

/** Everything that is present below a manifest, itself included; the manifest itself must be known. */
function present(core: StoreCore, digest: Digest): Content[] {
  const content = core.graph.get(digest);
  if (!content?.present || content.facts === undefined) throw new MissingBlobsError([digest]);
  return [...core.index.reach(digest)].map((one) => core.graph.intern(one));
}

/** Hashes what nobody has vouched for yet. @throws MissingBlobsError with those that are not what they are called */
async function requireWhole(core: StoreCore, contents: Iterable<Content>): Promise<void> {
  const missing: Digest[] = [];
  for (const content of contents) if (!(await core.files.isWhole(content))) missing.push(content.digest);
  if (missing.length > 0) throw new MissingBlobsError(missing);
}

/** Holds everything below these manifests, hashed and durable, while `work` records what depends on it. */
async function withReached<T>(
  core: StoreCore,
  digests: Iterable<Digest>,
  work: () => Promise<T>,
): Promise<T> {
  const reached = new Set<Content>();
  for (const digest of new Set(digests)) for (const content of present(core, digest)) reached.add(content);
  for (const content of reached) core.holds.pin(content);
  try {
    await requireWhole(core, reached);
    await core.files.makeDurable(reached);
    return await work();
  } finally {
    for (const content of reached) core.holds.unpin(content);
  }
}

/**
 * Adds owners to tags, or points tags elsewhere: one batch for all; tags that say it already cost nothing.
 *
 * @throws MissingBlobsError when a manifest is not in the store
 */
export async function putTags(core: StoreCore, tags: Parameters<Store['putTags']>[0]): Promise<void> {
  await core.requireWritable();
  const isSettled = ({ repository, tag, digest, kind, owner }: (typeof tags)[number]): boolean => {
    const known = core.graph.tag(repository, tag);
    return (
      known?.digest === digest &&
      !known.held &&
      known.kind === kind &&
      known.owners.some((other) => isSameOwner(other, owner))
    );
  };
  const open = tags.filter((tag) => !isSettled(tag));
  if (open.length === 0) return;
  const digests = open.map((tag) => tag.digest);
  await withReached(core, digests, () =>
    core.gate.shared(async () => {
      // A delete may have come between: facts that went with it cannot be had from here.
      const lost = digests.filter((digest) => core.graph.get(digest)?.facts === undefined);
      if (lost.length > 0) throw new MissingBlobsError(lost);
      const changes = open.map(
        ({ repository: repo, tag, digest, kind, owner }): ContentChange => ({
          op: 'tag',
          repo,
          tag,
          digest,
          kind,
          owner,
        }),
      );
      await core.keeper.change('content', () => core.record(changes));
    }),
  );
}

/** Lifts the hold of tags; what they reach is hashed unless it has been. @throws MissingBlobsError */
export async function releaseHeld(
  core: StoreCore,
  tags: readonly { readonly repository: string; readonly tag: string }[],
): Promise<void> {
  await core.requireWritable();
  const held = tags.flatMap(({ repository, tag }): TagRecord[] => {
    const known = core.graph.tag(repository, tag);
    return known?.held ? [known.toRecord()] : [];
  });
  if (held.length === 0) return;
  await withReached(
    core,
    held.map((tag) => tag.digest),
    () =>
      core.keeper.change('content', () =>
        core.gate.shared(async () => {
          await core.record(held.map(({ repository: repo, tag }) => ({ op: 'unhold', repo, tag })));
        }),
      ),
  );
}
