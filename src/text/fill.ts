import type { Language } from './language.ts';

/**
 * `[text with {x}]` is kept if x is present; `[text with {x}|other text]` is replaced by the other text if x is absent.
 * `[{x=value}text]` is kept if x has this value, `[{x!}text]` if x is absent; the condition itself is not shown.
 */
export const optionalPart = /\[([^[\]|]*\{[^[\]|]*)(?:\|([^[\]]*))?\]/g;
const placeholder = /\{([A-Za-z]+)(?::(size|duration|word|[^{}[\]|/]+\/[^{}[\]|/]+))?\}/g;
/** An inserted question ends the sentence: `did you mean mode?`; on a page the inserted text is marked. */
const stopAfterQuestion = /([?!]\ufdd1?)\.(?=\s|$)/g;
export const condition = /\{([A-Za-z]+)(?:=([a-z-]+)|!)\}/g;

/**
 * Fills the placeholders of a sentence, after its optional parts: `{name}`, `{name:size}`, `{name:duration}` of milliseconds,
 * `{name:word}` as one word of a command, `{name:file/files}`, a number with its noun in the singular and the plural, and `{name:part …/parts …}`, the same for a list.
 *
 * @param has whether a parameter has a value; with `value`, whether it has this one
 * @param show the value of a parameter that has one, as text; `format` is the part after the colon
 * @returns the sentence; `?` where a parameter outside an optional part has no value
 */
export function fill(
  template: string,
  has: (name: string, value?: string) => boolean,
  show: (name: string, format: string | undefined) => string,
): string {
  const isKept = (part: string): boolean =>
    [...part.matchAll(placeholder)].every(([, name]) => has(name!)) &&
    [...part.matchAll(condition)].every(([, name, value]) =>
      value === undefined ? !has(name!) : has(name!, value),
    );
  return template
    .replace(optionalPart, (_, part: string, otherwise = '') => (isKept(part) ? part : otherwise))
    .replace(condition, '')
    .replace(placeholder, (_, name: string, format: string | undefined) =>
      has(name) ? show(name, format) : '?',
    )
    .replace(stopAfterQuestion, '$1');
}

/** The word between alternatives of a general sentence: within it, and before one that is a sentence of its own. */
export const alternatives: Readonly<Record<Language, { readonly within: string; readonly before: string }>> =
  {
    en: { within: 'or', before: 'Or:' },
    fr: { within: 'ou', before: 'Ou bien\u00a0:' },
  };

/** At least four parts for values of one parameter, the first of which is for its absence; none is a sentence. */
const manyWithin =
  /\[\{(?<name>[A-Za-z]+)!\}([^\][]*[^\][.?])\](?:\[\{\k<name>=[a-z-]+\}[^\][]*[^\][.?]\]){3,}/g;

/**
 * Returns a sentence for a list of errors, which knows no values. Parts for different values of one parameter follow each
 * other: `There is no signature. Or: There is a signature, but it cannot be read.`; within a sentence they are joined,
 * `the disk is not there or it is a state folder`; one alone is in brackets, `was altered (or is missing)`. Of every other part that has a text for an absent parameter, that text is shown.
 * Where a text for an absent parameter begins more than three alternatives within a sentence, it speaks for them all.
 * Placeholders remain, by their names alone.
 */
export function toGeneralSentence(template: string, language: Language = 'en'): string {
  const { within, before } = alternatives[language];
  /** Parameter of the part before, and where it ended: parts that touch each other are alternatives. */
  let last: { readonly name: string; readonly end: number } | undefined;
  return template
    .replace(manyWithin, '$2')
    .replace(optionalPart, (match, part: string, otherwise = '', at: number, template: string) => {
      const [, name] = part.matchAll(condition).next().value ?? [];
      if (name === undefined) return otherwise || spaced(part);
      const text = part.replace(condition, '').trim();
      const isOwn = /^[\p{Lu}{]/u.test(text) && /[.?]$/.test(text);
      const follows = last?.name === name && last.end === at;
      const isFollowed = template.startsWith(`[{${name}=`, at + match.length);
      if (!/[.?]$/.test(text) && (follows || isFollowed)) {
        last = { name, end: at + match.length };
        return follows ? ` ${within} ${text}` : text;
      }
      if (!isOwn) {
        const gap = /^\[?[\p{L}{]/u.test(template.slice(at + match.length)) ? ' ' : '';
        return otherwise === '' ? ` (${text})${gap}` : `${otherwise} (${within} ${text})${gap}`;
      }
      const isOther = otherwise !== '' || follows;
      last = { name, end: at + match.length };
      return `${otherwise}${isOther ? ` ${before}` : ''} ${text}`;
    })
    .replace(placeholder, (_, name: string, format?: string) => toGeneralName(name, format))
    .replace(/ {2,}/g, ' ')
    .trim();
}

/** The sentences of a general sentence that apply in different situations, one after the other. */
export function listAlternatives(template: string, language: Language): readonly string[] {
  return toGeneralSentence(template, language).split(` ${alternatives[language].before} `);
}

/**
 * Returns a sentence for a heading, which knows no values and has no room for alternatives: the sentence of an error without
 * its optional parameters, or with the first value of one that selects a sentence. An ellipsis stands for other parameters.
 */
export function toHeading(template: string): string {
  const tested = [...template.matchAll(condition)];
  const first = (name: string): string | undefined => {
    const values = tested.filter(([, other]) => other === name).map(([, , value]) => value);
    return values.includes(undefined) ? undefined : values[0];
  };
  return template
    .replace(optionalPart, (_, part: string, otherwise = '') => {
      const conditions = [...part.matchAll(condition)];
      const isKept = conditions.length > 0 && conditions.every(([, name, value]) => first(name!) === value);
      return isKept && otherwise === '' ? part : otherwise;
    })
    .replace(condition, '')
    .replace(placeholder, (_, name: string, format?: string) =>
      toGeneralName(name, format).replace(/\{\w+\}/, '…'),
    )
    .replace(/\s*\([^()\p{L}]*…[^()\p{L}]*\)/gu, '')
    .replace(/(?:[;.] \p{L}+)?\s*:\s*…(?: - …)?(?=[.?!]|$)/gu, '')
    .replace(/…\./g, '…')
    .replace(/ {2,}/g, ' ')
    .trim();
}

/** A parameter in a sentence that knows no values: its name, with its noun. */
export function toGeneralName(name: string, format = ''): string {
  const noun = format.split('/')[1] ?? '';
  return noun.includes('…') ? noun.replace('…', `{${name}}`) : `{${name}} ${noun}`.trim();
}

/** Separates a part that begins a sentence from the one before it. */
function spaced(text: string): string {
  return /^[\p{Lu}{]/u.test(text) && /[.?]$/.test(text) ? ` ${text}` : text;
}

/** Names of the parameters of a sentence, in order of appearance, each once. */
export function listPlaceholders(template: string): readonly string[] {
  const names = [...template.matchAll(placeholder), ...template.matchAll(condition)].map(([, name]) => name!);
  return [...new Set(names)];
}
