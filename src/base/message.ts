import { catalogue, type ErrorCode, type ParamValue } from './catalogue.ts';
import { type ErrorRecord, SvcError, toErrorRecord } from './error.ts';
import { escapeText } from './escape.ts';
import { messagesEn } from './messages-en.ts';
import { messagesFr } from './messages-fr.ts';
import { formatByteSize } from './size.ts';

export type Language = 'en' | 'fr';

/** What happened, the probable cause, and what to do about it. */
export interface Message {
  readonly what: string;
  readonly cause: string;
  readonly action: string;
}
export type Messages = Readonly<Record<ErrorCode, Message>>;

const languages: Readonly<Record<Language, Messages>> = { en: messagesEn, fr: messagesFr };

/** The most of a parameter that a sentence repeats: characters of a text, items of a list. */
const shownCharacters = 1000;
const shownItems = 20;

/**
 * The sentences of an error. Parameters are escaped for a terminal or a line of text, and shortened; the technical
 * detail of the record is not part of them.
 */
export function renderError(error: ErrorRecord | SvcError, language: Language): Message {
  const { code, params } = error instanceof SvcError ? toErrorRecord(error) : error;
  // a record that crossed a process may come from a newer version
  const known: ErrorCode = Object.hasOwn(catalogue, code) ? code : 'SVC-SRV-001';
  const { what, cause, action } = languages[language][known];
  return {
    what: fill(what, params, language),
    cause: fill(cause, params, language),
    action: fill(action, params, language),
  };
}

/** `[text with {x}]` stands when x is there, `[text with {x}|other text]` gives way to the other text when it is not. */
const optionalPart = /\[([^[\]|]*\{[^[\]|]*)(?:\|([^[\]]*))?\]/g;
const placeholder = /\{([A-Za-z]+)(?::(size))?\}/g;

function fill(template: string, params: Readonly<Record<string, ParamValue>>, language: Language): string {
  const has = (name: string) => Object.hasOwn(params, name) && params[name] !== '';
  return template
    .replace(optionalPart, (_, part: string, otherwise = '') =>
      [...part.matchAll(placeholder)].every(([, name]) => has(name!)) ? part : otherwise,
    )
    .replace(placeholder, (_, name: string, format: string | undefined) =>
      has(name) ? formatParam(params[name]!, format === 'size', language) : '?',
    );
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

/** The language of messages on a terminal: `LC_ALL`, when set and not empty, decides alone; else `LANG`. */
export function selectLanguage(env: Readonly<Record<string, string | undefined>>): Language {
  const locale = env.LC_ALL || env.LANG || '';
  return locale.startsWith('fr') ? 'fr' : 'en';
}

/** The language that an `Accept-Language` header prefers (RFC 9110, section 12.5.4); English when it says nothing of use. */
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
