import { lstat, rename } from 'node:fs/promises';
import { join } from 'node:path';
import { type Digest, digestAlgorithm, digestHex, isDigest } from '../../base/digest.ts';
import { openGuardedFolder } from '../../disk/guarded-folder.ts';
import { isAbsent } from '../../disk/is-absent.ts';
import { toWriteError } from '../../disk/write-error.ts';

/** Folder of damaged content; content below `_svc` is never carried, listed or served. */
const quarantinePath = '_svc/quarantine';

/** One file in quarantine. */
interface QuarantineEntry {
  /** Relative to the root. */
  readonly path: string;
  readonly digest: Digest;
  /** Size in bytes; 0 when it is not a regular file. */
  readonly size: number;
  /** When it came there, by the file system; milliseconds since the epoch. */
  readonly movedAt: number;
}

/** File name of a quarantined blob; without `:`, which some filesystems reject. */
function toName(digest: Digest, copy: number): string {
  return `${digestAlgorithm(digest)}-${digestHex(digest)}${copy === 0 ? '' : `.${copy}`}`;
}

function parseName(name: string): Digest | undefined {
  const [, algorithm, hex] = /^(sha256|sha512)-([0-9a-f]+)(?:\.[0-9]+)?$/.exec(name) ?? [];
  const digest = `${algorithm}:${hex}`;
  return isDigest(digest) ? digest : undefined;
}

/**
 * Moves a blob file to quarantine durably, by a rename, so that a kill leaves it in exactly one of the two
 * places. Earlier files of the same digest are kept.
 *
 * @returns the new path, relative to the root
 * @throws SVC-STO-002, SVC-STO-004
 */
export async function moveToQuarantine(root: string, digest: Digest): Promise<string> {
  const from = `blobs/${digestAlgorithm(digest)}`;
  await using blobs = await openGuardedFolder(root, from);
  await using folder = await openGuardedFolder(root, quarantinePath, { create: true, mode: 0o755 });
  let copy = 0;
  while ((await lstat(folder.pathOf(toName(digest, copy))).catch(() => undefined)) !== undefined) copy += 1;
  const name = toName(digest, copy);
  try {
    await rename(blobs.pathOf(digestHex(digest)), folder.pathOf(name));
  } catch (error) {
    throw toWriteError(error, join(root, from, digestHex(digest)));
  }
  await folder.sync();
  await blobs.sync();
  return `${quarantinePath}/${name}`;
}

/** Lists the files in quarantine, sorted by name. @throws SVC-STO-001 when the folder cannot be read */
export async function listQuarantine(root: string): Promise<readonly QuarantineEntry[]> {
  const entries: QuarantineEntry[] = [];
  try {
    await using folder = await openGuardedFolder(root, quarantinePath);
    for (const name of (await folder.list()).toSorted()) {
      const digest = parseName(name);
      if (digest === undefined) continue;
      const info = await lstat(folder.pathOf(name)).catch(() => undefined);
      if (info === undefined) continue;
      const size = info.isFile() ? info.size : 0;
      entries.push({ path: `${quarantinePath}/${name}`, digest, size, movedAt: info.ctimeMs });
    }
  } catch (error) {
    if (!isAbsent(error)) throw error;
  }
  return entries;
}
