import { redacted } from './redact.ts';

/** A URL with its scheme, up to the next space; and `user:password@` without a scheme, which no slash divides. */
const urls = /([a-z][a-z0-9+.-]{0,31}:\/\/)(\S+)/gi;
const bareCredentials = /(^|[\s'"(])[^\s/@:'"]+:[^\s/@'"]+@(?!sha(?:256|512):)/g;

/**
 * Removes the secrets in the URLs of a text: user information, and the values of queries and fragments. An input of
 * another program may have them, and a message, a record or a report repeats no secret.
 *
 * @param text any text; one without a URL is returned unchanged
 */
export function withoutUrlSecrets(text: string): string {
  if (!text.includes('://') && !text.includes('@')) return text;
  return text
    .replace(urls, (_, scheme: string, rest: string) => scheme + withoutValues(withoutUser(rest)))
    .replace(bareCredentials, '$1');
}

/** @param rest a URL after its scheme, with any text that follows it without a space */
function withoutUser(rest: string): string {
  const authority = rest.slice(0, endOf(rest, /[/?#'"<>\\]/));
  const at = authority.lastIndexOf('@');
  if (at >= 0) return rest.slice(at + 1);
  // a password with a slash, or one whose end was cut off; a port has digits
  if (authority.startsWith('[') || !/:\D/.test(authority)) return rest;
  const end = rest.lastIndexOf('@');
  return end < 0 ? redacted : rest.slice(end + 1);
}

function withoutValues(rest: string): string {
  const start = endOf(rest, /[?#]/);
  if (start === rest.length) return rest;
  const length = endOf(rest.slice(start), /['"<>)]/);
  const shown = rest
    .slice(start, start + length)
    .replace(/([?#&;])([^?#&;]*)/g, (_, mark: string, part: string) => {
      const equals = part.indexOf('=');
      if (equals >= 0) return `${mark}${part.slice(0, equals)}=${redacted}`;
      // an anchor is no secret
      return mark === '#' || part === '' ? `${mark}${part}` : `${mark}${redacted}`;
    });
  return rest.slice(0, start) + shown + rest.slice(start + length);
}

function endOf(text: string, pattern: RegExp): number {
  const at = text.search(pattern);
  return at < 0 ? text.length : at;
}
