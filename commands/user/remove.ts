import { fr, say } from '../../src/text/language.ts';
import { BaseCommand } from '../cli/base-command.ts';
import type { CommandHelp } from '../cli/command-definition.ts';
import { argument } from '../cli/inputs.ts';
import { changeAccounts } from './change-accounts.ts';

export class UserRemoveCommand extends BaseCommand {
  static override help: CommandHelp = {
    details: [
      [
        'Writes to the state folder directly, also while an instance is running. The account can no longer sign in, and its sessions end with the next request. The last administrator cannot be deleted. Audit records keep the name.',
        fr`Écrit directement dans le dossier d’état, même pendant qu’une instance tourne. Le compte ne peut plus se connecter et ses sessions prennent fin à la requête suivante. Le dernier administrateur ne peut pas être supprimé. Les enregistrements d’audit gardent le nom.`,
      ],
    ],
    examples: [
      [['Delete an account', fr`Supprimer un compte`], 'svc user remove ines --state-root /var/lib/svc'],
    ],
  };

  name: string = argument.text(['name', fr`nom`]);

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
