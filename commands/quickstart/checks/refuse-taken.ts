import { access, constants, lstat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { fr } from '../../../src/base/language.ts';
import { isAbsent } from '../../../src/disk/is-absent.ts';
import { toSystemCode } from '../../../src/disk/system-code.ts';
import { toWriteError } from '../../../src/disk/write-error.ts';
import { CommandLineError } from '../../cli/command-line-error.ts';

/** Makes the error for a configuration that exists. */
export function toTakenError(path: string): CommandLineError {
  return new CommandLineError([
    `${path} already exists and is not overwritten; choose another file with --config`,
    fr`${path} existe déjà et n’est pas écrasé ; choisissez un autre fichier avec --config`,
  ]);
}

/**
 * Refuses a configuration that exists or cannot be written. Missing folders of its path are created later.
 *
 * @throws CommandLineError when the configuration exists, SVC-STO-002 when it cannot be written there
 */
export async function refuseTaken(path: string): Promise<void> {
  try {
    await lstat(path);
  } catch (error) {
    if (!isAbsent(error)) throw toWriteError(error, path);
    return requireWritable(dirname(path), path);
  }
  throw toTakenError(path);
}

/** Checks the folder, or the first one above it that exists. @throws SVC-STO-002 */
async function requireWritable(folder: string, path: string): Promise<void> {
  try {
    // the dot refuses a file in place of the folder
    await access(`${folder}/.`, constants.W_OK | constants.X_OK);
  } catch (error) {
    if (toSystemCode(error) !== 'ENOENT' || dirname(folder) === folder) throw toWriteError(error, path);
    await requireWritable(dirname(folder), path);
  }
}
