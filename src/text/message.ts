import { formatList, formatNumber } from './amount.ts';
import { type ErrorRecord, isKnownCode, type Message, SvcError, toErrorRecord } from './error.ts';
import type { Entry } from './errors/entry.ts';
import { type ErrorCode, errorRegistry, type ParamValue } from './errors/registry.ts';
import { escapeText } from './escape.ts';
import { fill as fillTemplate } from './fill.ts';
import { fr, type Language, type Sentence, say } from './language.ts';
import { readRule, sayRule } from './rule.ts';
import { sayConcealed } from './secrets/concealed.ts';
import { toShellWord } from './shell-word.ts';

export type { Language } from './language.ts';
export { selectAcceptLanguage, selectLanguage } from './language.ts';

type Mark = (text: string) => string;

/** For an error whose code this version does not know. */
const unknown: Pick<Entry, 'what' | 'cause' | 'action'> = {
  what: [
    'This version has no description of this error[ ({params})].',
    fr`Cette version n’a pas de description de cette erreur[ ({params})].`,
  ],
  cause: ['A newer version reported the error.', fr`Une version plus récente a signalé l’erreur.`],
  action: [
    'See docs/errors.md of the newer version, or /help of the instance.',
    fr`Consultez docs/errors.md de la version plus récente, ou /help de l’instance.`,
  ],
};

/** Returns the sentences of a code, with the names of parameters in braces. */
export function getMessage(code: ErrorCode, language: Language): Message {
  const { what, cause, action } = errorRegistry[code];
  return { what: say(what, language), cause: say(cause, language), action: say(action, language) };
}

/** Limits of a parameter in a sentence: characters of a text, items of a list. */
const shownCharacters = 1000;
const shownItems = 20;

/**
 * Renders the sentences of an error. Parameters are escaped for a terminal or a single line, and shortened; the technical
 * detail of the record is not included.
 *
 * @param mark applied to each text that fills a sentence, after it was escaped. Default: none
 */
export function renderError(
  error: ErrorRecord | SvcError,
  language: Language,
  mark: Mark = (text) => text,
): Message {
  const record = error instanceof SvcError ? toErrorRecord(error) : error;
  // a record from another process may be of a newer version
  if (!isKnownCode(record.code)) return renderUnknown(error, language, mark);
  const { what, cause, action } = errorRegistry[record.code];
  return {
    what: fill(what, record, language, mark),
    cause: fill(cause, record, language, mark),
    action: fill(action, record, language, mark),
  };
}

function renderUnknown(error: ErrorRecord | SvcError, language: Language, mark: Mark): Message {
  const given = error instanceof SvcError ? error.given : undefined;
  if (given !== undefined) {
    const show = (text: string): string => mark(escapeText(shorten(text)));
    return { what: show(given.what), cause: show(given.cause), action: show(given.action) };
  }
  const list = Object.entries(error.params).map(
    ([name, value]) => `${name}: ${formatParam(value, undefined, language, (text) => text)}`,
  );
  const params: ErrorRecord['params'] = list.length === 0 ? {} : { params: list };
  return {
    what: fill(unknown.what, { params }, language, mark),
    cause: say(unknown.cause, language),
    action: say(unknown.action, language),
  };
}

function fill(
  sentence: Sentence,
  { params, rules }: Pick<ErrorRecord, 'params' | 'rules'>,
  language: Language,
  mark: Mark,
): string {
  return fillTemplate(
    say(sentence, language),
    (name, value) =>
      Object.hasOwn(params, name) && (value === undefined ? params[name] !== '' : params[name] === value),
    (name, format) => {
      const rule = readRule(rules?.[name]);
      const value = rule === undefined ? params[name]! : sayRule(rule, language);
      return formatParam(value, format, language, mark);
    },
  ).trim();
}

/** Returns a parameter of an error that is a text, in a language; empty when it is absent. Nothing is escaped. */
export function sayParam(
  { params, rules }: Pick<ErrorRecord, 'params' | 'rules'>,
  name: string,
  language: Language,
): string {
  const rule = readRule(rules?.[name]);
  return rule === undefined ? String(params[name] ?? '') : sayRule(rule, language);
}

/**
 * Returns the technical detail of an error in a language, one line for each of its texts: that of another program stays
 * unchanged. Nothing is escaped.
 */
export function sayDetail(
  { detail, detailRules = [] }: Pick<ErrorRecord, 'detail' | 'detailRules'>,
  language: Language,
): string | undefined {
  if (detail === undefined || language === 'en') return detail;
  const lines = detailRules.map((line) => readRule(line));
  if (lines.length === 0 || lines.includes(undefined)) return detail;
  return lines.map((line) => sayRule(line!, language)).join('\n');
}

function formatParam(value: ParamValue, format: string | undefined, language: Language, mark: Mark): string {
  if (typeof value === 'number') return formatNumber(value, format, language);
  if (format === 'word') return mark(toShellWord(String(value)));
  if (typeof value === 'string') return mark(escapeText(shorten(sayConcealed(value, language))));
  // a record of another process can hold anything
  if (!Array.isArray(value)) return mark(escapeText(shorten(JSON.stringify(value))));
  const items = value.slice(0, shownItems).map((item) => mark(escapeText(shorten(String(item)))));
  if (value.length > shownItems) items.push(`… (+${value.length - shownItems})`);
  else if (format !== undefined && items.length > 0) return formatList(items, format, language);
  return items.length === 0 ? (language === 'en' ? 'none' : 'aucune') : items.join(', ');
}

function shorten(text: string): string {
  return text.length > shownCharacters ? `${text.slice(0, shownCharacters)}…` : text;
}
