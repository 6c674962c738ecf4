import type { KeyObject } from 'node:crypto';
import { keyLimit } from '../attest/public-key.ts';
import { openNamed } from '../disk/named-file.ts';
import { toNamedFileError } from '../disk/named-file-error.ts';
import { isSvcError, type SvcError, svcError } from '../text/error.ts';
import { fr } from '../text/language.ts';
import { rule } from '../text/rule.ts';
import { KeyProblemError } from './key-problem.ts';
import { parsePrivateKey, requireNoPublicKey } from './parse-private-key.ts';

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
function toKeyError(error: KeyProblemError, path: string): SvcError {
  const { problem, rule } = error;
  return svcError('SVC-SGN-001', { path, problem, rule }, { cause: error, detail: '' });
}

async function readSecret(path: string): Promise<Buffer> {
  try {
    await using file = await openNamed(path);
    const mode = (await file.stat()).mode & 0o777;
    const { buffer, bytesRead } = await file.read(Buffer.alloc(keyLimit + 1), 0, keyLimit + 1, 0);
    const pem = buffer.subarray(0, bytesRead);
    // everybody may read a public key: the fault is the file, not its mode
    requireNoPublicKey(pem);
    // a service may share its key with a group; any user with write access chooses the key
    if ((mode & 0o027) !== 0)
      throw new KeyProblemError(
        'mode',
        rule(['its mode is {mode}', fr`son mode est {mode}`], { mode: mode.toString(8).padStart(4, '0') }),
      );
    return pem;
  } catch (error) {
    if (isSvcError(error)) throw error;
    if (error instanceof KeyProblemError) throw toKeyError(error, path);
    throw toNamedFileError(error, path);
  }
}
