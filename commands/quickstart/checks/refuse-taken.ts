import { access, constants, lstat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { isAbsent } from '../../../src/disk/is-absent.ts';
import { toSystemCode } from '../../../src/disk/system-code.ts';
import { toWriteError } from '../../../src/disk/write-error.ts';
import { fr } from '../../../src/text/language.ts';
import { toShellWord } from '../../../src/text/shell-word.ts';
import { CommandLineError } from '../../cli/command-line-error.ts';

/**
 * Makes the error for a configuration that exists.
 *
 * @param hasInstance whether an instance runs from the configuration; else it is for a carried medium
 */
export function toTakenError(path: string, hasInstance = true): CommandLineError {
  const next = `${hasInstance ? 'svc serve' : 'svc media verify'} --config ${toShellWord(path)}`;
  return new CommandLineError([
    `${path} already exists and is not overwritten; use it with ${next}, or choose another file with --config`,
    fr`${path} existe déjà et n’est pas écrasé ; utilisez-le avec ${next}, ou choisissez un autre fichier avec --config`,
  ]);
}

/** Makes the error for a Retriever that exists beside the new configuration. */
export function toTakenRetrieverError(path: string): CommandLineError {
  const flag = `--retriever ${toShellWord(path)}`;
  return new CommandLineError([
    `${path} already exists and is not overwritten; use it with ${flag} in place of --zone, --cookbook and --recipe, or choose another folder with --config`,
    fr`${path} existe déjà et n’est pas écrasé ; utilisez-le avec ${flag} à la place de --zone, --cookbook et --recipe, ou choisissez un autre dossier avec --config`,
  ]);
}

/** @throws CommandLineError when the configuration exists, SVC-STO-002 when it cannot be written there */
export async function refuseTaken(path: string, hasInstance: boolean): Promise<void> {
  if (await isTaken(path)) throw toTakenError(path, hasInstance);
}

/** @throws CommandLineError when the Retriever exists, SVC-STO-002 when it cannot be written there */
export async function refuseTakenRetriever(path: string): Promise<void> {
  if (await isTaken(path)) throw toTakenRetrieverError(path);
}

/** Missing folders of the path are created later. @throws SVC-STO-002 when the file is absent and cannot be written */
async function isTaken(path: string): Promise<boolean> {
  try {
    await lstat(path);
    return true;
  } catch (error) {
    if (!isAbsent(error)) throw toWriteError(error, path);
    await requireWritable(dirname(path), path);
    return false;
  }
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
