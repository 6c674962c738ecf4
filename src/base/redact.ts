export const redacted = 'REDACTED';

/**
 * Removes secrets from a text, in plain or percent-encoded form. Secrets of less than four characters, which would match
 * in any sentence, are replaced only if they are the whole text.
 */
export function redact(text: string, secrets: Iterable<string>): string {
  let clean = text;
  for (const secret of secrets) {
    if (secret.length < 4) {
      if (clean === secret) return redacted;
      continue;
    }
    clean = clean.replaceAll(secret, redacted);
    if (secret.isWellFormed()) clean = clean.replaceAll(encodeURIComponent(secret), redacted);
  }
  return clean;
}
