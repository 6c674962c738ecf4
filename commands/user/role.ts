import { type Role, roles } from '../../src/account/model.ts';
import { fr, say } from '../../src/text/language.ts';
import { BaseCommand } from '../cli/base-command.ts';
import type { CommandHelp } from '../cli/command-definition.ts';
import { argument } from '../cli/inputs.ts';
import { changeAccounts } from './change-accounts.ts';

export class UserRoleCommand extends BaseCommand {
  static override help: CommandHelp = {
    details: [
      [
        'Writes to the state folder directly, also while an instance is running. The new role applies from the next request. Roles: viewer sees, operator also transfers, admin also administers. The last administrator keeps the role.',
        fr`Écrit directement dans le dossier d’état, même pendant qu’une instance tourne. Le nouveau rôle vaut dès la requête suivante. Rôles : viewer consulte, operator transfère aussi, admin administre aussi. Le dernier administrateur garde son rôle.`,
      ],
    ],
    examples: [
      [
        ['Make an account an operator', fr`Faire d’un compte un opérateur`],
        'svc user role ines operator --state-root /var/lib/svc',
      ],
    ],
  };

  name: string = argument.text(['name', fr`nom`]);
  role: Role = argument.choice(['role', fr`rôle`], roles);

  async run(): Promise<number> {
    const { config } = await this.loadConfig('user');
    const report = await this.openReport();
    const { name, role } = this;
    const { formerRole } = await changeAccounts({
      stateRoot: config.state.root,
      actor: this.actor,
      report,
      action: 'account.role_change',
      target: name,
      apply: (accounts) => accounts.update(name, { role }),
      describe: ({ formerRole }) => ({ role, formerRole }),
    });
    if (this.format === 'json') await this.printDocument({ name, role, formerRole });
    else {
      const done = say(
        [`${name}: ${role}, was ${formerRole}`, fr`${name} : ${role}, était ${formerRole}`],
        this.language,
      );
      this.context.stdout.write(`${done}\n`);
    }
    return 0;
  }
}
