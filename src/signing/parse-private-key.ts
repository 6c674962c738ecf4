import { createPrivateKey, type KeyObject } from 'node:crypto';
import { checkKind, keyLimit } from '../attest/public-key.ts';
import { isSignedBy } from '../attest/signed-by.ts';
import { cosignLabels, openCosignKey } from './cosign-key.ts';
import { openPkcs8 } from './encrypted-pkcs8.ts';
import { KeyProblemError } from './key-problem.ts';
import { toSigner } from './signer.ts';

const block = /-----BEGIN ([A-Z0-9 ]{1,40})-----([\s\S]*?)-----END \1-----/g;

/**
 * Parses one PEM private key: PKCS #8, plain or encrypted with PBES2, or a key of cosign. The algorithm is one of
 * those of trust roots.
 *
 * @param password absent where none was given; a plain key does not need one, and it is then not looked at
 * @throws KeyProblemError
 */
export async function parsePrivateKey(pem: Buffer, password: string | undefined): Promise<KeyObject> {
  if (pem.length > keyLimit) throw new KeyProblemError('form', `larger than ${keyLimit} bytes`);
  const { label, der } = readBlock(pem.toString('latin1'));
  const key = await open(label, der, password);
  const rule = checkKind(key);
  if (rule !== undefined) throw new KeyProblemError('kind', rule);
  if (!isPair(key)) throw new KeyProblemError('form', 'a private key that does not fit the public key in it');
  return key;
}

/** Whether what the key signs verifies with the public key in the same file. */
function isPair(key: KeyObject): boolean {
  const { publicKey, sign } = toSigner(key);
  const probe = Buffer.from('svc');
  try {
    return isSignedBy(publicKey, probe, sign(probe));
  } catch {
    return false;
  }
}

/** Refuses a file whose one PEM block is a public key or a certificate. @throws KeyProblemError */
export function requireNoPublicKey(pem: Buffer): void {
  const [first, ...others] = [...pem.toString('latin1').matchAll(block)];
  if (first !== undefined && others.length === 0) refusePublic(first[1]!);
}

function refusePublic(label: string): void {
  if (label === 'PUBLIC KEY')
    throw new KeyProblemError('public', 'it is a public key, and a private key is wanted');
  if (label === 'CERTIFICATE')
    throw new KeyProblemError('public', 'it is a certificate, and a private key is wanted');
}

/** The one PEM block of a key file. openssl writes the parameters of a curve before some keys: they are skipped. */
function readBlock(text: string): { readonly label: string; readonly der: Buffer } {
  const blocks = [...text.matchAll(block)]
    .map(([, label, body]) => ({ label: label!, der: Buffer.from(body!, 'base64') }))
    .filter(({ label }) => label !== 'EC PARAMETERS');
  const [first] = blocks;
  if (first === undefined) throw new KeyProblemError('form', 'no PEM block');
  if (blocks.length > 1) throw new KeyProblemError('form', 'more than one PEM block');
  return first;
}

async function open(label: string, der: Buffer, password: string | undefined): Promise<KeyObject> {
  if (cosignLabels.has(label)) return openCosignKey(der, password ?? '');
  switch (label) {
    case 'PRIVATE KEY':
      try {
        return createPrivateKey({ key: der, format: 'der', type: 'pkcs8' });
      } catch (cause) {
        throw new KeyProblemError('form', 'a private key that cannot be read', { cause });
      }
    case 'ENCRYPTED PRIVATE KEY':
      if (password === undefined) throw new KeyProblemError('no-password', 'it is encrypted');
      return openPkcs8(der, password);
    default:
      refusePublic(label);
      throw new KeyProblemError('form', `a PEM block of type ${label}`);
  }
}
