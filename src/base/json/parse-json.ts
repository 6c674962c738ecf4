import { fr } from '../../text/language.ts';
import { type Rule, rule } from '../../text/rule.ts';
import { type JsonBounds, measureJson } from './json-gauge.ts';

/** Default limits, far above the needs of a hand-written document, a configuration or a signature. */
export const usualBounds: JsonBounds = { depth: 64, values: 100_000 };

/**
 * Decodes a small untrusted document.
 *
 * @param bytes UTF-8; the caller has limited their number
 * @throws SyntaxError when the bytes are not JSON in UTF-8, or exceed the limits
 */
export function parseJson(bytes: Uint8Array, bounds: JsonBounds = usualBounds): unknown {
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

/** The rule that an object breaks which has a member name twice. */
export const toRepeatedRule = (member: string): Rule =>
  rule(['names {member} twice in one object', fr`nomme {member} deux fois dans un objet`], { member });

/** A name that occurs twice in one object, of which readers take one or the other. */
export class RepeatedMemberError extends SyntaxError {
  readonly member: string;
  readonly rule: Rule;

  constructor(member: string) {
    const broken = toRepeatedRule(member);
    super(String(broken));
    this.member = member;
    this.rule = broken;
  }
}

/**
 * As {@link parseJson}, for documents that other programs also read, or decide by.
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

/** A member name that occurs twice in one object, and the names and positions that lead to this object. */
interface RepeatedMember {
  readonly member: string;
  readonly path: readonly (string | number)[];
}

/** An open bracket of a JSON text. */
interface OpenBracket {
  /** The names of an object so far; absent for an array. */
  readonly names?: Set<string>;
  /** The name or position of the member that is being read. */
  at: string | number;
}

/**
 * Finds the member names that occur twice in one object of a JSON text, which JSON itself allows.
 *
 * @param text valid JSON of limited depth
 * @param value the text as parsed by `JSON.parse`: it has every member once, so that its serialization names none twice
 */
export function* findRepeatedMembers(text: string, value: unknown): Generator<RepeatedMember> {
  // without line feeds, as programs write it
  if (!text.includes('\n') && JSON.stringify(value) === text) return;
  const open: OpenBracket[] = [];
  let awaitsName = false;
  for (let i = 0; i < text.length; i += 1) {
    const c = text.charCodeAt(i);
    if (c === 34) {
      const end = endOfString(text, i);
      if (awaitsName) {
        const raw = text.slice(i + 1, end - 1);
        const name = raw.includes('\\') ? (JSON.parse(`"${raw}"`) as string) : raw;
        const object = open.at(-1)!;
        const before = object.names!.size;
        if (object.names!.add(name).size === before)
          yield { member: name.slice(0, 100), path: open.slice(0, -1).map(({ at }) => at) };
        object.at = name;
        awaitsName = false;
      }
      i = end - 1;
    } else if (c === 123) {
      open.push({ names: new Set(), at: '' });
      awaitsName = true;
    } else if (c === 91) {
      open.push({ at: 0 });
      awaitsName = false;
    } else if (c === 125 || c === 93) {
      open.pop();
      awaitsName = false;
    } else if (c === 44) {
      const bracket = open.at(-1);
      awaitsName = bracket?.names !== undefined;
      if (typeof bracket?.at === 'number') bracket.at += 1;
    }
  }
}

/** Returns the first member name that {@link findRepeatedMembers} finds. */
export function findRepeatedMember(text: string, value: unknown): string | undefined {
  return findRepeatedMembers(text, value).next().value?.member;
}
