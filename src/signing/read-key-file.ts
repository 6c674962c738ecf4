import type { KeyObject } from 'node:crypto';
import { constants } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { keyLimit } from '../attest/public-key.ts';
import { isSvcError, type SvcError, svcError } from '../base/error.ts';
import { toNamedFileError } from '../disk/named-file-error.ts';
import { KeyProblemError } from './key-problem.ts';
import { parsePrivateKey } from './parse-private-key.ts';

/**
 * Reads a private key from a file that only its owner, and at most a group, may read.
 *
 * @param password absent where none was given
 * @throws SVC-SGN-001 for a key that cannot be used, SVC-FIL-005, SVC-STO-001 when the file cannot be read
 */
export async function readKeyFile(path: string, password: string | undefined): Promise<KeyObject> {
  const pem = await readSecret(path);
  try {
    return await parsePrivateKey(pem, password);
  } catch (error) {
    throw error instanceof KeyProblemError ? toKeyError(error, path) : error;
  }
}

/** Converts a problem of a key to a coded error that names its file. */
export function toKeyError(error: KeyProblemError, path: string): SvcError {
  const { problem, rule } = error;
  return svcError('SVC-SGN-001', { path, problem, rule }, { cause: error, detail: '' });
}

async function readSecret(path: string): Promise<Buffer> {
  try {
    // a pipe without a writer would block
    await using file = await open(path, constants.O_RDONLY | constants.O_NONBLOCK);
    await requirePrivate(file, path);
    const { buffer, bytesRead } = await file.read(Buffer.alloc(keyLimit + 1), 0, keyLimit + 1, 0);
    return buffer.subarray(0, bytesRead);
  } catch (error) {
    if (isSvcError(error)) throw error;
    throw toNamedFileError(error, path);
  }
}

async function requirePrivate(file: FileHandle, path: string): Promise<void> {
  const info = await file.stat();
  if (info.isDirectory()) throw svcError('SVC-FIL-005', { path, folder: path });
  const refuse = (problem: KeyProblemError['problem'], rule: string): never => {
    throw svcError('SVC-SGN-001', { path, problem, rule });
  };
  if (!info.isFile()) refuse('form', 'not a regular file');
  const mode = info.mode & 0o777;
  // a service may share its key with a group; whoever may write the file chooses the key
  if ((mode & 0o027) !== 0) refuse('mode', `its mode is ${mode.toString(8).padStart(4, '0')}`);
}
