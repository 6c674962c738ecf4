import type { Answers } from './dialogue/question.ts';
import { toPlan } from './purpose.ts';

/** Flag of each setting that a purpose asks for. */
const flagOf: Readonly<Record<string, string>> = {
  'retriever.source': '--retriever',
  zone: '--zone',
  cookbook: '--cookbook',
  recipe: '--recipe',
  'storage.root': '--storage-root',
  'destination.registry': '--destination',
  'trust.key': '--trust-key',
};

/** Keys of a Retriever that is to be written. */
const draftKeys = ['zone', 'cookbook', 'recipe'];

/** Returns the settings that the purpose of these answers asks for; a new Retriever adds its own. */
export function listAsked(answers: Answers): readonly string[] {
  const asked = toPlan(answers.for)?.asks ?? [];
  if (answers.for !== 'source' || answers['retriever.source'] !== '') return asked;
  return asked.flatMap((key) => (key === 'retriever.source' ? [key, ...draftKeys] : [key]));
}

/**
 * Lists the flags of settings that the purpose asks for and nothing gives.
 *
 * @param given answers that flags give
 * @param isOpen whether neither flag nor variable gives a setting
 */
export function listOpen(given: Answers, isOpen: (key: string) => boolean): readonly string[] {
  return listAsked(given)
    .filter((key) => given[key] === undefined && (key in unset || isOpen(key)))
    .map((key) => flagOf[key]!);
}

/** Answers that are no settings of a configuration, so that no variable gives them. */
const unset: Readonly<Record<string, true>> = { cookbook: true, recipe: true, 'trust.key': true };

/** Returns the settings that the purpose asks for, each with its flag. */
export function listFlags(given: Answers): readonly (readonly [key: string, flag: string])[] {
  return listAsked(given).map((key) => [key, flagOf[key]!]);
}
