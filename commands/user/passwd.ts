import { fr, say } from '../../src/text/language.ts';
import { BaseCommand } from '../cli/base-command.ts';
import type { CommandHelp } from '../cli/command-definition.ts';
import { argument, flag } from '../cli/inputs.ts';
import { changeAccounts } from './change-accounts.ts';
import { readPassword } from './read-password.ts';

export class UserPasswdCommand extends BaseCommand {
  static override help: CommandHelp = {
    details: [
      [
        'Writes to the state folder directly, also while an instance is running. The new password applies from the next request and ends the sessions of the account. The password is typed twice on the terminal, or read from the first line of stdin with --password-stdin.',
        fr`Écrit directement dans le dossier d’état, même pendant qu’une instance tourne. Le nouveau mot de passe vaut dès la requête suivante et met fin aux sessions du compte. Le mot de passe est saisi deux fois sur le terminal, ou lu sur la première ligne de l’entrée standard avec --password-stdin.`,
      ],
    ],
    examples: [
      [['Interactive', fr`Avec un dialogue`], 'svc user passwd ada --state-root /var/lib/svc'],
      [
        ['Set it without a terminal', fr`Définir le mot de passe sans terminal`],
        'svc user passwd ada --password-stdin < secret',
      ],
    ],
  };

  name: string = argument.text(['name', fr`nom`]);
  passwordStdin: boolean = flag.present('--password-stdin', [
    'read the password from the first line of stdin',
    fr`lit le mot de passe sur la première ligne de l’entrée standard`,
  ]);

  async run(): Promise<number> {
    const { config } = await this.loadConfig('user');
    const report = await this.openReport();
    const target = this.name;
    const { name, role } = await changeAccounts({
      stateRoot: config.state.root,
      passwordMinLength: config.auth.passwordMinLength,
      actor: this.actor,
      report,
      action: 'account.password_change',
      target,
      apply: async (accounts) => {
        // an unknown name is refused before a password is typed for it
        await accounts.get(target);
        const password = await readPassword(this.context, this.passwordStdin);
        return (await accounts.update(target, { password })).account;
      },
    });
    if (this.format === 'json') await this.printDocument({ name, role });
    else {
      const done = say(
        [`${name} (${role}): password set`, fr`${name} (${role}) : mot de passe défini`],
        this.language,
      );
      this.context.stdout.write(`${done}\n`);
    }
    return 0;
  }
}
