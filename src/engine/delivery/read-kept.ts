import { opendir } from 'node:fs/promises';
import { join, relative, sep } from 'node:path';
import { type Digest, digestAlgorithm } from '../../base/digest.ts';
import { isAbsent } from '../../disk/is-absent.ts';
import { type HashedFile, keptBytes } from '../../disk/threads/hash-file.ts';
import { hashFiles } from '../../disk/threads/hash-pool.ts';
import { type MediumHeader, type ReadManifest, readMediumManifest } from '../../store/rest/media-manifest.ts';
import { isSvcError } from '../../text/error.ts';
import { ownFolders } from './inspect-target.ts';
import type { WrittenPart } from './model.ts';

/** Most damaged files that are named. */
const mostNamed = 20;

/**
 * Reads a complete part whole, and compares it with the part that this source wrote: its manifest, each listed file, and that
 * its own folders have no other file.
 *
 * @param known digest of the `media.jsonl` that was written; undefined when this source knows of none
 * @returns the listed files and bytes, and each file as it was hashed; of a part that was written here, the listed files that
 *   the disk lost or returns otherwise, at least the first ones; undefined for any other part
 * @throws SVC-STO-014, SVC-STO-001 when the folder cannot be read; the reason of the signal
 */
export async function readKept(
  root: string,
  known: Digest | undefined,
  signal?: AbortSignal,
): Promise<
  | (MediumHeader['totals'] & Pick<WrittenPart, 'readBack'> & { readonly damaged?: undefined })
  | { readonly damaged: readonly string[] }
  | undefined
> {
  const manifest = known === undefined ? undefined : await readManifest(root);
  if (manifest === undefined || manifest.digest !== known) return undefined;
  const { entries, header } = manifest;
  if (await hasOtherFile(root, entries)) return undefined;
  let room: number = keptBytes.all;
  const jobs = [...entries.values()].map((entry) => {
    // a proof judges small documents by their bytes
    const keep = entry.size <= Math.min(keptBytes.file, room);
    if (keep) room -= entry.size;
    return { ...entry, algorithm: digestAlgorithm(entry.digest), keep };
  });
  const damaged: string[] = [];
  const readBack = new Map<string, HashedFile>();
  await hashFiles(root, jobs, {
    onOutcome: ({ path, digest }, outcome) => {
      if (!('digest' in outcome) || outcome.digest !== digest) damaged.push(path);
      else readBack.set(path, { ...outcome, digest });
    },
    signal,
  });
  return damaged.length === 0
    ? { ...header.totals, readBack }
    : { damaged: damaged.sort().slice(0, mostNamed) };
}

/** @returns undefined for a manifest that is none */
async function readManifest(root: string): Promise<ReadManifest | undefined> {
  try {
    return await readMediumManifest(root);
  } catch (error) {
    if (isSvcError(error) && error.code.startsWith('SVC-MED-')) return undefined;
    throw error;
  }
}

/** Whether a folder of the part has a file that the manifest does not list. */
async function hasOtherFile(root: string, entries: { has(path: string): boolean }): Promise<boolean> {
  for (const folder of ownFolders) {
    if (folder === '_svc') continue;
    try {
      for await (const entry of await opendir(join(root, folder), { recursive: true })) {
        const path = relative(root, join(entry.parentPath, entry.name)).split(sep).join('/');
        if (!entry.isDirectory() && !entries.has(path)) return true;
      }
    } catch (error) {
      if (!isAbsent(error)) throw error;
    }
  }
  return false;
}
