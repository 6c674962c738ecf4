import type { Digest } from '../base/digest.ts';
import type { Content } from '../catalog/content.ts';
import type { TagRecord } from '../catalog/model.ts';
import type { TagDecision } from '../catalog/tag-rules.ts';
import { judgePut, planTag, type TagPut, toTagKey } from './judge-put.ts';
import { MissingBlobsError } from './missing-blobs.ts';
import type { RePointedTag, Store } from './model.ts';
import type { StoreCore } from './store-core.ts';

/**
 * Lists the present content that a manifest reaches, including the manifest, which must have a record.
 *
 * @throws MissingBlobsError
 */
function present(core: StoreCore, digest: Digest): Content[] {
  const content = core.graph.get(digest);
  if (!content?.present || content.facts === undefined) throw new MissingBlobsError([digest]);
  return [...core.index.reach(digest)].map((one) => core.graph.intern(one));
}

/**
 * Hashes content that is not vouched for. Damaged content that only children of an index need counts as
 * absent: an index may be sparse.
 *
 * @returns the intact content
 * @throws MissingBlobsError with the damaged manifests, and the damaged blobs that they need themselves
 */
async function requireWhole(
  core: StoreCore,
  roots: ReadonlySet<Digest>,
  reached: ReadonlySet<Content>,
): Promise<Set<Content>> {
  const required = new Set<number>();
  for (const root of roots) {
    const { id, facts } = core.graph.intern(root);
    for (const needed of [id, ...(facts?.blobs ?? [])]) required.add(needed);
  }
  const whole = new Set<Content>();
  const missing: Digest[] = [];
  for (const content of reached) {
    if (await core.files.isWhole(content)) whole.add(content);
    else if (required.has(content.id)) missing.push(content.digest);
  }
  if (missing.length > 0) throw new MissingBlobsError(missing);
  return whole;
}

/** Runs `work` while everything that these manifests reach is pinned, hashed and durable. */
async function withReached<T>(
  core: StoreCore,
  digests: Iterable<Digest>,
  work: () => Promise<T>,
): Promise<T> {
  const reached = new Set<Content>();
  const roots = new Set(digests);
  for (const digest of roots) for (const content of present(core, digest)) reached.add(content);
  for (const content of reached) core.holds.pin(content);
  try {
    await core.files.makeDurable(await requireWhole(core, roots, reached));
    return await work();
  } finally {
    for (const content of reached) core.holds.unpin(content);
  }
}

/**
 * Adds owners to tags, or sets tags to other digests, under the tag rules and in one batch. Tags that would
 * not change are skipped.
 *
 * @param onRePointed called for each tag that was changed to another digest, after the change is recorded
 * @throws MissingBlobsError when a manifest is not in the store; SVC-POL-002, SVC-POL-004, SVC-POL-005
 */
export async function putTags(
  { core }: Store,
  tags: readonly TagPut[],
  onRePointed?: (tag: RePointedTag) => void,
): Promise<void> {
  await core.requireWritable();
  const open = tags.filter((tag) => planTag(core, tag, 'set').length > 0);
  if (open.length === 0) return;
  const digests = open.map((tag) => tag.digest);
  await withReached(core, digests, () =>
    core.gate.shared(() =>
      core.tagging.run(open.map(toTagKey), async () => {
        const decisions = await Promise.all(open.map((tag) => judgePut(core, tag)));
        // A deletion may have run in between: the facts of a deleted manifest cannot be restored here.
        const lost = digests.filter((digest) => core.graph.get(digest)?.facts === undefined);
        if (lost.length > 0) throw new MissingBlobsError(lost);
        const changes = open.flatMap((tag, i) => planTag(core, tag, decisions[i]!));
        const rePointed = open.flatMap((put, i) => toRePointed(core, put, decisions[i]!));
        if (changes.length > 0) await core.keeper.change('content', () => core.record(changes));
        if (onRePointed) rePointed.forEach(onRePointed);
      }),
    ),
  );
}

/** Describes the change of digest that a decision makes; called before the decision is recorded. */
function toRePointed(core: StoreCore, put: TagPut, decision: TagDecision): readonly RePointedTag[] {
  const { repository, tag, digest } = put;
  const previous = core.graph.tag(repository, tag)?.digest;
  if (decision === 'keep' || previous === undefined || previous === digest) return [];
  return [{ repository, tag, previous, digest }];
}

/**
 * Ends the hold of tags. Content that they reach and that is not vouched for is hashed.
 *
 * @throws MissingBlobsError
 */
export async function releaseHeld(
  { core }: Store,
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
      core.gate.shared(() =>
        core.tagging.run(held.map(toTagKey), () =>
          core.keeper.change('content', async () => {
            await core.record(held.map(({ repository: repo, tag }) => ({ op: 'unhold', repo, tag })));
          }),
        ),
      ),
  );
}
