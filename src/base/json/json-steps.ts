import { runInTurns, type Steps } from '../pacer.ts';
import { type JsonBounds, type JsonFault, JsonGauge } from './json-gauge.ts';
import { findRepeatedMember, parseStrictJson, RepeatedMemberError, usualBounds } from './parse-json.ts';

/** Bytes that are looked at or decoded in one step. */
const stepBytes = 65_536;
/** Bytes of members or elements that are decoded in one step: they may be thousands. */
const partBytes = 16_384;

/** A document that exceeds one of the limits it is read with. */
export class JsonBoundsError extends SyntaxError {
  readonly fault: JsonFault;

  constructor(fault: JsonFault, bounds: JsonBounds) {
    super(`more than ${bounds[fault]} ${fault}`);
    this.fault = fault;
  }
}

/** An array or object whose end was not reached yet. Positions are those of bytes. */
class Open {
  readonly isObject: boolean;
  readonly value: unknown[] | Record<string, unknown>;
  readonly #names = new Set<string>();
  /** Its bracket. */
  readonly begin: number;
  /** Start of the part that is not decoded yet. */
  from: number;
  /** Begin of the member or element under way, and of its value. */
  child: number;
  at: number;
  /** Name of the member under way, once it is decoded by itself. */
  name: string | undefined;
  /** The value under way is decoded by itself. */
  isParted = false;
  /** The value under way was decoded by itself and added. */
  isAdded = false;
  /** A part was decoded: it is not decoded again with the array or object around it. */
  isBegun = false;

  constructor(isObject: boolean, begin: number) {
    const from = begin + 1;
    this.isObject = isObject;
    this.begin = begin;
    this.value = isObject ? {} : [];
    this.from = from;
    this.child = from;
    this.at = from;
  }

  add(name: string | undefined, value: unknown): void {
    this.isBegun = true;
    if (Array.isArray(this.value)) {
      this.value.push(value);
      return;
    }
    const before = this.#names.size;
    if (this.#names.add(name!).size === before) throw new RepeatedMemberError(name!.slice(0, 100));
    if (name !== '__proto__') this.value[name!] = value;
    else
      Object.defineProperty(this.value, name, {
        value,
        enumerable: true,
        writable: true,
        configurable: true,
      });
  }
}

/** Without a look at byte order marks, which may stand at the begin of a part of a text. */
const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

function decode(bytes: Uint8Array): string {
  try {
    return decoder.decode(bytes);
  } catch (cause) {
    throw new SyntaxError('not UTF-8', { cause });
  }
}

const noValue = () => new SyntaxError('has a comma without a value');

class Reader {
  readonly #bytes: Uint8Array;
  readonly #open: Open[] = [new Open(false, -1)];

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
  }

  *read(): Steps<unknown> {
    const bytes = this.#bytes;
    let rested = 0;
    /** Begin of the text literal under way. */
    let text = -1;
    /** The last quote, bracket, comma or colon. */
    let mark = 0;
    for (let i = 0; i < bytes.length; i += 1) {
      if (i - rested >= stepBytes) {
        if (text < 0 && i - mark >= stepBytes)
          throw new SyntaxError(`has a number or blanks of more than ${stepBytes} bytes`);
        rested = i;
        yield;
      }
      const c = bytes[i];
      if (text >= 0) {
        if (c === 92) i += 1;
        else if (c === 34) {
          if (i - text > stepBytes) yield* this.#addLongText(text, i);
          text = -1;
          mark = i;
        }
        continue;
      }
      if (c === 34) text = i;
      else if (c === 123 || c === 91) this.#open.push(new Open(c === 123, i));
      else if (c === 125 || c === 93) yield* this.#close(i, c === 125);
      else if (c === 44) yield* this.#separate(i);
      else if (c === 58) this.#last.at = i + 1;
      else continue;
      mark = i;
    }
    const root = this.#open.pop()!;
    if (this.#open.length > 0) throw new SyntaxError('ends too early');
    this.#finish(root, bytes.length);
    return (root.value as unknown[])[0];
  }

  get #last(): Open {
    return this.#open.at(-1)!;
  }

  *#separate(i: number): Steps<void> {
    const open = this.#last;
    if (this.#open.length === 1) throw new SyntaxError('has a comma after the document');
    if (open.isAdded) {
      this.#requireBlank(open.from, i);
      open.isAdded = false;
      open.from = i + 1;
    } else if (i - open.from >= partBytes) {
      this.#part(open.begin);
      if (this.#flush(open, i) === 0) throw noValue();
      open.from = i + 1;
      yield;
    }
    open.child = i + 1;
    open.at = i + 1;
  }

  *#close(i: number, isObject: boolean): Steps<void> {
    const open = this.#last;
    if (this.#open.length === 1 || open.isObject !== isObject) throw new SyntaxError('has a stray bracket');
    // the part decoded with the array or object around it must not grow with each level
    if (!open.isBegun && i - open.from < stepBytes) {
      this.#open.pop();
      return;
    }
    this.#part(open.begin);
    this.#finish(open, i);
    this.#open.pop();
    this.#addParted(open.value, i + 1);
    yield;
  }

  /** Decodes the rest of the value that ends here. */
  #finish(open: Open, end: number): void {
    if (open.isAdded) this.#requireBlank(open.from, end);
    else if (this.#flush(open, end) === 0 && (this.#open.length === 0 || open.isBegun)) throw noValue();
  }

  /** Adds a value that was decoded by itself to the last one. */
  #addParted(value: unknown, end: number): void {
    const around = this.#last;
    if (around.isAdded) throw new SyntaxError('has two values without a comma');
    around.add(around.name, value);
    around.isParted = false;
    around.isAdded = true;
    around.from = end;
  }

