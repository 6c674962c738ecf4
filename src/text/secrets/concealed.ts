import type { Language } from '../language.ts';

/**
 * Says in words what an instance shows in place of a path that it conceals: the key of the setting in angle brackets. Where
 * the path is known, it was put there before.
 */
export function sayConcealed(text: string, language: Language): string {
  return text.replace(/<([a-z]+(?:\.[a-zA-Z]+)+)>/g, (_, setting: string) =>
    language === 'fr' ? `${setting} de l’instance` : `${setting} of the instance`,
  );
}
