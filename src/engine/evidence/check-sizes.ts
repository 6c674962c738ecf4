import { lstat } from 'node:fs/promises';
import { join } from 'node:path';
import { evidenceLimits } from '../../contract/evidence.ts';
import { fr } from '../../text/language.ts';
import { rule } from '../../text/rule.ts';
import { sumsName } from './pack-folder.ts';
import { type Fault, limits } from './verify-statements.ts';

/** Bytes of the list of sums. */
export const sumsLimit = 16 << 20;

/** Bytes of a file of a pack at most, by its path: the room that its readers give it. */
function toLimit(path: string): number {
  if (path === sumsName) return sumsLimit;
  if (path.startsWith('ledger/')) return evidenceLimits.bytes;
  if (!path.includes('/')) return evidenceLimits.document;
  if (path.startsWith('keys/') || path.endsWith('.sig')) return limits.small;
  return path.endsWith('.sigstore.json') ? limits.bundle : limits.signed;
}

/**
 * Finds files of a pack that are too large, before any of them is read: one of holes has no end for a reader.
 *
 * @param paths one that cannot be examined is named when it is read
 */
export async function checkSizes(root: string, paths: Iterable<string>, fault: Fault): Promise<void> {
  let bytes = 0;
  for (const path of paths) {
    const limit = toLimit(path);
    const size = await lstat(join(root, path)).then(
      (found) => (found.isFile() ? found.size : 0),
      () => 0,
    );
    bytes += size;
    if (size > limit)
      return fault(path, rule(['it has more than {limit:size}', fr`il a plus de {limit:size}`], { limit }));
    if (bytes > evidenceLimits.bytes)
      return fault(
        path,
        rule(
          [
            'with it, the files of the pack have more than {limit:size}',
            fr`avec lui, les fichiers du dossier ont plus de {limit:size}`,
          ],
          { limit: evidenceLimits.bytes },
        ),
      );
  }
}
