const redacted = 'REDACTED';
const secretNames = new Set([
  'authorization',
  'proxy-authorization',
  'cookie',
  'set-cookie',
  'password',
  'secret',
  'token',
]);

/** Whether a field of this name holds a secret, whatever its value. */
export function isSecretName(name: string): boolean {
  return secretNames.has(name.toLowerCase());
}

/**
 * Text fit for a log: known secrets and anything that looks like a token of ours are replaced, and URLs lose their
 * user information, query and fragment.
 *
 * @param secrets values that must not appear, in plain or percent-encoded form
 */
export function cleanText(text: string, secrets: Iterable<string>): string {
  let clean = text;
  for (const secret of secrets) {
    // short ones would tear up every sentence; they are hidden where they stand alone
    if (secret.length < 4) {
      if (clean === secret) return redacted;
      continue;
    }
    clean = clean.replaceAll(secret, redacted);
    if (secret.isWellFormed()) clean = clean.replaceAll(encodeURIComponent(secret), redacted);
  }
  if (clean.includes('svc_')) clean = clean.replace(/svc_[A-Za-z0-9_-]{43}/g, redacted);
  return clean.includes('://') ? stripUrls(clean) : clean;
}

// looks for `://` and reads on from there: linear, whatever the text
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
    // the query of a URL may hold an @; the authority ends before it
    const host = authority.slice(authority.lastIndexOf('@') + 1);
    result += text.slice(from, start) + host + (slash < 0 ? '' : kept.slice(slash));
    from = end;
  }
}

/** Space, controls, quotes and brackets end a URL in running text. */
function isDelimiter(code: number): boolean {
  return code <= 0x20 || code === 0x22 || code === 0x27 || code === 0x3c || code === 0x3e || code === 0x60;
}
