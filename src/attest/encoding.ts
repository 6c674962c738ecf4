import { parseJson } from '../base/parse-json.ts';
import { findRepeatedMember } from '../oci/repeated-member.ts';

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

/**
 * Parses what is signed, or says what is: readers disagree on which of two members of one name counts.
 *
 * @returns undefined when the bytes are not a JSON object in UTF-8 in which each name occurs once
 */
export function parseJsonObject(bytes: Uint8Array): Readonly<Record<string, unknown>> | undefined {
  try {
    const value: unknown = parseJson(bytes);
    return isJsonObject(value) && repeatedIn(bytes) === undefined ? value : undefined;
  } catch {
    return undefined;
  }
}

/** @param bytes JSON in UTF-8 */
const repeatedIn = (bytes: Uint8Array): string | undefined =>
  findRepeatedMember(Buffer.from(bytes).toString('utf8'));

/** @returns a name that one object of a JSON text has twice; undefined for a text that is not JSON, too */
export function repeatedMemberOf(bytes: Uint8Array): string | undefined {
  try {
    parseJson(bytes);
    return repeatedIn(bytes);
  } catch {
    return undefined;
  }
}
