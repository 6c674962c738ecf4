import { formatList } from '../amount.ts';
import { escapeText } from '../escape.ts';
import { fill } from '../fill.ts';
import type { Language, Sentence } from '../language.ts';
import { createFormat, type Format } from './format.ts';
import { isolate } from './isolate.ts';

/**
 * Each page of the web interface has one file in this folder, with its name, which exports one object of sentences: `{
 * title: ['Sign in', fr`Connexion`] }`. A page imports its own object, so that two pages never change the same file.
 * The notation of placeholders and optional parts is that of `fill.ts`. A test finds sentences that nothing uses.
 */
export type { Sentence } from '../language.ts';

/** A sentence that depends on the parameter `count`, by the plural rules of the language (CLDR). */
export interface Counted {
  readonly one: Sentence;
  readonly other: Sentence;
}

/** Numbers are written as the language writes them; of a list, `{x:part …/parts …}` is needed. */
export type WordParams = Readonly<Record<string, string | number | readonly number[] | undefined>>;

/** Speaks one language. */
export interface Words {
  readonly language: Language;
  /** Numbers, sizes, times and durations of the language. */
  readonly format: Format;
  /** Fills a sentence. A counted sentence needs the parameter `count`. Texts are escaped for a single line. */
  say(sentence: Sentence | Counted, params?: WordParams): string;
}

const columns = { en: 0, fr: 1 } as const;

function select(sentence: Sentence | Counted, params: WordParams, format: Format): Sentence {
  if (!('one' in sentence)) return sentence;
  const { count } = params;
  if (typeof count !== 'number') throw new TypeError('a counted sentence without a count');
  return format.plural(count) === 'one' ? sentence.one : sentence.other;
}

const formats: Readonly<Record<Language, Format>> = { en: createFormat('en'), fr: createFormat('fr') };

/** @param show how a text that fills a sentence is written */
function createWords(language: Language, show: (text: string) => string): Words {
  const format = formats[language];
  return {
    language,
    format,
    say: (sentence, params = {}) => {
      const template = select(sentence, params, format)[columns[language]];
      if (!/[[{]/.test(template)) return template;
      return fill(
        template,
        (name) => String(params[name] ?? '') !== '',
        (name, kind) => {
          const value = params[name]!;
          if (typeof value === 'string') return show(value);
          if (typeof value !== 'number') return formatList(value.map(format.number), kind!, language);
          if (kind === undefined) return format.number(value);
          if (kind === 'size') return format.size(value);
          if (kind === 'duration') return format.duration(value);
          const [one, other] = kind.split('/');
          return `${format.number(value)} ${format.plural(value) === 'one' ? one : other}`;
        },
      );
    },
  };
}

/** The words of each language. */
export const words: Readonly<Record<Language, Words>> = {
  en: createWords('en', escapeText),
  fr: createWords('fr', escapeText),
};

const showApart = (text: string): string => isolate(escapeText(text));

/** The same for pages: a text that fills a sentence is marked, because most of them are of others (`isolate.ts`). */
export const pageWords: Readonly<Record<Language, Words>> = {
  en: createWords('en', showApart),
  fr: createWords('fr', showApart),
};
