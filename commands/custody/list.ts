import { listCustody } from '../../src/contract/operations/custody.ts';
import { fr } from '../../src/text/language.ts';
import { BaseCommand } from '../cli/base-command.ts';
import type { CommandHelp } from '../cli/command-definition.ts';
import { flagOf } from '../cli/inputs.ts';

const { query } = listCustody;

export class CustodyListCommand extends BaseCommand {
  static override help: CommandHelp = {
    details: [
      [
        'Lists the lines of the custody ledger in the state folder, newest first, also while an instance runs. An operation has two lines: its intent, and its outcome. svc history shows them among the audit records, with more filters.',
        fr`Liste les lignes du journal de garde dans le dossier d’état, de la plus récente à la plus ancienne, même pendant qu’une instance fonctionne. Une opération a deux lignes : son intention et son résultat. svc history les affiche parmi les enregistrements d’audit, avec plus de filtres.`,
      ],
      [
        'Exit code: 0 success, also for an empty ledger; 1 failure.',
        fr`Code de sortie : 0 succès, y compris pour un journal de garde vide ; 1 échec.`,
      ],
    ],
    examples: [[['Who approved what', fr`Qui a approuvé quoi`], 'svc custody list --type approved']],
  };

  type = flagOf('--type', query.type);
  cursor = flagOf('--cursor', query.cursor);
  pageSize = flagOf('--page-size', query.pageSize);

  async run(): Promise<number> {
    const { config } = await this.loadConfig('custody');
    const { searchCustody } = await import('../../src/view/custody.ts');
    const { type, cursor, pageSize } = this;
    const page = await searchCustody(config, { type, cursor, pageSize }, this.context.signal);
    if (this.format === 'json') await this.printDocument(page);
    else {
      const { renderLines } = await import('./render-custody.ts');
      this.printReport(renderLines(page, this.rendering));
    }
    return 0;
  }
}
