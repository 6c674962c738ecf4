import type { Words } from '../../../src/text/words/words.ts';
import { type Html, html } from '../html.ts';
import { copyButton } from './copy.ts';

/** Characters of the hexadecimal part that are shown at its ends: as many as tell digests of one list apart. */
const [shownFirst, shownLast] = [8, 4] as const;

/** A long value on one line: its ends, all of it to copy, and all of it on paper, from the title. */
function elided(words: Words, value: { readonly short: string; readonly whole: string }, name: string): Html {
  const { short, whole } = value;
  return html`<span class="copyable"><code class="digest" translate="no" title="${whole}">${short}</code>${copyButton(words, whole, name)}</span>`;
}

const shorten = (hex: string): string =>
  hex.length <= shownFirst + shownLast ? hex : `${hex.slice(0, shownFirst)}…${hex.slice(-shownLast)}`;

/** A fingerprint on one line, and all of it to copy. @param name of the fingerprint, for screen readers */
export function shortHex(words: Words, hex: string, name: string): Html {
  return elided(words, { short: shorten(hex), whole: hex }, name);
}

/**
 * A digest on one line, and the full one to copy.
 *
 * @param name of the digest, for screen readers
 */
export function shortDigest(words: Words, digest: string, name: string): Html {
  const [algorithm = '', hex = ''] = digest.split(':', 2);
  return elided(words, { short: `${algorithm}:${shorten(hex)}`, whole: digest }, name);
}
