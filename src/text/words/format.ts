import type { Language } from '../message.ts';
import { toShownSize } from '../size.ts';

/** Numbers, sizes, times and durations as people read them. Times are in UTC. */
export interface Format {
  /** `5,012`, in French `5 012`. */
  number(value: number): string;
  /** Bytes in binary units, with at most one decimal: `1.5 MiB`, in French `1,5 Mio`. */
  size(bytes: number): string;
  /**
   * With one decimal below 10 %.
   *
   * @param share from 0 to 1; rounded down, so that 100 % is shown only at the end
   */
  percent(share: number): string;
  /** A moment to the second, with the zone: `22 Nov 2026, 14:05:10 UTC`. @param time RFC 3339, or milliseconds */
  time(time: string | number): string;
  /** A day: `22 Nov 2026`. @param time RFC 3339, or milliseconds */
  day(time: string | number): string;
  /** The time of a day, with the zone: `14:05:10 UTC`. @param time RFC 3339, or milliseconds */
  clock(time: string | number): string;
  /** How long ago or ahead, in the largest unit that fits: `3 minutes ago`. @param now milliseconds since the epoch */
  age(time: string | number, now: number): string;
  /** In the two largest units: `1 h 30 min`. @param milliseconds not negative */
  duration(milliseconds: number): string;
  /** `a, b and c`. */
  list(items: readonly string[]): string;
  /** The plural category of a count, `one` or `other`; the category `many` of CLDR is `other` here. */
  plural(count: number): 'one' | 'other';
}

/** An age of less than a second. */
const justNow = { en: 'now', fr: 'à l’instant' } as const;
const locales = { en: 'en-GB', fr: 'fr-FR' } as const;
/** Seconds of each unit of an age. */
const ageUnits = [
  ['year', 31_557_600],
  ['month', 2_629_800],
  ['day', 86_400],
  ['hour', 3600],
  ['minute', 60],
  ['second', 1],
] as const;
/** Seconds and symbol of each unit of a duration, as the command line writes them too. */
const durationUnits = {
  en: [
    [86_400, 'd'],
    [3600, 'h'],
    [60, 'min'],
    [1, 's'],
  ],
  fr: [
    [86_400, 'j'],
    [3600, 'h'],
    [60, 'min'],
    [1, 's'],
  ],
} as const;

const toMilliseconds = (time: string | number): number =>
  typeof time === 'number' ? time : Date.parse(time);

/** Names of the months in a date of medium length (CLDR). Its formatter takes 15 ms to make, and a microsecond for each date. */
const months = {
  en: ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sept', 'Oct', 'Nov', 'Dec'],
  fr: [
    ...['janv.', 'févr.', 'mars', 'avr.', 'mai', 'juin', 'juil.', 'août'],
    ...['sept.', 'oct.', 'nov.', 'déc.'],
  ],
} as const;

/** @throws {RangeError} for an invalid time */
const toIso = (time: string | number): string => new Date(time).toISOString();

function toDay(time: string | number, language: Language): string {
  const [, year, month, day] = /^(.+)-(..)-(..)T/.exec(toIso(time))!;
  return `${Number(day)} ${months[language][Number(month) - 1]} ${Number(year)}`;
}

const toClock = (time: string | number): string => `${toIso(time).slice(-13, -5)} UTC`;

/** Makes a formatter at its first use: each takes milliseconds, and most commands use one or none. */
function defer<T>(make: () => T): () => T {
  let made: T | undefined;
  return () => (made ??= make());
}

export function createFormat(language: Language): Format {
  const locale = locales[language];
  const number = defer(() => new Intl.NumberFormat(locale, { maximumFractionDigits: 1 }));
  const relative = defer(() => new Intl.RelativeTimeFormat(locale, { numeric: 'always' }));
  const list = defer(() => new Intl.ListFormat(locale, { type: 'conjunction' }));
  const plural = defer(() => new Intl.PluralRules(locale));
  return {
    number: (value) => number().format(value),
    size: (bytes) => {
      const { value, unit } = toShownSize(bytes, language);
      return `${number().format(value)}\u00a0${unit}`;
    },
    percent: (share) => {
      const step = share < 0.1 ? 10 : 1;
      // a share of 7 % has no rest that only the binary notation makes
      return `${number().format(Math.floor(share * 100 * step + 1e-9) / step)}\u00a0%`;
    },
    time: (time) => `${toDay(time, language)}, ${toClock(time)}`,
    day: (time) => toDay(time, language),
    clock: toClock,
    age: (time, now) => {
      const seconds = Math.round((toMilliseconds(time) - now) / 1000);
      if (seconds === 0) return justNow[language];
      const [unit, length] = ageUnits.find(([, each]) => Math.abs(seconds) >= each) ?? ageUnits[5];
      return relative().format(Math.trunc(seconds / length), unit);
    },
    duration: (milliseconds) => {
      let rest = Math.round(milliseconds / 1000);
      const parts: string[] = [];
      for (const [length, symbol] of durationUnits[language]) {
        const count = Math.floor(rest / length);
        rest -= count * length;
        if (count > 0 && parts.length < 2) parts.push(`${number().format(count)}\u00a0${symbol}`);
        else if (parts.length > 0) break;
      }
      return parts.length === 0 ? '0\u00a0s' : parts.join(' ');
    },
    list: (items) => list().format(items),
    plural: (count) => (plural().select(count) === 'one' ? 'one' : 'other'),
  };
}
