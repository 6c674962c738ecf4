import type { Language } from './language.ts';

const units: Readonly<Record<string, number>> = {
  b: 1,
  kb: 1e3,
  mb: 1e6,
  gb: 1e9,
  tb: 1e12,
  kib: 2 ** 10,
  mib: 2 ** 20,
  gib: 2 ** 30,
  tib: 2 ** 40,
};

/**
 * Reads a size such as `64MiB`, `512kB` or a bare byte count; units are case-insensitive.
 *
 * @returns bytes, or undefined when the text is not a size or not a whole safe number of bytes
 */
export function parseByteSize(text: string): number | undefined {
  if (text.length > 32) return undefined;
  const match = /^(\d+(?:\.\d+)?)\s*([a-zA-Z]*)$/.exec(text.trim());
  if (!match) return undefined;
  const unit = match[2] === '' ? 1 : units[match[2]!.toLowerCase()];
  if (unit === undefined) return undefined;
  const bytes = Number(match[1]) * unit;
  return Number.isSafeInteger(bytes) ? bytes : undefined;
}

/** Returns a size as commands take it: `4.7GB` for `4.7 GB`, and for `4,7 Go` as French pages write it. */
export function toPlainSize(size: string): string {
  const plain = size.replaceAll(/\s/g, '');
  return /o$/i.test(plain) ? plain.replace(/o$/i, 'B').replace(',', '.') : plain;
}

/** How a text that is no size is written as one: `4.7GB` for `4,7Go`; undefined when it cannot be told. */
export function suggestSize(given: string): string | undefined {
  const plain = toWholeUnit(toPlainSize(given.replace(',', '.')));
  return parseByteSize(given) === undefined && parseByteSize(plain) !== undefined ? plain : undefined;
}

/** A fraction of a binary unit is no whole number of bytes: `4812MiB` for `4.7GiB`. */
function toWholeUnit(size: string): string {
  const [, number, unit = ''] = /^(\d+\.\d+)([mgtp])ib$/i.exec(size) ?? [];
  if (number === undefined || parseByteSize(size) !== undefined) return size;
  return `${Math.floor(Number(number) * 1024)}${'KMGT'['mgtp'.indexOf(unit.toLowerCase())]}iB`;
}

/** Bytes: less than any medium. A number without its unit is less. */
const leastVolume = 100_000;

/**
 * Reads sizes of media such as `4.7GB,700MB`, each of at least 100 kB.
 *
 * @returns bytes of each; undefined when one is none, and for a number with a comma in it, whose parts are no sizes
 */
export function parseByteSizes(text: string): readonly number[] | undefined {
  if (suggestSize(text) !== undefined) return undefined;
  const sizes = text.split(',').map((one) => parseByteSize(one) ?? 0);
  return sizes.every((bytes) => bytes >= leastVolume) ? sizes : undefined;
}

/** Binary units, from bytes on. */
const shownUnits: Readonly<Record<Language, readonly string[]>> = {
  en: ['B', 'KiB', 'MiB', 'GiB', 'TiB', 'PiB'],
  fr: ['o', 'Kio', 'Mio', 'Gio', 'Tio', 'Pio'],
};

const round = (value: number, unit: number): number =>
  unit === 0 || value >= 100 ? Math.round(value) : Math.round(value * 10) / 10;

/** Bytes as people read them: below 1024 of a unit after rounding, and with at most one decimal. */
export function toShownSize(
  bytes: number,
  language: Language,
): { readonly value: number; readonly unit: string } {
  const names = shownUnits[language];
  let value = bytes;
  let unit = 0;
  while (round(value, unit) >= 1024 && unit < names.length - 1) {
    value /= 1024;
    unit += 1;
  }
  return { value: round(value, unit), unit: names[unit]! };
}

/** Formats bytes for people, in binary units with at most one decimal: `1.5 MiB`, in French `1,5 Mio`. */
export function formatByteSize(bytes: number, language: Language = 'en'): string {
  const { value, unit } = toShownSize(bytes, language);
  return `${language === 'fr' ? String(value).replace('.', ',') : value} ${unit}`;
}
