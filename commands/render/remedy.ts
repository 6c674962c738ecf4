import type { Message } from '../../src/text/error.ts';
import { fr, type Language, type Sentence, say } from '../../src/text/language.ts';

const headings = {
  cause: ['Probable cause: ', fr`Cause probable : `],
  action: ['What to do: ', fr`Que faire : `],
  detail: ['Detail:', fr`Détail :`],
  correlation: ['Correlation id: ', fr`Identifiant de corrélation : `],
} as const satisfies Readonly<Record<string, Sentence>>;

/** Returns the heading of a part of an error. */
export function headingOf(part: keyof typeof headings, language: Language): string {
  return say(headings[part], language);
}

/** Renders cause and action of an error, one line each, without indentation. */
export function renderRemedy({ cause, action }: Message, language: Language): string[] {
  return [`${headingOf('cause', language)}${cause}`, `${headingOf('action', language)}${action}`];
}
