import type { Digest } from '../base/digest.ts';
import type { HashOutcome } from '../disk/threads/hash-file.ts';
import type { QuarantinedBlob, Store } from './model.ts';

/**
 * Takes blobs out of service that are not what they are called: each is looked at again, alone, and what is right after
 * all stays. From here on they count as absent, also after a restart, so that a sync or a push brings them anew.
 *
 * @param suspects with the outcome of a reading, a file that is still the one that was read is not read again
 * @throws SVC-STO-002 and what `requireWritable` throws
 */
export async function quarantine(
  { core }: Store,
  suspects: Iterable<{ readonly digest: Digest; readonly outcome?: HashOutcome | undefined }>,
): Promise<readonly QuarantinedBlob[]> {
  const moved: QuarantinedBlob[] = [];
  for (const { digest, outcome } of suspects) {
    const content = core.graph.get(digest);
    if (!content?.present) continue;
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