  /**
   * Decodes the bytes before a value in each array or object around it. @param begin of the value, decoded by itself
   */
  #part(begin: number): void {
    for (const [i, open] of this.#open.entries()) {
      if (open.begin >= begin) return;
      if (open.isParted || open.isAdded) continue;
      // without the comma before it
      if (open.child > open.from && this.#flush(open, open.child - 1) === 0) throw noValue();
      open.from = open.child;
      if (open.isObject) {
        const named = JSON.parse(`{${decode(this.#bytes.subarray(open.child, open.at))}0}`) as object;
        open.name = Object.keys(named)[0]!;
      }
      this.#requireBlank(open.isObject ? open.at : open.child, this.#open[i + 1]?.begin ?? begin);
      open.isParted = true;
    }
  }

  /** Decodes complete members or elements. @returns how many */
  #flush(open: Open, end: number): number {
    const inner = decode(this.#bytes.subarray(open.from, end));
    const text = open.isObject ? `{${inner}}` : `[${inner}]`;
    const part = JSON.parse(text) as object;
    const repeated = findRepeatedMember(text, part);
    if (repeated !== undefined) throw new RepeatedMemberError(repeated);
    let count = 0;
    for (const [name, value] of Array.isArray(part) ? part.entries() : Object.entries(part)) {
      open.add(String(name), value);
      count += 1;
    }
    return count;
  }

  #requireBlank(from: number, end: number): void {
    for (let i = from; i < end; i += 1)
      if (![9, 10, 13, 32].includes(this.#bytes[i]!)) throw new SyntaxError('has two values without a comma');
  }

  /** @param begin of its first quote @param end of its last */
  *#addLongText(begin: number, end: number): Steps<void> {
    const open = this.#last;
    if (open.isObject && open.at === open.child)
      throw new SyntaxError(`has a name of more than ${stepBytes} bytes`);
    this.#part(begin);
    const parts: string[] = [];
    for (let from = begin + 1; from < end; ) {
      const next = from + stepBytes >= end ? end : this.#cut(from, from + stepBytes);
      parts.push(JSON.parse(`"${decode(this.#bytes.subarray(from, next))}"`) as string);
      from = next;
      yield;
    }
    this.#addParted(parts.join(''), end + 1);
  }

  /** Moves a cut of a text before the escape or the character that it would divide. */
  #cut(from: number, cut: number): number {
    const bytes = this.#bytes;
    let at = cut;
    // a character has at most four bytes
    while (at > cut - 3 && (bytes[at]! & 0xc0) === 0x80) at -= 1;
    const near = Math.max(from, at - 6);
    const slash = near + bytes.subarray(near, at).lastIndexOf(92);
    if (slash < near) return at;
    let first = slash;
    while (first > from && bytes[first - 1] === 92) first -= 1;
    const isEscape = (slash - first) % 2 === 0;
    const length = bytes[slash + 1] === 117 ? 6 : 2;
    return isEscape && slash + length > at ? slash : at;
  }
}

/**
 * Decodes an untrusted document of any size as `parseStrictJson` does, in short steps. A name, a number or blanks of
 * more than 64 KiB are refused (RFC 8259, section 9).
 *
 * @param bytes UTF-8 without a byte order mark
 * @throws SyntaxError; JsonBoundsError beyond the limits, RepeatedMemberError for a name that an object has twice
 */
export function* parseJsonSteps(bytes: Uint8Array, bounds: JsonBounds): Steps<unknown> {
  const gauge = new JsonGauge(bounds);
  for (let at = 0; at < bytes.length; at += stepBytes) {
    const fault = gauge.add(bytes.subarray(at, at + stepBytes));
    if (fault !== undefined) throw new JsonBoundsError(fault, bounds);
    yield;
  }
  return yield* new Reader(bytes).read();
}

/** As `parseStrictJson`, in slices when it is large. @throws as {@link parseJsonSteps} */
export async function parseStrictJsonInTurns(
  bytes: Uint8Array,
  bounds: JsonBounds = usualBounds,
): Promise<unknown> {
  return bytes.length <= stepBytes
    ? parseStrictJson(bytes, bounds)
    : runInTurns(parseJsonSteps(bytes, bounds));
}
