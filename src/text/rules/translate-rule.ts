import { setFrenchSpaces } from '../language.ts';
import { rulesFr } from './rules-fr.ts';

interface Template {
  readonly pattern: RegExp;
  readonly french: string;
}

const placeholder = /\{([a-z]+)\}/g;

/** Templates with values, in the order of the catalogue; compiled at the first French message. */
let templates: readonly Template[] | undefined;

/**
 * Returns the French form of a rule or detail that is inserted into a message, or the text itself where the catalogue
 * has none. A note in parentheses at the end (where a setting was read, the flag that sets it), a name or code before a
 * colon, and the key of a setting at the beginning are kept.
 *
 * @param text at most some thousand characters
 */
export function translateRule(text: string): string {
  const french = translateParts(text);
  if (french !== text) return french;
  // `zone is not set`
  const space = text.indexOf(' ');
  if (space < 0) return text;
  const rule = text.slice(space + 1);
  return `${text.slice(0, space)} ${translateParts(rule)}`;
}

/** Translates a text, or what precedes and what follows a colon: `ledger/content: it is empty`, `ECONNREFUSED: …`. */
function translateParts(text: string): string {
  const whole = translateWhole(text);
  const colon = text.indexOf(': ');
  if (whole !== text || colon < 0) return whole;
  const [head, tail] = [text.slice(0, colon), text.slice(colon + 2)];
  const [frenchHead, frenchTail] = [translateWhole(head), translateParts(tail)];
  return frenchHead === head && frenchTail === tail ? text : `${frenchHead}\u00a0: ${frenchTail}`;
}

function translateWhole(text: string): string {
  if (Object.hasOwn(rulesFr, text)) return setFrenchSpaces(rulesFr[text]!);
  templates ??= Object.entries(rulesFr).flatMap(([english, french]) =>
    english.includes('{') ? [{ pattern: toPattern(english), french: setFrenchSpaces(french) }] : [],
  );
  for (const { pattern, french } of templates) {
    const values = pattern.exec(text)?.groups;
    if (values !== undefined)
      return french.replace(placeholder, (_, name: string) => toValue(name, values[name]!));
  }
  const note = / \([^()]+\)$/.exec(text);
  return note === null ? text : translateWhole(text.slice(0, note.index)) + note[0];
}

const toValue = (name: string, value: string): string => (name === 'rule' ? translateRule(value) : value);

function toPattern(english: string): RegExp {
  const source = english
    .split(/(\{[a-z]+\})/)
    .map((part) =>
      /^\{[a-z]+\}$/.test(part)
        ? `(?<${part.slice(1, -1)}>.+?)`
        : part.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&'),
    )
    .join('');
  return new RegExp(`^${source}$`, 's');
}
