import { lstat, rename } from 'node:fs/promises';
import { requireCopied } from '../../../archive/require-copied.ts';
import { forEachBounded } from '../../../base/concurrency.ts';
import type { HeldTree } from '../../../disk/place/held-tree.ts';
import type { CopyPool } from '../../../disk/threads/copy-pool.ts';
import type { HashedFile } from '../../../disk/threads/hash-file.ts';
import { hashFiles } from '../../../disk/threads/hash-pool.ts';
import { identifyMoved } from '../../../disk/threads/moved-file.ts';
import { toWriteError } from '../../../disk/write-error.ts';
import { listProgramFolders, programFolder } from '../../../store/rest/carried-program.ts';
import type { MediumEntry } from '../../../store/rest/media-manifest.ts';
import { unfinishedFolder } from '../../../store/rest/write-carried.ts';
import { type CarriedProgram, toAlteredError } from './read-program.ts';

/**
 * Copies a release into a part. Each file is hashed as the disk returns it, and has its name only when it is whole and durable.
 * Whole files of an interrupted writing are kept, and anything else in the folder is removed.
 *
 * @param options.readBack receives the files that were read from the disk and have their digests
 * @param tree the part, held open; {@link unfinishedFolder} is there
 * @returns the entries of its files
 * @throws SVC-MED-048 for a file that changed since it was verified, SVC-STO-001 for one that cannot be read, SVC-STO-002,
 *   SVC-STO-004, SVC-STO-005; the signal's reason
 */
export async function writeProgram(
  tree: HeldTree,
  program: CarriedProgram,
  {
    pool,
    readBack,
    signal,
  }: { readonly pool: Copier; readonly readBack: Map<string, HashedFile>; readonly signal: AbortSignal },
): Promise<readonly MediumEntry[]> {
  const entries = program.files.map((file) => ({ ...file, path: `${programFolder}/${file.path}` }));
  const folders = listProgramFolders(entries.map(({ path }) => path));
  try {
    const kept = await takeStock(tree, entries, folders, signal);
    for (const folder of folders) await tree.folder(folder);
    await forEachBounded([...program.files.entries()], pool.concurrency, async ([serial, file]) => {
      signal.throwIfAborted();
      const { path } = entries[serial]!;
      const found = kept.get(path) ?? (await copyFile(tree, program, { file, serial }, pool));
      if (found !== undefined) readBack.set(path, found);
    });
    for (const folder of folders) await (await tree.folder(folder)).sync();
  } catch (error) {
    signal.throwIfAborted();
    throw toWriteError(error, tree.root);
  }
  return entries;
}

type Copier = Pick<CopyPool, 'copy' | 'concurrency'>;

/** Removes all but the files that an interrupted writing completed. @returns these, by path */
async function takeStock(
  tree: HeldTree,
  entries: readonly MediumEntry[],
  folders: ReadonlySet<string>,
  signal: AbortSignal,
): Promise<ReadonlyMap<string, HashedFile>> {
  const kept = new Map<string, HashedFile>();
  if (!(await (await tree.folder('')).list()).includes(programFolder)) return kept;
  const jobs = entries.map((entry) => ({ ...entry, algorithm: 'sha256' as const }));
  await hashFiles(tree.root, jobs, {
    onOutcome: ({ path, digest }, outcome) => {
      if ('digest' in outcome && outcome.digest === digest) kept.set(path, outcome);
    },
    signal,
  });
  const removeOthers = async (folder: string): Promise<void> => {
    for (const name of await (await tree.folder(folder)).list()) {
      const path = `${folder}/${name}`;
      const isFolder = folders.has(path) && (await lstat(await tree.pathOf(path))).isDirectory();
      if (isFolder) await removeOthers(path);
      else if (!kept.has(path)) await tree.remove(path);
    }
  };
  await removeOthers(programFolder);
  return kept;
}

/** @returns the file where it was read back from the disk */
async function copyFile(
  tree: HeldTree,
  program: CarriedProgram,
  { file, serial }: { readonly file: MediumEntry; readonly serial: number },
  pool: Copier,
): Promise<HashedFile | undefined> {
  const { path, size, digest } = file;
  const source = { root: program.root, path };
  const temporary = await tree.pathOf(`${unfinishedFolder}/${serial}.program`);
  const outcome = await pool.copy({
    source,
    size,
    algorithm: 'sha256',
    target: { path: temporary, durable: true, expected: digest },
  });
  const isAltered = 'problem' in outcome ? outcome.problem === 'size' : outcome.digest !== digest;
  if (isAltered) throw toAlteredError(program.root, path);
  requireCopied(outcome, { digest, size }, { source, target: tree.root, unreadable: 'SVC-STO-001' });
  const final = await tree.pathOf(`${programFolder}/${path}`);
  await rename(temporary, final);
  const found = 'digest' in outcome ? outcome.readBack : undefined;
  const identity = found && (await identifyMoved(final, found));
  return identity && { digest, identity };
}
