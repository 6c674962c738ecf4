/**
 * Invisible characters, and those that change the display of others, besides those below a blank. These are DEL and C1,
 * soft hyphen, characters without width, direction marks, line and paragraph separators, fillers, variation selectors,
 * annotation marks and tags. The one list for all output, and for the rule of `svc recipe lint`. Two of them are kept
 * where they show: a joiner between pictographs, and a selector after one.
 */
const unseen = [
  String.raw`[\x7f-\x9f\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b\u200c\u200e\u200f\u2028-\u202e]`,
  String.raw`[\u2060-\u206f\u3164\ufe00-\ufe0d\ufeff\uffa0\ufff9-\ufffb\u{1bca0}-\u{1bca3}\u{1d173}-\u{1d17a}\u{e0000}-\u{e01ef}]`,
  String.raw`(?<![\p{Extended_Pictographic}\p{Emoji_Modifier}\ufe0f])\u200d|\u200d(?!\p{Extended_Pictographic})`,
  String.raw`(?<!\p{Extended_Pictographic})[\ufe0e\ufe0f]`,
].join('|');
const inJson = new RegExp(unseen, 'gu');
const inText = new RegExp(String.raw`[\0-\x1f]|\p{Surrogate}|${unseen}`, 'gu');

/** Writes a character as JSON does: each half of a pair by itself. */
const toEscape = (character: string): string =>
  character
    .split('')
    .map((unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
    .join('');

/**
 * Escapes a JSON text for a terminal: outside of ASCII control characters, which JSON never contains, it may hold the same
 * characters as any text. The result is the same document.
 */
export function escapeJson(json: string): string {
  // most documents are plain ASCII
  return /^[\n\x20-\x7e]*$/.test(json) ? json : json.replace(inJson, toEscape);
}

/**
 * Escapes untrusted text for a terminal or a single line: control characters, those that nobody sees, and lone surrogates
 * become `\uXXXX`. All other characters are unchanged.
 */
export function escapeText(text: string): string {
  // most texts are plain ASCII, which is found out ten times faster than a text is searched for the rest
  return /^[\x20-\x7e]*$/.test(text) ? text : text.replace(inText, toEscape);
}

/** Lists the characters of a text, of one or more lines, that nobody sees: each once, written as an escape. */
export function listUnseen(text: string): readonly string[] {
  if (/^[\n\t\x20-\x7e]*$/.test(text)) return [];
  return [...new Set(text.match(inJson))].map(toEscape);
}
