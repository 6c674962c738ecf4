import type { Language } from '../../src/text/language.ts';
import { words } from '../../src/text/words/words.ts';

/** `22 Nov 2026, 14:05:10 UTC`; a text that is no time is returned as it is. @param time RFC 3339 */
export function toTime(time: string, language: Language): string {
  return Number.isNaN(Date.parse(time)) ? time : words[language].format.time(time);
}
