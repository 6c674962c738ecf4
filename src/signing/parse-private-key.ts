import { createPrivateKey, type KeyObject } from 'node:crypto';
import { checkKind, keyLimit } from '../attest/public-key.ts';
import { isSignedBy } from '../attest/signed-by.ts';
import { fr } from '../text/language.ts';
import { rule } from '../text/rule.ts';
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
  if (pem.length > keyLimit)
    throw new KeyProblemError(
      'form',
      rule(['larger than {keyLimit} bytes', fr`plus de {keyLimit} octets`], { keyLimit }),
    );
  const { label, der } = readBlock(pem.toString('latin1'));
  const key = await open(label, der, password);
  const broken = checkKind(key);
  if (broken !== undefined) throw new KeyProblemError('kind', broken);
  if (!isPair(key))
    throw new KeyProblemError(
      'form',
      rule([
        'a private key that does not fit the public key in it',
        fr`une clé privée qui ne correspond pas à la clé publique qu’elle contient`,
      ]),
    );
  return key;
}

/** Whether a signature of the key verifies with the public key in the same file. */
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
    throw new KeyProblemError(
      'public',
      rule([
        'it is a public key, and a private key is wanted',
        fr`c’est une clé publique, et une clé privée est attendue`,
      ]),
    );
  if (label === 'CERTIFICATE')
    throw new KeyProblemError(
      'public',
      rule([
        'it is a certificate, and a private key is wanted',
        fr`c’est un certificat, et une clé privée est attendue`,
      ]),
    );
}

/** The one PEM block of a key file. openssl writes the parameters of a curve before some keys: they are skipped. */
function readBlock(text: string): { readonly label: string; readonly der: Buffer } {
  const blocks = [...text.matchAll(block)]
    .map(([, label, body]) => ({ label: label!, der: Buffer.from(body!, 'base64') }))
    .filter(({ label }) => label !== 'EC PARAMETERS');
  const [first] = blocks;
  if (first === undefined) throw new KeyProblemError('form', rule(['no PEM block', fr`aucun bloc PEM`]));
  if (blocks.length > 1)
    throw new KeyProblemError('form', rule(['more than one PEM block', fr`plus d’un bloc PEM`]));
  return first;
}

async function open(label: string, der: Buffer, password: string | undefined): Promise<KeyObject> {
  if (cosignLabels.has(label)) return openCosignKey(der, password ?? '');
  switch (label) {
    case 'PRIVATE KEY':
      try {
        return createPrivateKey({ key: der, format: 'der', type: 'pkcs8' });
      } catch (cause) {
        throw new KeyProblemError(
          'form',
          rule(['a private key that cannot be read', fr`une clé privée illisible`]),
          { cause },
        );
      }
    case 'ENCRYPTED PRIVATE KEY':
      if (password === undefined)
        throw new KeyProblemError('no-password', rule(['it is encrypted', fr`elle est chiffrée`]));
      return openPkcs8(der, password);
    default:
      refusePublic(label);
      throw new KeyProblemError(
        'form',
        rule(['a PEM block of type {label}', fr`un bloc PEM de type {label}`], { label }),
      );
  }
}
