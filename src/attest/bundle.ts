import type { KeyObject } from 'node:crypto';
import { bundleFromJSON } from '@sigstore/bundle';
import { isJsonObject } from '../base/json/json-object.ts';
import { hasByteOrderMark } from '../base/json/parse-json.ts';
import { fr } from '../text/language.ts';
import { type Rule, rule } from '../text/rule.ts';
import { decodeBase64, parseJsonObject } from './encoding.ts';
import { payloadType, preAuthEncoding } from './envelope.ts';
import { toKeyHint } from './public-key.ts';
import { type ReadStatement, readStatement } from './statement.ts';

/** Media type of the bundles that are written. */
export const bundleMediaType = 'application/vnd.dev.sigstore.bundle.v0.3+json';

/** A statement as a bundle has it. Its signature is not verified. */
interface SignedStatement extends ReadStatement {
  readonly predicateType: string;
  /** The statement, byte for byte. */
  readonly payload: Buffer;
  /** The bytes that the signature is over. */
  readonly signed: Buffer;
  readonly signature: Buffer;
  /** Key hint, from the unsigned part. */
  readonly hint?: string;
  /** The path of a member around the signed bytes that this program does not write, and that nothing signs. */
  readonly strange?: string;
}

/** Why a bundle cannot be verified with a key. */
interface BundleFlaw {
  readonly flaw: Rule;
  /** Its statement, if it is readable. */
  readonly statement?: ReadStatement;
}

export const keylessFlaw = rule([
  'a keyless signature (with a certificate) cannot be verified offline against a key',
  fr`une signature sans clé (avec un certificat) ne peut pas être vérifiée hors ligne avec une clé`,
]);

/**
 * Writes a statement and its signature as a Sigstore bundle v0.3 with a public key hint, as JSON. Without a
 * transparency log entry and without a timestamp: both need a service.
 *
 * @param payload the statement, byte for byte as it was signed
 * @param signature over the pre-authentication encoding of the payload; DER for ECDSA
 */
export function toBundleBytes(payload: Buffer, signature: Buffer, key: KeyObject): Buffer {
  return Buffer.from(
    JSON.stringify({
      mediaType: bundleMediaType,
      verificationMaterial: { publicKey: { hint: toKeyHint(key) } },
      dsseEnvelope: {
        payload: payload.toString('base64'),
        payloadType,
        signatures: [{ sig: signature.toString('base64') }],
      },
    }),
  );
}

/**
 * Reads a Sigstore bundle whose DSSE envelope contains an in-toto statement. Transparency log entries and
 * timestamps are removed unread: they cannot be checked offline, and only the key decides. Verifies no
 * signature.
 */
export function readBundle(bytes: Buffer): SignedStatement | BundleFlaw {
  if (hasByteOrderMark(bytes))
    return {
      flaw: rule([
        'a bundle that begins with a byte order mark',
        fr`un bundle qui commence par une marque d’ordre des octets`,
      ]),
    };
  const json = parseJsonObject(bytes);
  if (!json || !isJsonObject(json.verificationMaterial))
    return { flaw: rule(['not a Sigstore bundle', fr`pas un bundle Sigstore`]) };
  const {
    tlogEntries: _entries,
    timestampVerificationData: _timestamps,
    ...material
  } = json.verificationMaterial;
  if (material.certificate !== undefined || material.x509CertificateChain !== undefined)
    return toKeyless(json.dsseEnvelope);
  let bundle: ReturnType<typeof bundleFromJSON>;
  try {
    bundle = bundleFromJSON({ ...json, verificationMaterial: material });
  } catch {
    return { flaw: rule(['not a valid Sigstore bundle', fr`pas un bundle Sigstore valide`]) };
  }
  if (bundle.verificationMaterial.content.$case !== 'publicKey') return toKeyless(json.dsseEnvelope);
  if (bundle.content.$case !== 'dsseEnvelope')
    return {
      flaw: rule([
        'its bundle holds a message signature, not a DSSE envelope',
        fr`son bundle contient une signature de message, pas une enveloppe DSSE`,
      ]),
    };
  const envelope = bundle.content.dsseEnvelope;
  const [signature] = envelope.signatures;
  if (!signature || envelope.signatures.length !== 1)
    return {
      flaw: rule([
        'a DSSE envelope must hold exactly one signature',
        fr`une enveloppe DSSE doit contenir exactement une signature`,
      ]),
    };
  if (decodePayload(json.dsseEnvelope) === undefined)
    return { flaw: rule(['its payload is not base64', fr`sa charge utile n’est pas en base64`]) };
  if (!isSignatureEncoded(json.dsseEnvelope))
    return { flaw: rule(['its signature is not base64', fr`sa signature n’est pas en base64`]) };
  if (envelope.payloadType !== payloadType)
    return {
      flaw: rule([
        'its payload is not an in-toto statement',
        fr`son contenu n’est pas une déclaration in-toto`,
      ]),
    };
  const statement = readStatement(envelope.payload);
  if (!statement)
    return {
      flaw: rule([
        'its payload is not an in-toto statement of a known type',
        fr`son contenu n’est pas une déclaration in-toto d’un type connu`,
      ]),
    };
  const { predicateType } = statement;
  if (predicateType === undefined)
    return {
      flaw: rule(['its statement has no predicate type', fr`sa déclaration n’a pas de type de prédicat`]),
      statement,
    };
  const { hint } = bundle.verificationMaterial.content.publicKey;
  const strange = json.mediaType === bundleMediaType ? findStrange(json) : '/mediaType';
  return {
    ...statement,
    predicateType,
    payload: envelope.payload,
    signed: preAuthEncoding(envelope.payloadType, envelope.payload),
    signature: signature.sig,
    ...(hint === '' ? {} : { hint }),
    ...(strange === undefined ? {} : { strange }),
  };
}

interface Shape {
  readonly [name: string]: Shape;
}

/** The members of a bundle that {@link toBundleBytes} writes. */
const shape: Shape = {
  mediaType: {},
  verificationMaterial: { publicKey: { hint: {} } },
  dsseEnvelope: { payload: {}, payloadType: {}, signatures: { 0: { sig: {} } } },
};

function findStrange(value: unknown, known: Shape = shape, path = ''): string | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  for (const [name, member] of Object.entries(value)) {
    const at = `${path}/${name.slice(0, 64)}`;
    if (!Object.hasOwn(known, name)) return at;
    const below = known[name]!;
    const found = Object.keys(below).length === 0 ? undefined : findStrange(member, below, at);
    if (found !== undefined) return found;
  }
  return undefined;
}

/**
 * Whether the signature is strict base64. The library ignores invalid characters; such a signature is damaged
 * or was edited.
 */
function isSignatureEncoded(envelope: unknown): boolean {
  if (!isJsonObject(envelope) || !Array.isArray(envelope.signatures)) return false;
  const [first] = envelope.signatures as readonly unknown[];
  return isJsonObject(first) && decodeBase64(first.sig) !== undefined;
}

/** The payload of an envelope. @returns undefined when it is not strict base64; its length was limited with the bundle */
function decodePayload(envelope: unknown): Buffer | undefined {
  return isJsonObject(envelope) ? decodeBase64(envelope.payload, Number.POSITIVE_INFINITY) : undefined;
}

/** The flaw of a bundle with a certificate. Its statement distinguishes an attestation from a signature. */
function toKeyless(envelope: unknown): BundleFlaw {
  const flaw = keylessFlaw;
  const payload = decodePayload(envelope);
  const statement = payload && readStatement(payload);
  return statement === undefined ? { flaw } : { flaw, statement };
}
