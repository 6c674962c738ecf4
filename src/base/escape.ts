/**
 * Escapes untrusted text for a terminal or a single line: control characters (C0, DEL, C1), line and paragraph
 * separators, direction marks and lone surrogates become `\uXXXX`. All other characters are unchanged.
 */
export function escapeText(text: string): string {
  return text.replace(
    /[\0-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff]|\p{Surrogate}/gu,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}
