/** Sentences for mistakes of authors, by the code of the parser and the beginning of its message; the first match counts. */
const mistakes: readonly (readonly [code: string, beginning: string, sentence: string])[] = [
  ['TAB_AS_INDENT', '', 'a tab is used for indentation: indent with spaces'],
  ['MISSING_CHAR', 'Missing closing', 'a quote is opened and not closed'],
  [
    'MISSING_CHAR',
    'Implicit map keys',
    'the line has no colon: a key is followed by a colon and a space, as in name: value',
  ],
  ['MISSING_CHAR', '', 'a character is missing, such as a closing quote or bracket'],
  [
    'MULTILINE_IMPLICIT_KEY',
    '',
    'a key is followed by a colon and a space, as in name: value; one of them is missing here',
  ],
  [
    'BLOCK_AS_IMPLICIT_KEY',
    'Nested mappings',
    'a second key begins in the value of this line: quote a value with a colon, or indent the next line less',
  ],
  ['BLOCK_AS_IMPLICIT_KEY', '', 'a list or a map begins where a key is expected: correct the indentation'],
  ['BAD_INDENT', 'Flow', 'a bracket or a brace is opened and not closed'],
  ['BAD_INDENT', '', 'the indentation differs from that of the lines of the same map or list'],
  ['BAD_SCALAR_START', '', 'a value that begins with this character must be quoted'],
  ['BAD_ALIAS', '', 'an alias without its anchor: a value that begins with * must be quoted'],
  ['BAD_DQ_ESCAPE', '', 'an escape sequence is not known: put a text with backslashes into single quotes'],
  [
    'UNEXPECTED_TOKEN',
    '',
    'the line does not continue what precedes it: check its indentation and its quotes',
  ],
];

/**
 * Says in our words which mistake a parser has found. Quotes nothing of the document.
 *
 * @param message of the parser
 * @returns undefined for a rare problem, for which the parser has to speak
 */
export function describeMistake(code: string, message: string): string | undefined {
  return mistakes.find(([one, beginning]) => one === code && message.startsWith(beginning))?.[2];
}
