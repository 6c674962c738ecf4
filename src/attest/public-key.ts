import { createHash, createPublicKey, type KeyObject } from 'node:crypto';
import { hasByteOrderMark } from '../base/json/parse-json.ts';
import { fr } from '../text/language.ts';
import { type Rule, RuleError, rule } from '../text/rule.ts';
import { findPointFault } from './ed25519-point.ts';
import { decodeBase64 } from './encoding.ts';

/** Longest accepted key file, in bytes. */
export const keyLimit = 65_536;

/** Thrown for a key that cannot be a trust root, with the rule it breaks. The caller names the setting. */
export class KeyError extends RuleError {
  override name = 'KeyError';
}

/** Accepted curves, by their name in OpenSSL. */
const curves: ReadonlyMap<string, string> = new Map([
  ['prime256v1', 'P-256'],
  ['secp384r1', 'P-384'],
  ['secp521r1', 'P-521'],
]);

/**
 * Parses one PEM public key: ECDSA on P-256, P-384 or P-521, Ed25519, or RSA of 2048 to 16384 bits. Private keys and
 * certificates are refused, although a public key could be derived from them. A trust root should not contain a secret,
 * and the validity of a certificate would be ignored.
 *
 * @throws KeyError
 */
export function parsePublicKey(pem: Uint8Array | string): KeyObject {
  if (pem.length > keyLimit)
    throw new KeyError(rule(['larger than {keyLimit} bytes', fr`plus de {keyLimit} octets`], { keyLimit }));
  const bytes = Buffer.from(pem);
  const text = bytes.toString('latin1');
  const form = findFormFault(bytes, text);
  if (form !== undefined) throw new KeyError(form);
  const labels = [...text.matchAll(/-----BEGIN ([A-Z0-9 ]{1,40})-----/g)].map((match) => match[1]!);
  if (labels.length === 0) throw new KeyError(rule(['not a PEM public key', fr`pas une clé publique PEM`]));
  if (hasPrivateKey(text))
    throw new KeyError(
      rule([
        'it is a private key, and a public key is wanted',
        fr`c’est une clé privée, et une clé publique est attendue`,
      ]),
    );
  if (labels.length > 1)
    throw new KeyError(
      rule([
        'more than one PEM block: each root is one key',
        fr`plus d’un bloc PEM, alors qu’une racine est une seule clé`,
      ]),
    );
  if (labels[0] !== 'PUBLIC KEY')
    throw new KeyError(
      rule(['a {label}, not a PUBLIC KEY', fr`un bloc {label}, pas PUBLIC KEY`], { label: labels[0] }),
    );
  let key: KeyObject;
  try {
    key = createPublicKey({ key: text, format: 'pem' });
  } catch {
    throw new KeyError(rule(['not a readable PEM public key', fr`pas une clé publique PEM lisible`]));
  }
  const broken = checkKind(key) ?? findEncodingFault(text, key);
  if (broken !== undefined) throw new KeyError(broken);
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
function findEncodingFault(text: string, key: KeyObject): Rule | undefined {
  const body = /-----BEGIN PUBLIC KEY-----([\s\S]*?)-----END /.exec(text)?.[1] ?? '';
  const der = decodeBase64(body.replaceAll(/\s/g, ''), keyLimit);
  if (der === undefined)
    return rule([
      'the text between its PEM lines is not base64',
      fr`le texte entre ses lignes PEM n’est pas en base64`,
    ]);
  const exact = key.export({ type: 'spki', format: 'der' });
  if (der.equals(exact)) return undefined;
  return der.subarray(0, exact.length).equals(exact)
    ? rule([
        'bytes after the key: a PEM block holds one key, and nothing else',
        fr`des octets après la clé : un bloc PEM contient une clé, et rien d’autre`,
      ])
    : rule([
        'an encoding other than the DER of a public key',
        fr`un autre codage que le DER d’une clé publique`,
      ]);
}

/** The fault in the form of a PEM text for which OpenSSL does not find the key in it, if any. */
function findFormFault(bytes: Buffer, text: string): Rule | undefined {
  if (hasByteOrderMark(bytes))
    return rule([
      'begins with a byte order mark: save it as plain ASCII',
      fr`commence par une marque d’ordre des octets ; enregistrez-le en ASCII`,
    ]);
  if (/^(?:fffe|feff)/.test(bytes.toString('hex', 0, 2)))
    return rule([
      'is written in UTF-16: save it as plain ASCII',
      fr`est en UTF-16 ; enregistrez-le en ASCII`,
    ]);
  if (/^[ \t]+-----(?:BEGIN|END) /m.test(text))
    return rule([
      'its lines are indented: PEM begins in the first column',
      fr`ses lignes sont indentées ; PEM commence à la première colonne`,
    ]);
  if (/\r(?!\n)/.test(text))
    return rule([
      'its lines end in a carriage return alone: end them in a line feed',
      fr`ses lignes se terminent par un retour chariot seul ; terminez-les par un saut de ligne`,
    ]);
  return undefined;
}

/**
 * The same key in its usual encoding, a named curve and an uncompressed point (RFC 5480, section 2): a key has one
 * fingerprint.
 *
 * @param key one that `checkKind` accepts
 */
export function toCanonical(key: KeyObject): KeyObject {
  return createPublicKey({ key: key.export({ format: 'jwk' }), format: 'jwk' });
}

/** @returns the rule that the kind of a key, public or private, breaks; undefined for an accepted one */
export function checkKind(key: KeyObject): Rule | undefined {
  const { namedCurve, modulusLength } = key.asymmetricKeyDetails ?? {};
  switch (key.asymmetricKeyType) {
    case 'ed25519':
      return findPointFault(Buffer.from(toPublic(key).export({ format: 'jwk' }).x ?? '', 'base64url'));
    case 'ec':
      if (namedCurve !== undefined && curves.has(namedCurve)) return checkEc(key);
      return rule(
        [
          'the curve [{curve}|of this key] is not accepted: use P-256, P-384 or P-521',
          fr`la courbe [{curve}|de cette clé] n’est pas acceptée ; utilisez P-256, P-384 ou P-521`,
        ],
        { curve: namedCurve },
      );
    case 'rsa':
      if (modulusLength !== undefined && modulusLength >= 2048 && modulusLength <= 16_384)
        return checkRsa(key);
      return rule(
        [
          'an RSA key of {bits} bits: from 2048 to 16384 are accepted',
          fr`une clé RSA de {bits} bits, alors que 2048 à 16384 sont acceptés`,
        ],
        { bits: modulusLength ?? 0 },
      );
    default:
      return rule(
        ['keys of type {type} are not accepted', fr`les clés de type {type} ne sont pas acceptées`],
        { type: key.asymmetricKeyType ?? 'unknown' },
      );
  }
}

const toPublic = (key: KeyObject): KeyObject => (key.type === 'private' ? createPublicKey(key) : key);

function checkEc(key: KeyObject): Rule | undefined {
  try {
    if (!isCurveNamed(key))
      return rule([
        'a key that spells out the parameters of its curve',
        fr`une clé qui détaille les paramètres de sa courbe`,
      ]);
    toCanonical(toPublic(key));
    return undefined;
  } catch {
    // the point at infinity is read, and refused where it is used
    return rule([
      'a key whose point is at infinity or not on its curve',
      fr`une clé dont le point est à l’infini ou hors de sa courbe`,
    ]);
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
function checkRsa(key: KeyObject): Rule | undefined {
  const exponent = Number(key.asymmetricKeyDetails?.publicExponent ?? 0);
  if (exponent < 3 || exponent > largestExponent || exponent % 2 === 0)
    return rule(
      [
        'an RSA key with the public exponent {exponent}: odd ones from 3 to {largestExponent} are accepted',
        fr`une clé RSA d’exposant public {exponent} ; sont acceptés les exposants impairs de 3 à {largestExponent}`,
      ],
      { exponent, largestExponent },
    );
  const { n = '' } = toPublic(key).export({ format: 'jwk' });
  const modulus = BigInt(`0x${Buffer.from(n, 'base64url').toString('hex') || '0'}`);
  for (let factor = 2n; factor < smallestFactor; factor += 1n)
    if (modulus % factor === 0n)
      return rule(
        [
          'an RSA key whose modulus is divisible by {factor}: it is no product of two large primes',
          fr`une clé RSA dont le module est divisible par {factor} : ce n’est pas le produit de deux grands nombres premiers`,
        ],
        { factor: Number(factor) },
      );
  return undefined;
}

/** Object identifier of a key on an elliptic curve, in DER (RFC 5480, section 2.1.1). */
const ecKeyOid = Buffer.from('06072a8648ce3d0201', 'hex');

/**
 * Whether a key names its curve. RFC 5480 forbids one that spells out the parameters instead. It is another key to
 * tools that compare encodings, and has misled some that compare parts of them.
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

const hints = new WeakMap<KeyObject, string>();

/** The same in base64, as cosign writes the hint of a public key into a bundle. */
export function toKeyHint(key: KeyObject): string {
  const hint = hints.get(key) ?? hashKey(key).toString('base64');
  hints.set(key, hint);
  return hint;
}

/** Kind of a key in the words of its standard: `ECDSA P-256`, `Ed25519`, `RSA 3072`. */
export function describeKey(key: KeyObject): string {
  const { namedCurve = '', modulusLength } = key.asymmetricKeyDetails ?? {};
  if (key.asymmetricKeyType === 'ec') return `ECDSA ${curves.get(namedCurve) ?? namedCurve}`;
  return key.asymmetricKeyType === 'rsa' ? `RSA ${modulusLength ?? 0}` : 'Ed25519';
}
