import { lstat, readdir, rename } from 'node:fs/promises';
import { join } from 'node:path';
import { type Digest, digestAlgorithm, digestHex, isDigest } from '../../base/digest.ts';
import { openGuardedFolder } from '../../disk/guarded-folder.ts';
import { isAbsent } from '../../disk/is-absent.ts';
import { toWriteError } from '../../disk/write-error.ts';

/** Where damaged content is kept, outside of everything that counts: `_svc` is never carried, listed or served. */
const quarantinePath = '_svc/quarantine';

/** One file that was taken out of service. */
interface QuarantineEntry {
  /** Relative to the root. */
  readonly path: string;
  readonly digest: Digest;
  /** Bytes; 0 for what is not a regular file. */
  readonly size: number;
}

/** The name carries the digest without the `:` that some filesystems refuse. */
function toName(digest: Digest, copy: number): string {
  return `${digestAlgorithm(digest)}-${digestHex(digest)}${copy === 0 ? '' : `.${copy}`}`;
}

function parseName(name: string): Digest | undefined {
  const [, algorithm, hex] = /^(sha256|sha512)-([0-9a-f]+)(?:\.[0-9]+)?$/.exec(name) ?? [];
  const digest = `${algorithm}:${hex}`;
  return isDigest(digest) ? digest : undefined;
}

/**
 * Moves a file of the blobs into the quarantine, durably and by its name alone, so that a kill leaves it in one place
 * or the other. What was put there before under the same digest stays beside it.
 *
 * @returns where it is now, relative to the root
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

/** What lies in the quarantine, by name. @throws SVC-STO-001 when the folder cannot be read */
export async function listQuarantine(root: string): Promise<readonly QuarantineEntry[]> {
  const entries: QuarantineEntry[] = [];
  try {
    await using folder = await openGuardedFolder(root, quarantinePath);
    for (const name of (await readdir(folder.pathOf('.'))).sort()) {
      const digest = parseName(name);
      if (digest === undefined) continue;
      const info = await lstat(folder.pathOf(name)).catch(() => undefined);
      if (info === undefined) continue;
      entries.push({ path: `${quarantinePath}/${name}`, digest, size: info.isFile() ? info.size : 0 });
    }
  } catch (error) {
    if (!isAbsent(error)) throw error;
  }
  return entries;
}
