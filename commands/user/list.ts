import { Command, type Usage } from 'clipanion';
import { BaseCommand } from '../cli/base-command.ts';
import { renderTable } from '../cli/print.ts';

export class UserListCommand extends BaseCommand {
  static override paths: string[][] = [['user', 'list']];
  static override usage: Usage = Command.Usage({
    description: 'List the accounts of the state folder',
    details: 'Reads the state folder directly, also while an instance is running.',
    examples: [['List the accounts', 'svc user list --state-root /var/lib/svc']],
  });

  async run(): Promise<number> {
    const { config } = await this.loadConfig('user');
    const { openAccounts } = await import('../../src/account/accounts.ts');
    await using store = openAccounts({ stateRoot: config.state.root });
    const accounts = await store.list();
    const { stdout } = this.context;
    if (this.format === 'json') await this.printDocument({ accounts });
    else if (accounts.length === 0) this.printLine(`svc: no accounts in ${config.state.root}`);
    else {
      const rows = accounts.map(({ name, role, createdAt, lastLoginAt }) => [
        name,
        role,
        createdAt,
        lastLoginAt ?? 'never',
      ]);
      stdout.write(renderTable(['NAME', 'ROLE', 'CREATED', 'LAST SIGN-IN'], rows));
    }
    return 0;
  }
}
