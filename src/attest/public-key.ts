import { createHash, createPublicKey, type KeyObject } from 'node:crypto';
import { hasByteOrderMark } from '../base/json/parse-json.ts';
import { findPointFault } from './ed25519-point.ts';
import { decodeBase64 } from './encoding.ts';

/** Longest accepted key file, in bytes. */
export const keyLimit = 65_536;

/** Thrown for a key that cannot be a trust root, with the rule it breaks. The caller names the setting. */
export class KeyError extends Error {
  override name = 'KeyError';
  readonly rule: string;

  constructor(rule: string) {
    super(rule);
    this.rule = rule;
  }
}

/** Accepted curves, by their name in OpenSSL. */
const curves: ReadonlyMap<string, string> = new Map([
  ['prime256v1', 'P-256'],
  ['secp384r1', 'P-384'],
  ['secp521r1', 'P-521'],
]);

/**
 * Parses one PEM public key: ECDSA on P-256, P-384 or P-521, Ed25519, or RSA of 2048 to 16384 bits. Private keys and
 * certificates are refused, although a public key could be derived from them: a trust root should not contain
 * a secret, and the validity of a certificate would be ignored.
 *
 * @throws KeyError
 */
export function parsePublicKey(pem: Uint8Array | string): KeyObject {
  if (pem.length > keyLimit) throw new KeyError(`larger than ${keyLimit} bytes`);
  const bytes = Buffer.from(pem);
  const text = bytes.toString('latin1');
  const form = findFormFault(bytes, text);
  if (form !== undefined) throw new KeyError(form);
  const labels = [...text.matchAll(/-----BEGIN ([A-Z0-9 ]{1,40})-----/g)].map((match) => match[1]!);
  if (labels.length === 0) throw new KeyError('not a PEM public key');
  if (hasPrivateKey(text)) throw new KeyError('it is a private key, and a public key is wanted');
  if (labels.length > 1) throw new KeyError('more than one PEM block: each root is one key');
  if (labels[0] !== 'PUBLIC KEY') throw new KeyError(`a ${labels[0]}, not a PUBLIC KEY`);
  let key: KeyObject;
  try {
    key = createPublicKey({ key: text, format: 'pem' });
  } catch {
    throw new KeyError('not a readable PEM public key');
  }
  const rule = checkKind(key) ?? findEncodingFault(text, key);
  if (rule !== undefined) throw new KeyError(rule);
  return toCanonical(key);
}

/** Returns whether a text has the PEM block of a private key, of any kind. */
export function hasPrivateKey(text: string): boolean {
  return /-----BEGIN [A-Z0-9 ]{0,40}PRIVATE KEY-----/.test(text);
}

/**
 * The fault in the encoding of a key. OpenSSL reads a key out of more bytes than its structure has, which other readers
 * refuse.
 */
function findEncodingFault(text: string, key: KeyObject): string | undefined {
  const body = /-----BEGIN PUBLIC KEY-----([\s\S]*?)-----END /.exec(text)?.[1] ?? '';
  const der = decodeBase64(body.replaceAll(/\s/g, ''), keyLimit);
  if (der === undefined) return 'the text between its PEM lines is not base64';
  const exact = key.export({ type: 'spki', format: 'der' });
  if (der.equals(exact)) return undefined;
  return der.subarray(0, exact.length).equals(exact)
    ? 'bytes after the key: a PEM block holds one key, and nothing else'
    : 'an encoding other than the DER of a public key';
}

/** The fault in the form of a PEM text for which OpenSSL does not find the key in it, if any. */
function findFormFault(bytes: Buffer, text: string): string | undefined {
  if (hasByteOrderMark(bytes)) return 'begins with a byte order mark: save it as plain ASCII';
  if (/^(?:fffe|feff)/.test(bytes.toString('hex', 0, 2)))
    return 'is written in UTF-16: save it as plain ASCII';
  if (/^[ \t]+-----(?:BEGIN|END) /m.test(text))
    return 'its lines are indented: PEM begins in the first column';
  if (/\r(?!\n)/.test(text)) return 'its lines end in a carriage return alone: end them in a line feed';
  return undefined;
}

/**
 * The same key in its one usual encoding, a named curve and an uncompressed point (RFC 5480, section 2), so that a key has
 * one fingerprint.
 *
 * @param key one that `checkKind` accepts
 */
