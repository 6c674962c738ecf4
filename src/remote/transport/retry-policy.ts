/**
 * When a request is sent again, and after how long: one policy for documents, tokens, manifests, lists, blobs and
 * uploads. A status of 401 is answered by credentials once, which `client.ts` does; a wrong answer to a range restarts
 * its download.
 */

/** Milliseconds. A peer that asks to wait longer is not waited for: the error says when to come back. */
export const longestWait = 300_000;

/**
 * A peer that accepted a request and kept silent for minutes is asked once more: the waiting work holds up all other.
 */
export const retriesAfterSilence = 1;

/** Milliseconds before the first retry, doubled for each one after; and their limit. */
const [firstDelay, longestDelay] = [250, 30_000];

/** Milliseconds of the longest reported wait: everything longer is shown as a year. */
const year = 366 * 86_400_000;

/** Whether the same request may succeed later: the peer is overloaded or has failed. */
export function isOverload(status: number): boolean {
  return status === 408 || status === 425 || status === 429 || (status >= 500 && status !== 501);
}

/**
 * Whether the same request will fail again: the peer refuses it. Not so for content that is missing (404) and for a
 * position that it does not have (416), which another request may change.
 */
export function isRefusal(status: number): boolean {
  return status >= 400 && status !== 404 && status !== 416 && !isOverload(status);
}

const days = '(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun)';
const longDays = '(?:Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)day';

/** The three forms of RFC 9110, section 5.6.7. Others are not guessed at: `Date.parse` makes a date of `-1`. */
const dates: readonly { readonly form: RegExp; readonly zone: string }[] = [
  { form: new RegExp(`^${days}, \\d\\d [A-Z][a-z]{2} \\d{4} \\d\\d:\\d\\d:\\d\\d GMT$`), zone: '' },
  { form: new RegExp(`^${longDays}, \\d\\d-[A-Z][a-z]{2}-\\d\\d \\d\\d:\\d\\d:\\d\\d GMT$`), zone: '' },
  { form: new RegExp(`^${days} [A-Z][a-z]{2} [ \\d]\\d \\d\\d:\\d\\d:\\d\\d \\d{4}$`), zone: ' GMT' },
];

/** Milliseconds since the epoch of an HTTP date; undefined for anything else. */
function parseHttpDate(text: string | undefined): number | undefined {
  const known = text === undefined ? undefined : dates.find(({ form }) => form.test(text));
  const time = known === undefined ? Number.NaN : Date.parse(`${text}${known.zone}`);
  return Number.isNaN(time) ? undefined : time;
}

/**
 * Milliseconds that a peer asks to wait (`Retry-After`: seconds, or an HTTP date). It is 0 without the field, for a
 * past date, and for a value of another form, such as a negative one.
 *
 * @param headers lower-case names. A date counts from the `Date` of the answer, so that the clocks need not agree.
 * @param now milliseconds since the epoch, for an answer without a `Date`
 */
export function toWait(headers: Readonly<Record<string, string | undefined>>, now: number): number {
  const field = headers['retry-after']?.trim() ?? '';
  if (/^\d+$/.test(field)) return Math.min(Number(field) * 1000, year);
  const until = parseHttpDate(field);
  if (until === undefined) return 0;
  return Math.min(Math.max(0, until - (parseHttpDate(headers.date) ?? now)), year);
}

interface RetryBounds {
  /** Number of attempts after the first one. */
  readonly retries: number;
  /** Milliseconds before the first retry. Default 250. */
  readonly baseDelay?: number | undefined;
}

/**
 * Milliseconds to wait before the next attempt: exponential, with jitter, and at least as long as the peer asks for.
 *
 * @param failures number of retries so far
 * @param least the wait that the peer asks for; false where the failure is not transient
 * @param random from 0 to 1
 * @returns undefined where there is no further attempt
 */
export function planRetry(
  failures: number,
  least: number | false,
  { retries, baseDelay = firstDelay }: RetryBounds,
  random = Math.random(),
): number | undefined {
  if (least === false || failures >= retries) return undefined;
  const backoff = Math.min(longestDelay, baseDelay * 2 ** failures) * (0.5 + random / 2);
  return Math.max(backoff, least);
}
