import { listTokens } from '../../src/contract/operations/access.ts';
import { fr, speak } from '../../src/text/language.ts';
import { BaseCommand } from '../cli/base-command.ts';
import type { CommandHelp } from '../cli/command-definition.ts';
import { flagOf } from '../cli/inputs.ts';
import { renderTable } from '../cli/print.ts';
import { toTime } from '../render/time.ts';

export class TokenListCommand extends BaseCommand {
  static override help: CommandHelp = {
    details: [
      [
        'Reads the state folder directly, also while an instance is running. Revoked tokens are listed too; the secrets are stored nowhere. The last use is a day (UTC), which a running instance writes within a minute.',
        fr`Lit directement le dossier d’état, même pendant qu’une instance tourne. Les jetons révoqués sont listés aussi ; les secrets ne sont conservés nulle part. La dernière utilisation est un jour (UTC), qu’une instance en cours d’exécution écrit dans la minute.`,
      ],
    ],
    examples: [[['List the tokens', fr`Lister les jetons`], 'svc token list --state-root /var/lib/svc']],
  };

  sort = flagOf('--sort', listTokens.query.sort);
  order = flagOf('--order', listTokens.query.order);

  async run(): Promise<number> {
    const { config } = await this.loadConfig('user');
    const { openAccounts } = await import('../../src/account/accounts.ts');
    await using store = openAccounts({ stateRoot: config.state.root });
    const { sortTokens } = await import('../../src/view/sort-accounts.ts');
    const tokens = sortTokens(await store.tokens.list(), this);
    if (this.format === 'json') await this.printDocument({ tokens });
    else if (tokens.length === 0) {
      const { root } = config.state;
      this.printLine([`svc: no tokens in ${root}`, fr`svc: aucun jeton dans ${root}`]);
    } else {
      const text = speak(this.language);
      const rows = tokens.map(({ name, role, createdAt, lastUsedOn, revokedAt }) => [
        name,
        role,
        toTime(createdAt, this.language),
        lastUsedOn ?? text('never', fr`jamais`),
        revokedAt === undefined
          ? text('valid', fr`valide`)
          : text(`revoked ${toTime(revokedAt, 'en')}`, fr`révoqué le ${toTime(revokedAt, 'fr')}`),
      ]);
      const headings = [
        text('NAME', fr`NOM`),
        text('ROLE', fr`RÔLE`),
        text('CREATED', fr`CRÉATION`),
        text('LAST USED', fr`DERNIÈRE UTILISATION`),
        text('STATE', fr`ÉTAT`),
      ];
      this.printReport(renderTable(headings, rows, this.rendering.width));
    }
    return 0;
  }
}
