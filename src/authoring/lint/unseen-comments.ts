import { isAscii } from 'node:buffer';
import { Lexer, LineCounter } from 'yaml';
import { listUnseen } from '../../text/escape.ts';
import { decodeText } from '../../yaml/decode-text.ts';

/** A comment, or another part of a document that is no value, with characters that nobody sees. */
export interface UnseenComment {
  /** `line 3, column 5`: where the part begins. */
  readonly path: string;
  /** Written as escapes. */
  readonly characters: readonly string[];
}

/** Most parts that are returned. */
const most = 100;
/** The token before a scalar that has no quotes. */
const scalarMark = '\x1f';
/** Tokens without text of the document. */
const marks: ReadonlySet<string> = new Set(['\x02', '\x18', scalarMark]);

/** Whether a document may have such characters at all: all of them are beyond ASCII. */
export const mayHaveUnseen = (bytes: Uint8Array): boolean => !isAscii(bytes);

/**
 * Finds the characters that nobody sees, or that change how other text is shown, in the comments, anchors, aliases and tags of
 * a document. Those of its values are found in the values, where an escape may have made them too.
 *
 * @param bytes a document that was read as YAML, within the limits
 */
export function findUnseenComments(bytes: Uint8Array): readonly UnseenComment[] {
  const decoded = decodeText(bytes);
  if ('rule' in decoded || listUnseen(decoded.text).length === 0) return [];
  const { text } = decoded;
  const lines = new LineCounter();
  lines.addNewLine(0);
  for (let end = text.indexOf('\n'); end >= 0; end = text.indexOf('\n', end + 1)) lines.addNewLine(end + 1);
  const found: UnseenComment[] = [];
  let offset = 0;
  let isScalar = false;
  for (const lexeme of new Lexer().lex(text)) {
    if (marks.has(lexeme)) {
      isScalar = lexeme === scalarMark;
      continue;
    }
    if (!isScalar && /^[#&*!%]/.test(lexeme)) {
      const characters = listUnseen(lexeme);
      const { line, col } = lines.linePos(offset);
      if (characters.length > 0)
        found.push({
          path: `line ${line}, column ${col}`,
          characters,
        });
      if (found.length >= most) return found;
    }
    offset += lexeme.length;
    isScalar = false;
  }
  return found;
}
