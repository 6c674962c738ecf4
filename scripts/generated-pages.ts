import { Cli } from 'clipanion';
import { commandIndex } from '../commands/command-index.ts';
import { commonFlags } from '../commands/common-flags.ts';
import { getFlagValues } from '../commands/flag-values.ts';
import { renderUsage } from '../commands/render-usage.ts';
import { catalogue, errorCodes } from '../src/base/catalogue.ts';
import { exitCodes } from '../src/base/error.ts';
import { messagesEn } from '../src/base/messages-en.ts';
import { renderConfigTable } from '../src/config/render-config-table.ts';

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

async function renderCommands(): Promise<string> {
  const common = new Set(Object.keys(commonFlags));
  const sections: string[] = [];
  for (const entry of commandIndex) {
    const command = await entry.load();
    const cli = new Cli({ binaryName: 'svc', enableColors: false });
    cli.register(command as never);
    const usage = renderUsage(entry.path, cli.definitions()[0], getFlagValues(command), common);
    sections.push(`## svc ${entry.path.join(' ')}\n\n\`\`\`text\n${usage.trimEnd()}\n\`\`\`\n`);
  }
  const intro = 'What `svc <command> --help` prints. Exit codes: [exit-codes.md](exit-codes.md).';
  return `${notice('Commands', intro)}${sections.join('\n')}`;
}

function renderConfiguration(): string {
  const intro =
    'Highest first: command-line flags, environment variables, the YAML file (`--config`, default\n' +
    '`/etc/svc/config.yaml`), built-in defaults. What merges is validated as a whole, for the command at hand; all\n' +
    'violations are told together. `svc config dump` prints the result with secrets redacted.\n\n' +
    'Durations look like `30s`, `15m`, `1h30m`; sizes like `64MiB`, `512kB` or a bare number of bytes; lists in the\n' +
    'environment are comma-separated. An empty variable is unset.';
  return `${notice('Configuration', intro)}${renderConfigTable()}`;
}

/** Path and text of every page that is printed by the code. */
export async function generatedPages(): Promise<ReadonlyMap<string, string>> {
  return new Map([
    ['docs/configuration.md', renderConfiguration()],
    ['docs/commands.md', await renderCommands()],
    ['docs/errors.md', renderErrors()],
  ]);
}
