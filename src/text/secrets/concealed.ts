import type { Language } from '../language.ts';

/**
 * Puts into words the placeholder of an instance for a concealed path: the key of the setting in angle brackets. A
 * known path has already replaced it.
 */
export function sayConcealed(text: string, language: Language): string {
  if (text === '<retriever.source>')
    return language === 'fr' ? 'la source configurée' : 'the configured source';
  return text.replace(/<([a-z]+(?:\.[a-zA-Z]+)+)>/g, (_, setting: string) =>
    language === 'fr' ? `${setting} de l’instance` : `${setting} of the instance`,
  );
}
