import type { Words } from '../../../src/text/words/words.ts';
import { type Html, html } from '../html.ts';
import { copyButton } from './copy.ts';

/** Characters of the hexadecimal part that are shown: as many as tell digests of one list apart. */
const shown = 12;

/** A fingerprint in a list: its first characters, and all of it to copy. @param name of the fingerprint, for screen readers */
export function shortHex(words: Words, hex: string, name: string): Html {
  return html`<span class="copyable"><code class="digest" translate="no" title="${hex}">${hex.slice(0, shown)}…</code>${copyButton(words, hex, name)}</span>`;
}

/**
 * A digest in a list: its first characters, and the full one to copy.
 *
 * @param name of the digest, for screen readers
 */
export function shortDigest(words: Words, digest: string, name: string): Html {
  const [algorithm = '', hex = ''] = digest.split(':', 2);
  return html`<span class="copyable"><code class="digest" translate="no" title="${digest}">${algorithm}:${hex.slice(0, shown)}…</code>${copyButton(words, digest, name)}</span>`;
}
