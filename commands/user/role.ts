import { Command, Option, type Usage } from 'clipanion';
import { roles } from '../../src/account/model.ts';
import { fr, say } from '../../src/text/language.ts';
import { BaseCommand, type FlagValues } from '../cli/base-command.ts';
import { changeAccounts } from './change-accounts.ts';
import { checkRole } from './check-role.ts';

export class UserRoleCommand extends BaseCommand {
  static override paths: string[][] = [['user', 'role']];
  // completion offers the roles after the name, too
  static override values: Readonly<Record<string, FlagValues>> = { '': roles };
  static override usage: Usage = Command.Usage({
    description: 'Change the role of an account',
    details: `
      Writes to the state folder directly, also while an instance is running. The new role applies from the next
      request. Roles: viewer sees, operator also transfers, admin also administers. The last administrator keeps
      the role.
    `,
    examples: [['Make an account an operator', 'svc user role ines operator --state-root /var/lib/svc']],
  });

  name: string = Option.String({ name: 'name', required: true });
  role: string = Option.String({ name: 'role', required: true });

  async run(): Promise<number> {
    checkRole(this.role);
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
