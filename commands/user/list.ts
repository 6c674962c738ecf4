import { existsSync } from 'node:fs';
import { listAccounts } from '../../src/contract/operations/access.ts';
import { fr, speak } from '../../src/text/language.ts';
import { BaseCommand } from '../cli/base-command.ts';
import type { CommandHelp } from '../cli/command-definition.ts';
import { flagOf } from '../cli/inputs.ts';
import { renderTable } from '../cli/print.ts';
import { toTime } from '../render/time.ts';

export class UserListCommand extends BaseCommand {
  static override help: CommandHelp = {
    details: [
      [
        'Reads the state folder directly, also while an instance is running.',
        fr`Lit directement le dossier d’état, même pendant qu’une instance tourne.`,
      ],
    ],
    examples: [[['List the accounts', fr`Lister les comptes`], 'svc user list --state-root /var/lib/svc']],
  };

  sort = flagOf('--sort', listAccounts.query.sort);
  order = flagOf('--order', listAccounts.query.order);

  async run(): Promise<number> {
    const { config } = await this.loadConfig('user');
    const { openAccounts } = await import('../../src/account/accounts.ts');
    await using store = openAccounts({ stateRoot: config.state.root });
    const { sortAccounts } = await import('../../src/view/sort-accounts.ts');
    const accounts = sortAccounts(await store.list(), this);
    if (this.format === 'json') await this.printDocument({ accounts });
    else if (accounts.length === 0) {
      const { root } = config.state;
      const isThere = existsSync(root);
      this.printLine([
        `svc: no accounts in ${root}${isThere ? '' : ': the folder does not exist'}`,
        fr`svc: aucun compte dans ${root}${isThere ? '' : fr` : le dossier n’existe pas`}`,
      ]);
    } else {
      const text = speak(this.language);
      const rows = accounts.map(({ name, role, createdAt, lastLoginAt }) => [
        name,
        role,
        toTime(createdAt, this.language),
        lastLoginAt === undefined ? text('never', fr`jamais`) : toTime(lastLoginAt, this.language),
      ]);
      const headings = [
        text('NAME', fr`NOM`),
        text('ROLE', fr`RÔLE`),
        text('CREATED', fr`CRÉATION`),
        text('LAST SIGN-IN', fr`DERNIÈRE CONNEXION`),
      ];
      this.printReport(renderTable(headings, rows, this.rendering.width));
    }
    return 0;
  }
}
