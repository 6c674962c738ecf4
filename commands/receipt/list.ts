import { systemClock } from '../../src/base/clock.ts';
import { listReceipts } from '../../src/contract/operations/receipts.ts';
import type { ReceiptSummary } from '../../src/contract/receipt.ts';
import { fr, speak } from '../../src/text/language.ts';
import { BaseCommand } from '../cli/base-command.ts';
import type { CommandHelp } from '../cli/command-definition.ts';
import { flagOf } from '../cli/inputs.ts';

/** The recipes that a receipt states. */
const countOf = ({ recipes: { present, incomplete, blocked } }: ReceiptSummary): number =>
  present + incomplete + blocked;

export class ReceiptListCommand extends BaseCommand {
  static override help: CommandHelp = {
    details: [
      [
        'Lists the last receipt of each zone that was added here, and the last one that this zone wrote itself. A receipt whose key is no longer configured is listed, and not used.',
        fr`Liste le dernier reçu de chaque zone ajouté ici, et le dernier que cette zone a écrit elle-même. Un reçu dont la clé n’est plus configurée est listé, mais pas utilisé.`,
      ],
      ['Exit code: 0 success, 1 failure.', fr`Code de sortie : 0 succès, 1 échec.`],
    ],
    examples: [
      [['The known zones', fr`Les zones connues`], 'svc receipt list'],
      [
        ['Their numbers for a script', fr`Leurs numéros pour un script`],
        "svc receipt list --output json | jq -r '.receipts[] | [.zone, .sequence] | @tsv'",
      ],
    ],
  };

  sort = flagOf('--sort', listReceipts.query.sort);
  order = flagOf('--order', listReceipts.query.order);

  async run(): Promise<number> {
    const { config } = await this.loadConfig('receipt');
    const { loadPolicy } = await import('../../src/operation/load-policy.ts');
    const { showReceipts } = await import('../../src/view/receipts.ts');
    const policy = await loadPolicy(config, await this.openReport());
    const { receipts } = await showReceipts({ config, policy }, systemClock.wall(), this);
    if (this.format === 'json') await this.printDocument({ receipts });
    else if (receipts.length === 0)
      this.printLine([
        `svc: no receipts in ${config.state.root}`,
        fr`svc: aucun reçu dans ${config.state.root}`,
      ]);
    else {
      const { renderTable } = await import('../cli/print.ts');
      const { toBelief, toStates } = await import('./render-receipt.ts');
      const { receipts: columns } = await import('../../src/text/words/delivering/receipts.ts');
      const { words } = await import('../../src/text/words/words.ts');
      const { toTime } = await import('../render/time.ts');
      const { language } = this;
      const text = speak(language);
      const { say } = words[language];
      const { zone, sequence, issued, evidence, recipes } = columns;
      const headings = [
        ...[zone, sequence, issued, evidence, recipes].map((one) => say(one).toUpperCase()),
        text('STATE', fr`ÉTAT`),
      ];
      const rows = receipts.map((one) => [
        one.zone,
        `${one.sequence}`,
        toTime(one.issuedAt, language),
        say(columns[one.evidence]),
        one.believed ? toStates(one.recipes, language) : say(columns.notCounted, { count: countOf(one) }),
        toBelief(one, language),
      ]);
      this.printReport(renderTable(headings, rows, this.rendering.width));
    }
    return 0;
  }
}
