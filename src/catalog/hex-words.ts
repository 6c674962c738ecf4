/** Words of 32 bits in a sha256. */
export const wordsOfDigest = 8;

/** Set in `nibbles` for all but lower-case hexadecimal digits. */
const invalid = 0x80;

/** Values of lower-case hexadecimal digits, by code unit. */
const nibbles = Uint8Array.from({ length: 256 }, (_, c) =>
  c >= 0x61 && c <= 0x66 ? c - 87 : c >= 0x30 && c <= 0x39 ? c - 48 : invalid,
);

/**
 * Reads 64 hexadecimal digits into eight words, in the byte order of the digest.
 *
 * @param at offset of the first digit in `hex`
 * @param to index of the first word in `words`
 * @returns false when one is no lower-case hexadecimal digit; the words are then undefined
 */
export function readHexWords(hex: Uint8Array, at: number, words: Uint32Array, to: number): boolean {
  let seen = 0;
  for (let i = 0, from = at; i < wordsOfDigest; i += 1, from += 8) {
    const a = nibbles[hex[from]!]!;
    const b = nibbles[hex[from + 1]!]!;
    const c = nibbles[hex[from + 2]!]!;
    const d = nibbles[hex[from + 3]!]!;
    const e = nibbles[hex[from + 4]!]!;
    const f = nibbles[hex[from + 5]!]!;
    const g = nibbles[hex[from + 6]!]!;
    const h = nibbles[hex[from + 7]!]!;
    seen |= a | b | c | d | e | f | g | h;
    words[to + i] = (a << 4) | b | (c << 12) | (d << 8) | (e << 20) | (f << 16) | (g << 28) | (h << 24);
  }
  return (seen & invalid) === 0;
}
