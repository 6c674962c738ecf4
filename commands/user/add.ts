import { Command, Option, type Usage } from 'clipanion';
import { roles } from '../../src/account/model.ts';
import { fr } from '../../src/base/language.ts';
import { BaseCommand, type FlagValues } from '../cli/base-command.ts';
import { parseArgument } from '../cli/parse-argument.ts';
import { checkRole } from './check-role.ts';
import { createAccount } from './create-account.ts';
import { readPassword } from './read-password.ts';

export class UserAddCommand extends BaseCommand {
  static override paths: string[][] = [['user', 'add']];
  static override values: Readonly<Record<string, FlagValues>> = { '--role': roles };
  static override usage: Usage = Command.Usage({
    description: 'Create an account',
    details: `
      Writes to the state folder directly, also while an instance is running. The first account is always an
      administrator; later accounts are viewers unless --role is given. The password is typed twice on the
      terminal, or read from the first line of stdin with --password-stdin.
    `,
    examples: [
      ['Create an operator without a terminal', 'svc user add ci --role operator --password-stdin < secret'],
    ],
  });

  name: string = Option.String({ name: 'name', required: true });
  role: string | undefined = Option.String('--role', {
    description: 'role of the account (viewer; the first account is always admin)',
  });
  passwordStdin: boolean = Option.Boolean('--password-stdin', false, {
    description: 'read the password from the first line of stdin',
  });

  async run(): Promise<number> {
    if (this.role !== undefined) checkRole(this.role);
    const { parseName } = await import('../../src/account/credential-rules.ts');
    await parseArgument(['a user name', fr`un nom d’utilisateur`], this.name, parseName);
    const { config } = await this.loadConfig('user');
    const password = await readPassword(this.context, this.passwordStdin);
    const report = await this.openReport();
    const { name, role: asked, actor } = this;
    const stateRoot = config.state.root;
    const created = await createAccount({ stateRoot, name, role: asked, password, actor, report });
    const { role } = created.account;
    const { first } = created;
    if (first && asked !== undefined && asked !== role) {
      this.printLine([
        `svc: the first account is always an administrator: ${name} has the role ${role}, not ${asked}`,
        fr`svc: le premier compte est toujours administrateur : ${name} a le rôle ${role}, pas ${asked}`,
      ]);
    }
    if (this.format === 'json') await this.printDocument({ name, role, first });
    else this.context.stdout.write(`${name} (${role})\n`);
    // without an account the instance could not start; the command has to work as it is printed
    const isServable = config.mode !== undefined && config.storage.root !== undefined;
    if (first && isServable)
      await this.suggestNext(['start the instance with:', fr`démarrez l’instance avec :`], 'svc serve');
    return 0;
  }
}
