import { type CollectedCommand, collectCommands } from '../commands/collect-commands.ts';
import { commonFlags } from '../commands/common-flags.ts';
import { describeCompletions } from '../commands/completion.ts';
import { renderCompletion, type Shell, shells } from '../commands/completion-scripts.ts';
import { renderUsage } from '../commands/render-usage.ts';
import { catalogue, errorCodes } from '../src/base/catalogue.ts';
import { exitCodes } from '../src/base/error.ts';
import { messagesEn } from '../src/base/messages-en.ts';
import { renderConfigTable } from '../src/config/render-config-table.ts';
import { renderManual } from './render-manual.ts';

const notice = (title: string, intro: string): string => `# ${title}\n\n${intro}\n\n`;

/** A cell of a Markdown table; what stands in braces is a parameter of the error. */
function cell(text: string): string {
  return text.replaceAll('|', '\\|').replaceAll('\n', ' ');
}

function renderErrors(): string {
  const rows = errorCodes.map((code) => {
    const { what, cause, action } = messagesEn[code];
    const { class: errorClass, status } = catalogue[code];
    return `| \`${code}\` | ${errorClass} (${exitCodes[errorClass]}) | ${status} | ${[what, cause, action].map(cell).join(' | ')} |`;
  });
  const intro =
    'Every coded error: its class with the exit code, its HTTP status where it reaches a client, and what it says. Words\n' +
    'in braces are filled in. The same texts exist in French (`LC_ALL`, `LANG`, `Accept-Language`).';
  return `${notice('Errors', intro)}| code | class (exit) | HTTP | what happened | probable cause | what to do |\n|---|---|---|---|---|---|\n${rows.join('\n')}\n`;
}

function renderCommands(commands: readonly CollectedCommand[]): string {
  const common = new Set(Object.keys(commonFlags));
  const sections = commands.map(({ path, definition, values }) => {
    const usage = renderUsage(path, definition, values, common);
    return `## svc ${path.join(' ')}\n\n\`\`\`text\n${usage.trimEnd()}\n\`\`\`\n`;
  });
  const intro =
    'What `svc <command> --help` prints; the same stands in the manual pages (`man svc-sync`). Exit codes:\n' +
    '[exit-codes.md](exit-codes.md).';
  return `${notice('Commands', intro)}${sections.join('\n')}`;
}

/** Under the names by which each shell looks them up. */
const completionFiles: Readonly<Record<Shell, string>> = {
  bash: 'svc',
  zsh: '_svc',
  fish: 'svc.fish',
  powershell: 'svc.ps1',
};

function renderConfiguration(): string {
  const intro =
    'Highest first: command-line flags, environment variables, the YAML file (`--config`, default\n' +
    '`/etc/svc/config.yaml`), built-in defaults. What merges is validated as a whole, for the command at hand; all\n' +
    'violations are told together. `svc config dump` prints the result with secrets redacted.\n\n' +
    'Durations look like `30s`, `15m`, `1h30m`; sizes like `64MiB`, `512kB` or a bare number of bytes; lists in the\n' +
    'environment are comma-separated. An empty variable is unset.';
  return `${notice('Configuration', intro)}${renderConfigTable()}`;
}

/** Path and text of every file that is printed by the code. */
export async function generatedPages(): Promise<ReadonlyMap<string, string>> {
  const commands = await collectCommands();
  const described = await describeCompletions();
  return new Map([
    ['docs/configuration.md', renderConfiguration()],
    ['docs/commands.md', renderCommands(commands)],
    ['docs/errors.md', renderErrors()],
    ...[...renderManual(commands)].map(([name, text]): [string, string] => [`man/${name}`, text]),
    ...shells.map((shell): [string, string] => [
      `completions/${completionFiles[shell]}`,
      renderCompletion(shell, described),
    ]),
  ]);
}
