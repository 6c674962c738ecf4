import { type FileHandle, realpath } from 'node:fs/promises';
import { join } from 'node:path';
import { Pacer } from '../base/pacer.ts';
import { scanLines } from '../base/stream/scan-lines.ts';
import { scanLinesBack } from '../base/stream/scan-lines-back.ts';
import { type GuardedFolder, openGuardedFolder } from '../disk/guarded-folder.ts';
import { isAbsent } from '../disk/is-absent.ts';
import { toReadError } from '../disk/read-error.ts';
import { auditFolder, listAuditFiles, longestRecord, openAuditFile } from './audit-files.ts';

/** Where a line of the kept audit records begins. It stays valid until its file is removed. */
export interface AuditPosition {
  /** Number of the file. */
  readonly file: number;
  /** Bytes before the line. */
  readonly offset: number;
}

/**
 * Reads the kept audit records line by line, newest first unless told, in slices. Appended lines and removed files do not disturb it.
 *
 * @param root folder of the state
 * @param from reads the lines before this position only; oldest first, those from it on
 * @param visit is called with each line and the position from which on the scan continues; the scan ends when it returns false
 * @returns whether there may be further lines: the scan was ended
 * @throws SVC-STO-001, SVC-STO-014
 */
export async function scanAudit(
  root: string,
  from: AuditPosition | undefined,
  visit: (line: string, at: AuditPosition) => boolean,
  order: 'asc' | 'desc' = 'desc',
): Promise<boolean> {
  const pacer = new Pacer();
  try {
    await using folder = await openFolder(root);
    if (folder === undefined) return false;
    const isAsc = order === 'asc';
    const files = await listAuditFiles(folder);
    for (const number of isAsc ? files.toReversed() : files) {
      if (from !== undefined && (isAsc ? number < from.file : number > from.file)) continue;
      await using file = await openPresent(folder, number);
      if (file === undefined) continue;
      const { size } = await file.stat();
      const options = { longest: longestRecord, pacer };
      const place = number === from?.file ? Math.min(from.offset, size) : isAsc ? 0 : size;
      const each = (line: Buffer, start: number, end = start): boolean =>
        visit(line.toString(), { file: number, offset: end });
      if (!(await (isAsc ? scanLines : scanLinesBack)(file, place, each, options))) return true;
    }
    return false;
  } catch (error) {
    throw toReadError(error, join(root, auditFolder));
  }
}

/** Absent before the first record. */
async function openFolder(root: string): Promise<GuardedFolder | undefined> {
  try {
    return await openGuardedFolder(await realpath(root), auditFolder);
  } catch (error) {
    if (isAbsent(error)) return undefined;
    throw error;
  }
}

/** Absent when it was removed meanwhile. */
async function openPresent(folder: GuardedFolder, number: number): Promise<FileHandle | undefined> {
  try {
    return await openAuditFile(folder, number);
  } catch (error) {
    if (isAbsent(error)) return undefined;
    throw error;
  }
}
