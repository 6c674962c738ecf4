import { parts } from '../../../src/base/words/parts.ts';
import type { Words } from '../../../src/base/words/words.ts';
import { type Html, html } from '../html.ts';
import { copyButton } from './copy.ts';
import { icon } from './icons.ts';

/** Folds out the commands that do from a terminal what the page does. */
export function terminal(words: Words, commands: readonly string[]): Html {
  const name = words.say(parts.terminal);
  return html`<details class="terminal"><summary>${icon('terminal')} ${name}</summary>
${commands.map((command) => html`<div class="command"><pre translate="no" tabindex="0"><code>${command}</code></pre>${copyButton(words, command, name)}</div>`)}
</details>`;
}
