import { Composer, type CST, type Document, Lexer, type LineCounter, Parser } from 'yaml';
import { fr } from '../text/language.ts';
import { type Rule, rule } from '../text/rule.ts';
import { describeMistake } from './describe-mistake.ts';

/** Limits that are checked before a document is decoded or walked; `bytes` in bytes. */
export const yamlLimits = {
  bytes: 4_194_304,
  depth: 64,
  aliases: 100,
  /** Lexical tokens: at most one per three bytes in a real document; a hostile one can turn them into gigabytes. */
  tokens: 1_000_000,
  /** Anchors, tags and directives together. */
  properties: 10_000,
} as const;

/** Why a document cannot be read. */
export interface YamlProblem {
  /** Where it was found; absent for problems of the whole document. */
  readonly offset?: number | undefined;
  /** Name of the problem in the parser; absent for a limit. */
  readonly code?: string;
  /** Which mistake it is, where it is a common one; quotes nothing of the document. */
  readonly mistake?: Rule | undefined;
  /** A sentence that may quote the document; a text where it is the parser's. */
  readonly rule: Rule | string;
}

/** Overrides of the default parse options. */
interface ComposeOptions {
  /** Refuses keys that are not texts. */
  readonly stringKeys?: boolean;
  /** A document of another program, whose characters are left to it. */
  readonly foreign?: boolean;
}

/**
 * Reads the syntax tree of one document within the limits of depth and tokens. The first problem ends the reading, as a
 * document can have one in every second byte, each with an object of its own. The three stages run separately: the
 * tokens are counted as they come. The stack of the parser is limited before the composer, which is recursive, gets a
 * token. Duplicate keys are left to the caller, because the check of the composer takes quadratic time.
 *
 * @param text of at most {@link yamlLimits.bytes}; the caller limits it
 * @param lines gets the lines of the text
 * @param fail makes the error of a problem
 * @throws the error that `fail` returns
 */
export function composeYaml(
  text: string,
  lines: LineCounter,
  fail: (problem: YamlProblem) => Error,
  { stringKeys = false, foreign = false }: ComposeOptions = {},
): Document.Parsed {
  if (!foreign) requirePrintable(text, lines, fail);
  const parser = new Parser(lines.addNewLine);
  function* tokens(): Generator<CST.Token> {
    lines.addNewLine(0);
    for (const lexeme of lex(text, fail, foreign)) {
      for (const token of parser.next(lexeme)) {
        if (token.type === 'error') throw fail(toProblem(token.offset, 'UNEXPECTED_TOKEN', token.message));
        yield token;
      }
      // every level is one collection on the stack, besides the document and the current scalar
      if (parser.stack.length > yamlLimits.depth + 4)
        throw fail({
          rule: rule(['nested deeper than {depth}', fr`imbriqué à plus de {depth} niveaux`], {
            depth: yamlLimits.depth,
          }),
        });
    }
    yield* parser.end();
  }
  const composer = new Composer({
    version: '1.2',
    schema: 'core',
    strict: true,
    uniqueKeys: false,
    stringKeys,
    merge: false,
    prettyErrors: false,
    logLevel: 'silent',
    intAsBigInt: false,
  });
  let problem: Error | undefined;
  // the composer has no option for this: it collects an error object with its stack for each problem. At every level it
  // catches errors thrown below, and reports them again.
  Object.assign(composer, {
    onError: (place: number | readonly number[] | CST.Token, code: string, message: string): never => {
      const offset =
        typeof place === 'number' ? place : 'offset' in place ? place.offset : (place[0] ?? text.length);
      problem ??= fail(toProblem(offset, code, message));
      throw problem;
    },
  });
  let found: Document.Parsed | undefined;
  for (const document of composer.compose(tokens(), true, text.length)) {
    if (found)
      throw fail({
        offset: document.range[0],
        code: 'MULTIPLE_DOCS',
        rule: rule([
          'must be one document: this file contains several',
          fr`doit être un seul document : ce fichier en contient plusieurs`,
        ]),
      });
    found = document as Document.Parsed;
  }
  if (!found)
    throw fail({
      rule: rule([
        'must be one document: this file contains none',
        fr`doit être un seul document : ce fichier n’en contient aucun`,
      ]),
    });
  const [late] = [...found.errors, ...found.warnings];
  if (late) throw fail(toProblem(late.pos[0], late.code, late.message));
  return found;
}

/** @param message of the parser, whose first line counts */
function toProblem(offset: number, code: string, message: string): YamlProblem {
  const first = message.split('\n', 1)[0]!.slice(0, 300);
  return { offset, code, mistake: describeMistake(code, message), rule: first };
}

