import { parts } from '../../../src/text/words/parts.ts';
import type { Words } from '../../../src/text/words/words.ts';
import { type Html, html } from '../html.ts';
import { icon } from './icons.ts';
import { code } from './text.ts';

/**
 * A button that copies a text. It is hidden where scripts do not run: the text itself is then selected as a whole.
 *
 * @param name of the copied text, for screen readers
 */
export function copyButton({ say }: Words, text: string, name: string): Html {
  return html`<button type="button" class="copy" data-copy="${text}" data-copied="${say(parts.copied)}" aria-label="${say(parts.copyNamed, { name })}" title="${say(parts.copy)}">${icon('copy')}</button>`;
}

/** A command on lines of its own, with its button. */
export function command(words: Words, text: string): Html {
  return html`<div class="command"><pre translate="no" tabindex="0"><code>${text}</code></pre>${copyButton(words, text, text)}</div>`;
}

/** A digest, command or reference in full, with its button. */
export function copyable(words: Words, text: string, name: string): Html {
  return html`<span class="copyable">${code(text)}${copyButton(words, text, name)}</span>`;
}
