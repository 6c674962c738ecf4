import { createPrivateKey, type KeyObject, scrypt as scryptCallback } from 'node:crypto';
import { decodeBase64, parseJsonObject } from '../attest/encoding.ts';
import { isJsonObject } from '../base/json/json-object.ts';
import { fr } from '../text/language.ts';
import { rule } from '../text/rule.ts';
import { requireScryptCost, type ScryptCost, toScryptMemory } from './derivation-cost.ts';
import { KeyProblemError } from './key-problem.ts';

/** The two headers under which cosign writes its keys; the second one until version 1. */
export const cosignLabels: ReadonlySet<string> = new Set([
  'ENCRYPTED SIGSTORE PRIVATE KEY',
  'ENCRYPTED COSIGN PRIVATE KEY',
]);

/** Whether a text has a key that cosign wrote; openssl cannot read it. */
export function isCosignKey(text: string): boolean {
  return [...cosignLabels].some((label) => text.includes(`-----BEGIN ${label}-----`));
}

interface CosignKey {
  readonly cost: ScryptCost;
  readonly salt: Buffer;
  readonly nonce: Buffer;
  readonly ciphertext: Buffer;
}

/**
 * Opens a private key as cosign writes it: PKCS #8 in a NaCl secretbox (XSalsa20-Poly1305), with a key from scrypt.
 * Without a password, cosign encrypts with the empty one.
 *
 * @param bytes the decoded PEM block
 * @throws KeyProblemError
 */
export async function openCosignKey(bytes: Buffer, password: string): Promise<KeyObject> {
  const { cost, salt, nonce, ciphertext } = parse(bytes);
  requireScryptCost(cost);
  const secret = await scrypt(password, salt, cost);
  // loaded for these keys only
  const { xsalsa20poly1305 } = await import('@noble/ciphers/salsa.js');
  let plain: Uint8Array;
  try {
    plain = xsalsa20poly1305(secret, nonce).decrypt(ciphertext);
  } catch (cause) {
    if (password === '')
      throw new KeyProblemError('no-password', rule(['it is encrypted', fr`elle est chiffrée`]), { cause });
    throw new KeyProblemError(
      'password',
      rule(['the password does not open it', fr`le mot de passe ne l’ouvre pas`]),
      { cause },
    );
  }
  try {
    return createPrivateKey({ key: Buffer.from(plain), format: 'der', type: 'pkcs8' });
  } catch (cause) {
    throw new KeyProblemError(
      'form',
      rule([
        'a cosign key without a PKCS #8 key in it',
        fr`une clé cosign qui ne contient pas de clé PKCS #8`,
      ]),
      { cause },
    );
  }
}

function parse(bytes: Buffer): CosignKey {
  const { kdf, cipher, ciphertext } = parseJsonObject(bytes) ?? {};
  const refuse = (): never => {
    throw new KeyProblemError(
      'form',
      rule(['a cosign key that cannot be read', fr`une clé cosign illisible`]),
    );
  };
  if (!isJsonObject(kdf) || !isJsonObject(kdf.params) || !isJsonObject(cipher)) return refuse();
  if (kdf.name !== 'scrypt' || cipher.name !== 'nacl/secretbox')
    throw new KeyProblemError(
      'cost',
      rule(['an encryption that cosign does not write', fr`un chiffrement que cosign n’écrit pas`]),
    );
  const { N, r, p } = kdf.params;
  const [salt, nonce, box] = [kdf.salt, cipher.nonce, ciphertext].map((text) => decodeBase64(text));
  if (typeof N !== 'number' || typeof r !== 'number' || typeof p !== 'number') return refuse();
  if (salt === undefined || nonce?.length !== 24 || box === undefined || box.length < 16) return refuse();
  return { cost: { N, r, p }, salt, nonce, ciphertext: box };
}

function scrypt(password: string, salt: Buffer, cost: ScryptCost): Promise<Buffer> {
  const { promise, resolve, reject } = Promise.withResolvers<Buffer>();
  // one page above the exact need: OpenSSL counts its own blocks too
  const maxmem = toScryptMemory(cost) + (1 << 20);
  scryptCallback(password, salt, 32, { ...cost, maxmem }, (error, key) => {
    if (error) reject(error);
    else resolve(key);
  });
  return promise;
}
