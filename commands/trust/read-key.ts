import type { KeyObject } from 'node:crypto';
import { existsSync } from 'node:fs';
import { join, parse } from 'node:path';
import {
  describeKey,
  hasPrivateKey,
  KeyError,
  keyLimit,
  parsePublicKey,
  toFingerprint,
} from '../../src/attest/public-key.ts';
import { readBounded } from '../../src/disk/named-file.ts';
import { isCosignKey } from '../../src/signing/cosign-key.ts';
import { svcError } from '../../src/text/error.ts';

export interface ShownKey {
  readonly file: string;
  readonly type: string;
  readonly fingerprint: string;
}

/** Reads the type and the fingerprint of a public key that can be a trust root. @throws as `readPublicKey` */
export async function readKey(file: string): Promise<ShownKey> {
  const key = await readPublicKey(file);
  return { file, type: describeKey(key), fingerprint: toFingerprint(key) };
}

/**
 * Reads a public key that can be a trust root.
 *
 * @throws SVC-VAL-001 for a file that is no accepted key, SVC-VAL-002, and the errors of `readBounded`
 */
export async function readPublicKey(file: string): Promise<KeyObject> {
  return toPublicKey(await readBounded(file, keyLimit), file);
}

/** The public key beside a private one, as svc key new and cosign write it. */
function findBeside(file: string): string | undefined {
  const { dir, name } = parse(file);
  const beside = join(dir, `${name}.pub`);
  return existsSync(beside) ? beside : undefined;
}

/** @throws SVC-VAL-001 */
export function toPublicKey(pem: Buffer, file: string): KeyObject {
  try {
    return parsePublicKey(pem);
  } catch (error) {
    if (!(error instanceof KeyError)) throw error;
    const text = pem.toString('latin1');
    const beside = hasPrivateKey(text) ? findBeside(file) : undefined;
    const alone = isCosignKey(text) ? 'cosign-key' : 'private-key';
    const problem = !hasPrivateKey(text) ? 'key' : beside === undefined ? alone : 'paired-key';
    throw svcError('SVC-VAL-001', { file, rule: error.rule, problem, beside }, { cause: error, detail: '' });
  }
}