export function toCanonical(key: KeyObject): KeyObject {
  return createPublicKey({ key: key.export({ format: 'jwk' }), format: 'jwk' });
}

/** @returns the rule that the kind of a key, public or private, breaks; undefined for an accepted one */
export function checkKind(key: KeyObject): string | undefined {
  const { namedCurve, modulusLength } = key.asymmetricKeyDetails ?? {};
  switch (key.asymmetricKeyType) {
    case 'ed25519':
      return findPointFault(Buffer.from(toPublic(key).export({ format: 'jwk' }).x ?? '', 'base64url'));
    case 'ec':
      if (namedCurve !== undefined && curves.has(namedCurve)) return checkEc(key);
      return `the curve ${namedCurve ?? 'of this key'} is not accepted: use P-256, P-384 or P-521`;
    case 'rsa':
      if (modulusLength !== undefined && modulusLength >= 2048 && modulusLength <= 16_384)
        return checkRsa(key);
      return `an RSA key of ${modulusLength ?? 0} bits: from 2048 to 16384 are accepted`;
    default:
      return `keys of type ${key.asymmetricKeyType ?? 'unknown'} are not accepted`;
  }
}

const toPublic = (key: KeyObject): KeyObject => (key.type === 'private' ? createPublicKey(key) : key);

function checkEc(key: KeyObject): string | undefined {
  try {
    if (!isCurveNamed(key)) return 'a key that spells out the parameters of its curve';
    toCanonical(toPublic(key));
    return undefined;
  } catch {
    // the point at infinity is read, and refused where it is used
    return 'a key whose point is at infinity or not on its curve';
  }
}

/** Largest public exponent that common verifiers accept. */
const largestExponent = 2 ** 31 - 1;
/** Smallest prime factor that a modulus may have (NIST SP 800-89, section 5.3.3: no factor below 752). */
const smallestFactor = 752n;

/**
 * The rule that the numbers of an RSA key break. With an exponent of 1 everybody makes signatures, and a modulus with a
 * small factor is soon factored.
 */
function checkRsa(key: KeyObject): string | undefined {
  const exponent = Number(key.asymmetricKeyDetails?.publicExponent ?? 0);
  if (exponent < 3 || exponent > largestExponent || exponent % 2 === 0)
    return `an RSA key with the public exponent ${exponent}: odd ones from 3 to ${largestExponent} are accepted`;
  const { n = '' } = toPublic(key).export({ format: 'jwk' });
  const modulus = BigInt(`0x${Buffer.from(n, 'base64url').toString('hex') || '0'}`);
  for (let factor = 2n; factor < smallestFactor; factor += 1n)
    if (modulus % factor === 0n)
      return `an RSA key whose modulus is divisible by ${factor}: it is no product of two large primes`;
  return undefined;
}

/** Object identifier of a key on an elliptic curve, in DER (RFC 5480, section 2.1.1). */
const ecKeyOid = Buffer.from('06072a8648ce3d0201', 'hex');

/**
 * Whether a key names its curve. One that spells out the parameters instead, which RFC 5480 forbids, is another key to
 * the tools that compare encodings, and has misled some that compare parts of them.
 */
function isCurveNamed(key: KeyObject): boolean {
  const der = toPublic(key).export({ type: 'spki', format: 'der' });
  return der[der.indexOf(ecKeyOid) + ecKeyOid.length] === 0x06;
}

function hashKey(key: KeyObject): Buffer {
  return createHash('sha256')
    .update(key.export({ type: 'spki', format: 'der' }))
    .digest();
}

/** SHA-256 of the DER (SubjectPublicKeyInfo) of a public key, lower-case hex. */
export const toFingerprint = (key: KeyObject): string => hashKey(key).toString('hex');

/** The same in base64, as cosign writes the hint of a public key into a bundle. */
export const toKeyHint = (key: KeyObject): string => hashKey(key).toString('base64');

/** Kind of a key in the words of its standard: `ECDSA P-256`, `Ed25519`, `RSA 3072`. */
export function describeKey(key: KeyObject): string {
  const { namedCurve = '', modulusLength } = key.asymmetricKeyDetails ?? {};
  if (key.asymmetricKeyType === 'ec') return `ECDSA ${curves.get(namedCurve) ?? namedCurve}`;
  return key.asymmetricKeyType === 'rsa' ? `RSA ${modulusLength ?? 0}` : 'Ed25519';
}
