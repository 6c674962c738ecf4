import { type JsonBounds, measureJson } from './json-gauge.ts';

/** Default limits, far above what a hand-written document, a configuration or a signature needs. */
const usual: JsonBounds = { depth: 64, values: 100_000 };

/**
 * Decodes a small untrusted document.
 *
 * @param bytes UTF-8; the caller has limited their number
 * @throws SyntaxError when the bytes are not JSON in UTF-8, or exceed the limits
 */
export function parseJson(bytes: Uint8Array, bounds: JsonBounds = usual): unknown {
  const fault = measureJson(bytes, bounds);
  if (fault !== undefined) throw new SyntaxError(`more than ${bounds[fault]} ${fault}`);
  let text: string;
  try {
    text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch (cause) {
    throw new SyntaxError('not UTF-8', { cause });
  }
  return JSON.parse(text);
}

/** Whether bytes begin with the byte order mark of UTF-8. */
export function hasByteOrderMark(bytes: Uint8Array): boolean {
  return bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf;
}

/** A name that occurs twice in one object, of which readers take one or the other. */
export class RepeatedMemberError extends SyntaxError {
  readonly member: string;

  constructor(member: string) {
    super(`names ${member} twice in one object`);
    this.member = member;
  }
}

/**
 * As {@link parseJson}, for what somebody else reads too, or decides by.
 *
 * @throws RepeatedMemberError besides
 */
export function parseStrictJson(bytes: Uint8Array, bounds?: JsonBounds): unknown {
  // decoders drop it or keep it, and many readers refuse it (RFC 8259, section 8.1)
  if (hasByteOrderMark(bytes)) throw new SyntaxError('begins with a byte order mark');
  const value = parseJson(bytes, bounds);
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString();
  const repeated = findRepeatedMember(text, value);
  if (repeated !== undefined) throw new RepeatedMemberError(repeated);
  return value;
}

/** Returns the position after the closing quote of the string literal that begins at `at`. */
function endOfString(text: string, at: number): number {
  for (let end = at + 1; ; end += 1) {
    end = text.indexOf('"', end);
    if (end < 0) return text.length;
    let escapes = end;
    while (text.charCodeAt(escapes - 1) === 92) escapes -= 1;
    if ((end - escapes) % 2 === 0) return end + 1;
  }
}

/**
 * Finds a member name that occurs twice in one object of a JSON text, which JSON itself allows.
 *
 * @param text valid JSON of limited depth
 * @param value what `JSON.parse` makes of it: it has every member once, so that a text which is made of it again names
 *   none twice
 */
export function findRepeatedMember(text: string, value: unknown): string | undefined {
  // without line feeds, as programs write it
  if (!text.includes('\n') && JSON.stringify(value) === text) return undefined;
  // one entry for each open bracket: the names of an object, undefined for an array
  const open: (Set<string> | undefined)[] = [];
  let awaitsName = false;
  for (let i = 0; i < text.length; i += 1) {
    const c = text.charCodeAt(i);
    if (c === 34) {
      const end = endOfString(text, i);
      if (awaitsName) {
        const raw = text.slice(i + 1, end - 1);
        const name = raw.includes('\\') ? (JSON.parse(`"${raw}"`) as string) : raw;
        const names = open.at(-1)!;
        const before = names.size;
        if (names.add(name).size === before) return name.slice(0, 100);
        awaitsName = false;
      }
      i = end - 1;
    } else if (c === 123) {
      open.push(new Set());
      awaitsName = true;
    } else if (c === 91) {
      open.push(undefined);
      awaitsName = false;
    } else if (c === 125 || c === 93) {
      open.pop();
      awaitsName = false;
    } else if (c === 44) awaitsName = open.at(-1) !== undefined;
  }
  return undefined;
}
