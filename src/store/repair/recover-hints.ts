import { lstat } from 'node:fs/promises';
import { join } from 'node:path';
import type { Digest } from '../../base/digest.ts';
import { blobPath, indexPath } from '../../oci/layout.ts';
import type { SvcError } from '../../text/error.ts';
import { countCorrected } from '../adoption/correct-facts.ts';
import { listBlobFiles } from '../blobs/scan-blobs.ts';
import { type IndexEntry, indexLimit, parseIndex } from '../rest/read-index.ts';
import { readSmallFile } from '../rest/read-small-file.ts';
import type { StoreCore } from '../store-core.ts';
import { recoverContent } from './recover-content.ts';

/**
 * Adds content to the catalog of a foreign store that its content ledger does not name. The ledger,
 * `index.json` and the bytes of the manifests are hints where to look. When the ledger is damaged or
 * incomplete, all blobs are searched for manifests; otherwise only those that `index.json` names. Changes no
 * file.
 *
 * @returns the error of a manifest that cannot be read now, for a reason outside the file
 * @throws SVC-STO-001, SVC-STO-014
 */
export async function recoverHints(core: StoreCore): Promise<SvcError | undefined> {
  const { root, graph, book, now } = core;
  const text = await readSmallFile(root, indexPath, indexLimit);
  const index = parseIndex(text?.toString() ?? '') ?? [];
  const isLost = isContentLost(core);
  let unread: SvcError | undefined;
  await recoverContent(graph, {
    root,
    files: isLost ? await listAll(root) : await listUnrecorded(core, index),
    recipes: isLost ? book.recipes : [],
    index,
    isHeld: false,
    keepsBlobs: false,
    onUnread: (error) => {
      unread ??= error;
    },
    now: now(),
    signal: undefined,
  });
  return unread;
}

/** Whether the content ledger is known to be incomplete or wrong. */
function isContentLost({ contentLedger, parts, state }: StoreCore): boolean {
  const { damage, unreadable, truncatedTail } = contentLedger;
  return (
    contentLedger.state().generation === 0 ||
    damage !== undefined ||
    truncatedTail !== undefined ||
    unreadable > 0 ||
    parts.isMixed ||
    countCorrected(state.corrections) > 0
  );
}

async function listAll(root: string): Promise<ReadonlyMap<Digest, number>> {
  const { files } = await listBlobFiles(root);
  return new Map(files.map(({ digest, size }) => [digest, size]));
}

/** Lists the manifests that `index.json` names and the ledger does not. */
async function listUnrecorded(
  { root, graph }: StoreCore,
  index: readonly IndexEntry[],
): Promise<ReadonlyMap<Digest, number>> {
  const files = new Map<Digest, number>();
  for (const { digest } of index) {
    if (graph.get(digest)?.facts !== undefined) continue;
    const info = await lstat(join(root, blobPath(digest))).catch(() => undefined);
    if (info?.isFile()) files.set(digest, info.size);
  }
  return files;
}
