import { fr } from '../text/language.ts';
import { type Rule, rule } from '../text/rule.ts';

/** Sentences for mistakes of authors, by the code of the parser and the beginning of its message; the first match counts. */
const mistakes: readonly (readonly [code: string, beginning: string, sentence: Rule])[] = [
  [
    'TAB_AS_INDENT',
    '',
    rule([
      'a tab is used for indentation: indent with spaces',
      fr`l’indentation contient une tabulation : indentez avec des espaces`,
    ]),
  ],
  [
    'MISSING_CHAR',
    'Missing closing',
    rule(['a quote is opened and not closed', fr`un guillemet est ouvert et n’est pas fermé`]),
  ],
  [
    'MISSING_CHAR',
    'Implicit map keys',
    rule([
      'the line has no colon: a key is followed by a colon and a space, as in name: value',
      fr`la ligne n’a pas de deux-points : une clé est suivie d’un deux-points et d’une espace, comme dans name: value`,
    ]),
  ],
  [
    'MISSING_CHAR',
    '',
    rule([
      'a character is missing, such as a closing quote or bracket',
      fr`un caractère manque, par exemple un guillemet fermant ou un crochet`,
    ]),
  ],
  [
    'MULTILINE_IMPLICIT_KEY',
    '',
    rule([
      'a key is followed by a colon and a space, as in name: value; one of them is missing here',
      fr`une clé est suivie d’un deux-points et d’une espace, comme dans name: value ; l’un des deux manque ici`,
    ]),
  ],
  [
    'BLOCK_AS_IMPLICIT_KEY',
    'Nested mappings',
    rule([
      'a second key begins in the value of this line: quote a value with a colon, or indent the next line less',
      fr`une deuxième clé commence dans la valeur de cette ligne : mettez entre guillemets une valeur qui contient un deux-points, ou réduisez l’indentation de la ligne suivante`,
    ]),
  ],
  [
    'BLOCK_AS_IMPLICIT_KEY',
    '',
    rule([
      'a list or a map begins where a key is expected: correct the indentation',
      fr`une liste ou une table commence là où une clé est attendue : corrigez l’indentation`,
    ]),
  ],
  [
    'BAD_INDENT',
    'Flow',
    rule([
      'a bracket or a brace is opened and not closed',
      fr`un crochet ou une accolade est ouvert et n’est pas fermé`,
    ]),
  ],
  [
    'BAD_INDENT',
    '',
    rule([
      'the indentation differs from that of the lines of the same map or list',
      fr`l’indentation diffère de celle des lignes de la même table ou liste`,
    ]),
  ],
  [
    'BAD_SCALAR_START',
    '',
    rule([
      'a value that begins with this character must be quoted',
      fr`une valeur qui commence par ce caractère doit être entre guillemets`,
    ]),
  ],
  [
    'BAD_ALIAS',
    '',
    rule([
      'an alias without its anchor: a value that begins with * must be quoted',
      fr`un alias sans son ancre : une valeur qui commence par * doit être entre guillemets`,
    ]),
  ],
  [
    'BAD_DQ_ESCAPE',
    '',
    rule([
      'an escape sequence is not known: put a text with backslashes into single quotes',
      fr`une séquence d’échappement est inconnue : mettez un texte avec des barres obliques inverses entre guillemets simples`,
    ]),
  ],
  [
    'UNEXPECTED_TOKEN',
    '',
    rule([
      'the line does not continue what precedes it: check its indentation and its quotes',
      fr`la ligne ne continue pas ce qui précède : vérifiez son indentation et ses guillemets`,
    ]),
  ],
];

/**
 * Says in our words which mistake a parser has found. Quotes nothing of the document.
 *
 * @param message of the parser
 * @returns undefined for a rare problem, for which the parser has to speak
 */
export function describeMistake(code: string, message: string): Rule | undefined {
  return mistakes.find(([one, beginning]) => one === code && message.startsWith(beginning))?.[2];
}
