import type { Digest } from '../base/digest.ts';
import { blobPath } from '../oci/layout.ts';
import { svcError } from '../text/error.ts';
import { fr } from '../text/language.ts';
import { rule } from '../text/rule.ts';
import type { Store } from './model.ts';
import type { StoreCore } from './store-core.ts';

/**
 * Records the upload of a blob into a repository, which makes the blob visible there. The record survives a kill of the
 * process, like the blob. Only a manifest makes both survive a power cut, and then needs no upload.
 *
 * @param actor the identity that uploaded it
 * @param permit called in the step that records it; an error leaves the blob without a record
 * @throws SVC-STO-001 when the blob is not in the store; SVC-STO-002, SVC-STO-004 or SVC-STO-005 when it could
 *   not be synced
 */
export async function recordUpload(
  { core }: Store,
  repository: string,
  digest: Digest,
  actor: string,
  permit: () => void = () => {},
): Promise<void> {
  await core.requireWritable();
  if (await recordBlob(core, { repository, digest, actor }, permit)) return;
  throw svcError('SVC-STO-001', {
    path: blobPath(digest),
    detail: rule(['not in the store', fr`absent du stockage`]),
  });
}

/**
 * Makes a blob that is visible in one repository visible in another.
 *
 * @returns false when it is not visible in `from`, or not in the store
 */
export async function mountBlob(
  { core }: Store,
  repository: string,
  digest: Digest,
  from: string,
  actor: string,
): Promise<boolean> {
  await core.requireWritable();
  if (!core.index.isBlobIn(from, digest)) return false;
  return recordBlob(core, { repository, digest, actor, from }, () => {});
}

interface Upload {
  readonly repository: string;
  readonly digest: Digest;
  readonly actor: string;
  /** The repository from which it is mounted. */
  readonly from?: string;
}

async function recordBlob(
  core: StoreCore,
  { repository, digest, actor, from }: Upload,
  permit: () => void,
): Promise<boolean> {
  const { graph, holds, gate, files, keeper } = core;
  const content = graph.intern(digest);
  holds.pin(content);
  try {
    if (!(await files.isWhole(content))) {
      files.requireKept(content);
      return false;
    }
    permit();
    if (graph.needsBlob(graph.repositories.get(repository), content)) {
      // visible without a record, and the manifest that needs it may go before the client's
      holds.lease(content, repository);
      return true;
    }
    await keeper.change('content', () =>
      gate.shared(async () => {
        const upload = {
          op: 'upload',
          repo: repository,
          digest,
          size: content.size,
          actor: actor.slice(0, 512),
          at: core.now(),
          ...(from === undefined ? {} : { from }),
        } as const;
        permit();
        await core.record([upload], { awaitSync: false });
      }),
    );
    return true;
  } finally {
    holds.unpin(content);
  }
}
