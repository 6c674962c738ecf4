/** Texts that differ from run to run, by their shape. The order matters: a time contains a date. */
const shapes: readonly (readonly [RegExp, string])[] = [
  [/(?<!\d)\d{4}-\d\d-\d\d[T ]\d\d:\d\d(?::\d\d)?(?:\.\d+)?(?:Z|[+-]\d\d:\d\d| UTC)/g, '<time>'],
  // as pages write a moment, in English and in French
  [
    /\b\d{1,2}[ \u00a0]\p{L}{3,9}\.?[ \u00a0]\d{4}(?:(?:,| at| à)? \d\d:\d\d(?::\d\d)?(?: UTC)?)?/gu,
    '<time>',
  ],
  [/\b[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}\b/g, '<uuid>'],
  [/\b(tsk|run|med)_[0-9a-f]{8,}\b/g, '<$1>'],
  // of an API token
  [/\bsvc_[\w-]{43}(?![\w-])/g, '<secret>'],
  // of a request: a prefix of the instance and a count in base 36
  [/\b[0-9a-f]{12}-[0-9a-z]{1,6}\b/g, '<request>'],
  [/(fingerprint(?:"|&quot;|\\") ?: ?(?:"|&quot;|\\"))sha256:[0-9a-f]{64}/g, '$1<fingerprint>'],
  [/(name="fingerprint" value=")[^"]+/g, '$1<fingerprint>'],
  [/(?<![\w-])[\w-]{86}(?![\w-])/g, '<form-token>'],
  [/(<time [^>]*>)[^<]*(?=<\/time>)/g, '$1<age>'],
  [/\b\d+ (?:second|minute|hour)s? ago\b/g, '<age>'],
  [/\bil y a \d+ (?:seconde|minute|heure)s?\b/g, '<age>'],
  [/(hx-ptag=")[^"]+/g, '$1<tag>'],
  // room on the volume, beside which the content of a comparison is nothing
  [/("(?:free|total|usable)Bytes": ?)\d+/g, '$10'],
  [/\b\d+(?:[.,]\d+)?[ \u00a0\u202f][GT](?:iB|io)\b/g, '<size>'],
  [/("(?:\w*[mM]illiseconds|pid)": ?)\d+/g, '$10'],
  [/\b(process(?:us)?) \d+/g, '$1 <pid>'],
  // with the spaces that align a column
  [/ *\b\d+[.,]\d+[ \u00a0\u202f]s\b/g, ' <duration>'],
  // ledgers have a line for each group of records, and their grouping depends on time
  [
    /^((?:Content|Contenu) .*, |(?:ledgers|journaux) +\d+ ).*?(?:B|o|[KM]i[Bo])(?= *$| {2,}| <)/gm,
    '$1<size>',
  ],
  [/("name": ?"ledgers",\s*"checked": ?\d+,\s*"bytes": ?|"files": ?\d+,\s*"bytes": ?)\d+/g, '$10'],
];

/**
 * Replaces values that differ from run to run, or with the folder of a side, by placeholders.
 *
 * @param known texts of a side, each with its placeholder
 */
export function toComparable(text: string, known: ReadonlyMap<string, string>): string {
  let comparable = replaceKnown(text, known);
  for (const [shape, placeholder] of shapes) comparable = comparable.replace(shape, placeholder);
  return comparable;
}

/** Replaces known texts only, the longest first. */
export function replaceKnown(text: string, known: ReadonlyMap<string, string>): string {
  let replaced = text;
  for (const [value, placeholder] of [...known].sort(([a], [b]) => b.length - a.length))
    replaced = replaced.replaceAll(value, placeholder);
  return replaced;
}
