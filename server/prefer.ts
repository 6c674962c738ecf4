/**
 * Returns the milliseconds that a client prefers to wait for an answer (RFC 7240, section 4.3).
 *
 * @param header `Prefer`; undefined without a wait that can be read
 */
export function preferredWait(header: string | string[] | undefined): number | undefined {
  for (const preference of String(header ?? '').split(',')) {
    const [, seconds] = /^\s*wait\s*=\s*"?(\d{1,6})"?\s*$/i.exec(preference.split(';')[0]!) ?? [];
    if (seconds !== undefined) return Number(seconds) * 1000;
  }
  return undefined;
}
