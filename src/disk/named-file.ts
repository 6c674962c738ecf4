import { constants } from 'node:fs';
import { type FileHandle, open, stat } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { NotRegularError, TooLargeError, toNamedFileError } from './named-file-error.ts';
import { toSystemCode } from './system-code.ts';

/** Names of descriptors that this process was started with: `<(command)` of a shell, and standard input. */
const inherited = /^\/(?:dev\/(?:stdin|fd\/\d+)|proc\/self\/fd\/\d+)$/;
/** Milliseconds between two looks at a pipe whose writer has not written yet. */
const pipeDelay = 10;
const chunkBytes = 64 << 10;

/**
 * Opens a file that the user named, for reading. Nothing that the name can be blocks the caller: a named pipe, a device
 * other than `/dev/null`, or a socket is refused. Links are followed.
 *
 * @param path a file, or an inherited pipe, of which a read that would wait fails with EAGAIN
 * @throws NotRegularError, the error of the system
 */
export async function openNamed(path: string): Promise<FileHandle> {
  const file = await open(path, constants.O_RDONLY | constants.O_NONBLOCK | constants.O_NOCTTY);
  try {
    const found = await file.stat();
    if (found.isDirectory()) throw Object.assign(new Error('is a folder'), { code: 'EISDIR' });
    const isNothing = found.isCharacterDevice() && found.rdev === (await stat('/dev/null')).rdev;
    if (found.isFile() || isNothing || (found.isFIFO() && inherited.test(path))) return file;
    throw new NotRegularError();
  } catch (error) {
    await file.close();
    throw error;
  }
}

/**
 * Reads a complete file that the user named. An inherited pipe is read to its end.
 *
 * @param limit bytes
 * @throws TooLargeError, and as `openNamed`
 */
export async function readNamed(path: string, limit: number): Promise<Buffer> {
  await using file = await openNamed(path);
  const { size } = await file.stat();
  const chunks: Buffer[] = [];
  for (let length = size > limit ? size : 0; length <= limit; ) {
    const chunk = await readChunk(file);
    if (chunk.length === 0) return Buffer.concat(chunks);
    length += chunk.length;
    chunks.push(chunk);
  }
  throw new TooLargeError(limit);
}

/**
 * Returns the permissions of a file if they are forbidden for keys: others have any permission, or a group may write.
 * Undefined for any other file, and where there is none: a pipe is for its reader only.
 */
export async function findOpenMode(path: string): Promise<number | undefined> {
  const found = await stat(path).catch(() => undefined);
  const mode = found?.isFile() === true ? found.mode & 0o777 : 0;
  return (mode & 0o027) === 0 ? undefined : mode;
}

async function readChunk(file: FileHandle): Promise<Buffer> {
  for (;;) {
    try {
      const { bytesRead, buffer } = await file.read(Buffer.allocUnsafe(chunkBytes), 0, chunkBytes, null);
      return buffer.subarray(0, bytesRead);
    } catch (error) {
      if (toSystemCode(error) !== 'EAGAIN') throw error;
      await sleep(pipeDelay);
    }
  }
}

/**
 * Reads a complete file that the user named, at most up to the limit.
 *
 * @param limit bytes
 * @throws SVC-VAL-002 when it is longer, SVC-FIL-005, SVC-STO-001 or SVC-STO-014 when it cannot be read
 */
export async function readBounded(path: string, limit: number): Promise<Buffer> {
  try {
    return await readNamed(path, limit);
  } catch (error) {
    throw toNamedFileError(error, path);
  }
}
