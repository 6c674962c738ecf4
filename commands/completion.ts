import { Cli, Command, Option, type Usage } from 'clipanion';
import { BaseCommand, type FlagValues } from './base-command.ts';
import type { CommandContext } from './command-context.ts';
import { commandIndex } from './command-index.ts';
import { CommandLineError } from './command-line-error.ts';
import { type CompletedCommand, renderCompletion, shells } from './completion-scripts.ts';
import { getFlagValues } from './flag-values.ts';
import type { OutputFormat } from './print.ts';
import { toFlags } from './render-usage.ts';

export class CompletionCommand extends BaseCommand {
  static override paths: string[][] = [['completion']];
  static override formats: readonly OutputFormat[] = ['text'];
  static override values: Readonly<Record<string, FlagValues>> = { '': shells };
  static override usage: Usage = Command.Usage({
    description: 'Print the completion script of a shell',
    details: `One of: ${shells.join(', ')}.`,
    examples: [
      ['In this bash', 'source <(svc completion bash)'],
      ['For every zsh', 'svc completion zsh > "$' + '{fpath[1]}/_svc"'],
      ['For every fish', 'svc completion fish > ~/.config/fish/completions/svc.fish'],
      ['In a PowerShell profile', 'svc completion powershell | Out-String | Invoke-Expression'],
    ],
  });

  shell: string = Option.String({ name: 'shell', required: true });

  async run(): Promise<number> {
    const shell = shells.find((name) => name === this.shell);
    if (shell === undefined) {
      throw new CommandLineError(`unknown shell '${this.shell}': one of ${shells.join(', ')}`);
    }
    this.context.stdout.write(renderCompletion(shell, await collectCommands()));
    return 0;
  }
}

/** Every command with its flags and their values, read from the definitions themselves. */
async function collectCommands(): Promise<CompletedCommand[]> {
  return Promise.all(
    commandIndex.map(async ({ path, summary, load }) => {
      const commandClass = await load();
      const cli = new Cli<CommandContext>({ binaryName: 'svc', enableColors: false });
      cli.register(commandClass);
      const values = getFlagValues(commandClass);
      const flags = toFlags(cli.definitions()[0]).flatMap(({ names, takesValue, description }) =>
        names.map((name) => ({ name, takesValue, description, values: values[name] })),
      );
      flags.push({
        name: '--help',
        takesValue: false,
        description: 'show the help of this command',
        values: undefined,
      });
      return { path, summary, flags, values: values[''] };
    }),
  );
}
