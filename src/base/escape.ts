/**
 * Escapes a JSON text for a terminal: outside of ASCII control characters, which JSON never contains, it may hold the same
 * characters as any text. The result is the same document.
 */
export function escapeJson(json: string): string {
  return json.replace(
    /[\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}

/**
 * Escapes untrusted text for a terminal or a single line: control characters (C0, DEL, C1), line and paragraph
 * separators, direction marks and lone surrogates become `\uXXXX`. All other characters are unchanged.
 */
export function escapeText(text: string): string {
  // most texts are plain ASCII, which is found out ten times faster than a text is searched for the rest
  if (/^[\x20-\x7e]*$/.test(text)) return text;
  return text.replace(
    /[\0-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff]|\p{Surrogate}/gu,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}
