import { svcError } from '../base/error.ts';
import { tarEnd } from '../disk/tar-header.ts';
import { filesetLimits } from './limits.ts';
import { type ArchiveBuilder, measureEntry } from './pack-archive.ts';
import type { PackStamps } from './pack-stamps.ts';
import { walkTree } from './pack-walk.ts';

/** What a tree holds, and the bytes of its archive. */
export interface TreeMeasure {
  readonly files: number;
  readonly directories: number;
  readonly symlinks: number;
  readonly bytes: number;
}

/** What is refused besides the first, told with it. */
const moreRefused = 20;
/** Up to here an archive is read while it is measured: that spares a small tree a walk. */
const headBytes = 64 << 20;

/**
 * Looks at everything once: what would be refused is refused before anything is written. The first entries go into the
 * archive at once, as many as may wait in memory.
 *
 * @param folder the open root
 * @returns what there is, and how many of the entries are in the archive
 * @throws SVC-FIL-001, SVC-FIL-002
 */
export function lookAtTree(
  folder: number,
  stamps: PackStamps,
  archive: ArchiveBuilder,
): { readonly measure: TreeMeasure; readonly packed: number } {
  const refused: { readonly path: string; readonly rule: string }[] = [];
  let count = 0;
  const counts = { file: 0, folder: 0, link: 0 };
  let headers = 0;
  let bytes = tarEnd.length;
  let packed = 0;
  let packs = true;
  const refuse = (path: string, rule: string): void => {
    packs = false;
    count += 1;
    if (refused.length <= moreRefused) refused.push({ path, rule });
  };
  for (const entry of walkTree(folder, { open: () => packs, refuse })) {
    const own = measureEntry(entry);
    headers += own.headers;
    if (headers > filesetLimits.entries)
      throw svcError('SVC-FIL-001', { path: '.', rule: `more than ${filesetLimits.entries} entries` });
    bytes += own.bytes;
    counts[entry.type] += 1;
    stamps.add(entry);
    packs &&= bytes <= headBytes;
    if (!packs) continue;
    archive.add(entry);
    packed += 1;
  }
  const [first, ...others] = refused;
  if (first !== undefined) {
    const lines = others.map(({ path, rule }) => `${path}: ${rule}`);
    if (count > refused.length) lines.push(`and ${count - refused.length} more`);
    throw svcError('SVC-FIL-002', first, lines.length === 0 ? {} : { detail: lines.join('\n') });
  }
  return {
    measure: { files: counts.file, directories: counts.folder, symlinks: counts.link, bytes },
    packed,
  };
}
