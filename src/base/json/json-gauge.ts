/** Limits of a JSON text, checked before decoding: a short text can need much memory and block the event loop. */
export interface JsonBounds {
  /** Nesting depth of arrays and objects. */
  readonly depth: number;
  /** Number of members and elements at any depth. */
  readonly values: number;
  /** Number of members of one object; default: as many as `values`. */
  readonly members?: number | undefined;
}

/** The limit that a text exceeds. */
export type JsonFault = 'depth' | 'values' | 'members';

/** Measures a JSON text as it arrives, without decoding it. Leaves invalid JSON to the parser. */
export class JsonGauge {
  readonly #bounds: JsonBounds;
  #depth = 0;
  #values = 0;
  #inString = false;
  #escaped = false;
  /** Of each open bracket by its depth, the members so far; -1: an array, whose elements are not counted. */
  readonly #members: number[] = [];

  constructor(bounds: JsonBounds) {
    this.#bounds = bounds;
  }

  /**
   * Measures the next bytes.
   *
   * @param bytes the next part of the text, split anywhere
   * @returns the limit that is exceeded
   */
  add(bytes: Uint8Array): JsonFault | undefined {
    const { depth: deepest, values: most, members: mostMembers = most } = this.#bounds;
    const open = this.#members;
    let depth = this.#depth;
    let values = this.#values;
    let inString = this.#inString;
    let escaped = this.#escaped;
    // no byte of a multi-byte UTF-8 sequence equals one of these
    for (let i = 0; i < bytes.length; i += 1) {
      const c = bytes[i];
      if (inString) {
        if (escaped) escaped = false;
        else if (c === 92) escaped = true;
        else if (c === 34) inString = false;
      } else if (c === 34) inString = true;
      else if (c === 44) {
        values += 1;
        const members = open[depth] ?? -1;
        if (members >= mostMembers) return 'members';
        if (members > 0) open[depth] = members + 1;
      } else if (c === 123 || c === 91) {
        depth += 1;
        values += 1;
        if (depth > deepest) return 'depth';
        open[depth] = c === 123 ? 1 : -1;
      } else if (c === 125 || c === 93) depth -= 1;
      if (values > most) return 'values';
    }
    this.#depth = depth;
    this.#values = values;
    this.#inString = inString;
    this.#escaped = escaped;
    return undefined;
  }
}

/**
 * Measures a whole JSON text, as {@link JsonGauge}. A text with fewer bytes than values, and no more opening brackets
 * than levels, exceeds no limit. This is quick to find, and true of most documents.
 */
export function measureJson(bytes: Uint8Array, bounds: JsonBounds): JsonFault | undefined {
  const { values, members = values } = bounds;
  if (bytes.length <= Math.min(values, members) && countOpened(bytes, bounds.depth) <= bounds.depth)
    return undefined;
  return new JsonGauge(bounds).add(bytes);
}

/** Counts opening brackets, those in strings too, until there are more than `most`. */
function countOpened(bytes: Uint8Array, most: number): number {
  let count = 0;
  for (const bracket of [123, 91])
    for (let at = bytes.indexOf(bracket); at >= 0 && count <= most; at = bytes.indexOf(bracket, at + 1))
      count += 1;
  return count;
}
