import { parseJson } from '../base/parse-json.ts';

/** One well-formed signature that names the subject. It is not verified yet. */
export interface Claim {
  readonly signed: Buffer;
  readonly signature: Buffer;
  /** Predicate type of the signed statement; absent in the classic layout, which has none. */
  readonly predicateType?: string;
  /** Key hint from the unsigned part of the signature; used in messages only. */
  readonly hint?: string;
  /** Why verification with a key must fail, where that is known. */
  readonly remark?: string;
}

/** A signature that is not usable, with the reason. */
interface Flaw {
  readonly flaw: string;
  /** What the statement says of its subject, where it can be read. */
  readonly predicateType?: string;
}

export type Reading = Claim | Flaw;

/**
 * Predicate type of the statement that `cosign sign` writes: the subject is signed, without a further
 * statement.
 */
export const signPredicate = 'https://sigstore.dev/cosign/sign/v1';

export const keylessRemark =
  'a keyless signature (with a certificate) cannot be verified offline against a key';

/** Why a signature that a limit of the search excluded claims nothing. */
export const leftOutFlaw = 'it was left out by the search';

export const signatureLimits = {
  /**
   * Most signatures of one subject, well-formed and naming it, that a search reads for each layout. The limits are
   * separate, so that signatures of one layout never displace those of the other.
   */
  read: 10_000,
  /** Most signatures of one subject that are copied for each layout; of bundles, besides those that verify. */
  count: 1024,
  /** Bytes of one signature. */
  bytes: 1_048_576,
  /** Bytes of all signatures of one subject. */
  totalBytes: 67_108_864,
  /** Bytes of the classic signatures of one subject. */
  classicBytes: 33_554_432,
} as const;

const base64 = /^[A-Za-z0-9+/]+={0,2}$/;

/** Decodes strict base64 of at most 8192 characters. `Buffer.from` ignores invalid characters. */
export function decodeBase64(text: unknown): Buffer | undefined {
  if (typeof text !== 'string' || text.length > 8192 || text.length % 4 !== 0 || !base64.test(text))
    return undefined;
  return Buffer.from(text, 'base64');
}

export function isJsonObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** @returns undefined when the bytes are not a JSON object in UTF-8 */
export function parseJsonObject(bytes: Uint8Array): Readonly<Record<string, unknown>> | undefined {
  try {
    const value: unknown = parseJson(bytes);
    return isJsonObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}
