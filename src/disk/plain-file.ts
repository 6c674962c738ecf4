import { closeSync, constants, fstatSync, openSync, readFileSync, statSync } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import type { KeptWork, Weighed } from '../base/kept-work.ts';
import { svcError } from '../text/error.ts';
import type { Rule } from '../text/rule.ts';
import { isAbsent } from './is-absent.ts';
import { toReadError } from './read-error.ts';
import { notRegular } from './special-file.ts';

/**
 * Opens a file of our own, such as one of the state folder. A pipe or device in its place is refused and never blocks;
 * links are followed (see `openGuarded` for folders that others write).
 *
 * @param flags of `open(2)`; default O_RDONLY
 * @throws SVC-STO-001 when it is not a regular file; otherwise the error of the system
 */
export async function openPlain(
  path: string,
  flags: number = constants.O_RDONLY,
  mode?: number,
): Promise<FileHandle> {
  const file = await open(path, flags | constants.O_NONBLOCK, mode);
  try {
    if ((await file.stat()).isFile()) return file;
    throw svcError('SVC-STO-001', { path, detail: notRegular });
  } catch (error) {
    await file.close();
    throw error;
  }
}

/** Reads a complete file of our own. @throws as `openPlain` */
export async function readPlain(path: string): Promise<Buffer> {
  const file = await openPlain(path);
  try {
    return await file.readFile();
  } finally {
    await file.close();
  }
}

/** Reads a complete text file of our own. @throws as `openPlain` */
export async function readPlainText(path: string): Promise<string> {
  return (await readPlain(path)).toString('utf8');
}

/**
 * Reads a record of the state folder, in JSON. A damaged one never counts as an absent one.
 *
 * @param parse returns undefined, or throws, for a document that is no such record
 * @param flaw sentence about such a document
 * @returns undefined when there is no file
 * @throws SVC-STO-001
 */
export async function readRecord<T>(
  path: string,
  parse: (document: unknown) => T | undefined,
  flaw: Rule,
): Promise<T | undefined> {
  let text: string;
  try {
    text = await readPlainText(path);
  } catch (error) {
    if (isAbsent(error)) return undefined;
    throw toReadError(error, path);
  }
  let cause: unknown;
  try {
    const record = parse(JSON.parse(text));
    if (record !== undefined) return record;
  } catch (error) {
    cause = error;
  }
  throw svcError('SVC-STO-001', { path, detail: flaw }, { cause });
}

/** As `readPlainText`, for the files that each request needs. @throws as `openPlain` */
export function readPlainTextSync(path: string): string {
  const file = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
  try {
    if (!fstatSync(file).isFile()) throw svcError('SVC-STO-001', { path, detail: notRegular });
    return readFileSync(file, 'utf8');
  } finally {
    closeSync(file);
  }
}

/**
 * Reads `size` bytes from the beginning of an open file; fewer only if the file is shorter. The size is known, because a
 * `stat` and a read beyond the end would take as long as reading a small file.
 */
export async function readWhole(file: FileHandle, size: number): Promise<Buffer> {
  const bytes = Buffer.allocUnsafe(size);
  for (let filled = 0; filled < size; ) {
    const { bytesRead } = await file.read(bytes, filled, size - filled, filled);
    if (bytesRead === 0) return bytes.subarray(0, filled);
    filled += bytesRead;
  }
  return bytes;
}

/**
 * Returns a value that was read from a file, and reads it again once the name is that of a changed or of another file. The look
 * at a local file is synchronous: it takes microseconds, and an asynchronous one takes ten times as long.
 *
 * @param work reads the file; its result is not kept where that is no regular file
 * @returns undefined where there is no file, and where `work` returns it
 * @throws the errors of `work`, and of the look
 */
export async function readKept<V>(
  kept: KeptWork<string, V>,
  path: string,
  work: () => Promise<Weighed<V> | undefined>,
): Promise<V | undefined> {
  const found = statSync(path, { throwIfNoEntry: false });
  if (found === undefined) return undefined;
  if (!found.isFile()) return (await work())?.value;
  const { dev, ino, size, mtimeMs, ctimeMs } = found;
  // a file that was replaced since then has another identity, and is read at the next call
  return kept.run([dev, ino, size, mtimeMs, ctimeMs, path].join(' '), work);
}
