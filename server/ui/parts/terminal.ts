import { toShellWord } from '../../../src/text/shell-word.ts';
import { parts } from '../../../src/text/words/parts.ts';
import type { Words } from '../../../src/text/words/words.ts';
import { findConfigPath } from '../../views/media.ts';
import { type Html, html } from '../html.ts';
import type { PageCall } from '../ui-route.ts';
import { command } from './copy.ts';
import { icon } from './icons.ts';

/** Commands that open the store to write, and are refused (SVC-STO-007) while the instance runs that shows the page. */
const needsStop = /^svc (?:store check|export|import|fileset pack)\b/;
/** Commands that read an API token from the environment. */
const needsToken = /\$SVC_API_TOKEN|^svc sync (?!--dry-run)/;

/** `--config` of commands on the machine of the instance. The path is for administrators: empty for others. */
export function toConfigFlag(call: PageCall): string {
  const path = call.can('admin') ? findConfigPath(call) : undefined;
  return path === undefined ? '' : ` --config ${toShellWord(path)}`;
}

/** Commands on the machine of the instance that do not name its configuration. */
const needsConfig = /^svc (?:custody|media|receipt|zones)\b(?!.* --config )/;

/** Says how a command finds the configuration of the instance, where it does not name it; empty where it does. */
export const configNote = (words: Words, text: string): string =>
  needsConfig.test(text) ? words.say(parts.terminalConfig) : '';

/**
 * Folds out the commands that replace a page in a terminal, with notes to read before running them.
 *
 * @param notes on these commands alone
 */
export function terminal(words: Words, commands: readonly string[], notes: readonly string[] = []): Html {
  const said = [
    ...(commands.some((each) => needsToken.test(each)) ? [words.say(parts.terminalToken)] : []),
    ...(commands.some((each) => needsStop.test(each)) ? [words.say(parts.terminalStop)] : []),
    ...new Set(commands.map((each) => configNote(words, each)).filter((note) => note !== '')),
    ...notes,
  ];
  return html`<details class="terminal"><summary>${icon('terminal')} ${words.say(parts.terminal)}</summary>
${said.map((note) => html`<p class="hint">${note}</p>`)}
${commands.map((each) => command(words, each))}
</details>`;
}
