import {
  createCipheriv,
  createPrivateKey,
  type KeyObject,
  pbkdf2 as pbkdf2Callback,
  randomBytes,
} from 'node:crypto';
import { promisify } from 'node:util';
import {
  type DerElement,
  isObjectId,
  objectId,
  octets,
  readElements,
  readInteger,
  readSequence,
  sequence,
  tags,
  toElement,
  toInteger,
  toPem,
} from '../certificate/der.ts';
import { fr } from '../text/language.ts';
import { rule } from '../text/rule.ts';
import { opensslMemory, requireIterations, requireScryptCost } from './derivation-cost.ts';
import { KeyProblemError } from './key-problem.ts';

// EncryptedPrivateKeyInfo (RFC 5958, section 3) with PBES2 (RFC 8018, section 6.2)

const pbkdf2 = promisify(pbkdf2Callback);

/** Object identifiers. */
const oids = {
  pbes2: '1.2.840.113549.1.5.13',
  pbkdf2: '1.2.840.113549.1.5.12',
  scrypt: '1.3.6.1.4.1.11591.4.11',
  hmacSha256: '1.2.840.113549.2.9',
  aes256Cbc: '2.16.840.1.101.3.4.1.42',
} as const;

/** Iterations for new keys: the recommendation of OWASP for PBKDF2 with HMAC-SHA-256, about a quarter of a second. */
const iterations = 600_000;

/**
 * Opens an encrypted key as `openssl pkcs8 -topk8` writes it, after the cost of its key derivation was checked.
 *
 * @throws KeyProblemError for a wrong password, and for a derivation that costs too much or is not PBES2
 */
export function openPkcs8(der: Buffer, passphrase: string): KeyObject {
  checkCost(der);
  try {
    return createPrivateKey({ key: der, format: 'der', type: 'pkcs8', passphrase });
  } catch (cause) {
    throw new KeyProblemError(
      'password',
      rule(['the password does not open it', fr`le mot de passe ne l’ouvre pas`]),
      { cause },
    );
  }
}

/** Checks the cost of the key derivation. @throws KeyProblemError */
function checkCost(der: Buffer): void {
  try {
    const { kdf, parameters } = readDerivation(der);
    if (isObjectId(kdf, oids.pbkdf2)) requireIterations(readInteger(parameters[1]));
    else if (isObjectId(kdf, oids.scrypt)) {
      const [N, r, p] = [1, 2, 3].map((i) => readInteger(parameters[i]));
      requireScryptCost({ N: N!, r: r!, p: p! }, opensslMemory);
    } else
      throw new KeyProblemError(
        'cost',
        rule([
          'a key derivation other than PBKDF2 and scrypt',
          fr`une dérivation de clé autre que PBKDF2 et scrypt`,
        ]),
      );
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    throw new KeyProblemError(
      'form',
      rule(['an encrypted key that cannot be read', fr`une clé chiffrée illisible`]),
      { cause: error },
    );
  }
}

/** @throws RangeError for bytes that are not DER, KeyProblemError for another scheme than PBES2 */
function readDerivation(der: Buffer): { kdf: DerElement | undefined; parameters: readonly DerElement[] } {
  const [algorithm] = readSequence(readElements(der)[0]);
  const [scheme, schemeParameters] = readSequence(algorithm);
  if (!isObjectId(scheme, oids.pbes2))
    throw new KeyProblemError(
      'cost',
      rule(['an encryption other than PBES2', fr`un chiffrement autre que PBES2`]),
    );
  const [derivation] = readSequence(schemeParameters);
  const [kdf, parameters] = readSequence(derivation);
  return { kdf, parameters: readSequence(parameters) };
}

/**
 * Encrypts a private key as PKCS #8 PEM, which openssl and most other tools read: AES-256-CBC with a key from
 * PBKDF2. Node's own export has 2048 iterations, which cannot be changed.
 */
export async function toEncryptedPem(key: KeyObject, password: string): Promise<string> {
  const plain = key.export({ type: 'pkcs8', format: 'der' });
  const salt = randomBytes(16);
  const iv = randomBytes(16);
  const secret = await pbkdf2(password, salt, iterations, 32, 'sha256');
  const cipher = createCipheriv('aes-256-cbc', secret, iv);
  const encrypted = Buffer.concat([cipher.update(plain), cipher.final()]);
  const prf = sequence(objectId(oids.hmacSha256), toElement(tags.null));
  const derivation = sequence(objectId(oids.pbkdf2), sequence(octets(salt), toInteger(iterations), prf));
  const scheme = sequence(derivation, sequence(objectId(oids.aes256Cbc), octets(iv)));
  const der = sequence(sequence(objectId(oids.pbes2), scheme), octets(encrypted));
  return toPem('ENCRYPTED PRIVATE KEY', der);
}
