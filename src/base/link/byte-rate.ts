import { fr } from '../../text/language.ts';
import { type Rule, rule } from '../../text/rule.ts';
import { parseByteSize, suggestSize } from '../../text/size.ts';

/** A rate that was read, or the rule that its text breaks. */
export type ReadRate = { readonly bytesPerSecond: number } | { readonly rule: Rule };

/** The text for no limit. */
export const unlimited = 'unlimited';

/** Bytes a second. Below it, a peer would take a transfer for a dead one. */
const least = 1024;
/** Bytes a second. */
const most = 2 ** 40;

/**
 * Reads a cap such as `2MiB`, `512kB/s`, `2097152` or `unlimited`; units count bytes.
 *
 * @returns bytes a second, 0 for `unlimited`
 */
export function parseByteRate(text: string): ReadRate {
  const given = text.trim();
  if (given.toLowerCase() === unlimited) return { bytesPerSecond: 0 };
  if (given.startsWith('-')) return { rule: rule(['must not be negative', fr`ne doit pas être négatif`]) };
  if (/^[0-9.]+\s*[kmgt]?i?(?:bps|bits?)/i.test(given) || /^[0-9.]+\s*[kmgtKMGT]?i?b(?:\/s)?$/.test(given))
    return {
      rule: rule([
        'counts bytes, not bits: 8 Mbit/s are 1MB',
        fr`compte des octets, pas des bits : 8 Mbit/s font 1MB`,
      ]),
    };
  const bytes = parseByteSize(given.replace(/\/s$/i, ''));
  const plain = suggestSize(given.replace(/\/s$/i, ''));
  if (bytes === undefined)
    return {
      rule: rule(
        [
          'must be a number of bytes a second, such as 2MiB or 512kB, or unlimited[; {given} is written {plain}]',
          fr`doit être un nombre d’octets par seconde, comme 2MiB ou 512kB, ou unlimited[ ; {given} s’écrit {plain}]`,
        ],
        plain === undefined ? {} : { given, plain },
      ),
    };
  if (bytes === 0)
    return {
      rule: rule([
        'must not be 0, which would stop every transfer; no limit is unlimited',
        fr`ne doit pas être 0, qui arrêterait tous les transferts ; sans limite s’écrit unlimited`,
      ]),
    };
  if (bytes < least)
    return { rule: rule(['must be at least 1KiB a second', fr`doit être d’au moins 1KiB par seconde`]) };
  if (bytes > most)
    return {
      rule: rule([
        'must be at most 1TiB a second; no limit is unlimited',
        fr`doit être d’au plus 1TiB par seconde ; sans limite s’écrit unlimited`,
      ]),
    };
  return { bytesPerSecond: bytes };
}

/** Formats a cap so that it can be read back: `2MiB`, `1500000`, `unlimited` for 0. */
export function formatByteRate(bytesPerSecond: number): string {
  if (bytesPerSecond === 0) return unlimited;
  for (const [unit, length] of [
    ['TiB', 2 ** 40],
    ['GiB', 2 ** 30],
    ['MiB', 2 ** 20],
    ['KiB', 2 ** 10],
  ] as const) {
    if (bytesPerSecond >= length && bytesPerSecond % length === 0) return `${bytesPerSecond / length}${unit}`;
  }
  return String(bytesPerSecond);
}
