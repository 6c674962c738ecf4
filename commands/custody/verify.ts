import { fr } from '../../src/text/language.ts';
import { BaseCommand } from '../cli/base-command.ts';
import type { CommandHelp } from '../cli/command-definition.ts';
import { flag } from '../cli/inputs.ts';

export class CustodyVerifyCommand extends BaseCommand {
  static override help: CommandHelp = {
    details: [
      [
        'Reads the custody ledger and checks every line, and that each names the one before. The last receipt of each zone names an end of its ledger and of this one: a ledger that ends before that was cut. Operations without an outcome are listed: they run, or were killed.',
        fr`Lit le journal de garde et contrôle chaque ligne, et que chacune nomme la précédente. Le dernier reçu de chaque zone nomme une fin de son journal de garde et de celui-ci : un journal de garde qui finit avant a été coupé. Les opérations sans résultat sont listées : elles sont en cours, ou ont été tuées.`,
      ],
      [
        'With --peer-ledger, the ledger of another site is checked too: its files, or a copy of its folder. It is untrusted, and compared with every receipt and checkpoint about it that this ledger or the state knows. A site without any needs --peer-site.',
        fr`Avec --peer-ledger, le journal de garde d’un autre site est aussi contrôlé : ses fichiers, ou une copie de son dossier. Il n’est pas digne de confiance, et il est comparé avec tous les reçus et points de contrôle à son sujet que ce journal de garde ou l’état connaît. Un site qui n’en a aucun nécessite --peer-site.`,
      ],
      [
        'Exit code: 0 whole, 1 failure, 4 a line is broken, or the end was cut (SVC-CUS-001), or two statements contradict each other (SVC-CUS-005).',
        fr`Code de sortie : 0 entier, 1 échec, 4 une ligne est rompue, ou la fin a été coupée (SVC-CUS-001), ou deux déclarations se contredisent (SVC-CUS-005).`,
      ],
    ],
    examples: [
      [['Check the own ledger', fr`Contrôler son propre journal de garde`], 'svc custody verify'],
      [
        [
          'Check the ledger of a zone, which an auditor brought',
          fr`Contrôler le journal de garde d’une zone, apporté par un auditeur`,
        ],
        'svc custody verify --peer-ledger zone-b/custody',
      ],
    ],
  };

  peerLedger: string[] = flag.each(
    '--peer-ledger',
    [
      'ledger of another site: a file, or a folder; repeatable, oldest first',
      fr`journal de garde d’un autre site : un fichier ou un dossier ; répétable, du plus ancien au plus récent`,
    ],
    'file',
  );
  peerSite: string | undefined = flag.text(
    '--peer-site',
    [
      'site of --peer-ledger (default: its lines name it)',
      fr`site de --peer-ledger (par défaut : celui que ses lignes nomment)`,
    ],
    'name',
  );

  async run(): Promise<number> {
    const { config } = await this.loadConfig('custody');
    const { verifyCustody } = await import('../../src/operation/custody/verify-custody.ts');
    const { fromErrorRecord } = await import('../../src/text/error.ts');
    const { peerLedger: peer, peerSite } = this;
    const checked = await verifyCustody(config, { peer, peerSite, signal: this.context.signal });
    if (this.format === 'json') await this.printDocument(checked);
    else {
      const { renderCheck } = await import('./render-custody.ts');
      this.printReport(renderCheck(checked, this.language));
    }
    const errors = [checked.error, ...(checked.contradictions ?? []), checked.peer?.error].flatMap(
      (error) => error ?? [],
    );
    return this.failEach(errors.map((error) => ({ error: fromErrorRecord(error) })));
  }
}