/**
 * Characters that no document may contain. A lone carriage return and the next line control are line breaks to some
 * parsers only (YAML 1.1, b-generic). The rest is not printable (YAML 1.2, c-printable).
 */
const unprintable = /\r(?!\n)|[^\t\n\r\x20-\x7e\xa0-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/u;
/** Line breaks of YAML 1.1 that are none in YAML 1.2. */
const oldBreak = /[\u2028\u2029]/;
/** Marks that the lexer emits besides the text: begin of a document, of a scalar, and end of a broken flow. */
const lexerMarks: ReadonlySet<string> = new Set(['\x02', '\x1f', '\x18']);

/** @throws the error that `fail` returns, at the first character that no document may contain */
function requirePrintable(text: string, lines: LineCounter, fail: (problem: YamlProblem) => Error): void {
  const offset = text.search(unprintable);
  if (offset < 0) return;
  // the parser, which counts the lines, does not run
  lines.addNewLine(0);
  for (let end = text.indexOf('\n'); end >= 0 && end < offset; end = text.indexOf('\n', end + 1))
    lines.addNewLine(end + 1);
  throw fail({
    offset,
    rule: rule(['the character {name} is not accepted', fr`le caractère {name} n’est pas accepté`], {
      name: nameCharacter(text, offset),
    }),
  });
}

function nameCharacter(text: string, offset: number): string {
  return `U+${text.codePointAt(offset)!.toString(16).toUpperCase().padStart(4, '0')}`;
}

const tooMany: YamlProblem = {
  rule: rule(['more than {tokens} YAML tokens', fr`plus de {tokens} éléments YAML`], {
    tokens: yamlLimits.tokens,
  }),
};
/** Tokens that are read before all are counted: most documents that cannot be read end there. */
const firstTokens = 50_000;

/** Separators of a document that may have too many tokens: it has two or three tokens for each. */
const manySeparators = yamlLimits.tokens * 0.4;

const isBracket = (c: number): boolean => c === 91 || c === 93 || c === 123 || c === 125;

function mayExceed(text: string): boolean {
  if (text.length <= manySeparators) return false;
  let count = 0;
  for (let i = 0; i < text.length && count <= manySeparators; i += 1) {
    const c = text.charCodeAt(i);
    // line feed, space, comma, colon, brackets and braces
    if (c === 10 || c === 32 || c === 44 || c === 58 || isBracket(c)) count += 1;
  }
  return count > manySeparators;
}

/** Counts the tokens alone, at a fraction of the cost of parsing them. @throws the error that `fail` returns */
function requireFew(text: string, fail: (problem: YamlProblem) => Error): void {
  let count = 0;
  for (const _ of new Lexer().lex(text)) {
    count += 1;
    if (count > yamlLimits.tokens) throw fail(tooMany);
  }
}

/** Splits a document into its lexical tokens, and refuses it at the first one that is too many. */
function* lex(text: string, fail: (problem: YamlProblem) => Error, foreign: boolean): Generator<string> {
  const mayBreak = !foreign && oldBreak.test(text);
  let offset = 0;
  let count = 0;
  let properties = 0;
  let aliases = 0;
  let separated = false;
  for (const lexeme of new Lexer().lex(text)) {
    count += 1;
    if (count > yamlLimits.tokens) throw fail(tooMany);
    if (count === firstTokens && mayExceed(text)) requireFew(text, fail);
    const first = lexeme.charCodeAt(0);
    if (first === 38 || first === 33 || first === 37) {
      properties += 1;
      if (properties > yamlLimits.properties)
        throw fail({
          rule: rule(
            [
              'more than {properties} anchors, tags and directives',
              fr`plus de {properties} ancres, tags et directives`,
            ],
            { properties: yamlLimits.properties },
          ),
        });
    } else if (first === 42) {
      aliases += 1;
      if (aliases > yamlLimits.aliases)
        throw fail({
          rule: rule(['at most {aliases} aliases', fr`au plus {aliases} alias`], {
            aliases: yamlLimits.aliases,
          }),
        });
    }
    if (lexeme === ',') {
      if (separated)
        throw fail({
          rule: rule(['two commas with nothing between them', fr`deux virgules sans rien entre elles`]),
        });
      separated = true;
    } else if (first > 32) separated = false;
    if (mayBreak) {
      const found = first === 34 || first === 39 ? -1 : lexeme.search(oldBreak);
      if (found >= 0)
        throw fail({
          offset: offset + found,
          rule: rule(
            [
              'the character {name} is accepted in a quoted text only',
              fr`le caractère {name} n’est accepté que dans un texte entre guillemets`,
            ],
            { name: nameCharacter(lexeme, found) },
          ),
        });
      if (!lexerMarks.has(lexeme)) offset += lexeme.length;
    }
    yield lexeme;
  }
}
