import { isJsonObject, type JsonObject } from '../base/json/json-object.ts';
import { parseStrictJson, RepeatedMemberError } from '../base/json/parse-json.ts';

const base64 = /^[A-Za-z0-9+/]+={0,2}$/;

/**
 * Decodes strict base64 (RFC 4648, section 4). `Buffer.from` ignores invalid characters.
 *
 * @param longest in characters
 */
export function decodeBase64(text: unknown, longest = 8192): Buffer | undefined {
  if (typeof text !== 'string' || text.length > longest || text.length % 4 !== 0 || !base64.test(text))
    return undefined;
  return Buffer.from(text, 'base64');
}

/**
 * Parses signed bytes, or a document about signed bytes: readers disagree on two members of one name.
 *
 * @returns undefined when the bytes are not a JSON object in UTF-8 in which each name occurs once
 */
export function parseJsonObject(bytes: Uint8Array): JsonObject | undefined {
  try {
    const value = parseStrictJson(bytes);
    return isJsonObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

/** @returns a name that one object of a JSON text has twice; undefined also for a text that is not JSON */
export function repeatedMemberOf(bytes: Uint8Array): string | undefined {
  try {
    parseStrictJson(bytes);
    return undefined;
  } catch (error) {
    return error instanceof RepeatedMemberError ? error.member : undefined;
  }
}
