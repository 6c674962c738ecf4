import { Command, Option, type Usage } from 'clipanion';
import { fr, say } from '../../src/text/language.ts';
import { BaseCommand } from '../cli/base-command.ts';
import { changeAccounts } from './change-accounts.ts';

export class UserRemoveCommand extends BaseCommand {
  static override paths: string[][] = [['user', 'remove']];
  static override usage: Usage = Command.Usage({
    description: 'Delete an account',
    details: `
      Writes to the state folder directly, also while an instance is running. The account can no longer sign in,
      and its sessions end with the next request. The last administrator cannot be deleted. Audit records keep
      the name.
    `,
    examples: [['Delete an account', 'svc user remove ines --state-root /var/lib/svc']],
  });

  name: string = Option.String({ name: 'name', required: true });

  async run(): Promise<number> {
    const { config } = await this.loadConfig('user');
    const report = await this.openReport();
    const { name } = this;
    const { role } = await changeAccounts({
      stateRoot: config.state.root,
      actor: this.actor,
      report,
      action: 'account.delete',
      target: name,
      apply: (accounts) => accounts.delete(name),
      describe: (deleted) => ({ ...deleted }),
    });
    if (this.format === 'json') await this.printDocument({ name, role });
    else {
      const done = say(
        [`${name} (${role}): account deleted`, fr`${name} (${role}) : compte supprimé`],
        this.language,
      );
      this.context.stdout.write(`${done}\n`);
    }
    return 0;
  }
}
