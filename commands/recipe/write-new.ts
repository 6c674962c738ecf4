import { lstat } from 'node:fs/promises';
import { writeNewFile } from '../../src/disk/atomic-file.ts';
import { isAbsent } from '../../src/disk/is-absent.ts';
import { toWriteError } from '../../src/disk/write-error.ts';
import { fr } from '../../src/text/language.ts';
import { CommandLineError } from '../cli/command-line-error.ts';

/**
 * Requires that a file does not exist yet: an author may have edited the one that does.
 *
 * @throws CommandLineError when it exists, SVC-STO-002 when its folder cannot be read
 */
export async function requireNew(path: string): Promise<void> {
  try {
    await lstat(path);
  } catch (error) {
    if (isAbsent(error)) return;
    throw toWriteError(error, path, { place: 'named' });
  }
  throw new CommandLineError([
    `${path} already exists and is not overwritten; choose another file with --out`,
    fr`${path} existe déjà et n’est pas écrasé ; choisissez un autre fichier avec --out`,
  ]);
}

/** Writes a document to a file that does not exist yet. @throws as `requireNew`, SVC-STO-002 when it cannot be written */
export async function writeNew(path: string, document: string | Uint8Array): Promise<void> {
  // a file made there meanwhile is not replaced either
  if (!(await writeNewFile(path, document, 0o644))) await requireNew(path);
}
