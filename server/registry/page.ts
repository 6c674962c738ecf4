import { wireError } from './wire-error.ts';

/** Maximum number of names on one page, and the default. */
const pageLimit = 10_000;

/** Which part of a list is asked for. */
export interface Page {
  readonly limit: number;
  readonly last: string | undefined;
}

/** Reads which page of a list is asked for. @throws WireError for a number that is none */
export function parsePage(parameters: URLSearchParams): Page {
  const n = parameters.get('n');
  if (n !== null && !/^[0-9]{1,9}$/.test(n)) {
    throw wireError(400, 'UNSUPPORTED', 'n must be a whole number', { n: n.slice(0, 32) });
  }
  const last = parameters.get('last');
  return {
    limit: Math.min(n === null ? pageLimit : Number(n), pageLimit),
    last: last === null || last === '' ? undefined : last.slice(0, 512),
  };
}

/** The `Link` to the page that follows (RFC 8288). */
export function nextLink(
  path: string,
  limit: number,
  last: string,
  further: Readonly<Record<string, string>> = {},
): string {
  const parameters = new URLSearchParams({ ...further, n: String(limit), last });
  return `<${path}?${parameters}>; rel="next"`;
}
