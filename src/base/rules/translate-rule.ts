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
 * has none. A note in parentheses at the end (where a setting was read, the flag that sets it) is kept.
 *
 * @param text at most some thousand characters
 */
export function translateRule(text: string): string {
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
  if (note !== null) return translateRule(text.slice(0, note.index)) + note[0];
  return translateParts(text);
}

/** Translates what precedes and what follows the first colon: `ledger/content: it is empty`, `ECONNREFUSED: …`. */
function translateParts(text: string): string {
  const colon = text.indexOf(': ');
  if (colon < 0) return text;
  const [head, tail] = [text.slice(0, colon), text.slice(colon + 2)];
  const [frenchHead, frenchTail] = [translateRule(head), translateRule(tail)];
  return frenchHead === head && frenchTail === tail ? text : `${frenchHead}\u00a0: ${frenchTail}`;
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
