import type { Digest } from '../base/digest.ts';
import type { HashOutcome } from '../disk/threads/hash-file.ts';
import type { QuarantinedBlob, Store } from './model.ts';

/**
 * Moves damaged blobs to quarantine. Each suspect is hashed again, and an intact one is not moved. Moved
 * blobs count as absent, also after a restart, so that a sync or a push writes them again.
 *
 * @param suspects a suspect with an `outcome` is not hashed again while its file is unchanged
 * @throws SVC-STO-002 and the errors of `requireWritable`
 */
export async function quarantine(
  { core }: Store,
  suspects: Iterable<{ readonly digest: Digest; readonly outcome?: HashOutcome | undefined }>,
): Promise<readonly QuarantinedBlob[]> {
  const moved: QuarantinedBlob[] = [];
  for (const { digest, outcome } of suspects) {
    const content = core.graph.get(digest);
    if (content === undefined) continue;
    await core.requireWritable();
    core.holds.pin(content);
    try {
      const one = await core.files.quarantine(content, outcome);
      core.cache.delete(digest);
      if (one !== undefined) moved.push(one);
    } finally {
      core.holds.unpin(content);
    }
  }
  return moved;
}
