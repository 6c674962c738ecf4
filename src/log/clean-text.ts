import { redact, redacted } from '../text/secrets/redact.ts';

const secretNames = new Set([
  'authorization',
  'proxy-authorization',
  'cookie',
  'set-cookie',
  'password',
  'secret',
  'token',
]);

/** Returns whether a field of this name holds a secret, for any value. */
export function isSecretName(name: string): boolean {
  return secretNames.has(name.toLowerCase());
}

/**
 * Cleans a text for a log. Replaces known secrets and texts in the form of a token of this product. Removes user
 * information, query and fragment from URLs, and user information from references.
 *
 * @param secrets values that must not appear, in plain or percent-encoded form
 */
export function cleanText(text: string, secrets: Iterable<string>): string {
  let clean = redact(text, secrets);
  if (clean.includes('svc_')) clean = clean.replace(/svc_[A-Za-z0-9_-]{43}/g, redacted);
  if (clean.includes('://')) clean = stripUrls(clean);
  return clean.includes('@') ? stripPasswords(clean) : clean;
}

/** Maximum characters of a host with its port. */
const longestHost = 260;

/**
 * Removes `user:password@` before `<host>/<path>`, as in references without a scheme. Names with an `@` and digests have
 * no path after the `@`.
 */
function stripPasswords(text: string): string {
  let result = '';
  let from = 0;
  let start = 0;
  let hasColon = false;
  for (let i = 0; i < text.length; i += 1) {
    const character = text[i];
    if (character === '/' || isDelimiter(text.charCodeAt(i))) {
      start = i + 1;
      hasColon = false;
    } else if (character === ':') hasColon = true;
    else if (character === '@' && hasColon && isHostBefore(text, i + 1)) {
      result += text.slice(from, start);
      from = i + 1;
      start = from;
      hasColon = false;
    }
  }
  return result + text.slice(from);
}

/** Returns whether a host followed by a path begins at this position. */
function isHostBefore(text: string, at: number): boolean {
  return /^[A-Za-z0-9.:-]+\//.test(text.slice(at, at + longestHost + 1));
}

// searches for `://` and reads on from there: linear for any text
function stripUrls(text: string): string {
  let result = '';
  let from = 0;
  for (;;) {
    const marker = text.indexOf('://', from);
    if (marker < 0) return result + text.slice(from);
    const start = marker + 3;
    let end = start;
    while (end < text.length && !isDelimiter(text.charCodeAt(end))) end += 1;
    const url = text.slice(start, end);
    const tail = url.search(/[?#]/);
    const kept = tail < 0 ? url : url.slice(0, tail);
    const slash = kept.indexOf('/');
    const authority = slash < 0 ? kept : kept.slice(0, slash);
    // the query of a URL may contain an @; the authority ends before the query
    const host = authority.slice(authority.lastIndexOf('@') + 1);
    result += text.slice(from, start) + host + (slash < 0 ? '' : kept.slice(slash));
    from = end;
  }
}

/** Returns whether a character ends a URL in running text: space, controls, quotes and brackets. */
function isDelimiter(code: number): boolean {
  return code <= 0x20 || code === 0x22 || code === 0x27 || code === 0x3c || code === 0x3e || code === 0x60;
}
