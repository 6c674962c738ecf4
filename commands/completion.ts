import { Command, Option, type Usage } from 'clipanion';
import { fr } from '../src/text/language.ts';
import { BaseCommand, type FlagValues } from './cli/base-command.ts';
import { collectCommands } from './cli/collect-commands.ts';
import { CommandLineError } from './cli/command-line-error.ts';
import { type CompletedCommand, renderCompletion, shells } from './cli/completion-scripts.ts';
import type { OutputFormat } from './cli/print.ts';
import { toFlags } from './render/usage.ts';

export class CompletionCommand extends BaseCommand {
  static override paths: string[][] = [['completion']];
  static override formats: readonly OutputFormat[] = ['text'];
  static override values: Readonly<Record<string, FlagValues>> = { '': shells };
  static override usage: Usage = Command.Usage({
    description: 'Print the completion script of a shell',
    details: `One of: ${shells.join(', ')}.`,
    examples: [
      ['In the current bash', 'source <(svc completion bash)'],
      ['For every zsh', 'svc completion zsh > "$' + '{fpath[1]}/_svc"'],
      ['For every fish', 'svc completion fish > ~/.config/fish/completions/svc.fish'],
      ['In a PowerShell profile', 'svc completion powershell | Out-String | Invoke-Expression'],
    ],
  });

  shell: string = Option.String({ name: 'shell', required: true });

  async run(): Promise<number> {
    const shell = shells.find((name) => name === this.shell);
    if (shell === undefined) {
      const known = shells.join(', ');
      throw new CommandLineError([
        `unknown shell '${this.shell}'; must be one of ${known}`,
        fr`interpréteur « ${this.shell} » inconnu ; doit être l’un de : ${known}`,
      ]);
    }
    this.context.stdout.write(renderCompletion(shell, await describeCompletions()));
    return 0;
  }
}

/** Describes every command for the completion scripts, from the definitions of the commands. */
export async function describeCompletions(): Promise<CompletedCommand[]> {
  const help = {
    name: '--help',
    takesValue: false,
    description: 'show the help of this command',
    values: undefined,
  };
  return (await collectCommands()).map(({ path, summary, definition, values }) => {
    const flags = toFlags(definition).flatMap(({ names, takesValue, description }) =>
      names.map((name) => ({ name, takesValue, description, values: values[name] })),
    );
    return { path, summary, flags: [...flags, help], values: values[''] };
  });
}
