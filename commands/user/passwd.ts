import { Command, Option, type Usage } from 'clipanion';
import { fr, say } from '../../src/text/language.ts';
import { BaseCommand } from '../cli/base-command.ts';
import { changeAccounts } from './change-accounts.ts';
import { readPassword } from './read-password.ts';

export class UserPasswdCommand extends BaseCommand {
  static override paths: string[][] = [['user', 'passwd']];
  static override usage: Usage = Command.Usage({
    description: 'Set the password of an account',
    details: `
      Writes to the state folder directly, also while an instance is running. The new password applies from the
      next request and ends the sessions of the account. The password is typed twice on the terminal, or read
      from the first line of stdin with --password-stdin.
    `,
    examples: [
      ['Interactive', 'svc user passwd ada --state-root /var/lib/svc'],
      ['Set it without a terminal', 'svc user passwd ada --password-stdin < secret'],
    ],
  });

  name: string = Option.String({ name: 'name', required: true });
  passwordStdin: boolean = Option.Boolean('--password-stdin', false, {
    description: 'read the password from the first line of stdin',
  });

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
