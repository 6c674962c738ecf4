import { fr } from '../src/text/language.ts';
import { BaseCommand } from './cli/base-command.ts';
import { type CommandHelp, toCompletion } from './cli/command-definition.ts';
import { type CompletedCommand, renderCompletion, type Shell, shells } from './cli/completion-scripts.ts';
import { describeCommands } from './cli/describe-command.ts';
import { argument } from './cli/inputs.ts';
import type { OutputFormat } from './cli/print.ts';

export class CompletionCommand extends BaseCommand {
  static override formats: readonly OutputFormat[] = ['text'];
  static override help: CommandHelp = {
    details: [['One of: bash, zsh, fish, powershell.', fr`Interpréteurs : bash, zsh, fish, powershell.`]],
    examples: [
      [['In the current bash', fr`Dans le bash en cours`], 'source <(svc completion bash)'],
      [['For every zsh', fr`Pour chaque zsh`], 'svc completion zsh > "$' + '{fpath[1]}/_svc"'],
      [['For every fish', fr`Pour chaque fish`], 'svc completion fish > ~/.config/fish/completions/svc.fish'],
      [
        ['In a PowerShell profile', fr`Dans un profil PowerShell`],
        'svc completion powershell | Out-String | Invoke-Expression',
      ],
    ],
  };

  shell: Shell = argument.choice(['shell', fr`shell`], shells);

  async run(): Promise<number> {
    this.context.stdout.write(renderCompletion(this.shell, await describeCompletions()));
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
  return (await describeCommands()).map(({ path, summary, flags, arguments: positional }) => {
    const described = flags.flatMap(({ names, takesValue, help: [description], values }) =>
      names.map((name) => ({ name, takesValue, description, values: toCompletion(values) })),
    );
    return {
      path,
      summary: summary[0],
      flags: [...described, help],
      values: positional.map(({ values }) => toCompletion(values)).find((each) => each !== undefined),
    };
  });
}
