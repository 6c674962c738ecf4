import { parseJson } from '../base/parse-json.ts';

/** What one signature says, once its form is sound and it speaks of the subject: these bytes, signed so. */
export interface Claim {
  readonly signed: Buffer;
  readonly signature: Buffer;
  /** What a signed statement says of its subject; absent in the classic layout, which can only say "signed". */
  readonly predicateType?: string;
  /** What the signature says about its key, chosen by whoever wrote it: good for messages only. */
  readonly hint?: string;
  /** Why no key can be expected to fit, where that is known. */
  readonly remark?: string;
}

/** A signature that cannot count, with the reason. */
interface Flaw {
  readonly flaw: string;
}

export type Reading = Claim | Flaw;

/** The predicate type of the statement that `cosign sign` writes: it says "signed" and nothing else. */
export const signPredicate = 'https://sigstore.dev/cosign/sign/v1';

export const keylessRemark =
  'a keyless signature (with a certificate) cannot be verified offline against a key';

export const signatureLimits = {
  /** Signatures of one subject that parse and name it, in each layout: those of one never hide those of the other. */
  count: 1024,
  /** Bytes of one signature. */
  bytes: 1_048_576,
  /** Bytes of all signatures of one subject. */
  totalBytes: 67_108_864,
  /** Bytes of the classic ones among them. */
  classicBytes: 33_554_432,
} as const;

const base64 = /^[A-Za-z0-9+/]+={0,2}$/;

/** Strict base64 of at most 8192 characters; `Buffer.from` alone would skip what it does not know. */
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
