import { svcError } from '../../src/base/error.ts';
import { describeKey, KeyError, keyLimit, parsePublicKey, toFingerprint } from '../../src/trust/key.ts';
import { readBounded } from '../cli/read-bounded.ts';

export interface ShownKey {
  readonly file: string;
  readonly type: string;
  readonly fingerprint: string;
}

/**
 * Reads a public key that can be a trust root.
 *
 * @throws SVC-VAL-001 for a file that is no accepted key, SVC-VAL-002, and the errors of `readBounded`
 */
export async function readKey(file: string): Promise<ShownKey> {
  const pem = await readBounded(file, keyLimit);
  try {
    const key = parsePublicKey(pem);
    return { file, type: describeKey(key), fingerprint: toFingerprint(key) };
  } catch (error) {
    if (!(error instanceof KeyError)) throw error;
    throw svcError('SVC-VAL-001', { file, rule: error.rule }, { cause: error });
  }
}
