/** Languages of everything that is shown to a user. Log records and JSON values are English only. */
export type Language = 'en' | 'fr';

declare const french: unique symbol;

/** A French text with its no-break spaces. Only {@link fr} makes one, so that an English text cannot take its place. */
export type French = string & { readonly [french]: true };

/** The same sentence in both languages. */
export type Sentence = readonly [english: string, french: French];

/**
 * Sets the no-break spaces of French typography before `: ; ? ! % »` and after `«`. A mark counts where a space or the
 * end of a phrase follows, so that `:8080` and `:<tag>` keep their space. U+00A0 is used, which every terminal shows.
 */
export function setFrenchSpaces(text: string): string {
  return text.replace(/ (?=(?:[:;?!%](?=[\s,.)\]|]|$))|»)/g, '\u00a0').replaceAll('« ', '«\u00a0');
}

/** Template tag for a French text: sets the no-break spaces of the template, and leaves inserted values unchanged. */
export function fr(parts: TemplateStringsArray, ...values: readonly (string | number)[]): French {
  return String.raw({ raw: parts.map(setFrenchSpaces) }, ...values) as French;
}

/** Renders a text in both languages. */
export function inBoth(render: (language: Language) => string): Sentence {
  return [render('en'), fr`${render('fr')}`];
}

/** Returns the function that selects the text of a language. */
export function speak(language: Language): (english: string, french: French) => string {
  return (english, french) => (language === 'fr' ? french : english);
}

export function say([english, french]: Sentence, language: Language): string {
  return language === 'fr' ? french : english;
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
