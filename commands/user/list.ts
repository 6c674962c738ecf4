import { Command, type Usage } from 'clipanion';
import { BaseCommand } from '../base-command.ts';
import { printDocument, renderTable } from '../print.ts';

export class UserListCommand extends BaseCommand {
  static override paths: string[][] = [['user', 'list']];
  static override usage: Usage = Command.Usage({
    description: 'List the accounts of the state folder',
    details: 'Works on the state folder itself, also beside a running instance.',
    examples: [['Who may sign in', 'svc user list --state-root /var/lib/svc']],
  });

  async run(): Promise<number> {
    const { config } = await this.loadConfig('user');
    const { openAccounts } = await import('../../src/account/accounts.ts');
    await using store = openAccounts({ stateRoot: config.state.root! });
    const accounts = await store.list();
    const { stdout } = this.context;
    if (this.format === 'json') await printDocument(stdout, { accounts }, 'json');
    else if (accounts.length === 0) this.tell(`svc: no account in ${config.state.root} yet`);
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
