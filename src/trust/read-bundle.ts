import { bundleFromJSON } from '@sigstore/bundle';
import { type Digest, digestAlgorithm, digestHex, hashBytes } from '../base/digest.ts';
import { effectiveArtifactType, type ImageManifest } from '../oci/manifest.ts';
import { isBundleType } from '../oci/media-types.ts';
import { decodeBase64, isJsonObject, keylessRemark, parseJsonObject, type Reading } from './claim.ts';
import type { SignatureEvidence } from './model.ts';

const payloadType = 'application/vnd.in-toto+json';
const statementTypes = new Set(['https://in-toto.io/Statement/v0.1', 'https://in-toto.io/Statement/v1']);

/**
 * Reads the bundle layout: one layer with a Sigstore bundle whose DSSE envelope contains an in-toto statement
 * that names the subject. Transparency log entries and timestamps are removed unread: they cannot be checked
 * offline, and only the key decides.
 */
export function readBundle(
  evidence: SignatureEvidence,
  manifest: ImageManifest,
  subject: Digest,
): readonly Reading[] {
  return [readOne(evidence, manifest, subject)];
}

function readOne(evidence: SignatureEvidence, manifest: ImageManifest, subject: Digest): Reading {
  if (!isBundleType(effectiveArtifactType(manifest)))
    return { flaw: 'its artifact type is not a Sigstore bundle' };
  if (manifest.subject?.digest !== subject) return { flaw: 'its manifest refers to another subject' };
  const [layer] = manifest.layers;
  if (layer === undefined || manifest.layers.length !== 1)
    return { flaw: 'a bundle artifact has exactly one layer' };
  if (!isBundleType(layer.mediaType)) return { flaw: `a layer of type ${layer.mediaType.slice(0, 100)}` };
  const bytes = evidence.layers[0]?.bytes;
  if (bytes === undefined) return { flaw: 'its bundle could not be read' };
  if (hashBytes(bytes, digestAlgorithm(layer.digest)) !== layer.digest)
    return { flaw: 'its bundle does not have the digest of its layer' };
  const json = parseJsonObject(bytes);
  if (!json || !isJsonObject(json.verificationMaterial)) return { flaw: 'not a Sigstore bundle' };
  const {
    tlogEntries: _entries,
    timestampVerificationData: _timestamps,
    ...material
  } = json.verificationMaterial;
  if (material.certificate !== undefined || material.x509CertificateChain !== undefined)
    return toKeyless(json.dsseEnvelope, subject);
  let bundle: ReturnType<typeof bundleFromJSON>;
  try {
    bundle = bundleFromJSON({ ...json, verificationMaterial: material });
  } catch {
    return { flaw: 'not a valid Sigstore bundle' };
  }
  if (bundle.verificationMaterial.content.$case !== 'publicKey') return toKeyless(json.dsseEnvelope, subject);
  if (bundle.content.$case !== 'dsseEnvelope')
    return { flaw: 'its bundle holds a message signature, not a DSSE envelope' };
  const envelope = bundle.content.dsseEnvelope;
  const [signature] = envelope.signatures;
  if (!signature || envelope.signatures.length !== 1)
    return { flaw: 'a DSSE envelope must hold exactly one signature' };
  if (!isSignatureEncoded(json.dsseEnvelope)) return { flaw: 'its signature is not base64' };
  if (envelope.payloadType !== payloadType) return { flaw: 'its payload is not an in-toto statement' };
  const statement = parseStatement(envelope.payload);
  if (!statement) return { flaw: 'its payload is not an in-toto statement of a known type' };
  if (!isSubjectNamed(statement.subject, subject)) return { flaw: 'it signs another subject' };
  const { predicateType } = statement;
  if (typeof predicateType !== 'string') return { flaw: 'its statement has no predicate type' };
  const { hint } = bundle.verificationMaterial.content.publicKey;
  return {
    signed: preAuthEncoding(envelope.payloadType, envelope.payload),
    signature: signature.sig,
    predicateType,
    ...(hint === '' ? {} : { hint }),
  };
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

/** @returns undefined when it is not an in-toto statement of a known type */
function parseStatement(payload: Uint8Array): Readonly<Record<string, unknown>> | undefined {
  const statement = parseJsonObject(payload);
  const type = statement?._type;
  return typeof type === 'string' && statementTypes.has(type) ? statement : undefined;
}

/** The flaw of a bundle with a certificate. What its statement says tells an attestation from a signature. */
function toKeyless(envelope: unknown, subject: Digest): Reading {
  const flaw = keylessRemark;
  if (!isJsonObject(envelope) || typeof envelope.payload !== 'string') return { flaw };
  const statement = parseStatement(Buffer.from(envelope.payload, 'base64'));
  if (typeof statement?.predicateType !== 'string' || !isSubjectNamed(statement.subject, subject))
    return { flaw };
  return { flaw, predicateType: statement.predicateType };
}

/** Whether one subject of the statement has this digest under its algorithm. */
function isSubjectNamed(subjects: unknown, subject: Digest): boolean {
  if (!Array.isArray(subjects)) return false;
  return subjects.some(
    (item) =>
      isJsonObject(item) &&
      isJsonObject(item.digest) &&
      item.digest[digestAlgorithm(subject)] === digestHex(subject),
  );
}

/** Pre-authentication encoding of DSSE v1.0.0 (section Protocol): the bytes that are signed. */
function preAuthEncoding(type: string, payload: Buffer): Buffer {
  return Buffer.concat([
    Buffer.from(`DSSEv1 ${Buffer.byteLength(type)} ${type} ${payload.length} `),
    payload,
  ]);
}
