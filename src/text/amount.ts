import type { Language } from './language.ts';
import { formatByteSize } from './size.ts';

/** Whether a number takes the singular: in English 1 only, in French also 0. */
export function isSingular(number: number, language: Language): boolean {
  return number === 1 || (number === 0 && language === 'fr');
}

/**
 * Renders a number as a placeholder asks for it.
 *
 * @param format `size` for bytes, `file/files` for the noun of the number, undefined for the number alone
 */
export function formatNumber(value: number, format: string | undefined, language: Language): string {
  if (format === undefined) return String(value);
  if (format === 'size') return formatByteSize(value, language);
  return `${value} ${format.split('/')[isSingular(value, language) ? 0 : 1]}`;
}

/** Renders a list with its noun: `part 3`, `parts 1, 2 and 4`. @param nouns with a place for the list: `part …/parts …` */
export function formatList(items: readonly (string | number)[], nouns: string, language: Language): string {
  const noun = nouns.split('/')[items.length < 2 ? 0 : 1]!;
  const first = items.slice(0, -1).join(', ');
  const and = language === 'fr' ? ' et ' : ' and ';
  return noun.replace('…', () => `${first}${first && and}${items.at(-1) ?? ''}`);
}
