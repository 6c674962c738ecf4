import type { ErrorCode, ParamValue } from './catalogue.ts';
import { type ErrorRecord, isKnownCode, type Message, SvcError, toErrorRecord } from './error.ts';
import { escapeText } from './escape.ts';
import { fill as fillTemplate } from './fill.ts';
import { type Language, setFrenchSpaces } from './language.ts';
import { messagesEn, unknownEn } from './messages-en.ts';
import { messagesFr, unknownFr } from './messages-fr.ts';
import { translateRule } from './rules/translate-rule.ts';
import { sayConcealed } from './secrets/concealed.ts';
import { formatByteSize } from './size.ts';

export type { Language } from './language.ts';
export { selectAcceptLanguage, selectLanguage } from './language.ts';

type Mark = (text: string) => string;

export type Messages = Readonly<Record<ErrorCode, Message>>;

const languages: Readonly<Record<Language, Messages>> = { en: messagesEn, fr: messagesFr };
/** For an error whose code this version does not know. */
const unknown: Readonly<Record<Language, Message>> = { en: unknownEn, fr: unknownFr };

/** Returns the sentences of a code as the catalogue has them, with the names of parameters in braces. */
export function getMessage(code: ErrorCode, language: Language): Message {
  return languages[language][code];
}

/** Limits of a parameter in a sentence: characters of a text, items of a list. */
const shownCharacters = 1000;
const shownItems = 20;

/**
 * Renders the sentences of an error. Parameters are escaped for a terminal or a single line, and shortened; the technical
 * detail of the record is not included.
 *
 * @param mark what is done to each text that fills a sentence, after it was escaped. Default: nothing
 */
export function renderError(
  error: ErrorRecord | SvcError,
  language: Language,
  mark: Mark = (text) => text,
): Message {
  const { code, params } = error instanceof SvcError ? toErrorRecord(error) : error;
  // a record from another process may be of a newer version
  if (!isKnownCode(code)) return renderUnknown(error, params, language, mark);
  const { what, cause, action } = languages[language][code];
  return {
    what: fill(what, params, language, mark),
    cause: fill(cause, params, language, mark),
    action: fill(action, params, language, mark),
  };
}

function renderUnknown(
  error: ErrorRecord | SvcError,
  params: ErrorRecord['params'],
  language: Language,
  mark: Mark,
): Message {
  const given = error instanceof SvcError ? error.given : undefined;
  if (given !== undefined) {
    const show = (text: string): string => mark(escapeText(shorten(text)));
    return { what: show(given.what), cause: show(given.cause), action: show(given.action) };
  }
  const { what, cause, action } = unknown[language];
  const list = Object.entries(params).map(
    ([name, value]) => `${name}: ${formatParam(value, false, language, (text) => text)}`,
  );
  const shown = list.length === 0 ? {} : { params: list };
  return { what: fill(what, shown, language, mark), cause: fill(cause, shown, language, mark), action };
}

function fill(
  template: string,
  params: Readonly<Record<string, ParamValue>>,
  language: Language,
  mark: Mark,
): string {
  return fillTemplate(
    language === 'fr' ? setFrenchSpaces(template) : template,
    (name, value) =>
      Object.hasOwn(params, name) && (value === undefined ? params[name] !== '' : params[name] === value),
    (name, format) =>
      formatParam(inLanguage(name, params[name]!, language), format === 'size', language, mark),
  ).trim();
}

/** Parameters that are English texts of the program, not names or values. */
const texts: ReadonlySet<string> = new Set([
  'rule',
  'reason',
  'detail',
  'limit',
  'hint',
  'setting',
  'holder',
  'hop',
  'file',
  'expected',
  'actual',
]);

function inLanguage(name: string, value: ParamValue, language: Language): ParamValue {
  return language === 'fr' && typeof value === 'string' && texts.has(name)
    ? translateRule(shorten(value))
    : value;
}

function formatParam(value: ParamValue, isSize: boolean, language: Language, mark: Mark): string {
  if (typeof value === 'number') {
    return isSize ? formatByteSize(value, language) : String(value);
  }
  if (typeof value === 'string') return mark(escapeText(shorten(sayConcealed(value, language))));
  // a record of another process can hold anything
  if (!Array.isArray(value)) return mark(escapeText(shorten(JSON.stringify(value))));
  const items = value.slice(0, shownItems).map((item) => mark(escapeText(shorten(String(item)))));
  if (value.length > shownItems) items.push(`… (+${value.length - shownItems})`);
  return items.length === 0 ? (language === 'en' ? 'none' : 'aucune') : items.join(', ');
}

function shorten(text: string): string {
  return text.length > shownCharacters ? `${text.slice(0, shownCharacters)}…` : text;
}
