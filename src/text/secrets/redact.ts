export const redacted = 'REDACTED';

/** Lower-cases A to Z only: the length stays. */
const toLower = (text: string): string => text.replace(/[A-Z]+/g, (letters) => letters.toLowerCase());

/** Replaces all occurrences, in any case: the host of a URL is lower-cased. */
function replace(text: string, secret: string): string {
  const wanted = toLower(secret);
  const compared = toLower(text);
  let clean = '';
  let end = 0;
  for (let at = compared.indexOf(wanted); at !== -1; at = compared.indexOf(wanted, end)) {
    clean += text.slice(end, at) + redacted;
    end = at + wanted.length;
  }
  return clean + text.slice(end);
}

/**
 * Removes secrets from a text, in plain or percent-encoded form and in any case. Secrets of less than four characters,
 * which would match in any sentence, are replaced only if they are the whole text.
 */
export function redact(text: string, secrets: Iterable<string>): string {
  let clean = text;
  for (const secret of secrets) {
    if (secret.length < 4) {
      if (toLower(clean) === toLower(secret)) return redacted;
      continue;
    }
    clean = replace(clean, secret);
    if (secret.isWellFormed()) clean = replace(clean, encodeURIComponent(secret));
  }
  return clean;
}
