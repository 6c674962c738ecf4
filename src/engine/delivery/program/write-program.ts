import { readdir, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { requireCopied } from '../../../archive/require-copied.ts';
import { forEachBounded } from '../../../base/concurrency.ts';
import { makeFolderBelow } from '../../../disk/make-folder.ts';
import { syncFolder } from '../../../disk/sync-folder.ts';
import type { CopyPool } from '../../../disk/threads/copy-pool.ts';
import { hashFiles } from '../../../disk/threads/hash-pool.ts';
import { toWriteError } from '../../../disk/write-error.ts';
import { listProgramFolders, programFolder } from '../../../store/rest/carried-program.ts';
import type { MediumEntry } from '../../../store/rest/media-manifest.ts';
import { unfinishedFolder } from '../../../store/rest/write-carried.ts';
import { type CarriedProgram, toAlteredError } from './read-program.ts';

/**
 * Copies a release into a part. Each file is hashed while it is copied, and has its name only when it is whole and durable.
 * Whole files of an interrupted writing are kept, and anything else in the folder is removed.
 *
 * @param root real path of the part; {@link unfinishedFolder} is there
 * @returns the entries of its files
 * @throws SVC-MED-048 for a file that changed since it was verified, SVC-STO-001 for one that cannot be read, SVC-STO-002,
 *   SVC-STO-004, SVC-STO-005; the signal's reason
 */
export async function writeProgram(
  root: string,
  program: CarriedProgram,
  { pool, signal }: { readonly pool: CopyPool; readonly signal: AbortSignal },
): Promise<readonly MediumEntry[]> {
  const entries = program.files.map((file) => ({ ...file, path: `${programFolder}/${file.path}` }));
  const folders = listProgramFolders(entries.map(({ path }) => path));
  try {
    const kept = await takeStock(root, entries, folders, signal);
    for (const folder of folders) await makeFolderBelow(root, folder);
    await forEachBounded([...program.files.entries()], pool.concurrency, async ([serial, file]) => {
      signal.throwIfAborted();
      if (!kept.has(entries[serial]!.path)) await copyFile(root, program, { file, serial }, pool);
    });
    for (const folder of folders) await syncFolder(join(root, folder));
  } catch (error) {
    signal.throwIfAborted();
    throw toWriteError(error, root);
  }
  return entries;
}

/** Removes all but the files that an interrupted writing completed. @returns their paths */
async function takeStock(
  root: string,
  entries: readonly MediumEntry[],
  folders: ReadonlySet<string>,
  signal: AbortSignal,
): Promise<ReadonlySet<string>> {
  const kept = new Set<string>();
  if (!(await readdir(root)).includes(programFolder)) return kept;
  const jobs = entries.map((entry) => ({ ...entry, algorithm: 'sha256' as const }));
  await hashFiles(root, jobs, {
    onOutcome: ({ path, digest }, outcome) => {
      if ('digest' in outcome && outcome.digest === digest) kept.add(path);
    },
    signal,
  });
  const removeOthers = async (folder: string): Promise<void> => {
    for (const entry of await readdir(join(root, folder), { withFileTypes: true })) {
      const path = `${folder}/${entry.name}`;
      if (entry.isDirectory() && folders.has(path)) await removeOthers(path);
      else if (!kept.has(path)) await rm(join(root, path), { recursive: true, force: true });
    }
  };
  await removeOthers(programFolder);
  return kept;
}

async function copyFile(
  root: string,
  program: CarriedProgram,
  { file, serial }: { readonly file: MediumEntry; readonly serial: number },
  pool: CopyPool,
): Promise<void> {
  const { path, size, digest } = file;
  const source = { root: program.root, path };
  const temporary = join(root, unfinishedFolder, `${serial}.program`);
  const outcome = await pool.copy({
    source,
    size,
    algorithm: 'sha256',
    target: { path: temporary, durable: true },
  });
  const isAltered = 'problem' in outcome ? outcome.problem === 'size' : outcome.digest !== digest;
  if (isAltered) throw toAlteredError(program.root, path);
  requireCopied(outcome, { digest, size }, { source, target: root, unreadable: 'SVC-STO-001' });
  await rename(temporary, join(root, programFolder, path));
}
