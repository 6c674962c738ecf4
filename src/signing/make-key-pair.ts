import { generateKeyPair, type KeyObject } from 'node:crypto';
import { promisify } from 'node:util';
import { writeNewFile } from '../disk/atomic-file.ts';
import { removeDurably } from '../disk/remove-durably.ts';
import { svcError } from '../text/error.ts';
import { toEncryptedPem } from './encrypted-pkcs8.ts';

const generate = promisify(generateKeyPair);

interface KeyPairFiles {
  readonly keyFile: string;
  readonly publicFile: string;
  readonly publicKey: KeyObject;
}

/**
 * Makes a new key pair on P-256, which every tool and every hardware module has: `<path>.key`, encrypted and only
 * for its owner, and `<path>.pub`. Neither replaces a file. Both are durable when this returns; after a failure
 * neither exists.
 *
 * @throws SVC-FIL-006 when one of the names exists, SVC-STO-002, SVC-STO-004, SVC-STO-005
 */
export async function makeKeyPair(path: string, password: string): Promise<KeyPairFiles> {
  const { publicKey, privateKey } = await generate('ec', { namedCurve: 'P-256' });
  const keyFile = `${path}.key`;
  const publicFile = `${path}.pub`;
  const pem = await toEncryptedPem(privateKey, password);
  await writeNew(publicFile, publicKey.export({ type: 'spki', format: 'pem' }) as string, 0o644);
  try {
    // last: where there is a private key, there is its public one
    await writeNew(keyFile, pem, 0o600);
  } catch (error) {
    await removeDurably(publicFile).catch(() => undefined);
    throw error;
  }
  return { keyFile, publicFile, publicKey };
}

/** @throws SVC-FIL-006 when the name exists */
async function writeNew(path: string, text: string, mode: number): Promise<void> {
  if (!(await writeNewFile(path, text, mode))) throw svcError('SVC-FIL-006', { path, kept: 'yes' });
}
