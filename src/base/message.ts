import { catalogue, type ErrorCode, type ParamValue } from './catalogue.ts';
import { type ErrorRecord, SvcError, toErrorRecord } from './error.ts';
import { escapeText } from './escape.ts';
import { messagesEn } from './messages-en.ts';
import { messagesFr } from './messages-fr.ts';
import { translateRule } from './rules/translate-rule.ts';
import { formatByteSize } from './size.ts';
import { fill as fillTemplate } from './words/fill.ts';

export type Language = 'en' | 'fr';

/** Sentences of an error: what happened, the probable cause, and what to do. */
export interface Message {
  readonly what: string;
  readonly cause: string;
  readonly action: string;
}
export type Messages = Readonly<Record<ErrorCode, Message>>;

const languages: Readonly<Record<Language, Messages>> = { en: messagesEn, fr: messagesFr };

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
 */
export function renderError(error: ErrorRecord | SvcError, language: Language): Message {
  const { code, params } = error instanceof SvcError ? toErrorRecord(error) : error;
  // a record from another process may be of a newer version
  const known: ErrorCode = Object.hasOwn(catalogue, code) ? code : 'SVC-SRV-001';
  const { what, cause, action } = languages[language][known];
  return {
    what: fill(what, params, language),
    cause: fill(cause, params, language),
    action: fill(action, params, language),
  };
}

function fill(template: string, params: Readonly<Record<string, ParamValue>>, language: Language): string {
  return fillTemplate(
    template,
    (name) => Object.hasOwn(params, name) && params[name] !== '',
    (name, format) => formatParam(inLanguage(name, params[name]!, language), format === 'size', language),
  );
}

/** Parameters that are English texts of the program, not names or values. */
const texts: ReadonlySet<string> = new Set(['rule', 'detail', 'limit', 'hint']);

function inLanguage(name: string, value: ParamValue, language: Language): ParamValue {
  return language === 'fr' && typeof value === 'string' && texts.has(name)
    ? translateRule(shorten(value))
    : value;
}

function formatParam(value: ParamValue, isSize: boolean, language: Language): string {
  if (typeof value === 'number') {
    if (!isSize) return String(value);
    const size = formatByteSize(value);
    return language === 'en'
      ? size
      : size.replace('.', ',').replace(/i?B$/, (unit) => (unit === 'B' ? 'o' : 'io'));
  }
  if (typeof value === 'string') return escapeText(shorten(value));
  const items = value.slice(0, shownItems).map((item) => escapeText(shorten(item)));
  if (value.length > shownItems) items.push(`… (+${value.length - shownItems})`);
  return items.length === 0 ? (language === 'en' ? 'none' : 'aucune') : items.join(', ');
}

function shorten(text: string): string {
  return text.length > shownCharacters ? `${text.slice(0, shownCharacters)}…` : text;
}

/** Selects the language of messages on a terminal: that of `LC_ALL` if it is set and not empty, otherwise that of `LANG`. */
export function selectLanguage(env: Readonly<Record<string, string | undefined>>): Language {
  const locale = env.LC_ALL || env.LANG || '';
  return locale.startsWith('fr') ? 'fr' : 'en';
}

/** Selects the language that an `Accept-Language` header prefers (RFC 9110, section 12.5.4); by default English. */
export function selectAcceptLanguage(header: string | undefined): Language {
  if (header === undefined || header.length > 1024) return 'en';
  let best: Language = 'en';
  let bestWeight = 0;
  for (const range of header.split(',').slice(0, 32)) {
    const [tag, ...parameters] = range.split(';').map((part) => part.trim().toLowerCase());
    const weight = parameters.find((parameter) => parameter.startsWith('q='))?.slice(2);
    const q =
      weight === undefined ? 1 : /^[01](?:\.[0-9]{0,3})?$/.test(weight) ? Math.min(1, Number(weight)) : 0;
    const primary = tag!.split('-')[0];
    const language = primary === 'fr' ? 'fr' : primary === 'en' || primary === '*' ? 'en' : undefined;
    if (language !== undefined && q > bestWeight) {
      best = language;
      bestWeight = q;
    }
  }
  return best;
}
